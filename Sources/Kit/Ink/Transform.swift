internal import CLibrary

/// An affine map of the plane: (x, y) becomes (a·x + c·y + x₀, b·x + d·y + y₀). Times are left as
/// they are.
public struct Transform: Hashable, Sendable, Codable {
  /// The contribution of x to the new x.
  public var a: Double
  /// The contribution of x to the new y.
  public var b: Double
  /// The contribution of y to the new x.
  public var c: Double
  /// The contribution of y to the new y.
  public var d: Double
  /// The horizontal translation, x₀.
  public var x: Double
  /// The vertical translation, y₀.
  public var y: Double

  /// A map with the given coefficients.
  public init(a: Double, b: Double, c: Double, d: Double, x: Double, y: Double) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.x = x
    self.y = y
  }

  /// The map that changes nothing.
  public static let identity = Transform(a: 1, b: 0, c: 0, d: 1, x: 0, y: 0)

  /// A translation by (`x`, `y`).
  public static func translation(x: Double, y: Double) -> Transform {
    Transform(a: 1, b: 0, c: 0, d: 1, x: x, y: y)
  }

  /// A scaling by `x` and `y` about the origin; a negative factor mirrors.
  public static func scale(x: Double, y: Double) -> Transform {
    Transform(a: x, b: 0, c: 0, d: y, x: 0, y: 0)
  }

  /// A uniform scaling by `factor` about the origin.
  public static func scale(_ factor: Double) -> Transform {
    scale(x: factor, y: factor)
  }

  /// A rotation by `radians` about the origin, clockwise on screen, where y grows downwards.
  public static func rotation(_ radians: Double) -> Transform {
    let (sine, cosine) = (sin(radians), cos(radians))
    return Transform(a: cosine, b: sine, c: -sine, d: cosine, x: 0, y: 0)
  }

  /// A shear about the origin: y times `x` is added to x, and x times `y` to y.
  public static func shear(x: Double, y: Double) -> Transform {
    Transform(a: 1, b: y, c: x, d: 1, x: 0, y: 0)
  }

  /// This map first, then `next`.
  public func then(_ next: Transform) -> Transform {
    Transform(
      a: next.a * a + next.c * b, b: next.b * a + next.d * b,
      c: next.a * c + next.c * d, d: next.b * c + next.d * d,
      x: next.a * x + next.c * y + next.x, y: next.b * x + next.d * y + next.y)
  }

  /// This map with `center` as its origin.
  public func about(_ center: Point) -> Transform {
    Transform.translation(x: -center.x, y: -center.y).then(self)
      .then(.translation(x: center.x, y: center.y))
  }

  /// The image of `point`.
  public func callAsFunction(_ point: Point) -> Point {
    Point(
      x: a * point.x + c * point.y + x, y: b * point.x + d * point.y + y, t: point.t)
  }
}

extension Stroke {
  /// The stroke with every point mapped.
  public func transformed(by transform: Transform) -> Stroke {
    Stroke(points.map { transform($0) })
  }
}

extension Drawing {
  /// The drawing with every point mapped; its canvas, which is an upright rectangle, is dropped.
  public func transformed(by transform: Transform) -> Drawing {
    var result = self
    for index in strokes.indices {
      result.strokes[index] = strokes[index].transformed(by: transform)
    }
    result.canvas = nil
    return result
  }
}
