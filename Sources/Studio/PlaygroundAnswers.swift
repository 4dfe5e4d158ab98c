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
  var shape: LiveShape
  /// The strokes, in the order of `shape.strokes`.
  var ink: [Stroke]?

  private enum Key: CodingKey { case ink }

  func encode(to encoder: any Encoder) throws {
    try shape.encode(to: encoder)
    var values = encoder.container(keyedBy: Key.self)
    try values.encodeIfPresent(ink?.map(StrokeColumns.init), forKey: .ink)
  }
}

/// An event with its number.
struct EventAnswer: Encodable {
  var event: LiveCanvas.Event
  var sequence: Int
  /// The event's shape, or the restored ones.
  var shapes: [ShapeAnswer]

  private enum Key: CodingKey { case sequence, ink, restored }

  func encode(to encoder: any Encoder) throws {
    try event.encode(to: encoder)
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(sequence, forKey: .sequence)
    switch event.kind {
    case .pending, .revised, .recognized, .unrecognized, .confused:
      try values.encodeIfPresent(shapes.first?.ink?.map(StrokeColumns.init), forKey: .ink)
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

  /// The shape that was decided on, nil for other events.
  var decided: LiveShape? {
    switch kind {
    case .recognized(let shape), .unrecognized(let shape), .confused(let shape): shape
    case .pending, .revised, .undone, .nothingToUndo, .cleared: nil
    }
  }

  /// Whether what is to be kept of the canvas is another one now: more than ink that is being drawn.
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
  /// The numbers of the strokes in the request, in their order; null for one that is not known any more.
  var strokes: [Int?]
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
