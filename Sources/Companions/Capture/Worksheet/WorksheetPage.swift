public import Ink

/// One page of a worksheet: what is where, in millimeters from the top left corner of the paper.
public struct WorksheetPage: Sendable, Equatable {
  /// The size of the page.
  public let paper: Paper
  /// The number of the page, from 1.
  public let number: Int
  /// The number of pages of the worksheet.
  public let count: Int
  /// The number of rows for which the page has room.
  public let rows: Int
  /// The number of boxes in a row.
  public let columns: Int
  /// The label of each row; the last page may have fewer than `rows`.
  public let labels: [String]

  /// The side of a cell of marks and headers.
  static let cell = 1.2
  /// The cells along a side of a corner mark: a square in a ring, as in a QR code.
  static let markCells = 9
  /// The distance of the marks from the paper's edges: printers leave a margin white.
  static let margin = 9.0
  /// The side of a mark.
  static let markSide = Double(markCells) * cell
  /// The rows of cells of a header.
  static let headerRows = markCells

  /// The corners of the marks' bounding rectangle are those of the page less the margin; the
  /// middles of the marks, clockwise from the top left.
  public var marks: [Point] {
    let inset = Self.margin + Self.markSide / 2
    let (right, bottom) = (paper.width - inset, paper.height - inset)
    return [
      Point(x: inset, y: inset), Point(x: right, y: inset), Point(x: right, y: bottom),
      Point(x: inset, y: bottom),
    ]
  }

  /// The cells in a row of a header.
  static func headerColumns(of paper: Paper) -> Int {
    Int((paper.width - 2 * (margin + markSide + 3 * cell)) / cell)
  }

  /// Where the cells of a header begin; the header at the bottom repeats the one at the top.
  func headerOrigin(_ end: WorksheetHeader.End) -> Point {
    let width = Double(Self.headerColumns(of: paper)) * Self.cell
    return Point(
      x: (paper.width - width) / 2,
      y: end == .top ? Self.margin : paper.height - Self.margin - Self.markSide)
  }

  /// The width of what stands before a row.
  private static let labelWidth = 26.0
  /// Between two boxes.
  private static let gap = 4.0
  /// From the marks to the line for a name.
  private static let nameHeight = 12.0

  /// The line on which a name may be written, which nothing reads: where it begins, and how long.
  var nameLine: (start: Point, length: Double) {
    let y = Self.margin + Self.markSide + Self.nameHeight - 2
    return (Point(x: paper.width - Self.margin - 80, y: y), 80)
  }

  /// What the rows of boxes have of the page's height.
  private var rowsTop: Double { Self.margin + Self.markSide + Self.nameHeight + 2 }
  private var rowPitch: Double {
    (paper.height - Self.margin - Self.markSide - 4 - rowsTop) / Double(rows)
  }
  private var columnPitch: Double {
    (paper.width - 2 * Self.margin - Self.labelWidth) / Double(columns)
  }

  /// The side of a box.
  public var boxSide: Double { min(rowPitch, columnPitch) - Self.gap }

  /// The box in a row and column, both from 0.
  public func box(row: Int, column: Int) -> BoundingBox {
    let x = Self.margin + Self.labelWidth + (Double(column) + 0.5) * columnPitch
    let y = rowsTop + (Double(row) + 0.5) * rowPitch
    let half = boxSide / 2
    return BoundingBox(x: x - half, y: y - half, width: boxSide, height: boxSide)
  }

  /// The middle of what stands before a row, from 0, and its greatest width and height.
  func labelPlace(row: Int) -> (middle: Point, width: Double, height: Double) {
    let box = box(row: row, column: 0)
    return (
      Point(x: Self.margin + Self.labelWidth / 2, y: box.y + boxSide / 2),
      Self.labelWidth - 3, boxSide
    )
  }
}

extension WorksheetPage: Encodable {
  private enum Key: CodingKey {
    case paper, width, height, page, pages, labels, boxes
  }

  /// The paper and its size, the page's number and theirs, and the label and boxes of each row; all
  /// sizes and places in millimeters.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(paper, forKey: .paper)
    try values.encode(paper.width, forKey: .width)
    try values.encode(paper.height, forKey: .height)
    try values.encode(number, forKey: .page)
    try values.encode(count, forKey: .pages)
    try values.encode(labels, forKey: .labels)
    let boxes = labels.indices.map { row in
      (0..<columns).map { box(row: row, column: $0) }
    }
    try values.encode(boxes, forKey: .boxes)
  }
}
