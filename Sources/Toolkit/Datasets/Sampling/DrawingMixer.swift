public import Ink
public import Numbers

/// Combines real drawings into new, unlabeled ones, to train a student network on more data: the
/// teacher network has an output for any ink.
///
/// An augmented drawing loses some of its strokes; usually some strokes of a second augmented
/// drawing, rotated, mirrored, scaled down and shifted, are laid over it.
public struct DrawingMixer: Codable, Hashable, Sendable {
  /// The probability of rotating the first drawing by a random multiple of 90 degrees, in 0...1.
  public var turning: Double
  /// The probability that a second drawing is laid over the first, in 0...1.
  public var overlay: Double
  /// The probability of dropping a stroke of the first drawing if there is a second, in 0...1; the
  /// longest stroke stays.
  public var firstDropping: Double
  /// The probability of dropping a stroke of the second drawing, in 0...1; the longest stroke
  /// stays.
  public var secondDropping: Double
  /// The minimum scale of the second drawing, in 0...1; the maximum is 1.
  public var smallest: Double
  /// The maximum shift of the second drawing along one axis, as a fraction of the first's size.
  public var shift: Double

  /// A mixer; the default of every setting is off.
  public init(
    turning: Double = 0, overlay: Double = 0, firstDropping: Double = 0, secondDropping: Double = 0,
    smallest: Double = 1, shift: Double = 0
  ) {
    self.turning = turning
    self.overlay = overlay
    self.firstDropping = firstDropping
    self.secondDropping = secondDropping
    self.smallest = smallest
    self.shift = shift
  }

  /// What is wrong with the settings; nil if they are valid.
  public var problem: String? {
    let shares = [
      ("turning", turning), ("overlay", overlay), ("firstDropping", firstDropping),
      ("secondDropping", secondDropping), ("smallest", smallest),
    ]
    for (name, share) in shares where !(0...1).contains(share) {
      return "\(name) must be in 0...1, got \(share)"
    }
    guard smallest > 0 else { return "smallest must be above 0" }
    guard shift >= 0, shift.isFinite else { return "shift must not be negative, got \(shift)" }
    return nil
  }

  /// A mixed drawing without a label, in units of the first drawing.
  ///
  /// - Parameters:
  ///   - first: The main drawing.
  ///   - second: The drawing that may be laid over it.
  ///   - augmentation: The augmentation of both.
  ///   - generator: The random generator.
  /// - Returns: A drawing with at least the longest stroke of the first.
  public func callAsFunction(
    _ first: Drawing, _ second: Drawing, changedBy augmentation: Augmentation,
    using generator: inout SeededGenerator
  ) -> Drawing {
    let turns = generator.chance(turning) ? generator.integer(below: 4) : 0
    var mixed = augmentation(first.turned(quarters: turns), using: &generator)
    (mixed.label, mixed.shapes) = (nil, [])
    guard generator.chance(overlay), let box = PointBounds(mixed.strokes) else { return mixed }
    mixed.dropStrokes(firstDropping, sparingInk: false, using: &generator)
    let side = generator.chance(0.5)
    var other = augmentation(
      second.turned(quarters: generator.integer(below: 4), mirrored: side), using: &generator)
    other.shapes = []
    other.dropStrokes(secondDropping, sparingInk: false, using: &generator)
    guard let otherBox = PointBounds(other.strokes), box.isModest, otherBox.isModest else {
      return mixed
    }
    // A dot has no size to scale, so it is laid over unscaled.
    let fit = otherBox.size > 0 && box.size > 0 ? box.size / otherBox.size : 1
    let factor = fit * generator.uniform(smallest...1)
    let move = box.center + shift * box.size * generator.symmetricPair()
    let center = otherBox.center
    for stroke in other.strokes {
      mixed.strokes.append(
        Stroke(
          stroke.points.map { point in
            let place = factor * (SIMD2(point.x, point.y) - center) + move
            return Point(x: place.x, y: place.y)
          }))
    }
    return mixed
  }
}

extension Drawing {
  /// The drawing mirrored left to right if `mirrored`, then rotated clockwise on screen by
  /// `quarters` times 90 degrees about the origin; the canvas is dropped if anything changes.
  public func turned(quarters: Int, mirrored: Bool = false) -> Drawing {
    let turns = ((quarters % 4) + 4) % 4
    guard turns != 0 || mirrored else { return self }
    var result = self
    result.canvas = nil
    let side: Double = mirrored ? -1 : 1
    for stroke in result.strokes.indices {
      for index in result.strokes[stroke].points.indices {
        var point = result.strokes[stroke].points[index]
        let (x, y) = (side * point.x, point.y)
        (point.x, point.y) =
          switch turns {
          case 1: (-y, x)
          case 2: (-x, -y)
          case 3: (y, -x)
          default: (x, y)
          }
        result.strokes[stroke].points[index] = point
      }
    }
    return result
  }
}
