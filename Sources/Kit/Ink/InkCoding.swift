// Ink inside an app's own Codable types. `JSONEncoder` encodes a drawing as stroke JSON with points
// as objects; `StrokeJSON` reads and writes the shorter form with columns, and is far faster.

extension Drawing: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, label, strokes, canvas, shapes
    case wasGuessed = "recognized"
  }

  /// Decodes a drawing; everything but `strokes` may be missing.
  ///
  /// - Throws: `DecodingError` for a missing or invalid value, and for a shape whose stroke does
  ///   not exist.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.decodeIfPresent(String.self, forKey: .id) ?? "",
      label: try container.decodeIfPresent(String.self, forKey: .label)?.inLabelForm,
      strokes: try container.decode([Stroke].self, forKey: .strokes),
      canvas: try container.decodeIfPresent(Canvas.self, forKey: .canvas),
      shapes: try container.decodeIfPresent([Shape].self, forKey: .shapes) ?? [],
      wasGuessed: try container.decodeIfPresent(Bool.self, forKey: .wasGuessed))
    if let canvas, Canvas(readWidth: canvas.width, height: canvas.height) == nil {
      throw DecodingError.dataCorruptedError(
        forKey: .canvas, in: container,
        debugDescription: "a canvas needs \(Canvas.requirement)")
    }
    if let index = shapes.lazy.flatMap(\.strokes).first(where: { !strokes.indices.contains($0) }) {
      throw DecodingError.dataCorruptedError(
        forKey: .shapes, in: container, debugDescription: "there is no stroke \(index)")
    }
  }

  /// Encodes the drawing without its unknown properties.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if !id.isEmpty { try container.encode(id, forKey: .id) }
    try container.encodeIfPresent(label, forKey: .label)
    try container.encode(strokes, forKey: .strokes)
    try container.encodeIfPresent(canvas, forKey: .canvas)
    if !shapes.isEmpty { try container.encode(shapes, forKey: .shapes) }
    try container.encodeIfPresent(wasGuessed, forKey: .wasGuessed)
  }
}

extension Stroke: Codable {
  /// Decodes a list of points.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Point].self))
  }

  /// Encodes the list of points.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(points)
  }
}

extension Point: Codable {
  private enum CodingKeys: String, CodingKey { case x, y, t }

  /// Decodes `x`, `y` and, where known, `t`.
  ///
  /// - Throws: `DecodingError` for a missing value and one farther from 0 than 10^100.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func checked(_ value: Double, _ key: CodingKeys) throws -> Double {
      guard Self.readable.contains(value) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "is not in -1e100...1e100")
      }
      return value.flushed
    }
    self.init(
      x: try checked(container.decode(Double.self, forKey: .x), .x),
      y: try checked(container.decode(Double.self, forKey: .y), .y),
      t: try container.decodeIfPresent(Double.self, forKey: .t).map { try checked($0, .t) })
  }

  /// Encodes `x`, `y` and, where known, `t`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(x, forKey: .x)
    try container.encode(y, forKey: .y)
    try container.encodeIfPresent(t, forKey: .t)
  }
}
