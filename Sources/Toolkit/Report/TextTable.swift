internal import Text

/// Aligned columns for the terminal.
package struct TextTable {
  /// The alignment of a column.
  package enum Alignment: Sendable {
    case left
    case right
  }

  private let alignments: [Alignment]
  private var rows: [[String]]

  /// A table with a heading and no rows.
  package init(_ columns: [(heading: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map(\.heading)]
  }

  /// Adds a row with a cell for each column.
  package mutating func add(_ cells: [String]) {
    precondition(
      cells.count == alignments.count, "a row needs \(alignments.count) cells, got \(cells.count)")
    // Escaped here, not when printed: escaping widens the cell.
    rows.append(cells.map(\.visible))
  }

  /// The heading and the rows, one per line, with two spaces between columns and no trailing
  /// spaces.
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

  /// The number of terminal columns of `text`: two for an emoji or an East Asian wide character.
  package static func width(_ text: String) -> Int {
    text.reduce(0) { width, character in
      let isWide =
        character.isShownAsEmoji
        || character.unicodeScalars.contains {
          (0x1100...0x115f ~= $0.value) || (0x2e80...0xa4cf ~= $0.value)
            || (0xac00...0xd7a3 ~= $0.value) || (0xf900...0xfaff ~= $0.value)
            || (0xff00...0xff60 ~= $0.value)
        }
      return width + (isWide ? 2 : 1)
    }
  }

  /// `text` truncated to at most 40 characters, so that one long label does not widen its column.
  package static func shortened(_ text: String) -> String {
    text.count > 40 ? text.prefix(39) + "…" : text
  }
}
