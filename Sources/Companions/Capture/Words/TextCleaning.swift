internal import Foundation

/// Makes one paragraph of the lines of pages.
public enum TextCleaning {
  /// Joins the lines of pages. Cleaning what was cleaned changes nothing.
  ///
  /// - Parameter pages: The lines of each page, in the order of reading.
  /// - Returns: The text without page numbers and without the headers that several pages share, a
  ///   word that was hyphenated at the end of a line joined, line breaks and runs of white space one
  ///   space each, trimmed.
  public static func cleaned(pages: [[String]]) -> String {
    let pages = pages.map { withoutPageNumbers($0) }
    let (first, last) = (shared(pages.map(\.first)), shared(pages.map(\.last)))
    let lines = pages.flatMap { page in
      var page = page[...]
      if let line = page.first, first.contains(outline(of: line)) { page = page.dropFirst() }
      if let line = page.last, last.contains(outline(of: line)) { page = page.dropLast() }
      return page
    }
    var text = lines.joined(separator: "\n")
    // A line may be a page number only once it is joined.
    while true {
      let next = cleanedOnce(text)
      if next == text { return text }
      text = next
    }
  }

  /// The same for one page's text, with line breaks.
  public static func cleaned(_ text: String) -> String {
    cleaned(pages: [text.split(whereSeparator: \.isNewline).map(String.init)])
  }

  private static func cleanedOnce(_ text: String) -> String {
    var result = ""
    for line in withoutPageNumbers(text.split(whereSeparator: \.isNewline).map(String.init)) {
      let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      guard !words.isEmpty else { continue }
      if result.isEmpty {
        result = words
      } else if let letter = result.dropLast().last, result.last == "-" || result.last == "\u{AD}",
        letter.isLetter, words.first?.isLetter == true
      {
        result.removeLast()
        result += words
      } else {
        result += " " + words
      }
    }
    return result
  }

  /// Whether a line is a page's number: "12", "– 12 –", "Page 12", "12 of 300".
  static func isPageNumber(_ line: String) -> Bool {
    line.wholeMatch(of: #/[-–—]?\s*\d{1,4}\s*[-–—]?/#) != nil
      || line.wholeMatch(of: #/(?i)page\s+\d{1,4}(\s+of\s+\d{1,4})?\.?/#) != nil
      || line.wholeMatch(of: #/(?i)\d{1,4}\s+of\s+\d{1,4}/#) != nil
  }

  /// The lines of a page without numbers of pages, which stand at its beginning or end.
  private static func withoutPageNumbers(_ lines: [String]) -> [String] {
    func isNoText(_ line: String) -> Bool {
      let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return words.isEmpty || isPageNumber(words)
    }
    guard let first = lines.firstIndex(where: { !isNoText($0) }),
      let last = lines.lastIndex(where: { !isNoText($0) })
    else { return [] }
    return Array(lines[first...last])
  }

  /// What at least two of some lines have in common.
  private static func shared(_ lines: [String?]) -> Set<String> {
    let outlines = lines.compactMap { $0.map(outline) }.filter { !$0.isEmpty }
    return Set(Dictionary(grouping: outlines) { $0 }.filter { $0.value.count > 1 }.keys)
  }

  /// A line's letters: headers differ by the page's number.
  private static func outline(of line: String) -> String {
    line.lowercased().filter(\.isLetter)
  }
}
