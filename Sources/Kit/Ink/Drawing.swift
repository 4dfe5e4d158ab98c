/// One drawing: strokes in the order in which they were drawn, and what is known about them.
public struct Drawing: Hashable, Sendable {
  /// The size of what was drawn on, in the units of the points.
  public struct Canvas: Hashable, Sendable, Codable {
    /// The distance from the left edge to the right one.
    public var width: Double
    /// The distance from the top edge to the bottom one.
    public var height: Double

    /// A canvas of the given size.
    public init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }

    /// The widths and heights that files may give. Numbers nearer to 0 are read as 0, and a canvas
    /// without extent has no scale.
    package static let readable = 1e-100...Point.readable.upperBound
    /// What a width and a height must be, as the end of a sentence.
    package static let requirement =
      "a width and a height, both above 0 and at most 1e100; leave it out if it is not known"

    /// A canvas that a file gives; nil if it has no extent, or is too large.
    package init?(readWidth width: Double, height: Double) {
      guard Self.readable.contains(width), Self.readable.contains(height) else { return nil }
      self.init(width: width, height: height)
    }

    /// The size as it is read from a file: see `Point.flushed`.
    package var flushed: Canvas { Canvas(width: width.flushed, height: height.flushed) }
  }

  /// One shape of a canvas that holds several: the ground truth for segmentation.
  public struct Shape: Hashable, Sendable, Codable {
    /// Indices into the drawing's `strokes`.
    public var strokes: [Int]
    /// What the shape is.
    public var label: String

    /// A shape made of the strokes at the given indices.
    public init(strokes: [Int], label: String) {
      self.strokes = strokes
      self.label = label
    }
  }

  /// The drawing's identifier in its dataset; empty if the source has none.
  public var id: String
  /// What was drawn, in the form of `LabelRule.label`; nil if unknown.
  public var label: String?
  /// The strokes in the order in which they were drawn.
  public var strokes: [Stroke]
  /// The size of what was drawn on; nil if unknown.
  public var canvas: Canvas?
  /// The shapes of a labeled canvas; empty for a drawing of one thing.
  public var shapes: [Shape]
  /// Whether Quick, Draw! recognized the drawing; nil for other sources.
  public var wasGuessed: Bool?

  /// A drawing of `strokes`.
  public init(
    id: String = "", label: String? = nil, strokes: [Stroke], canvas: Canvas? = nil,
    shapes: [Shape] = [], wasGuessed: Bool? = nil
  ) {
    self.id = id
    self.label = label
    self.strokes = strokes
    self.canvas = canvas
    self.shapes = shapes
    self.wasGuessed = wasGuessed
  }

  /// The number of points in all strokes.
  public var pointCount: Int { strokes.reduce(0) { $0 + $1.points.count } }

  /// The smallest box around all points, or nil for a drawing without points.
  public var boundingBox: BoundingBox? { BoundingBox(strokes.lazy.flatMap(\.points)) }
}

// MARK: Texts of files

extension Drawing {
  /// The maximum length of an id or label in a file, in bytes. Normalization, and hence comparison,
  /// takes time quadratic in the number of accents on a letter.
  package static let longestText = 4096

  /// The text of an id or label in a file, checked for its length; `key` names it in the error.
  package static func checked(_ text: String, _ key: String) throws(InkError) -> String {
    let count = text.utf8.count
    guard count <= longestText else {
      throw InkError.textTooLong(key: key, bytes: count, limit: longestText)
    }
    return text
  }

  /// Sets id and label to texts of a file, the label in label form; labels are validated when they
  /// are added (`LabelRule`), ids have no other rule.
  ///
  /// - Throws: `InkError` for a text that is too long or an id with the character U+0000.
  package mutating func setNames(id: String, label: String?) throws(InkError) {
    self.id = try Self.checked(id, "id")
    guard !id.utf8.contains(0) else { throw InkError.zeroCharacterInID }
    let label = try label.map { text throws(InkError) in try Self.checked(text, "label") }
    self.label = label?.isEmpty == false ? label?.inLabelForm : nil
  }
}
