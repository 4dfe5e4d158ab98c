internal import CLibrary

/// The outlines of tldraw's geometric shapes. Clouds and hearts are like those of tldraw, not the
/// same.
enum TldrawGeometry {
  typealias Place = SIMD2<Double>

  /// The lines of the shape with the given name in a box from (0, 0) to `size`; an unknown one is a
  /// rectangle.
  static func lines(of kind: String, size: Place) -> [[Place]] {
    let box = DiagramOutline.rectangle(size)
    let (width, height) = (size.x, size.y)
    // How far slanted sides lean, and heads of arrows reach.
    let slant = min(width, height) * 0.38
    func polygon(_ corners: Place...) -> [[Place]] { [DiagramOutline.polygon(corners)] }
    switch kind {
    case "ellipse": return [DiagramOutline.ellipse(size)]
    case "oval":
      return [DiagramOutline.rounded(Array(box.dropLast()), radius: min(width, height) / 2)]
    case "triangle":
      return polygon(Place(width / 2, 0), size, Place(0, height))
    case "diamond":
      return polygon(
        Place(width / 2, 0), Place(width, height / 2), Place(width / 2, height),
        Place(0, height / 2))
    case "pentagon": return [star(5, inner: nil, size)]
    case "hexagon": return [star(6, inner: nil, size)]
    case "octagon": return [star(8, inner: nil, size)]
    case "star": return [star(5, inner: 0.5, size)]
    case "rhombus":
      return polygon(
        Place(slant, 0), Place(width, 0), Place(width - slant, height), Place(0, height))
    case "rhombus-2":
      return polygon(.zero, Place(width - slant, 0), size, Place(slant, height))
    case "trapezoid":
      return polygon(Place(slant, 0), Place(width - slant, 0), size, Place(0, height))
    case "arrow-right", "arrow-left", "arrow-down", "arrow-up":
      return [blockArrow(kind, size)]
    case "cloud": return [cloud(size)]
    case "heart": return [heart(size)]
    case "x-box": return [box, [.zero, size], [Place(width, 0), Place(0, height)]]
    case "check-box":
      let side = min(width, height)
      let check = [Place(-0.28, 0.02), Place(-0.08, 0.22), Place(0.28, -0.2)]
      return [box, check.map { size / 2 + $0 * side }]
    default: return [box]
    }
  }

  /// A regular polygon with a corner at the top, or a star with that share of the radius between
  /// its points, stretched to fill the box.
  private static func star(_ count: Int, inner: Double?, _ size: Place) -> [Place] {
    let all = inner == nil ? count : 2 * count
    let places = (0..<all).map { index in
      let angle = 2 * Double.pi * (Double(index) / Double(all) - 0.25)
      let radius = index.isMultiple(of: 2) ? 1 : inner ?? 1
      return Place(cos(angle), sin(angle)) * radius
    }
    return DiagramOutline.polygon(stretched(places, to: size))
  }

  /// An arrow as a closed shape.
  private static func blockArrow(_ kind: String, _ size: Place) -> [Place] {
    let isUpright = kind == "arrow-down" || kind == "arrow-up"
    let (length, width) = isUpright ? (size.y, size.x) : (size.x, size.y)
    let (neck, side) = (length - min(length, width) * 0.38, width * 0.16)
    let right = [
      Place(0, side), Place(neck, side), Place(neck, 0), Place(length, width / 2),
      Place(neck, width), Place(neck, width - side), Place(0, width - side),
    ]
    let turned = right.map { place in
      switch kind {
      case "arrow-left": Place(length - place.x, place.y)
      case "arrow-down": Place(place.y, place.x)
      case "arrow-up": Place(place.y, length - place.x)
      default: place
      }
    }
    return DiagramOutline.polygon(turned)
  }

  /// Eight bumps around an ellipse.
  private static func cloud(_ size: Place) -> [Place] {
    let count = 8
    func base(_ index: Int) -> Place {
      let angle = 2 * Double.pi * Double(index % count) / Double(count)
      return Place(cos(angle), sin(angle))
    }
    let places = (0..<count).flatMap { index in
      let (start, end) = (base(index), base(index + 1))
      let middle = (start + end) / 2
      return DiagramOutline.arc(from: start, by: middle * 1.35, to: end).dropLast()
    }
    return DiagramOutline.polygon(stretched(places, to: size))
  }

  /// A heart, from its dent.
  private static func heart(_ size: Place) -> [Place] {
    let count = 48
    let places = (0..<count).map { index in
      let t = 2 * Double.pi * Double(index) / Double(count)
      let y = 13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)
      return Place(16 * sin(t) * sin(t) * sin(t), -y)
    }
    return DiagramOutline.polygon(stretched(places, to: size))
  }

  /// Places whose box is stretched to one from (0, 0) to `size`.
  private static func stretched(_ places: [Place], to size: Place) -> [Place] {
    guard let box = DiagramOutline.box(of: places) else { return [] }
    return places.map { ($0 - box.lower) / (box.upper - box.lower) * size }
  }
}
