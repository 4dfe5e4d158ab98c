internal import Text

/// Counts what a reader leaves out of a file, for one note about all of it.
struct PassedOver {
  /// How often each kind was left out, in the order of their first.
  private var counts: [(what: String, count: Int)] = []

  /// Counts one thing more; `what` is its name in the singular, such as "text".
  mutating func add(_ what: String, count: Int = 1) {
    if let index = counts.firstIndex(where: { $0.what == what }) {
      counts[index].count += count
    } else {
      counts.append((what, count))
    }
  }

  /// The note, such as "3 texts and 1 image are passed over".
  func tell(_ notes: inout ReadingNotes) {
    guard !counts.isEmpty else { return }
    let parts = counts.map { "\(grouped($0.count)) \($0.what)\($0.count == 1 ? "" : "s")" }
    let all =
      parts.count == 1
      ? parts[0] : parts.dropLast().joined(separator: ", ") + " and " + parts[parts.count - 1]
    let isOne = counts.count == 1 && counts[0].count == 1
    notes.add("\(all) \(isOne ? "is" : "are") passed over")
  }
}
