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
    let headers = headers(of: pages)
    let lines = pages.flatMap { page in page.filter { !headers.contains(outline(of: $0)) } }
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
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      guard !words.isEmpty, !isPageNumber(words) else { continue }
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

  /// What the first and last lines of at least two pages have in common.
  private static func headers(of pages: [[String]]) -> Set<String> {
    var counts: [String: Int] = [:]
    for page in pages {
      let ends = Set([page.first, page.last].compactMap { $0.map(outline) })
      for end in ends where !end.isEmpty { counts[end, default: 0] += 1 }
    }
    return Set(counts.filter { $0.value > 1 }.keys)
  }

  /// A line's letters: headers differ by the page's number.
  private static func outline(of line: String) -> String {
    line.lowercased().filter(\.isLetter)
  }
}
