public import Ink

extension SVG {
  /// One drawing on a sheet.
  public struct Cell: Sendable {
    /// What is shown.
    public var drawing: Drawing
    /// A word below it; may be empty.
    public var caption: String
    /// The colour of its frame and strokes.
    public var color: String

    /// A cell that shows `drawing`.
    public init(_ drawing: Drawing, caption: String = "", color: String = SVG.ink) {
      self.drawing = drawing
      self.caption = caption
      self.color = color
    }
  }

  /// Rows of drawings, each row with a word before it.
  ///
  /// - Parameters:
  ///   - rows: The rows from above.
  ///   - size: The side of a cell.
  ///   - headings: Words above columns; some room is left before each but the first.
  /// - Returns: The picture.
  public static func sheet(
    _ rows: [(title: String, cells: [Cell])], size: Double = 64,
    headings: [(column: Int, text: String)] = []
  ) -> SVG {
    let hasCaptions = rows.contains { $0.cells.contains { !$0.caption.isEmpty } }
    let longest = rows.map(\.title.count).max() ?? 0
    let titles = longest > 0 ? max(110, Double(longest) * 7 + 20) : 8
    let (gap, step) = (8.0, size + (hasCaptions ? 22.0 : 8))
    let columns = rows.map(\.cells.count).max() ?? 0
    let head = headings.isEmpty ? 0 : 20.0
    func left(_ column: Int) -> Double {
      titles + Double(column) * (size + gap)
        + Double(headings.count { $0.column > 0 && $0.column <= column }) * 16
    }
    var svg = SVG(
      width: left(max(columns, 1) - 1) + size + gap,
      height: head + Double(rows.count) * step + gap)
    for heading in headings {
      svg.text(heading.text, x: left(heading.column), y: gap + 10, size: 12)
    }
    for (row, content) in rows.enumerated() {
      let top = head + gap + Double(row) * step
      svg.text(content.title, x: titles - 12, y: top + size / 2 + 4, anchor: "end")
      for (column, cell) in content.cells.enumerated() {
        let left = left(column)
        svg.rectangle(
          x: left, y: top, width: size, height: size,
          outline: cell.color == SVG.ink ? SVG.faint : cell.color)
        svg.sketch(cell.drawing, x: left + 5, y: top + 5, size: size - 10, color: cell.color)
        svg.text(cell.caption, x: left + size / 2, y: top + size + 12, size: 10, anchor: "middle")
      }
    }
    return svg
  }

  /// Drawings at places on a plane: `x` and `y` in any unit, the same for both axes.
  public static func map(
    _ drawings: [(drawing: Drawing, x: Double, y: Double, color: String)], side: Double = 760,
    size: Double = 26
  ) -> SVG {
    var svg = SVG(width: side, height: side)
    let (xs, ys) = (drawings.map(\.x), drawings.map(\.y))
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max()
    else { return svg }
    let extent = max(right - left, bottom - top)
    let scale = extent > 0 ? (side - size - 16) / extent : 0
    for item in drawings {
      svg.sketch(
        item.drawing, x: side / 2 + scale * (item.x - (left + right) / 2) - size / 2,
        y: side / 2 + scale * (item.y - (top + bottom) / 2) - size / 2, size: size,
        color: item.color, thickness: 1.2)
    }
    return svg
  }
}
