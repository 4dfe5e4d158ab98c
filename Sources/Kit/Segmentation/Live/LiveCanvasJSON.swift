internal import Ink
internal import JSON
internal import Recognition

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

  /// Writes `shape`, `strokes`, `state`, `boundingBox` and, if present, `label`, `confidence`,
  /// `placement` and `message`.
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

  /// Writes `event`, `milliseconds` and the event's own keys.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .event)
    try values.encode(milliseconds, forKey: .milliseconds)
    try shape?.encode(to: encoder)
    if !absorbed.isEmpty { try values.encode(absorbed, forKey: .absorbed) }
    switch kind {
    case .removed(let shape): try values.encode(shape, forKey: .shape)
    case .undone(let stroke, let restored, let removed):
      try values.encode(stroke, forKey: .stroke)
      try values.encode(restored, forKey: .restored)
      try values.encode(removed, forKey: .removed)
    case .nothingToUndo: try values.encode(LiveCanvas.nothingToUndoMessage, forKey: .message)
    default: break
    }
  }

  /// The event as one line of JSON, keys in alphabetical order, without line feed.
  public func json() throws -> String { try jsonText(self) }
}
