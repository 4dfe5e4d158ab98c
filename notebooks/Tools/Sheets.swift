package import Ink

extension SVG {
  /// One drawing on a sheet.
  package struct Cell: Sendable {
    /// The drawing.
    package var drawing: Drawing
    /// The caption below it; may be empty.
    package var caption: String
    /// The color of its frame and strokes.
    package var color: String

    /// A cell that shows `drawing`.
    package init(_ drawing: Drawing, caption: String = "", color: String = SVG.ink) {
      self.drawing = drawing
      self.caption = caption
      self.color = color
    }
  }

  /// Rows of drawings, each row with a title on the left.
  ///
  /// - Parameters:
  ///   - rows: The rows from top to bottom.
  ///   - size: The side of a cell.
  ///   - headings: Headings above columns; there is a gap before each but the first.
  /// - Returns: The picture.
  package static func sheet(
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

  /// Drawings at positions on a plane: `x` and `y` in any unit, the same for both axes.
  package static func map(
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

  /// A square table of colors: `values`, row-major, shape [names, names], from 0 white to 1 dark;
  /// negative values count as 0. `texts` are written into the cells; empty strings leave them
  /// blank.
  package static func heatMap(
    _ values: [Double], names: [String], texts: [String] = [], down: String, across: String
  ) -> SVG {
    // Emojis are upright above their columns; words would overlap, so they are rotated.
    let longest = names.map(\.count).max() ?? 0
    let isWordy = longest > 3
    let (cell, margin) = (34.0, isWordy ? 44 + Double(longest) * 6.5 : 64)
    let side = Double(names.count) * cell
    var svg = SVG(width: margin + side + 12, height: margin + side + 12)
    svg.text(across, x: margin + side / 2, y: 18, anchor: "middle")
    svg.text(down, x: 4, y: margin - 8)
    for (row, name) in names.enumerated() {
      let middle = (Double(row) + 0.5) * cell
      svg.text(name, x: margin - 8, y: margin + middle + 5, size: isWordy ? 12 : 15, anchor: "end")
      svg.text(
        name, x: margin + middle + (isWordy ? 4 : 0), y: margin - 10, size: isWordy ? 12 : 15,
        anchor: isWordy ? "start" : "middle", angle: isWordy ? -90 : 0)
      for column in names.indices {
        let index = row * names.count + column
        let value = max(0, min(1, values[index]))
        svg.rectangle(
          x: margin + Double(column) * cell, y: margin + Double(row) * cell, width: cell,
          height: cell, fill: shade(value), outline: "#eeeeee")
        if texts.indices.contains(index), !texts[index].isEmpty {
          svg.text(
            texts[index], x: margin + (Double(column) + 0.5) * cell, y: margin + middle + 4,
            size: 11, anchor: "middle", color: value > 0.5 ? "#ffffff" : ink)
        }
      }
    }
    return svg
  }

  /// White to the palette's blue.
  private static func shade(_ value: Double) -> String {
    let (red, green, blue) = (255 - 255 * value, 255 - 141 * value, 255 - 77 * value)
    return "rgb(\(Int(red)),\(Int(green)),\(Int(blue)))"
  }
}
