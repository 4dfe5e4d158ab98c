internal import Ink

/// Pages to print with empty boxes to draw in, and a label before each row of boxes.
///
/// A photo of a filled-in page becomes labeled drawings (`WorksheetReader`).
public struct Worksheet: Sendable, Equatable {
  /// The pages, in order.
  public let pages: [WorksheetPage]

  /// What is to be drawn, in order.
  public let labels: [String]

  /// The numbers of rows on a page.
  public static let rowCounts = 1...12
  /// The numbers of boxes in a row.
  public static let columnCounts = 1...10

  /// A worksheet with one row for each label, on as many pages as needed. Labels that leave room on
  /// a single page are repeated, all of them, as often as they fit.
  ///
  /// - Parameters:
  ///   - labels: What to draw; in label form, and each once.
  ///   - paper: The size of the pages.
  ///   - rows: The number of rows on a page, in `rowCounts`.
  ///   - columns: The number of boxes in a row, in `columnCounts`.
  /// - Throws: `WorksheetError` for no label, a label twice, and labels too long for a page's header.
  public init(
    labels: [String], paper: Paper = .a4, rows: Int = 8, columns: Int = 6
  ) throws(WorksheetError) {
    precondition(Self.rowCounts.contains(rows), "there are 1 to 12 rows on a page, got \(rows)")
    precondition(
      Self.columnCounts.contains(columns), "there are 1 to 10 boxes in a row, got \(columns)")
    guard !labels.isEmpty else { throw .noLabels }
    var seen: Set<String> = []
    for label in labels where !seen.insert(label).inserted { throw .repeatedLabel(label) }
    let repeats = max(1, rows / labels.count)
    let lines = labels.flatMap { Array(repeating: $0, count: repeats) }
    let count = (lines.count + rows - 1) / rows
    guard count <= Int(UInt8.max) else { throw .tooManyPages(count) }
    var pages: [WorksheetPage] = []
    for number in 1...count {
      let start = (number - 1) * rows
      let page = WorksheetPage(
        paper: paper, number: number, count: count, rows: rows, columns: columns,
        labels: Array(lines[start..<min(lines.count, start + rows)]))
      let length = WorksheetHeader.length(of: page)
      guard length <= WorksheetHeader.capacity(of: paper) else {
        throw .labelsTooLong(
          page: number, bytes: length, capacity: WorksheetHeader.capacity(of: paper))
      }
      pages.append(page)
    }
    (self.pages, self.labels) = (pages, labels)
  }
}
