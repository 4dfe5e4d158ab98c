internal import CLibrary
public import Ink
internal import Numbers

/// The strengths of the random changes to drawings during training, so that few drawings per class
/// suffice.
///
/// Every strength is relative to the drawing's size, the larger side of its bounding box: a drawing
/// in other units changes in the same way. A strength of 0 disables its part; `Augmentation.none`
/// returns every drawing unchanged. The ranges are symmetric, so the sign does not matter.
public struct Augmentation: Codable, Hashable, Sendable {
  /// The maximum rotation about the box's center, in degrees in either direction.
  public var rotation: Double
  /// Each axis is scaled by its own factor, between 1 / (1 + `stretch`) and 1 + `stretch`.
  public var stretch: Double
  /// The maximum shear: the change of x per unit of y.
  public var shear: Double
  /// The probability of mirroring left and right, in 0...1.
  public var mirror: Double
  /// The maximum displacement along one axis by the smooth warp field, as a fraction of the size. A
  /// typical displacement is a quarter of it.
  public var warp: Double
  /// Cells of the smooth field along the box's larger side, 1...64: more cells, finer bends.
  public var warpCells: Int
  /// The maximum displacement of a whole stroke along one axis, as a fraction of the size.
  public var strokeShift: Double
  /// Each stroke is scaled about its own center by a factor in 1 ± `strokeScale`.
  public var strokeScale: Double
  /// The maximum displacement along one axis by the wobble of the hand, as a fraction of the size.
  public var wobble: Double
  /// The path length between two independent wobbles, as a fraction of the size; positive.
  public var wobbleLength: Double
  /// The maximum independent displacement of each point along one axis, as a fraction of the size.
  public var jitter: Double
  /// The probability of dropping a stroke of length 0, in 0...1. It decreases with the stroke's
  /// share of the ink, to 0 at one half, since a boat without its hull is no longer a boat; the
  /// longest stroke always stays.
  public var strokeDropping: Double
  /// The probability of reversing a stroke, in 0...1; times stay in ascending order.
  public var reversal: Double
  /// The probability of swapping a stroke with the next one, in 0...1, from the first stroke to the
  /// last.
  public var reordering: Double
  /// With `warp` or `wobble`, straight pieces longer than this fraction of the size are subdivided,
  /// so that they can bend; 0 disables this.
  public var longestPiece: Double
  /// The pen's width is multiplied by a factor between 1 / (1 + `strokeWidth`) and 1 +
  /// `strokeWidth`.
  public var strokeWidth: Double

  /// An augmentation; the default of every strength is off.
  public init(
    rotation: Double = 0, stretch: Double = 0, shear: Double = 0, mirror: Double = 0,
    warp: Double = 0, warpCells: Int = 3, strokeShift: Double = 0, strokeScale: Double = 0,
    wobble: Double = 0, wobbleLength: Double = 0.3, jitter: Double = 0, strokeDropping: Double = 0,
    reversal: Double = 0, reordering: Double = 0, longestPiece: Double = 0, strokeWidth: Double = 0
  ) {
    self.rotation = rotation
    self.stretch = stretch
    self.shear = shear
    self.mirror = mirror
    self.warp = warp
    self.warpCells = warpCells
    self.strokeShift = strokeShift
    self.strokeScale = strokeScale
    self.wobble = wobble
    self.wobbleLength = wobbleLength
    self.jitter = jitter
    self.strokeDropping = strokeDropping
    self.reversal = reversal
    self.reordering = reordering
    self.longestPiece = longestPiece
    self.strokeWidth = strokeWidth
  }

  /// Changes nothing.
  public static let none = Augmentation()

  /// For a classifier of everyday drawings with tens of examples per class; tuned by eye, so that
  /// people still recognize almost every result.
  public static let standard = Augmentation(
    rotation: 15, stretch: 0.25, shear: 0.2, warp: 0.15, strokeShift: 0.03, strokeScale: 0.1,
    wobble: 0.02, jitter: 0.004, strokeDropping: 0.15, longestPiece: 0.3, strokeWidth: 0.3)

  /// The maximum displacement of a point in drawing sizes, without `mirror`.
  public var reach: Double {
    let half = 0.5.squareRoot()
    let factor = 1 + abs(stretch)
    let norm = factor * (1 + abs(shear))
    let bend = (1 + abs(shear)) * (factor - 1) + abs(shear)
    let turn = 2 * sin(min(abs(rotation), 180) * .pi / 360)
    let stroke = norm * (half * abs(strokeScale) + 2 * half * abs(strokeShift))
    return half * (bend + turn) + stroke + 2 * half * (abs(warp) + abs(wobble) + abs(jitter))
  }

  /// A random factor for the rasterizer's pen width; a factor and its inverse are equally likely.
  public func strokeWidthFactor(using generator: inout some RandomNumberGenerator) -> Double {
    Self.factor(strokeWidth, generator.unit())
  }

  /// An augmented copy of `drawing`: id and label stay, and so do times and the order of strokes
  /// and points except for `reversal` and `reordering`.
  ///
  /// Draws exactly one number from `generator`. A drawing of size 0 (a dot) is returned unchanged,
  /// and so is one too large or too small for finite arithmetic.
  ///
  /// - Parameters:
  ///   - drawing: What to change.
  ///   - generator: The random generator; the same state gives the same copy.
  /// - Returns: The copy; its box may be larger or smaller.
  /// - Complexity: Linear in the number of points.
  public func callAsFunction(
    _ drawing: Drawing, using generator: inout some RandomNumberGenerator
  ) -> Drawing {
    // A concrete generator type, so that the compiler specializes the loop once.
    apply(to: drawing, SeededGenerator(seed: generator.next()))
  }

