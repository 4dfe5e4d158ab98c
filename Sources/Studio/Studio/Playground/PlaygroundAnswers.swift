internal import Foundation
internal import Ink
internal import Recognition
internal import Segmentation

// A playground as JSON: the shapes and events of docs/FORMATS.md, with additional values for the
// page.

/// A stroke as columns `[[x…],[y…],[t…]]`; the times only if all are known.
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

/// A shape, with its ink if it has no emoji.
struct ShapeAnswer: Encodable {
  /// The message if the model is untrained.
  static let untaughtMessage = "Train the model first."

  var shape: LiveShape
  /// The clients' ids of its strokes, in the order of `shape.strokes`; nil if none are known.
  var ids: [String?]?
  /// The strokes, in the order of `shape.strokes`.
  var ink: [Stroke]?
  /// Whether the model knows any labels.
  var isTaught: Bool
  /// What it may become, best first; empty unless it is pending.
  var guesses: [Candidate] = []

  private enum Key: CodingKey { case ids, ink, guesses, reason, message }

  func encode(to encoder: any Encoder) throws {
    try shape.encode(to: encoder)
    try encodeRest(to: encoder)
  }

  /// Writes the values that a `LiveShape` does not have.
  func encodeRest(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encodeIfPresent(ids, forKey: .ids)
    try values.encodeIfPresent(ink?.map(StrokeColumns.init), forKey: .ink)
    if !guesses.isEmpty { try values.encode(guesses, forKey: .guesses) }
    guard !isTaught, shape.message != nil else { return }
    try values.encode(Refusal.nothingTaught.name, forKey: .reason)
    try values.encode(Self.untaughtMessage, forKey: .message)
  }
}

/// An event with its number.
struct EventAnswer: Encodable {
  var event: LiveCanvas.Event
  /// Its number; 0 until it is sent.
  var sequence = 0
  /// The client whose action caused it; nil if it was due by time, or the client has no name.
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
    case .pending, .revised, .recognized, .unrecognized, .confused, .corrected:
      try shapes.first?.encodeRest(to: encoder)
    case .undone: try values.encode(shapes, forKey: .restored)
    case .removed, .nothingToUndo, .cleared: break
    }
  }
}

extension [EventAnswer] {
  /// The events of one request without what later ones supersede, so that each stroke's ink is sent
  /// at most once; a client ends up with the same shapes.
  ///
  /// If a later event reports or removes a shape, an earlier `pending` is dropped if that event has
  /// its strokes too; other events lose the shape's ink, and an `undone` loses the restored shape.
  var withoutSuperseded: [EventAnswer] {
    var (kept, later, isCleared) = ([EventAnswer](), Set<Int>(), false)
    /// The strokes of each shape in its next event; reset when undo may reuse stroke numbers.
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
      case .recognized(let shape), .unrecognized(let shape), .confused(let shape),
        .corrected(let shape):
        if answer.shapes.contains(where: isSuperseded) { answer.forgetInk() }
        next[shape.id] = Set(shape.strokes)
      case .undone(_, _, let removed):
        answer.shapes.removeAll(where: isSuperseded)
        later.formUnion(removed)
        next = [:]
      case .removed(let shape):
        later.insert(shape)
        next[shape] = nil
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
  /// The shapes that the event reports.
  var shapes: [LiveShape] {
    switch kind {
    case .pending(let shape, _), .revised(let shape, _), .recognized(let shape),
      .unrecognized(let shape), .confused(let shape), .corrected(let shape):
      [shape]
    case .undone(_, let restored, _): restored
    case .removed, .nothingToUndo, .cleared: []
    }
  }

  /// Whether the event changes what is saved of the canvas.
  var changesSavedState: Bool { if case .nothingToUndo = kind { false } else { true } }
}

/// A whole playground.
struct PlaygroundAnswer: Encodable {
  var id: String
  var model: String
  var canvas: Drawing.Canvas
  var shapes: [ShapeAnswer]
  /// The id of this run of the server: a new run starts from what was saved, and renumbers events
  /// and strokes.
  var run: String
  /// The number of the last event.
  var sequence: Int
  /// The number of the next stroke.
  var strokeCount: Int
  var canUndo: Bool
  var isDrawing: Bool
}

/// The response to applied actions; their effects are sent to listeners.
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
