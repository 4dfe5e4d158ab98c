internal import Foundation
public import Ink

/// A placement by scale, rotation and translation, in this order, about the origin.
public struct Similarity: Hashable, Sendable, Codable {
  /// The scale, in `Similarity.scales`.
  public private(set) var scale: Double
  /// The rotation in radians, from -π to π, clockwise on screen, where y grows downwards.
  public private(set) var rotation: Double
  /// The translation to the right.
  public private(set) var x: Double
  /// The translation downwards.
  public private(set) var y: Double

  /// The scales that a template can have: smaller and larger ones could not be found again.
  public static let scales = 0.1...10.0
  /// The placement that changes nothing.
  public static let identity = Similarity(scale: 1, rotation: 0, x: 0, y: 0)

  /// A placement.
  ///
  /// - Parameters:
  ///   - scale: Limited to `scales`.
  ///   - rotation: In radians; whole turns are taken off.
  ///   - x: The translation to the right, finite.
  ///   - y: The translation downwards, finite.
  public init(scale: Double, rotation: Double, x: Double, y: Double) {
    precondition(
      scale > 0 && [scale, rotation, x, y].allSatisfy(\.isFinite),
      "a scale is above 0 and all numbers are finite")
    self.scale = min(max(scale, Self.scales.lowerBound), Self.scales.upperBound)
    self.rotation = remainder(rotation, 2 * .pi)
    (self.x, self.y) = (x, y)
  }

  /// The placement as a map of the plane.
  public var transform: Transform {
    Transform.scale(scale).then(.rotation(rotation)).then(.translation(x: x, y: y))
  }

  /// What fingers, a wheel or keys do to a placement.
  public struct Gesture: Hashable, Sendable, Codable {
    /// The point that stays where it is, apart from the translation: the middle of the fingers.
    public var center: Center
    /// The factor of the scale, above 0.
    public var scale: Double
    /// The change of the rotation, in radians, clockwise.
    public var rotation: Double
    /// The translation to the right.
    public var x: Double
    /// The translation downwards.
    public var y: Double

    /// A point of the page.
    public struct Center: Hashable, Sendable, Codable {
      /// The distance from the left edge.
      public var x: Double
      /// The distance from the top edge.
      public var y: Double

      /// A point.
      public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
    }

    /// A gesture; by default one that changes nothing.
    public init(
      center: Center = Center(x: 0, y: 0), scale: Double = 1, rotation: Double = 0, x: Double = 0,
      y: Double = 0
    ) {
      (self.center, self.scale, self.rotation) = (center, scale, rotation)
      (self.x, self.y) = (x, y)
    }
  }

  /// The placement after a gesture. At the ends of `scales` only the rest of a gesture acts, so
  /// that its center stays under the fingers.
  public func applying(_ gesture: Gesture) -> Similarity {
    let wanted = scale * gesture.scale
    let next = min(max(wanted, Self.scales.lowerBound), Self.scales.upperBound)
    let change = Transform.scale(next / scale).then(.rotation(gesture.rotation))
      .about(Point(x: gesture.center.x, y: gesture.center.y))
    let place = change(Point(x: x, y: y))
    return Similarity(
      scale: next, rotation: rotation + gesture.rotation, x: place.x + gesture.x,
      y: place.y + gesture.y)
  }

  /// Moves the placement as little as needed for the middle of a box to lie on the page.
  ///
  /// - Parameters:
  ///   - box: What must stay within reach, in the template's own units.
  ///   - page: The page's size.
  /// - Returns: The placement from which it can be reached.
  public func reachable(_ box: BoundingBox, on page: Drawing.Canvas) -> Similarity {
    let middle = transform(Point(x: box.x + box.width / 2, y: box.y + box.height / 2))
    return Similarity(
      scale: scale, rotation: rotation,
      x: x + min(max(middle.x, 0), page.width) - middle.x,
      y: y + min(max(middle.y, 0), page.height) - middle.y)
  }

  private enum CodingKeys: CodingKey { case scale, rotation, x, y }

  /// Decodes a placement.
  ///
  /// - Throws: `DecodingError` that names a number out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys, _ range: ClosedRange<Double>) throws -> Double {
      let value = try container.decode(Double.self, forKey: key)
      guard range.contains(value) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "\(key.stringValue) is \(value); it must be from "
            + "\(range.lowerBound) to \(range.upperBound)")
      }
      return value
    }
    let plane = -1e6...1e6
    self.init(
      scale: try number(.scale, Self.scales), rotation: try number(.rotation, plane),
      x: try number(.x, plane), y: try number(.y, plane))
  }
}
