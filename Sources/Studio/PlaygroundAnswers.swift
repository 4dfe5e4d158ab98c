internal import Foundation
internal import Ink
internal import Segmentation

// A playground as JSON: the shapes and events of docs/FORMATS.md, and what the page needs besides.

/// Points as columns `[[x…],[y…],[t…]]`; times only where all are known.
struct StrokeColumns: Encodable {
  let stroke: Stroke

  func encode(to encoder: any Encoder) throws {
    var columns = encoder.unkeyedContainer()
    try columns.encode(stroke.points.map(\.x))
    try columns.encode(stroke.points.map(\.y))
    let times = stroke.points.compactMap(\.t)
    if times.count == stroke.points.count { try columns.encode(times) }
  }
}

/// A canvas's size.
struct CanvasSize: Codable {
  var width: Double
  var height: Double

  init(_ canvas: Drawing.Canvas) { (width, height) = (canvas.width, canvas.height) }

  var canvas: Drawing.Canvas { .init(width: width, height: height) }
}

/// A shape; one without emoji has its ink.
struct ShapeAnswer: Encodable {
  /// What is said where no drawing can be recognised yet.
  static let untaughtMessage = "Train the model first."

  var shape: LiveShape
  /// The strokes, in the order of `shape.strokes`.
  var ink: [Stroke]?
  /// Whether the model was taught something.
  var isTaught: Bool

  private enum Key: CodingKey { case ink, reason, message }

  func encode(to encoder: any Encoder) throws {
    try shape.encode(to: encoder)
    try encodeRest(to: encoder)
  }

  /// Writes what a live canvas does not know of the shape.
  func encodeRest(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encodeIfPresent(ink?.map(StrokeColumns.init), forKey: .ink)
    guard !isTaught, shape.message != nil else { return }
    try values.encode("nothingTaught", forKey: .reason)
    try values.encode(Self.untaughtMessage, forKey: .message)
  }
}

/// An event with its number.
struct EventAnswer: Encodable {
  var event: LiveCanvas.Event
  var sequence: Int
  /// The event's shape, or the restored ones.
  var shapes: [ShapeAnswer]

  private enum Key: CodingKey { case sequence, restored }

  func encode(to encoder: any Encoder) throws {
    try event.encode(to: encoder)
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(sequence, forKey: .sequence)
    switch event.kind {
    case .pending, .revised, .recognized, .unrecognized, .confused:
      try shapes.first?.encodeRest(to: encoder)
    case .undone: try values.encode(shapes, forKey: .restored)
    case .nothingToUndo, .cleared: break
    }
  }
}

extension LiveCanvas.Event {
  /// The shapes that it tells of.
  var shapes: [LiveShape] {
    switch kind {
    case .pending(let shape, _), .revised(let shape, _), .recognized(let shape),
      .unrecognized(let shape), .confused(let shape):
      [shape]
    case .undone(_, let restored, _): restored
    case .nothingToUndo, .cleared: []
    }
  }

  /// Whether what is to be kept of the canvas is another one now: more than ink that is being
  /// drawn.
  var isWorthSaving: Bool {
    switch kind {
    case .pending, .nothingToUndo: false
    case .recognized, .unrecognized, .confused, .revised, .undone, .cleared: true
    }
  }
}

/// All of a playground.
struct PlaygroundAnswer: Encodable {
  var id: String
  var model: String
  var canvas: CanvasSize
  var shapes: [ShapeAnswer]
  /// Names this run of the server: another one begins with what was kept, and numbers events and
  /// strokes anew.
  var run: String
  /// The number of the last event.
  var sequence: Int
  /// The number of the next stroke.
  var strokeCount: Int
  var canUndo: Bool
  var isDrawing: Bool
}

/// What actions did.
struct ActionAnswer: Encodable {
  var events: [EventAnswer]
  var sequence: Int
  /// The numbers of the strokes in the request, in their order; null for one that is not known any
  /// more.
  var strokes: [Int?]
  /// The sheet's size now.
  var canvas: CanvasSize
}

/// An emoji on a playground (D-007).
struct ItemAnswer: Encodable {
  var number: Int
  var label: String
  var confidence: Double?
  var x: Double
  var y: Double
  var side: Double
}
