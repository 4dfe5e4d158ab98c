/// Words that somebody may have meant.
enum Spelling {
  /// Those of the words that differ from a text by a slip or two, the nearest first, in their order
  /// where they are as near.
  static func near(_ text: String, among words: [String]) -> [String] {
    let most = mostSlips(in: text)
    return words.map { ($0, slips(from: text, to: $0)) }.filter { $0.1 <= most }
      .enumerated().sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
      .map(\.element.0)
  }

  /// A third of the letters, so that short words are not taken for any other short word.
  private static func mostSlips(in text: String) -> Int { min(3, text.count / 3) }

  /// How many letters were left out, put in, changed, or swapped with their neighbors; upper and
  /// lower case are the same.
  ///
  /// The distance is that of optimal string alignment.
  static func slips(from text: String, to word: String) -> Int {
    let (a, b) = (Array(text.lowercased()), Array(word.lowercased()))
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
