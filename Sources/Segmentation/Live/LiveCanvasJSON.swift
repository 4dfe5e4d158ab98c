internal import Ink
internal import Recognition
internal import Support

// One object a shape and an event, with the keys of docs/FORMATS.md: what the program prints and
// the studio sends.

extension LiveShape: Encodable {
  private enum Key: String, CodingKey {
    case shape, strokes, state, label, confidence, boundingBox, placement, message
  }

  /// The state as JSON names it.
  var stateName: String {
    switch state {
    case .pending: "pending"
    case .recognized: "recognized"
    case .unrecognized: "unrecognized"
    case .confused: "confused"
    }
  }

  /// Writes `shape`, `strokes`, `state`, `boundingBox` and, where there are such, `label`,
  /// `confidence`, `placement` and `message`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(id, forKey: .shape)
    try values.encode(strokes, forKey: .strokes)
    try values.encode(stateName, forKey: .state)
    try values.encode(box, forKey: .boundingBox)
    try values.encodeIfPresent(best?.label, forKey: .label)
    try values.encodeIfPresent(best?.confidence, forKey: .confidence)
    try values.encodeIfPresent(item?.placement, forKey: .placement)
    try values.encodeIfPresent(message, forKey: .message)
  }
}

extension LiveCanvas.Event: Encodable {
  private enum Key: String, CodingKey {
    case event, milliseconds, absorbed, shape, stroke, restored, removed, message
  }

  /// Writes `event`, `milliseconds`, and what belongs to the event.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(milliseconds, forKey: .milliseconds)
    func write(_ name: String, _ shape: LiveShape, absorbed: [Int] = []) throws {
      try values.encode(name, forKey: .event)
      try shape.encode(to: encoder)
      if !absorbed.isEmpty { try values.encode(absorbed, forKey: .absorbed) }
    }
    switch kind {
    case .pending(let shape, let absorbed): try write("pending", shape, absorbed: absorbed)
    case .recognized(let shape): try write("recognized", shape)
    case .unrecognized(let shape): try write("unrecognized", shape)
    case .confused(let shape): try write("confused", shape)
    case .revised(let shape, let absorbed): try write("revised", shape, absorbed: absorbed)
    case .corrected(let shape): try write("corrected", shape)
    case .removed(let shape):
      try values.encode("removed", forKey: .event)
      try values.encode(shape, forKey: .shape)
    case .undone(let stroke, let restored, let removed):
      try values.encode("undone", forKey: .event)
      try values.encode(stroke, forKey: .stroke)
      try values.encode(restored, forKey: .restored)
      try values.encode(removed, forKey: .removed)
    case .nothingToUndo:
      try values.encode("nothingToUndo", forKey: .event)
      try values.encode(LiveCanvas.nothingToUndoMessage, forKey: .message)
    case .cleared: try values.encode("cleared", forKey: .event)
    }
  }

  /// The event as one line of JSON, keys in alphabetical order, without line feed.
  public func json() throws -> String { try jsonText(self) }
}
