internal import Files
internal import Ink

/// What a page of a worksheet tells machines: cells, black or white, at its top and its bottom.
///
/// The bytes, most significant bit first:
///
/// | bytes | what |
/// |---|---|
/// | 1 | the version of what follows |
/// | 1 | bit 7: the header at the bottom; bits 0 to 6: the paper |
/// | 4 | the page's number, the number of pages, of rows and of columns |
/// | 1 | the number of different labels, then for each its length and its UTF-8 |
/// | 1 | the number of labeled rows, then for each the place of its label |
/// | … | zeros |
/// | 4 | the CRC-32 of all before it, most significant byte first |
///
/// Every version begins and ends so. Cells whose row and column add up to an odd number are
/// inverted, so that long runs of one bit become a pattern (mask 0 of a QR code, ISO/IEC 18004,
/// 7.8.2).
enum WorksheetHeader {
  /// Where a header is printed.
  enum End: UInt8, CaseIterable {
    case top = 0
    case bottom = 128
  }

  /// The version that this program prints and reads.
  static let version: UInt8 = 1

  /// The bytes for which a header on `paper` has room.
  static func capacity(of paper: Paper) -> Int {
    WorksheetPage.headerColumns(of: paper) * WorksheetPage.headerRows / 8
  }

  /// The bytes that a page's header needs.
  static func length(of page: WorksheetPage) -> Int { bytes(of: page, at: .top).count + 4 }

  /// The bytes of a page's header, without the zeros and the checksum.
  private static func bytes(of page: WorksheetPage, at end: End) -> [UInt8] {
    var labels: [String] = []
    for label in page.labels where !labels.contains(label) { labels.append(label) }
    let paper = UInt8(Paper.allCases.firstIndex(of: page.paper) ?? 0)
    var bytes = [
      version, end.rawValue | paper, UInt8(page.number), UInt8(page.count), UInt8(page.rows),
      UInt8(page.columns), UInt8(labels.count),
    ]
    for label in labels {
      // A longer label does not fit anyway, as `Worksheet` says.
      bytes.append(UInt8(min(255, label.utf8.count)))
      bytes += label.utf8
    }
    bytes.append(UInt8(page.labels.count))
    return bytes + page.labels.map { UInt8(labels.firstIndex(of: $0) ?? 0) }
  }

  /// Whether each cell of a page's header is black, row-major, shape [`headerRows`,
  /// `headerColumns`].
  static func cells(of page: WorksheetPage, at end: End) -> [Bool] {
    cells(of: bytes(of: page, at: end), on: page.paper)
  }

  /// The cells of a header that says these bytes.
  static func cells(of content: [UInt8], on paper: Paper) -> [Bool] {
    var bytes = content
    bytes += [UInt8](repeating: 0, count: capacity(of: paper) - 4 - bytes.count)
    let sum = Deflate.crc32(bytes)
    bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
    let columns = WorksheetPage.headerColumns(of: paper)
    return (0..<(columns * WorksheetPage.headerRows)).map { index in
      let byte = index / 8 < bytes.count ? bytes[index / 8] : 0
      let bit = byte >> (7 - index % 8) & 1 == 1
      return bit != isInverted(index, columns: columns)
    }
  }

  private static func isInverted(_ index: Int, columns: Int) -> Bool {
    (index / columns + index % columns) % 2 == 1
  }

  /// What the cells say.
  enum Reading: Equatable {
    /// A page, and where the header stands.
    case page(WorksheetPage, End)
    /// A page of another version.
    case otherVersion(UInt8)
    /// No header, or a damaged one.
    case nothing
  }

  /// Reads the cells of a header on `paper`, shape as of `cells(of:at:)`.
  static func read(_ cells: [Bool], on paper: Paper) -> Reading {
    let columns = WorksheetPage.headerColumns(of: paper)
    var bytes = [UInt8](repeating: 0, count: cells.count / 8)
    for index in 0..<(bytes.count * 8) where cells[index] != isInverted(index, columns: columns) {
      bytes[index / 8] |= 1 << (7 - index % 8)
    }
    let (content, stored) = (Array(bytes.dropLast(4)), bytes.suffix(4))
    guard stored.reduce(0, { $0 << 8 | UInt32($1) }) == Deflate.crc32(content) else {
      return .nothing
    }
    guard content[0] == version else { return .otherVersion(content[0]) }
    var rest = content.dropFirst()
    func number() -> Int? { rest.popFirst().map(Int.init) }
    func next(_ count: Int) -> ArraySlice<UInt8>? {
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    guard let kind = number(), let page = number(), let count = number(), let rows = number(),
      let columns = number(), let labelCount = number()
    else { return .nothing }
    var labels: [String] = []
    for _ in 0..<labelCount {
      guard let length = number(), let text = next(length),
        let label = String(validating: text, as: UTF8.self), !labels.contains(label),
        (try? LabelRule.label(label)) == label
      else { return .nothing }
      labels.append(label)
    }
    guard let lineCount = number(), let lines = next(lineCount) else { return .nothing }
    guard Paper.allCases.indices.contains(kind & 127), Paper.allCases[kind & 127] == paper,
      Worksheet.rowCounts.contains(rows), Worksheet.columnCounts.contains(columns),
      count >= 1, (1...count).contains(page), lines.count <= rows,
      lines.allSatisfy({ labels.indices.contains(Int($0)) })
    else { return .nothing }
    return .page(
      WorksheetPage(
        paper: paper, number: page, count: count, rows: rows, columns: columns,
        labels: lines.map { labels[Int($0)] }),
      kind & 128 == 0 ? .top : .bottom)
  }
}
