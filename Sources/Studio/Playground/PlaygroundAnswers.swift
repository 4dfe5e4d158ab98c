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
  /// What is said where no drawing can be recognized yet.
  static let untaughtMessage = "Train the model first."

  var shape: LiveShape
  /// What clients call its strokes, in the order of `shape.strokes`; nil where nobody does.
  var ids: [String?]?
  /// The strokes, in the order of `shape.strokes`.
  var ink: [Stroke]?
  /// Whether the model was taught something.
  var isTaught: Bool

  private enum Key: CodingKey { case ids, ink, reason, message }

  func encode(to encoder: any Encoder) throws {
    try shape.encode(to: encoder)
    try encodeRest(to: encoder)
  }

  /// Writes what a live canvas does not know of the shape.
  func encodeRest(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encodeIfPresent(ids, forKey: .ids)
    try values.encodeIfPresent(ink?.map(StrokeColumns.init), forKey: .ink)
    guard !isTaught, shape.message != nil else { return }
    try values.encode("nothingTaught", forKey: .reason)
    try values.encode(Self.untaughtMessage, forKey: .message)
  }
}

/// An event with its number.
struct EventAnswer: Encodable {
  var event: LiveCanvas.Event
  /// Its number; 0 until it is told.
  var sequence = 0
  /// Whose actions brought it about; nil for what was due, and where the client has no name.
  var client: String?
  /// The event's shape, or the restored ones.
  var shapes: [ShapeAnswer]

  private enum Key: CodingKey { case sequence, client, restored }

  func encode(to encoder: any Encoder) throws {
    try event.encode(to: encoder)
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(sequence, forKey: .sequence)
    try values.encodeIfPresent(client, forKey: .client)
    switch event.kind {
    case .pending, .revised, .recognized, .unrecognized, .confused:
      try shapes.first?.encodeRest(to: encoder)
    case .undone: try values.encode(shapes, forKey: .restored)
    case .nothingToUndo, .cleared: break
    }
  }
}

extension [EventAnswer] {
  /// What happened in one request without what later events of it supersede, so that the ink of
  /// each stroke is told once at most: whoever hears the rest ends up with the same shapes.
  ///
  /// Where a later event tells of a shape or takes it off, a `pending` is left out if that event
  /// has its strokes, too; other events lose the shape's ink, and an `undone` the restored shape.
  var withoutSuperseded: [EventAnswer] {
    var (kept, later, isCleared) = ([EventAnswer](), Set<Int>(), false)
    /// The strokes of a shape as it is told of next, while no number has become another stroke's.
    var next: [Int: Set<Int>] = [:]
    func isSuperseded(_ shape: ShapeAnswer) -> Bool { isCleared || later.contains(shape.shape.id) }
    for var answer in reversed() {
      switch answer.event.kind {
      case .pending(let shape, let absorbed), .revised(let shape, let absorbed):
        if case .pending = answer.event.kind, absorbed.isEmpty,
          next[shape.id]?.isSuperset(of: shape.strokes) == true
        {
          continue
        }
        if answer.shapes.contains(where: isSuperseded) { answer.forgetInk() }
        next[shape.id] = Set(shape.strokes)
        later.formUnion(absorbed)
      case .recognized(let shape), .unrecognized(let shape), .confused(let shape):
        if answer.shapes.contains(where: isSuperseded) { answer.forgetInk() }
        next[shape.id] = Set(shape.strokes)
      case .undone(_, _, let removed):
        answer.shapes.removeAll(where: isSuperseded)
        later.formUnion(removed)
        next = [:]
      case .cleared: (isCleared, next) = (true, [:])
      case .nothingToUndo: break
      }
      later.formUnion(answer.shapes.lazy.map(\.shape.id))
      kept.append(answer)
    }
    return kept.reversed()
  }
}

extension EventAnswer {
  fileprivate mutating func forgetInk() {
    for index in shapes.indices { shapes[index].ink = nil }
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

/// Actions were done: what they did is told to who listens.
struct ActionAnswer: Encodable {
  /// The number of the last event.
  var sequence: Int
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
