internal import Ink
internal import Recognition

/// An action as JSON without its ink, in canvas logs and in requests to the studio, such as
/// `{"action":"label","shape":3,"label":"⭐","milliseconds":…}`; see `docs/FORMATS.md`.
package struct ActionLine: Codable {
  /// The action; for `stroke` without points.
  package let action: CanvasAction
  /// The pen's number, also for actions that need none; 0 if it is missing.
  package let pen: Int

  private enum Name: String {
    case begin, stroke, cancel, undo, clear, advance, label, reject, place, remove
    case join, split
  }

  private enum Key: CodingKey {
    case action, milliseconds, pen, x, y, shape, label, placement, shapes, strokes
  }

  init(_ action: CanvasAction) {
    self.action = action
    pen =
      switch action {
      case .begin(let pen, _, _), .stroke(_, let pen, _), .cancel(let pen, _): pen
      case .undo, .clear, .advance, .correct, .join, .split: 0
      }
  }

  /// Reads a line; labels that violate `LabelRule`, squares without area and incomplete placements
  /// are refused.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    func fault(_ key: Key, _ problem: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: values, debugDescription: problem)
    }
    let text = try values.decode(String.self, forKey: .action)
    guard let name = Name(rawValue: text) else { throw fault(.action, "is unknown") }
    let time = try values.decode(Double.self, forKey: .milliseconds)
    let pen = try values.decodeIfPresent(Int.self, forKey: .pen) ?? 0
    func place() throws -> Point? {
      let x = try values.decodeIfPresent(Double.self, forKey: .x)
      let y = try values.decodeIfPresent(Double.self, forKey: .y)
      guard (x == nil) == (y == nil) else { throw fault(x == nil ? .x : .y, "is missing") }
      return x.flatMap { x in y.map { Point(x: x, y: $0) } }
    }
    func correct(_ correction: Correction) throws -> CanvasAction {
      .correct(
        shape: try values.decode(Int.self, forKey: .shape), correction, milliseconds: time)
    }
    func label() throws -> String {
      let text = try values.decode(String.self, forKey: .label)
      do throws(LabelError) { return try LabelRule.label(text) } catch {
        throw fault(.label, error.description)
      }
    }
    func box() throws -> BoundingBox? {
      let place = try values.decodeIfPresent(Placement.self, forKey: .placement)
      guard place.map({ $0.side > 0 }) ?? true else {
        throw fault(.placement, "has the side \(place?.side ?? 0); it must be above 0")
      }
      return place.map { BoundingBox(x: $0.x, y: $0.y, width: $0.side, height: $0.side) }
    }
    self.pen = pen
    action =
      switch name {
      case .begin: .begin(pen: pen, at: try place(), milliseconds: time)
      case .stroke: .stroke(Stroke([]), pen: pen, milliseconds: time)
      case .cancel: .cancel(pen: pen, milliseconds: time)
      case .undo: .undo(milliseconds: time)
      case .clear: .clear(milliseconds: time)
      case .advance: .advance(milliseconds: time)
      case .label: try correct(.label(try label()))
      case .reject: try correct(.reject)
      case .place: try correct(.place(try box()))
      case .remove: try correct(.remove)
      case .join:
        .join(shapes: try values.decode([Int].self, forKey: .shapes), milliseconds: time)
      case .split:
        .split(
          shape: try values.decode(Int.self, forKey: .shape),
          strokes: try values.decode([Int].self, forKey: .strokes), milliseconds: time)
      }
  }

  /// Writes the line, without ink.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    func write(_ name: Name) throws { try values.encode(name.rawValue, forKey: .action) }
    try values.encode(action.milliseconds, forKey: .milliseconds)
    switch action {
    case .begin(_, let place, _):
      try write(.begin)
      try values.encode(pen, forKey: .pen)
      try values.encodeIfPresent(place?.x, forKey: .x)
      try values.encodeIfPresent(place?.y, forKey: .y)
    case .stroke:
      try write(.stroke)
      try values.encode(pen, forKey: .pen)
    case .cancel:
      try write(.cancel)
      try values.encode(pen, forKey: .pen)
    case .undo: try write(.undo)
    case .clear: try write(.clear)
    case .advance: try write(.advance)
    case .join(let shapes, _):
      try write(.join)
      try values.encode(shapes, forKey: .shapes)
    case .split(let shape, let strokes, _):
      try write(.split)
      try values.encode(shape, forKey: .shape)
      try values.encode(strokes, forKey: .strokes)
    case .correct(let shape, let correction, _):
      try values.encode(shape, forKey: .shape)
      switch correction {
      case .label(let label):
        try write(.label)
        try values.encode(label, forKey: .label)
      case .reject: try write(.reject)
      case .remove: try write(.remove)
      case .place(let box):
        try write(.place)
        let place = box.map(\.square).map { Placement(x: $0.x, y: $0.y, side: $0.width) }
        try values.encodeIfPresent(place, forKey: .placement)
      }
    }
  }
}
