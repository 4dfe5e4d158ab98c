internal import Ink

/// Lines in the form of Quick, Draw!'s simplified drawings: whole numbers from 0 to 255.
enum QuickDrawLine {
  private static let front = Array(#"{"word":""#.utf8)
  private static let middle = Array(
    #"","countrycode":"XX","timestamp":"2026-01-01 00:00:00.00000 UTC","recognized":true,"key_id":""#
      .utf8)
  private static let strokes = Array(#"","drawing":["#.utf8)

  /// Appends the line of a drawing that has points.
  ///
  /// - Parameters:
  ///   - drawing: What to write. Its label is written as it is if it is plain text, else left out.
  ///   - number: What becomes its `key_id`, of 16 digits.
  ///   - text: The lines so far.
  /// - Returns: How many points were written: those that fall on the one before are left out.
  static func append(_ drawing: Drawing, number: Int, to text: inout [UInt8]) -> Int {
    guard let box = drawing.boundingBox else { return 0 }
    let scale = 255 / max(box.width, box.height, 1e-9)
    text += front
    if let label = drawing.label, label.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c })
    {
      text += label.utf8
    }
    text += middle
    append(4_500_000_000_000_000 + number, to: &text)
    text += strokes
    var count = 0
    for (index, stroke) in drawing.strokes.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text.append(UInt8(ascii: "["))
      var places: [SIMD2<Int>] = []
      places.reserveCapacity(stroke.points.count)
      for point in stroke.points {
        let place = SIMD2(
          Int(((point.x - box.x) * scale).rounded()), Int(((point.y - box.y) * scale).rounded())
        )
        if place != places.last { places.append(place) }
      }
      for axis in 0..<2 {
        if axis == 1 { text.append(UInt8(ascii: ",")) }
        text.append(UInt8(ascii: "["))
        for (index, place) in places.enumerated() {
          if index > 0 { text.append(UInt8(ascii: ",")) }
          append(place[axis], to: &text)
        }
        text.append(UInt8(ascii: "]"))
      }
      text.append(UInt8(ascii: "]"))
      count += places.count
    }
    text += [UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "\n")]
    return count
  }

  /// The digits of a number that is not negative.
  private static func append(_ number: Int, to text: inout [UInt8]) {
    var (power, rest) = (1, number)
    while number / power >= 10 { power *= 10 }
    while power > 0 {
      text.append(UInt8(ascii: "0") + UInt8(rest / power))
      rest %= power
      power /= 10
    }
  }
}
