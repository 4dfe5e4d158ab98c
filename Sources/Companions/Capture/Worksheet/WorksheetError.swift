public import Text

/// Why there is no worksheet with certain labels.
public enum WorksheetError: DescribedError, Equatable {
  /// There is nothing to draw.
  case noLabels
  /// A label occurs twice.
  case repeatedLabel(String)
  /// More pages than a header can number.
  case tooManyPages(Int)
  /// The labels of a page do not fit into its header, which has room for `capacity` bytes.
  case labelsTooLong(page: Int, bytes: Int, capacity: Int)

  /// One sentence for people: what, and what to do.
  public var description: String {
    switch self {
    case .noLabels: "a worksheet needs at least one label"
    case .repeatedLabel(let label): "the label \(label) is given twice; name each once"
    case .tooManyPages(let count):
      "the worksheet would have \(count) pages, and 255 are the most; make several worksheets"
    case .labelsTooLong(let page, let bytes, let capacity):
      "the labels of page \(page) need \(bytes) bytes of its header, which has \(capacity); choose "
        + "shorter labels, or fewer rows"
    }
  }
}
