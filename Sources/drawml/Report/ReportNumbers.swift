internal import Support

/// Numbers as the reports write them, the same on every machine whatever its locale.
enum ReportNumbers {
  /// `value` with `digits` digits after the point: (0.1234, 2) → "0.12".
  static func decimal(_ value: Double, _ digits: Int) -> String {
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

  /// A rate in percent with one digit: 0.9734 → "97.3 %", with a narrow space that does not break.
  static func percent(_ rate: Double, _ digits: Int = 1) -> String {
    decimal(rate * 100, digits) + "\u{202f}%"
  }

  /// A count with its thousands apart: 12685 → "12,685".
  static func count(_ number: Int) -> String { grouped(number) }
}
