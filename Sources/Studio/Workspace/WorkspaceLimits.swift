internal import Foundation
internal import GRDB
internal import Ink
internal import Recognition

/// The limits of a workspace; anything above them is rejected with `WorkspaceError`.
public enum WorkspaceLimits {
  /// Characters of a model's or label's name.
  public static let nameLength = 80
  /// Characters of a label.
  public static let labelLength = LabelRule.maxCharacters
  /// Bytes of an id.
  public static let idBytes = 128
  /// Points of a drawing.
  public static let points = 50_000
  /// Strokes of a drawing.
  public static let strokes = 2_000
  /// Predictions stored per model; older ones are deleted.
  public static let predictions = 200
  /// Bytes of the drawings, as JSON, of the predictions stored per model; those that are older are
  /// deleted, but never the last one. A usual drawing has about 1 KB.
  public static let predictionBytes = 8 << 20
  /// Bytes of the drawings, as JSON, of a page of samples, of the labels' examples, and of what
  /// their prototypes are found among.
  public static let pageBytes = 4 << 20
  /// Items on a playground.
  public static let items = 2_000
  /// Imported templates.
  public static let templates = 200
  /// Bytes of the pictures and lines of all imported templates.
  public static let templateBytes = 256 << 20
  /// Artworks, those left out that are deleted and can still be restored.
  public static let artworks = 1_000
  /// Bytes of the pictures of all artworks.
  public static let artworkBytes = 1 << 30
  /// Bytes of an artwork's picture: more than a PNG file of `artworkSide` × `artworkSide` has.
  public static let artworkPictureBytes = 80 << 20
  /// Pixels of a side of an artwork's picture.
  public static let artworkSide = 4_096
  /// Labels of an artwork.
  public static let artworkLabels = 1_000
  /// Points of an artwork's sketch.
  public static let sketchPoints = 1 << 16
  /// How many pictures an image model is asked for within any 60 seconds.
  public static let imageRequestsAMinute = 5
  /// Bytes of an exported file.
  public static let exportBytes = 2 << 30
  /// Bytes of a trained model's file within an exported one.
  static let modelFileBytes = ModelLimits.fileBytes
  /// Models in an exported file.
  static let importedModels = 10_000
  /// Playgrounds in an exported file.
  static let importedPlaygrounds = 20_000
  /// The numbers of a playground's items.
  static let itemNumbers = 0..<1_000_000_000
  /// How often a model was trained.
  static let generations = 0..<1_000_000_000
  /// Points of all of a playground's items.
  public static let playgroundPoints = 500_000
  /// Rows of a table in an exported file, whose size in bytes usually limits it first.
  static func rows(of table: String) -> Int {
    switch table {
    case "settings", "traced": 1
    case "model", "modelFile", "report": importedModels
    case "playground": importedPlaygrounds
    case "template": templates
    case "artwork", "artworkFile": artworks
    default: 2_000_000
    }
  }

  /// The first table of an exported file that exceeds its limit of rows; nil if none does.
  static func exceededLimit(in db: Database) throws -> (table: String, limit: Int)? {
    for table in try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    {
      let limit = rows(of: table)
      let count = try Int.fetchOne(
        db, sql: "SELECT COUNT(*) FROM (SELECT 1 FROM [\(table)] LIMIT ?)",
        arguments: [limit + 1])
      if count ?? 0 > limit { return (table, limit) }
    }
    return nil
  }

  /// The maximum magnitude of the coordinates of points and items, and of a canvas's sides.
  public static let farthest = 1e9
  /// The range of times in milliseconds since 1970.
  static let times: ClosedRange<Int64> = -100_000_000_000_000...100_000_000_000_000
}

/// Validation of texts and numbers before they are stored.
enum Checked {
  /// A name without white space around it, in normal form C.
  static func name(_ text: String) throws(WorkspaceError.Reason) -> String {
    let name = text.trimmed.inNormalFormC
    do throws(LabelError) {
      try LabelRule.check(name, maxCharacters: WorkspaceLimits.nameLength)
    } catch {
      switch error {
      case .empty: throw .nameEmpty
      case .tooLong(let limit): throw .nameTooLong(limit: limit)
      case .controlCharacter, .dots: throw .nameInvalid
      }
    }
    return name
  }

  /// A label in the form of `LabelRule.label`.
  static func label(_ text: String) throws(WorkspaceError.Reason) -> String {
    do throws(LabelError) {
      return try LabelRule.label(text)
    } catch {
      switch error {
      case .empty: throw .labelEmpty
      case .tooLong(let limit): throw .labelTooLong(limit: limit)
      case .controlCharacter, .dots: throw .labelInvalid
      }
    }
  }

