internal import Ink
internal import Text

extension WorksheetPage {
  /// The page as a picture to print (SVG), in millimeters.
  ///
  /// The lines of the boxes are pale, so that they are paper to a reader of ink.
  ///
  /// - Parameters:
  ///   - words: What stands below a label, where it has a word.
  ///   - title: What stands above the boxes.
  /// - Returns: The file.
  public func svg(words: [String: String] = [:], title: String = "") -> String {
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(n(paper.width))mm" \
      height="\(n(paper.height))mm" viewBox="0 0 \(n(paper.width)) \(n(paper.height))" \
      font-family="Quicksand, DejaVu Sans, sans-serif">
      <rect width="100%" height="100%" fill="#fff"/>
      """
    ]
    lines += marks.map(Self.mark)
    lines += WorksheetHeader.End.allCases.map(header)
    let (name, length) = nameLine
    // A letter is about 2 mm wide, and "Name" takes 12.
    let room = Int((name.x - Self.margin - 12) / 2)
    let title = title.count > room ? title.prefix(room - 1) + "…" : title
    lines.append(
      """
      <path d="M\(n(name.x)) \(n(name.y))h\(n(length))" stroke="#dcdcdc" stroke-width=".3"/>
      <text x="\(n(name.x - 2))" y="\(n(name.y))" font-size="3.5" fill="#777" \
      text-anchor="end">Name</text>
      <text x="\(n(Self.margin))" y="\(n(name.y))" font-size="3.5" fill="#777">\
      \(title.escapedForXML)</text>
      """)
    for (row, label) in labels.enumerated() {
      lines.append(self.label(label, words[label], row: row))
      lines += (0..<columns).map { column in
        let box = box(row: row, column: column)
        return """
          <rect x="\(n(box.x))" y="\(n(box.y))" width="\(n(box.width))" \
          height="\(n(box.height))" rx="1.5" fill="none" stroke="#dcdcdc" stroke-width=".3"/>
          """
      }
    }
    lines.append(
      """
      <text x="\(n(paper.width / 2))" y="\(n(paper.height - Self.margin - Self.markSide - 1.5))" \
      font-size="2.8" fill="#777" text-anchor="middle">DrawML worksheet · page \(number) of \
      \(count) · leave the black squares free</text>
      """)
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  /// A mark: a black ring of one cell, a white one of two, and a black square of three.
  private static func mark(_ middle: Point) -> String {
    let (outer, inner) = (markSide - cell, 3 * cell)
    return """
      <rect x="\(n(middle.x - outer / 2))" y="\(n(middle.y - outer / 2))" width="\(n(outer))" \
      height="\(n(outer))" fill="none" stroke="#000" stroke-width="\(n(cell))"/>\
      <rect x="\(n(middle.x - inner / 2))" y="\(n(middle.y - inner / 2))" width="\(n(inner))" \
      height="\(n(inner))"/>
      """
  }

  /// The black cells of a header, those beside each other as one rectangle.
  private func header(_ end: WorksheetHeader.End) -> String {
    let cells = WorksheetHeader.cells(of: self, at: end)
    let columns = Self.headerColumns(of: paper)
    let origin = headerOrigin(end)
    var path = ""
    for row in 0..<Self.headerRows {
      var column = 0
      while column < columns {
        let start = column
        while column < columns, cells[row * columns + column] { column += 1 }
        if column > start {
          let x = origin.x + Double(start) * Self.cell
          let width = Double(column - start) * Self.cell
          path += "M\(n(x)) \(n(origin.y + Double(row) * Self.cell))h\(n(width))v\(n(Self.cell))"
          path += "h\(n(-width))z"
        }
        column += 1
      }
    }
    return "<path d=\"\(path)\"/>"
  }

  /// What stands before a row: the emoji and its word, or a label of letters alone.
  private func label(_ label: String, _ word: String?, row: Int) -> String {
    let place = labelPlace(row: row)
    /// The size at which a text fits, if a letter is 0.6 of it wide.
    func size(_ text: String, at most: Double) -> Double {
      min(most, place.width / (0.6 * Double(max(1, text.count))))
    }
    func text(_ text: String, size: Double, below: Double, family: String = "") -> String {
      """
      <text x="\(n(place.middle.x))" y="\(n(place.middle.y + below))" font-size="\(n(size))" \
      text-anchor="middle"\(family)>\(text.escapedForXML)</text>
      """
    }
    guard label.count <= 2, label.allSatisfy(\.isShownAsEmoji) else {
      let size = size(label, at: 6)
      return text(label, size: size, below: size / 3)
    }
    let emojiSize = min(12, place.height * 0.55) / Double(label.count)
    // rsvg-convert 2.54 leaves out some emojis, such as ⭐, that are not bold.
    let family = " font-family=\"Noto Color Emoji\" font-weight=\"bold\""
    guard let word else {
      return text(label, size: emojiSize, below: emojiSize / 3, family: family)
    }
    return text(label, size: emojiSize, below: 0, family: family)
      + text(word, size: size(word, at: 3.6), below: 6)
  }
}

/// A number with at most two decimals.
private func n(_ value: Double) -> String {
  let rounded = (value * 100).rounded() / 100
  return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
}
