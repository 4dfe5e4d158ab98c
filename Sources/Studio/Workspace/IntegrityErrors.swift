/// A summary of SQLite's integrity check: one damaged page can cause a hundred similar lines.
struct IntegrityErrors {
  /// A line of each kind, and how many others are like it.
  private(set) var kinds: [(line: String, others: Int)] = []

  /// The maximum number of kinds in the summary.
  private static let most = 4

  /// Groups the lines of an `integrity_check`.
  init(_ lines: [String]) {
    var places: [String: Int] = [:]
    for line in lines where line != "ok" {
      // Lines of a kind differ in numbers of rows, pages and cells.
      let kind = line.replacing(/[0-9]+/, with: "#")
      if let place = places[kind] {
        kinds[place].others += 1
      } else {
        places[kind] = kinds.count
        kinds.append((line, 0))
      }
    }
  }

  /// The faults as a part of a sentence.
  var summary: String {
    let named = kinds.prefix(Self.most).map { line, others in
      others == 0 ? line : "\(line), and \(others) more like it"
    }
    let rest = kinds.count - named.count
    return (named + (rest > 0 ? ["and \(rest) other kinds of fault"] : [])).joined(separator: "; ")
  }
}
