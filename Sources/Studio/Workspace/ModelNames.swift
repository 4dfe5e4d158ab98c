internal import GRDB

/// The names of a workspace's models, or of another table's rows, for choosing unused ones.
struct ModelNames {
  private var taken: Set<String>
  /// The lowest possibly unused number by stem and number of digits, so that many models of one
  /// name do not try all numbers again.
  private var numbers: [String: Int] = [:]

  /// Reads the names that are taken.
  init(in db: Database, of table: String = "model") throws {
    taken = Set(try String.fetchAll(db, sql: "SELECT name FROM \(table)"))
  }

  /// Takes the name, or the name followed by the lowest unused number.
  mutating func take(like name: String) -> String {
    // Numbers of one digit first, below `end`, then those of more.
    var (free, digits, end) = (name, 1, 10)
    while taken.contains(free) {
      let nines = " " + String(repeating: "9", count: digits)
      let stem = Checked.stem(of: name, before: nines)
      var number = numbers[stem + nines] ?? max(2, end / 10)
      while number < end, taken.contains("\(stem) \(number)") { number += 1 }
      numbers[stem + nines] = number
      if number < end { free = "\(stem) \(number)" }
      (digits, end) = (digits + 1, end * 10)
    }
    taken.insert(free)
    return free
  }
}