  private func apply(to drawing: Drawing, _ generator: SeededGenerator) -> Drawing {
    var generator = generator
    let changesOrder = reversal > 0 || reordering > 0
    guard reach > 0 || mirror > 0 || strokeDropping > 0 || changesOrder,
      let box = PointBounds(drawing.strokes),
      box.size > 0, box.isModest
    else { return drawing }
    var result = drawing
    result.dropStrokes(strokeDropping, sparingInk: true, using: &generator)
    reorderStrokes(of: &result, using: &generator)
    let size = box.size
    let center = box.center
    let affine = drawAffine(using: &generator)
    let field =
      warp == 0
      ? nil : WarpField(cells: min(64, max(1, warpCells)), strength: warp * size, using: &generator)
    let corner = center - size / 2
    let piece = warp != 0 || wobble != 0 ? abs(longestPiece) * size : 0
    for index in result.strokes.indices {
      let stroke = result.strokes[index]
      guard let middle = PointBounds(CollectionOfOne(stroke))?.center else { continue }
      let growth = strokeScale * generator.symmetric()
      let shift = strokeShift * size * generator.symmetricPair()
      var hand = Wobble(
        strength: wobble * size, spacing: max(1e-3, abs(wobbleLength)) * size, using: &generator)
      var points: [Point] = []
      points.reserveCapacity(piece > 0 ? stroke.points.count * 2 : stroke.points.count)
      var way = 0.0
      var previous: Point?
      for point in stroke.points {
        if let previous {
          let length = previous.distance(to: point)
          let pieces = piece > 0 && length > piece ? Int(min(64, (length / piece).rounded(.up))) : 1
          for part in 1..<pieces {
            way += length / Double(pieces)
            let fraction = Double(part) / Double(pieces)
            points.append(moved(previous.interpolated(to: point, fraction)))
          }
          way += length / Double(pieces)
        }
        points.append(moved(point))
        previous = point
      }
      result.strokes[index].points = points

      func moved(_ point: Point) -> Point {
        let place = SIMD2(point.x, point.y)
        // Sums displacements, not positions: a disabled part then adds exactly zero.
        var move = growth * (place - middle) + shift
        move += affine.move(of: place + move - center)
        if let field { move += field(at: (place - corner) / size) }
        if wobble != 0 { move += hand(at: way, using: &generator) }
        if jitter != 0 { move += jitter * size * generator.symmetricPair() }
        var copy = point
        copy.x += move.x
        copy.y += move.y
        return copy
      }
    }
    return result
  }

  /// The composition of mirror, stretch, shear and rotation, applied in this order.
  private func drawAffine(using generator: inout SeededGenerator) -> Affine {
    let angle = rotation * .pi / 180 * generator.symmetric()
    let width = Self.factor(stretch, generator.unit())
    let height = Self.factor(stretch, generator.unit())
    let slant = shear * generator.symmetric()
    let side = generator.chance(mirror) ? -width : width
    let (c, s) = (cos(angle), sin(angle))
    return Affine(
      columns: (
        side * SIMD2(c, s), height * SIMD2(c * slant - s, s * slant + c)
      ))
  }

  private func reorderStrokes(of drawing: inout Drawing, using generator: inout SeededGenerator) {
    // Draws nothing from the generator if a part is off, so that the results of other settings do
    // not change.
    if reversal > 0 {
      for index in drawing.strokes.indices where generator.chance(reversal) {
        let points = drawing.strokes[index].points
        drawing.strokes[index].points = zip(points, points.reversed()).map { now, place in
          Point(x: place.x, y: place.y, t: now.t)
        }
      }
    }
    guard reordering > 0, drawing.strokes.count > 1 else { return }
    var order = Array(drawing.strokes.indices)
    for index in order.indices.dropLast() where generator.chance(reordering) {
      order.swapAt(index, index + 1)
    }
    drawing.keepStrokes(order)
  }

  /// A factor between 1 / (1 + strength) and 1 + strength; `unit` in 0..<1 is uniform on its
  /// logarithm.
  private static func factor(_ strength: Double, _ unit: Double) -> Double {
    strength == 0 ? 1 : exp(log1p(abs(strength)) * (2 * unit - 1))
  }
}

extension Drawing {
  /// Drops each stroke with the given probability, but never the longest; if `sparingInk`, the
  /// probability decreases with the stroke's share of the ink, to 0 at one half. Draws nothing from
  /// the generator if the probability is 0.
  mutating func dropStrokes(
    _ probability: Double, sparingInk: Bool, using generator: inout SeededGenerator
  ) {
    guard probability > 0, strokes.count > 1 else { return }
    let lengths = strokes.map(\.length)
    let total = lengths.reduce(0, +)
    var longest = 0
    for index in lengths.indices where lengths[index] > lengths[longest] { longest = index }
    let kept = lengths.indices.filter { index in
      let share = sparingInk && total > 0 ? lengths[index] / total : 0
      return !generator.chance(probability * max(0, 1 - 2 * share)) || index == longest
    }
    if kept.count < lengths.count { keepStrokes(kept) }
  }

  /// Keeps the strokes of the given indices, in this order, and updates the shapes.
  fileprivate mutating func keepStrokes(_ kept: [Int]) {
    var places = [Int?](repeating: nil, count: strokes.count)
    for (place, index) in kept.enumerated() { places[index] = place }
    strokes = kept.map { strokes[$0] }
    shapes = shapes.compactMap { shape in
      let strokes = shape.strokes.compactMap { places[$0] }.sorted()
      return strokes.isEmpty ? nil : Shape(strokes: strokes, label: shape.label)
    }
  }
}
