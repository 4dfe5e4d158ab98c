/// A drawing as pixels.
public struct Raster: Hashable, Sendable {
  /// The colors of ink and ground in a picture.
  public enum Style: String, Sendable, CaseIterable {
    /// White ink on black: the unchanged values.
    case whiteOnBlack
    /// Black ink on white, as on paper.
    case blackOnWhite
  }

  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Ink coverage, row-major, shape [height, width], each in 0...1.
  public var values: [Float]

  /// A raster of `values`, row-major, shape [height, width].
  public init(width: Int, height: Int, values: [Float]) {
    precondition(
      values.count == width * height,
      "a \(width) × \(height) raster needs \(width * height) values, got \(values.count)")
    self.width = width
    self.height = height
    self.values = values
  }

  /// A raster without ink.
  public init(width: Int, height: Int) {
    self.init(
      width: width, height: height, values: [Float](repeating: 0, count: width * height))
  }

  /// The coverage at `row` and `column`, counted from the top left corner.
  public subscript(row: Int, column: Int) -> Float {
    precondition(
      (0..<height).contains(row) && (0..<width).contains(column),
      "row \(row), column \(column) is outside \(height) rows of \(width) columns")
    return values[row * width + column]
  }

  /// The coverage in 8 bits, 0 (no ink) … 255 (full ink), row-major, shape [height, width].
  public var bytes: [UInt8] {
    values.map { UInt8((max(0, min(1, $0)) * 255).rounded()) }
  }
}
