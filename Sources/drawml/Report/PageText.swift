/// Small texts that several parts of the page share.
enum PageText {
  /// A label for people, at most 60 characters.
  static func short(_ label: String) -> String {
    let text = label.isEmpty ? "(no label)" : label
    return text.count > 60 ? text.prefix(59) + "…" : text
  }

  /// A label as text of its own direction, so that right-to-left names leave their surroundings
  /// alone.
  static func name(_ label: String) -> Markup { .tag("bdi", [:], Markup(short(label))) }

  /// "97 %", or "97 %, refused".
  static func confidence(of record: EvaluationRecord) -> String {
    ReportNumbers.percent(record.shownConfidence, 0) + (record.recognized ? "" : ", refused")
  }

  /// "1 drawing", "2 drawings".
  static func drawings(_ count: Int) -> String {
    "\(ReportNumbers.count(count)) drawing\(count == 1 ? "" : "s")"
  }
}
