internal import Ink
internal import Recognition

/// A correction as JSON, in a canvas log and in what clients of the studio send:
/// `{"action":"label","shape":3,"label":"⭐","milliseconds":…}`, `reject`, `remove`, and `place`
/// with a `placement`, or null for that of the drawing.
public struct CorrectionLine: Codable {
  /// The names of the actions that are corrections.
  public static let actions = ["label", "reject", "place", "remove"]

  /// The shape's number.
  public let shape: Int
  /// What changes.
  public let correction: Correction
  /// When, in milliseconds of the canvas's clock.
  public let milliseconds: Double

  private enum Key: CodingKey { case action, shape, label, placement, milliseconds }

  init(shape: Int, _ correction: Correction, milliseconds: Double) {
    (self.shape, self.correction, self.milliseconds) = (shape, correction, milliseconds)
  }

  /// The action that the line says.
  public var action: CanvasAction {
    .correct(shape: shape, correction, milliseconds: milliseconds)
  }

  /// Reads a line; labels that violate `LabelRule` and squares without area are refused.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    func fault(_ key: Key, _ problem: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: values, debugDescription: problem)
    }
    shape = try values.decode(Int.self, forKey: .shape)
    milliseconds = try values.decode(Double.self, forKey: .milliseconds)
    switch try values.decode(String.self, forKey: .action) {
    case "label":
      let text = try values.decode(String.self, forKey: .label)
      do throws(LabelError) { correction = .label(try LabelRule.label(text)) } catch {
        throw fault(.label, error.description)
      }
    case "reject": correction = .reject
    case "remove": correction = .remove
    case "place":
      let place = try values.decodeIfPresent(Placement.self, forKey: .placement)
      guard place.map({ $0.side > 0 }) ?? true else {
        throw fault(.placement, "has the side \(place?.side ?? 0); it must be above 0")
      }
      correction = .place(
        place.map { BoundingBox(x: $0.x, y: $0.y, width: $0.side, height: $0.side) })
    case let name: throw fault(.action, "is \(name); it must be a correction")
    }
  }

  /// Writes the line.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(shape, forKey: .shape)
    try values.encode(milliseconds, forKey: .milliseconds)
    switch correction {
    case .label(let label):
      try values.encode("label", forKey: .action)
      try values.encode(label, forKey: .label)
    case .reject: try values.encode("reject", forKey: .action)
    case .remove: try values.encode("remove", forKey: .action)
    case .place(let box):
      try values.encode("place", forKey: .action)
      let place = box.map { Placement(x: $0.x, y: $0.y, side: max($0.width, $0.height)) }
      try values.encodeIfPresent(place, forKey: .placement)
    }
  }
}
