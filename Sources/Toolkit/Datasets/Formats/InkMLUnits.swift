internal import Ink

/// Units of InkML's channels and resolutions, and how many of a channel's values make a unit.
///
/// Source: InkML, section 3.1.2 (units) and 3.2.3 (channel properties).
enum InkMLUnits {
  /// The millimeters in a unit of length; nil for others, such as the device's own ("dev").
  static func millimeters(_ unit: String) -> Double? {
    switch unit {
    case "m": 1000
    case "cm": 10
    case "mm": 1
    case "um", "µm", "μm": 0.001
    // What Windows counts in.
    case "himetric": 0.01
    case "in", "inch", "inches": 25.4
    case "pt": 25.4 / 72
    case "pc": 25.4 / 6
    case "px": 25.4 / 96
    default: nil
    }
  }

  /// The milliseconds in a unit of time; nil for others.
  static func milliseconds(_ unit: String) -> Double? {
    switch unit {
    case "min": 60_000
    case "s", "sec", "second", "seconds": 1000
    case "ms", "msec", "millisecond", "milliseconds": 1
    // Both letters that look like a Greek mu.
    case "us", "µs", "μs", "usec", "microsecond", "microseconds": 0.001
    case "ns", "nsec", "nanosecond", "nanoseconds": 0.000_001
    default: nil
    }
  }

  /// Whether values have a unit that only the device knows.
  static func isDevice(_ unit: String) -> Bool { ["", "dev", "device", "1"].contains(unit) }
}

/// A channel's resolution in a `channelProperty`.
struct InkMLResolution: Hashable {
  private var value: Double
  private var unit: String
  /// Whether `value` is a density, as in 1000 1/in, rather than a size, as in 0.001 in.
  private var isInverse: Bool

  /// Nil for what is no positive number.
  init?(value: String, units: String) {
    guard let number = Double(value.trimmed), number > 1e-50, number < 1e50 else { return nil }
    let unit = units.trimmed.lowercased()
    isInverse = unit.hasPrefix("1/") || unit.hasPrefix("/")
    self.unit = isInverse ? String(unit.drop { $0 == "1" || $0 == "/" }) : unit
    self.value = number
  }

  /// The number of values in the unit that `size` gives sizes in; nil for a unit that it lacks.
  func density(_ size: (String) -> Double?) -> Double? {
    guard let size = size(unit) else { return nil }
    return isInverse ? value / size : 1 / (value * size)
  }
}
