internal import Support

/// Aligned columns for the terminal.
package struct TextTable {
  /// Which side of its column a cell leans to.
  package enum Alignment: Sendable {
    case left
    case right
  }

  private let alignments: [Alignment]
  private var rows: [[String]]

  /// A table of a heading and no rows yet.
  package init(_ columns: [(heading: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map(\.heading)]
  }

  /// Adds a row with a cell for each column.
  package mutating func add(_ cells: [String]) {
    precondition(
      cells.count == alignments.count, "a row needs \(alignments.count) cells, got \(cells.count)")
    // Here, not as the line is printed: it makes the cell wider.
    rows.append(cells.map(\.visible))
  }

  /// The heading and the rows, one a line, two spaces between columns, no spaces at the ends of
  /// lines.
  package var lines: [String] {
    let widths = alignments.indices.map { column in
      rows.map { Self.width($0[column]) }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let gap = String(repeating: " ", count: widths[column] - Self.width(cell))
        if column > 0 { line += "  " }
        line += alignments[column] == .left ? cell + gap : gap + cell
      }
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// How many terminal columns `text` takes: two for an emoji and East Asian wide characters.
  package static func width(_ text: String) -> Int {
    text.reduce(0) { width, character in
      let isWide = character.unicodeScalars.contains {
        $0.properties.isEmojiPresentation || $0.value == 0xfe0f
          || (0x1100...0x115f ~= $0.value) || (0x2e80...0xa4cf ~= $0.value)
          || (0xac00...0xd7a3 ~= $0.value) || (0xf900...0xfaff ~= $0.value)
          || (0xff00...0xff60 ~= $0.value)
      }
      return width + (isWide ? 2 : 1)
    }
  }

  /// `text` cut to at most 40 characters, so that one long label does not push all columns apart.
  package static func shortened(_ text: String) -> String {
    text.count > 40 ? text.prefix(39) + "…" : text
  }
}
