internal import Foundation
internal import JSON

/// The points of a segment of tldraw's `draw` and `highlight` shapes.
///
/// Older files list them as objects. Newer ones pack them in base64, little-endian: `path` begins
/// with a point of 32-bit floats, each further point is the difference from the one before in
/// 16-bit floats; a point is x, y and the pressure, which is left out where `dim` is 2. In between,
/// `points` were texts of places in 16-bit floats.
///
/// Source: the published types of tldraw's npm package `@tldraw/tlschema`, `TLDrawShapeSegment` and
/// `b64Vecs`, https://tldraw.dev/reference/tlschema/TLDrawShapeSegment.
enum TldrawPoints {
  /// The places of a segment, in the shape's coordinates; pressures are not used.
  static func places(of segment: JSONValue) throws(FormatFault) -> [SIMD2<Double>] {
    if let points = segment["points"]?.elements {
      return try points.map { point throws(FormatFault) in try point.place }
    }
    if let path = try segment.member("path", as: String.self) {
      let hasPressure = try segment.member("dim", as: Double.self) != 2
      guard let places = differences(path, numbers: hasPressure ? 3 : 2) else {
        throw segment.wrong("has a damaged path")
      }
      return places
    }
    guard let places = absolute(try segment.required("points")) else {
      throw segment.wrong("has damaged points")
    }
    return places
  }

  /// Unpacks places of `numbers` numbers each, of which all but the first are differences.
  private static func differences(_ text: String, numbers: Int) -> [SIMD2<Double>]? {
    guard let bytes = bytes(text) else { return nil }
    guard !bytes.isEmpty else { return [] }
    var cursor = ByteCursor(bytes)
    guard bytes.count >= 4 * numbers, (bytes.count - 4 * numbers) % (2 * numbers) == 0,
      let x = cursor.next(UInt32.self), let y = cursor.next(UInt32.self)
    else { return nil }
    var place = SIMD2(Double(Float(bitPattern: x)), Double(Float(bitPattern: y)))
    var places = [place]
    _ = cursor.next(4 * (numbers - 2))
    while let dx = cursor.next(UInt16.self), let dy = cursor.next(UInt16.self) {
      place += SIMD2(half(dx), half(dy))
      places.append(place)
      _ = cursor.next(2 * (numbers - 2))
    }
    return places
  }

  /// Unpacks places of three 16-bit floats each.
  private static func absolute(_ text: String) -> [SIMD2<Double>]? {
    guard let bytes = bytes(text), bytes.count % 6 == 0 else { return nil }
    var cursor = ByteCursor(bytes)
    var places: [SIMD2<Double>] = []
    while let x = cursor.next(UInt16.self), let y = cursor.next(UInt16.self) {
      places.append(SIMD2(half(x), half(y)))
      _ = cursor.next(2)
    }
    return places
  }

  private static func bytes(_ text: String) -> [UInt8]? {
    Data(base64Encoded: text).map { [UInt8]($0) }
  }

  /// The number of a 16-bit float of IEEE 754; `Float16` is not there on every processor.
  private static func half(_ bits: UInt16) -> Double {
    let (exponent, fraction) = (Int(bits >> 10 & 0x1f), Double(bits & 0x3ff))
    let magnitude =
      switch exponent {
      case 0: fraction * 0x1p-24
      case 31: fraction == 0 ? Double.infinity : .nan
      default: (1024 + fraction) * Double(sign: .plus, exponent: exponent - 25, significand: 1)
      }
    return bits >> 15 == 0 ? magnitude : -magnitude
  }
}
