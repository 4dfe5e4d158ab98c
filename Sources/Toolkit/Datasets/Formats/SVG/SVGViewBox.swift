internal import Ink

/// The part of the plane that a picture, or a picture within it, shows.
struct SVGViewBox {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  /// The box in the value of the attribute `viewBox`.
  init(_ text: String) throws(FormatFault) {
    let box = try SVGNotation(text, of: "viewBox").numbers()
    guard box.count == 4, box[2] > 0, box[3] > 0 else {
      throw FormatFault("viewBox should be four numbers, the last two above 0")
    }
    (x, y, width, height) = (box[0], box[1], box[2], box[3])
  }

  /// The map that shows the box in a viewport from (0, 0) to `size`, as `preserveAspectRatio` says.
  ///
  /// Source: Scalable Vector Graphics 2, chapter 8.2, "Equivalent transform of an SVG viewport".
  func fitted(to size: SIMD2<Double>, _ preserveAspectRatio: String?) -> Transform {
    let words = (preserveAspectRatio ?? "").lowercased().split(whereSeparator: \.isWhitespace)
      .filter { $0 != "defer" }
    var scale = size / SIMD2(width, height)
    let align = words.first ?? "xmidymid"
    guard align != "none" else {
      return Transform.translation(x: -x, y: -y).then(.scale(x: scale.x, y: scale.y))
    }
    scale = SIMD2(
      repeating: words.last == "slice" ? max(scale.x, scale.y) : min(scale.x, scale.y))
    let room = size - scale * SIMD2(width, height)
    /// The share of the room before the box.
    func share(_ name: String) -> Double {
      align.contains(name + "min") ? 0 : align.contains(name + "max") ? 1 : 0.5
    }
    return Transform.translation(x: -x, y: -y).then(.scale(scale.x))
      .then(.translation(x: room.x * share("x"), y: room.y * share("y")))
  }
}
