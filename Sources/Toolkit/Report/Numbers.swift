internal import Foundation
internal import Text

// The formatting of numbers and words in results, independent of the locale.

/// The formatting of numbers in pages.
package enum ReportNumbers {
  /// `value` with `digits` digits after the point: (0.1234, 2) → "0.12".
  package static func decimal(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "–" }
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "−" : ""
    if digits == 0 { return sign + String(scaled) }
    let fraction = String(scaled % scale)
    return sign + "\(scaled / scale)."
      + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// A rate in percent, by default with one digit: 0.9734 → "97.3 %", with a narrow no-break space.
  package static func percent(_ rate: Double, _ digits: Int = 1) -> String {
    decimal(rate * 100, digits) + "\u{202f}%"
  }
}

/// "1 label", "12,685 labels".
package func counted(_ number: Int, _ thing: String) -> String {
  "\(grouped(number)) \(thing)\(number == 1 ? "" : "s")"
}

/// The line below a list that leaves out `count` things: "and 12 labels more (--rows)"; none if it
/// leaves out none.
package func unlisted(_ count: Int, _ thing: String) -> [String] {
  count > 0 ? ["and \(counted(count, thing)) more (--rows)"] : []
}

/// "97.3 %" for 0.973, rounded as in pages.
package func percent(_ rate: Double) -> String {
  ReportNumbers.decimal(rate * 100, 1) + " %"
}

/// "1.2 MB" for 1234567.
package func megabytes(_ bytes: Int) -> String {
  String(format: "%.1f MB", Double(bytes) / 1e6)
}

/// "0.123" for 0.12345.
package func decimal(_ value: Float) -> String {
  String(format: "%.3f", Double(value))
}

/// A duration in hours, minutes and seconds: "8 s", "3 min 05 s", "1 h 02 min".
package func duration(_ seconds: Double) -> String {
  // Files of others may contain any time.
  let whole = Int(min(max(0, seconds), 1e12).rounded())
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  return switch whole {
  case ..<60: "\(whole) s"
  case ..<3600: "\(whole / 60) min \(two(whole % 60)) s"
  default: "\(whole / 3600) h \(two(whole / 60 % 60)) min"
  }
}

/// A time with three digits: "812 ns", "12.3 µs", "4.56 ms", "1.23 s".
package func shortTime(_ seconds: Double) -> String {
  let (value, unit) =
    switch seconds {
    case ..<0.999_5e-6: (seconds * 1e9, "ns")
    case ..<0.999_5e-3: (seconds * 1e6, "µs")
    case ..<0.999_5: (seconds * 1e3, "ms")
    default: (seconds, "s")
    }
  let digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
  return ReportNumbers.decimal(value, digits) + " " + unit
}
