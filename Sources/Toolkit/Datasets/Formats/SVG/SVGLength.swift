internal import Ink

/// A number with a unit, such as "10%" or "3mm".
///
/// Source: CSS Values and Units Module Level 3, https://www.w3.org/TR/css-values-3/.
struct SVGLength {
  var number: Double
  /// In lower case; empty without one.
  var unit: String

  /// What a percentage is a share of.
  enum Axis {
    case x
    case y
    case diagonal
    case fontSize(Double)
  }

  /// Parses a length; nil if `text` is not one.
  init?(_ text: String) {
    let text = text.trimmed.lowercased()
    var notation = SVGNotation(text, of: "")
    do throws(FormatFault) { number = try notation.number() } catch { return nil }
    unit = notation.rest.trimmed
    guard unit == "%" || unit.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
  }

  /// The length in the units of the current coordinates; nil for an unknown unit, and for a share
  /// of an unknown size.
  func value(in viewport: SVGViewport, along axis: Axis, fontSize: Double) -> Double? {
    if unit == "%" {
      return switch axis {
      case .x: viewport.width.map { number / 100 * $0 }
      case .y: viewport.height.map { number / 100 * $0 }
      case .diagonal: viewport.diagonal.map { number / 100 * $0 }
      case .fontSize(let size): number / 100 * size
      }
    }
    if let pixels = Self.pixels[unit] { return number * pixels }
    return switch unit {
    case "em": number * fontSize
    case "ex", "ch": number * fontSize / 2
    case "rem": number * 16
    default: nil
    }
  }

  /// The pixels (96 per inch) of each absolute unit.
  static let pixels: [String: Double] = [
    "": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "q": 2.4 / 2.54, "pt": 4 / 3.0,
    "pc": 16,
  ]
}

/// The size that percentages refer to; nil where it is not known.
struct SVGViewport {
  var width: Double?
  var height: Double?

  var diagonal: Double? {
    guard let width, let height else { return nil }
    return ((width * width + height * height) / 2).squareRoot()
  }
}

extension SVGViewport {
  /// The size of what a box shows.
  init(_ box: SVGViewBox) { self.init(width: box.width, height: box.height) }

  /// Width and height, if both are known, above 0 and in the range of coordinates.
  var known: SIMD2<Double>? {
    guard let width, let height, width > 0, height > 0,
      max(width, height) <= Point.readable.upperBound
    else { return nil }
    return SIMD2(width, height)
  }
}
