internal import Foundation
internal import GRDB
internal import Ink
internal import Recognition

/// The most that a workspace takes; more is refused with `WorkspaceError`.
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
  /// Predictions that are kept for a model; older ones go.
  public static let predictions = 200
  /// Items on a playground.
  public static let items = 2_000
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
  /// Rows of a table in an exported file, which has room for so many only where they are nearly
  /// empty.
  static func rows(of table: String) -> Int {
    switch table {
    case "settings": 1
    case "model", "modelFile", "report": importedModels
    case "playground": importedPlaygrounds
    default: 2_000_000
    }
  }

  /// A table of an exported file that has more rows than it may; nil where there is none.
  static func excess(in db: Database) throws -> (table: String, limit: Int)? {
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

  /// How far the places of points and items may be from 0, and the most that a canvas may measure.
  public static let farthest = 1e9
  /// Milliseconds since 1970.
  static let times: ClosedRange<Int64> = -100_000_000_000_000...100_000_000_000_000
}

/// What texts and numbers must be like to be kept.
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

  /// Whether a text is a name, to the byte: Swift takes texts for equal that SQLite tells apart.
  static func isName(_ text: String) -> Bool {
    (try? name(text))?.utf8.elementsEqual(text.utf8) ?? false
  }

  /// Whether a text is a label, to the byte but for the variation selectors of emojis.
  static func isLabel(_ text: String) -> Bool {
    guard let form = try? label(text) else { return false }
    return form == text.inLabelForm && text.trimmed.inNormalFormC.utf8.elementsEqual(text.utf8)
  }

  /// A share of the drawings of taught labels that may be refused.
  static func refusalRate(_ rate: Double) throws(WorkspaceError.Reason) -> Double {
    let rates = DecisionPolicy.rates
    guard rates.contains(rate) else {
      throw .invalidNumber("a refusal rate is in \(rates.lowerBound)...\(rates.upperBound)")
    }
    return rate
  }

  /// Whether a text is a model's id. It names files: no other may be used, wherever it comes from.
  static func isModelID(_ text: String) -> Bool {
    UUID(uuidString: text)?.uuidString.lowercased() == text
  }

  /// An id that a client gave. It may be part of an address, which drops dots that are alone.
  static func id(_ text: String) throws(WorkspaceError.Reason) -> String {
    guard (1...WorkspaceLimits.idBytes).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), text != ".", text != ".."
    else { throw .invalidID(text) }
    return text
  }

  /// The strokes and canvas of a drawing, with what else is known left out.
  static func ink(_ drawing: Drawing) throws(WorkspaceError.Reason) -> Drawing {
    try strokes(drawing.strokes, points: WorkspaceLimits.points)
    let strokes = drawing.strokes.filter { !$0.points.isEmpty }
    guard !strokes.isEmpty else { throw .drawing(.emptyDrawing) }
    if let canvas = drawing.canvas { try Self.canvas(canvas) }
    return Drawing(strokes: strokes, canvas: drawing.canvas)
  }

  /// The ink of a drawing that can teach.
  static func sample(_ drawing: Drawing) throws(WorkspaceError.Reason) -> Drawing {
    let ink = try ink(drawing)
    guard ink.hasEnoughInk else { throw .tooLittleInk }
    return ink
  }

  static func canvas(_ canvas: Drawing.Canvas) throws(WorkspaceError.Reason) {
    let sizes = 0...WorkspaceLimits.farthest
    guard sizes.contains(canvas.width), sizes.contains(canvas.height) else {
      throw .invalidNumber(
        "a canvas's width and height are in 0...\(Int(WorkspaceLimits.farthest))")
    }
  }

  /// Strokes whose numbers are numbers, and not too many.
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
          guard places.contains(value) else {
            throw .drawing(.invalidNumber(stroke: stroke, point: index, axis: axis))
          }
        }
        guard point.t.map(Point.readable.contains) ?? true else {
          throw .drawing(.invalidNumber(stroke: stroke, point: index, axis: .t))
        }
      }
    }
  }
}
