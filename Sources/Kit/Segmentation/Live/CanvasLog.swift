public import Ink
internal import JSON

/// A user's action on a canvas, or the passing of time.
public enum CanvasAction: Hashable, Sendable {
  /// A pen goes down; its position is nil if unknown.
  case begin(pen: Int, at: Point? = nil, milliseconds: Double)
  /// A pen comes up: all that it drew.
  case stroke(Stroke, pen: Int, milliseconds: Double)
  /// A pen's last stroke is removed as if it had never been drawn: see
  /// `LiveCanvas.cancel(pen:at:)`.
  case cancel(pen: Int, milliseconds: Double)
  /// The last stroke, clear, correction, join or split is undone.
  case undo(milliseconds: Double)
  /// A decided shape is corrected: see `LiveCanvas.correct(_:_:at:)`.
  case correct(shape: Int, Correction, milliseconds: Double)
  /// Decided shapes are made one: see `LiveCanvas.join(_:at:)`.
  case join(shapes: [Int], milliseconds: Double)
  /// Strokes of a decided shape become a separate shape: see `LiveCanvas.split(_:off:at:)`.
  case split(shape: Int, strokes: [Int], milliseconds: Double)
  /// Everything is taken off.
  case clear(milliseconds: Double)
  /// Time passes.
  case advance(milliseconds: Double)

  /// When, in the canvas's milliseconds.
  public var milliseconds: Double {
    switch self {
    case .begin(_, _, let time), .stroke(_, _, let time), .cancel(_, let time), .undo(let time),
      .correct(_, _, let time), .join(_, let time), .split(_, _, let time), .clear(let time),
      .advance(let time):
      time
    }
  }
}

extension LiveCanvas {
  /// Applies an action.
  ///
  /// - Returns: The events.
  /// - Throws: `InkError` for a stroke without points or with a number that is not finite; the
  ///   canvas is unchanged then.
  public mutating func apply(_ action: CanvasAction) throws(InkError) -> [Event] {
    switch action {
    case .begin(let pen, let place, let time): begin(pen: pen, place: place, at: time)
    case .stroke(let stroke, let pen, let time): try add(stroke, pen: pen, at: time)
    case .cancel(let pen, let time): cancel(pen: pen, at: time)
    case .undo(let time): undo(at: time)
    case .correct(let shape, let correction, let time): correct(shape, correction, at: time)
    case .join(let shapes, let time): join(shapes, at: time)
    case .split(let shape, let strokes, let time): split(shape, off: strokes, at: time)
    case .clear(let time): clear(at: time)
    case .advance(let time): advance(to: time)
    }
  }
}

/// The actions on a canvas, as NDJSON; replayed with the same model, they give the same events. See
/// `docs/FORMATS.md`.
///
/// The first line says what the file is; each line behind it is an action, so a log grows by
/// appending lines.
public struct CanvasLog: Hashable, Sendable {
  /// The version that is written.
  public static let version = 1
  static let format = "drawml-canvas-log"

  /// The canvas's size; nil for one without edges.
  public var canvas: Drawing.Canvas?
  /// How the canvas waits.
  public var settings: LiveCanvas.Settings
  /// The canvas's models; nil if unknown.
  public var models: Models?
  /// What was done, in order.
  public var actions: [CanvasAction]

  /// A log.
  public init(
    canvas: Drawing.Canvas? = nil, settings: LiveCanvas.Settings = .init(), models: Models? = nil,
    actions: [CanvasAction] = []
  ) {
    (self.canvas, self.settings, self.models, self.actions) = (canvas, settings, models, actions)
  }

  struct Header: Codable {
    var format: String
    var version: Int
    var canvas: Drawing.Canvas?
    var settings: LiveCanvas.Settings?
    var models: Models?
  }

  /// The first line, without line feed.
  ///
  /// - Throws: An error for a canvas that is too large to be read again.
  public var header: [UInt8] {
    get throws {
      try Self.check(canvas)
      let header = Header(
        format: Self.format, version: Self.version, canvas: canvas, settings: settings,
        models: models)
      return Array(try jsonText(header).utf8)
    }
  }

  /// The longest side of a canvas, in its own units.
  private static let longestSide = 1e9
  /// The maximum magnitude of times in milliseconds: sums of several are still precise.
  package static let latest = 1e15
  /// The rule for the times of points, for errors.
  package static let timeRule = "t must be from -1e15 to 1e15 milliseconds"

  /// Refuses a canvas whose sides are out of range.
  static func check(_ canvas: Drawing.Canvas?) throws(JSONFault) {
    guard let canvas else { return }
    for (key, side) in [("width", canvas.width), ("height", canvas.height)]
    where !(0...longestSide).contains(side) {
      throw JSONFault(place: "canvas.\(key)", "is \(side); it must be from 0 to \(longestSide)")
    }
  }

  /// The index of a stroke's first point whose time is out of range; nil if there is none.
  package static func untimelyPoint(of stroke: Stroke) -> Int? {
    stroke.points.firstIndex { abs($0.t ?? 0) > latest }
  }

  /// The line of an action, without line feed. Its numbers must be finite.
  public static func line(_ action: CanvasAction) throws -> [UInt8] {
    let line = Array(try jsonText(ActionLine(action)).utf8)
    guard case .stroke(let stroke, _, _) = action else { return line }
    // The action's keys, then the strokes as in every drawing.
    return line.dropLast() + [0x2c] + StrokeJSON.encode(Drawing(strokes: [stroke])).dropFirst()
  }

  /// The whole log.
  public func ndjson() throws -> [UInt8] {
    try ([header] + actions.map { try Self.line($0) }).reduce(into: []) { $0 += $1 + [0x0a] }
  }
}
