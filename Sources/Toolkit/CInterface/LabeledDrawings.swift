internal import Datasets
internal import Ink
internal import JSON
internal import Recognition

/// Drawings and where they come from.
struct LabeledDrawings: Sendable {
  /// The drawings, with or without labels.
  let drawings: [Drawing]
  /// Where each comes from; empty if they were in memory.
  private let origins: [SampleSet.Origin]
  /// The file or folder that they were read from; empty if they were in memory.
  let paths: [String]

  /// Drawings in memory.
  init(_ drawings: [Drawing]) {
    self.drawings = drawings
    (origins, paths) = ([], [])
  }

  /// The drawings of a file or folder; "-" is a file's name, for standard input is the host's.
  init(path: String) throws {
    let contents = try DatasetFiles.read([path == "-" ? "./-" : path])
    (drawings, origins, paths) = (contents.drawings, contents.origins, [path])
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
    (self.drawings, self.origins, paths) = (drawings, origins, [])
  }

  /// The drawings as a model is taught them. Those without an id get their ink's digest, or the id
  /// that it was taught under without one, so that the same ink under another label corrects the
  /// first; where they have several labels themselves, all of them stay.
  func samples(for model: Recognizer) throws -> [Drawing] {
    let digests = drawings.map { $0.id.isEmpty ? $0.digest : "" }
    var labels: [String: Set<String?>] = [:]
    for (drawing, digest) in zip(drawings, digests) where drawing.id.isEmpty {
      labels[digest, default: []].insert(drawing.label)
    }
    var ids: [String: String] = [:]
    for sample in model.memory.samples where labels[sample.digest] != nil {
      let derived = SampleSet.id(label: sample.label, digest: sample.digest)
      if [sample.digest, derived].contains(sample.id) { ids[sample.digest] = sample.id }
    }
    let named = zip(drawings, digests).map { drawing, digest in
      var named = drawing
      if drawing.id.isEmpty, labels[digest]?.count == 1 { named.id = ids[digest] ?? digest }
      return named
    }
    return try SampleSet(named, origins: origins).drawings
  }

  /// The drawings to train on or to judge by, as the program has them.
  func samples() throws -> SampleSet { try SampleSet(drawings, origins: origins) }

  /// The ids and labels.
  struct Description: Encodable {
    var drawings: [Entry]

    struct Entry: Encodable {
      var id: String
      @OrNull var label: String?
    }
  }

  var description: Description {
    Description(drawings: drawings.map { .init(id: $0.id, label: $0.label) })
  }
}
