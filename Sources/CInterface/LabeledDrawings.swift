internal import Datasets
internal import Ink

/// Drawings and where they come from.
struct LabeledDrawings: Sendable {
  /// The drawings, with or without labels.
  let drawings: [Drawing]
  /// Where each comes from; empty if they were in memory.
  private let origins: [SampleSet.Origin]

  /// Drawings in memory.
  init(_ drawings: [Drawing]) {
    self.drawings = drawings
    origins = []
  }

  /// The drawings of a file or folder; "-" is a file's name, for standard input is the host's.
  init(path: String) throws {
    let contents = try DatasetFiles.read([path == "-" ? "./-" : path])
    (drawings, origins) = (contents.drawings, contents.origins)
  }

  /// The drawings of stroke JSON, one a line.
  init(json bytes: [UInt8]) throws {
    let name = "the text"
    var reader = DrawingReader(lines: bytes, named: name)
    var (drawings, origins): ([Drawing], [SampleSet.Origin]) = ([], [])
    while let drawing = try reader.next() {
      drawings.append(drawing)
      origins.append(SampleSet.Origin(path: name, line: reader.line))
    }
    (self.drawings, self.origins) = (drawings, origins)
  }

  /// The drawings as a model is taught them: those without an id have their ink's digest, so that
  /// the same ink under another label corrects the first.
  func samples() throws(SampleSetError) -> [Drawing] {
    let named = drawings.map { drawing in
      var named = drawing
      if drawing.id.isEmpty { named.id = drawing.digest }
      return named
    }
    return try SampleSet(named, origins: origins).drawings
  }

  /// The ids and labels.
  struct Description: Encodable {
    var drawings: [Entry]

    struct Entry: Encodable {
      var id: String
      var label: String?

      private enum CodingKeys: CodingKey { case id, label }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(label, forKey: .label)
      }
    }
  }

  var description: Description {
    Description(drawings: drawings.map { .init(id: $0.id, label: $0.label) })
  }
}