  /// A valid id of a template: a text like a name.
  static func template(_ text: String) throws(WorkspaceError.Reason) -> String {
    guard isName(text) else { throw .invalidID(text) }
    return text
  }

  /// The longest beginning of a name that is valid with `ending` behind it; empty if none is.
  static func stem(of name: String, before ending: String) -> String {
    var stem = name
    while !isName(stem + ending), !stem.isEmpty { stem.removeLast() }
    return stem
  }

  /// Whether a text is a normalized name, byte for byte: Swift treats canonically equivalent texts
  /// as equal, SQLite does not.
  static func isName(_ text: String) -> Bool {
    (try? name(text))?.utf8.elementsEqual(text.utf8) ?? false
  }

  /// Whether a text is a normalized label, byte for byte except the variation selectors of emojis.
  static func isLabel(_ text: String) -> Bool {
    guard let form = try? label(text) else { return false }
    return form == text.inLabelForm && text.trimmed.inNormalFormC.utf8.elementsEqual(text.utf8)
  }

  /// A valid refusal rate: the share of drawings of known labels that may be rejected.
  static func refusalRate(_ rate: Double) throws(WorkspaceError.Reason) -> Double {
    let rates = DecisionPolicy.rates
    guard rates.contains(rate) else {
      throw .invalidNumber("a refusal rate is in \(rates.lowerBound)...\(rates.upperBound)")
    }
    return rate
  }

  /// Whether a text is a model's id. Ids become file names, so all others are rejected.
  static func isModelID(_ text: String) -> Bool {
    UUID(uuidString: text)?.uuidString.lowercased() == text
  }

  /// A valid id from a client. It may be a path segment of a URL, in which "." and ".." are
  /// dropped.
  static func id(_ text: String) throws(WorkspaceError.Reason) -> String {
    guard (1...WorkspaceLimits.idBytes).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), text != ".", text != ".."
    else { throw .invalidID(text) }
    return text
  }

  /// The checked strokes and canvas of a drawing, without its other properties.
  static func ink(_ drawing: Drawing) throws(WorkspaceError.Reason) -> Drawing {
    try strokes(drawing.strokes, points: WorkspaceLimits.points)
    let strokes = drawing.strokes.filter { !$0.points.isEmpty }
    guard !strokes.isEmpty else { throw .drawing(.emptyDrawing) }
    if let canvas = drawing.canvas { try Self.canvas(canvas) }
    // As it will be read back: it must have the same digest then.
    return Drawing(
      strokes: strokes.map { Stroke($0.points.map(\.flushed)) }, canvas: drawing.canvas?.flushed)
  }

  /// The checked ink of a drawing that can be a training sample.
  static func sample(_ drawing: Drawing) throws(WorkspaceError.Reason) -> Drawing {
    let ink = try ink(drawing)
    guard ink.hasEnoughInk else { throw .tooLittleInk }
    return ink
  }

  /// Throws if a side of the canvas is shorter than `least`, or too long.
  static func canvas(
    _ canvas: Drawing.Canvas, from least: Double = 0
  ) throws(WorkspaceError.Reason) {
    let sizes = least...WorkspaceLimits.farthest
    guard sizes.contains(canvas.width), sizes.contains(canvas.height) else {
      throw .invalidNumber(
        "a canvas's width and height are in \(Int(least))...\(Int(WorkspaceLimits.farthest))")
    }
  }

  /// Throws if strokes are too many or have coordinates or times out of range.
  static func strokes(_ strokes: [Stroke], points: Int) throws(WorkspaceError.Reason) {
    guard strokes.count <= WorkspaceLimits.strokes else {
      throw .tooMuch("strokes", limit: WorkspaceLimits.strokes)
    }
    guard strokes.reduce(0, { $0 + $1.points.count }) <= points else {
      throw .tooMuch("points", limit: points)
    }
    let places = -WorkspaceLimits.farthest...WorkspaceLimits.farthest
    for (stroke, points) in strokes.map(\.points).enumerated() {
      for (index, point) in points.enumerated() {
        for (axis, value) in [(InkError.Axis.x, point.x), (.y, point.y)] {
          guard value.isFinite else {
            throw .drawing(.invalidNumber(stroke: stroke, point: index, axis: axis))
          }
          guard places.contains(value) else {
            throw .invalidNumber(
              "stroke \(stroke), point \(index): \(axis) is farther out than "
                + "\(Int(WorkspaceLimits.farthest))")
          }
        }
        guard point.t.map(Point.readable.contains) ?? true else {
          throw .drawing(.invalidNumber(stroke: stroke, point: index, axis: .t))
        }
      }
    }
  }
}
