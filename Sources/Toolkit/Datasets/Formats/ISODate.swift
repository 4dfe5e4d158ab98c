internal import Ink

/// Dates with times as XML has them, such as "2026-11-28T06:48:41.5+01:00".
///
/// Source: W3C XML Schema, part 2, section 3.2.7 (dateTime).
enum ISODate {
  /// Milliseconds since 1970 in universal time, which a date without an offset is taken to be in;
  /// nil for another text.
  static func milliseconds(_ text: String) -> Double? {
    let parts = text.trimmed.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let date = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard date.count == 3, let year = date[0], let month = date[1], let day = date[2],
      (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let clock = parts[1].prefix { $0.isNumber || $0 == ":" || $0 == "." }
    let fields = clock.split(separator: ":").map { Point.number($0) }
    guard fields.count == 3, let hours = fields[0], let minutes = fields[1],
      let seconds = fields[2], (0...24).contains(hours), (0..<60).contains(minutes),
      (0...60).contains(seconds), let offset = offset(parts[1].dropFirst(clock.count))
    else { return nil }
    let minute = hours * 60 + minutes - offset
    return (Double(days(year, month, day)) * 1440 + minute) * 60_000 + seconds * 1000
  }

  /// The minutes that a clock with an offset such as "Z", "+01:00" or none is ahead.
  private static func offset(_ text: Substring) -> Double? {
    guard !text.isEmpty, text != "Z" else { return 0 }
    let fields = text.dropFirst().split(separator: ":").map { Int($0) }
    guard let sign = text.first, sign == "+" || sign == "-", fields.count == 2,
      let hours = fields[0], let minutes = fields[1], (0...14).contains(hours),
      (0..<60).contains(minutes)
    else { return nil }
    return Double((sign == "-" ? -1 : 1) * (hours * 60 + minutes))
  }

  /// The days from 1970 to a date of the Gregorian calendar.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // Years from March, so that the leap day is the last one.
    let years = month > 2 ? year : year - 1
    let months = (month + 9) % 12
    return 365 * years + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day
      - 719_469
  }
}
