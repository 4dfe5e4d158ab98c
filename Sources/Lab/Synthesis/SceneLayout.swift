internal import CLibrary
internal import Ink
internal import Numbers

/// The layout of a scene as people draw it freely: objects of very different sizes that lie inside,
/// across and beside each other, some of them repeated, some as wide as the sheet.
///
/// Shares and sizes are those of 364 scenes of FrISS (Kütük and Sezgin, WACV 2025,
/// arXiv:2410.00266): see `docs/research/scenes.md`.
struct SceneLayout {
  /// The numbers of objects: logarithms are normally distributed.
  private static let count = (median: 5.2, deviation: 0.52, most: 30)
  /// The longer side of an object as a share of the sheet's: logarithms are normally distributed.
  private static let side = (median: 0.17, deviation: 0.95, range: 0.02...0.95)
  /// The share of objects that have the label of the one before, and the deviation of the logarithm
  /// of their sizes' ratio.
  private static let repeats = (share: 0.29, deviation: 0.3)
  /// The share of objects that are stretched to a part of the sheet's width, such as a road.
  private static let grounds = (share: 0.05, side: 0.4...0.95, aspect: 3.0...8)
  /// The relative frequency of each relation to an earlier object.
  private static let mix: [(relation: Relation, share: Double)] = [
    (.inside, 0.42), (.across, 0.12), (.beside, 0.22), (.apart, 0.24),
  ]
  /// The share of objects whose ink may touch that of others, and the least gap of the others in
  /// shares of the sheet's longer side.
  private static let gap = (touching: 0.27, range: 0.003...0.03)
  /// The number of tries to place an object in a relation.
  private static let tries = 20

  /// How a new object lies to an earlier one.
  private enum Relation { case inside, across, beside, apart }

  /// An object to be placed.
  struct Object {
    /// The longer side, in pixels.
    var side: Double
    /// Whether it has the label of the object before.
    var isRepeated: Bool
    /// The width divided by the height of an object that is stretched; nil for its own.
    var aspect: Double?
  }

  /// The sheet's size, in pixels.
  let width: Double
  let height: Double
  private(set) var placed: [CanvasSheet.Placed] = []

  init(width: Double, height: Double) {
    (self.width, self.height) = (width, height)
  }

  /// The objects of a scene in the order of drawing: large ones tend to come first.
  func objects(using generator: inout SeededGenerator) -> [Object] {
    let number = Self.count.median * exp(generator.normal(deviation: Self.count.deviation))
    let count = max(2, min(Self.count.most, Int(number.rounded())))
    var ranked: [(rank: Double, object: Object)] = []
    for _ in 0..<count {
      let isGround = generator.chance(Self.grounds.share)
      let size = generator.normal(deviation: Self.side.deviation)
      let share =
        isGround ? generator.uniform(Self.grounds.side) : Self.side.median * exp(size)
      let aspect = isGround ? generator.uniform(Self.grounds.aspect) : nil
      let side = max(Self.side.range.lowerBound, min(Self.side.range.upperBound, share))
      // The rank correlation of order and size is about -0.4.
      let rank = -log(share) + generator.normal(deviation: 2 * Self.side.deviation)
      ranked.append(
        (rank, Object(side: side * max(width, height), isRepeated: false, aspect: aspect)))
    }
    var objects = ranked.sorted { $0.rank < $1.rank }.map(\.object)
    for index in objects.indices.dropFirst() where generator.chance(Self.repeats.share) {
      let ratio = exp(generator.normal(deviation: Self.repeats.deviation))
      objects[index] = objects[index - 1]
      objects[index].side *= ratio
      objects[index].isRepeated = true
    }
    return objects
  }

  /// Places an object.
  ///
  /// - Parameters:
  ///   - strokes: The object in its own units.
  ///   - object: Its size.
  ///   - generator: The random generator.
  /// - Returns: Whether there was room for it.
  mutating func place(
    _ strokes: [Stroke], as object: Object, using generator: inout SeededGenerator
  ) -> Bool {
    guard let shape = sized(strokes, as: object) else { return false }
    for _ in 0..<4 {
      let relation = placed.isEmpty ? .apart : relation(object, using: &generator)
      let gap =
        generator.chance(Self.gap.touching)
        ? 0 : generator.uniform(Self.gap.range) * max(width, height)
      for _ in 0..<Self.tries {
        guard let candidate = position(shape, relation, object, gap, &generator),
          isOnSheet(candidate.box), gap == 0 || placed.allSatisfy({ isApart(candidate, $0, gap) })
        else { continue }
        placed.append(candidate)
        return true
      }
    }
    return false
  }

  /// The strokes in the object's size, at the origin; nil for strokes that are no shape.
  private func sized(_ strokes: [Stroke], as object: Object) -> CanvasSheet.Placed? {
    guard let raw = CanvasSheet.Placed(strokes) else { return nil }
    let most = (width: width - 2, height: height - 2)
    var (x, y) = (1.0, 1.0)
    if let aspect = object.aspect, raw.box.width > 0, raw.box.height > 0 {
      y = raw.box.width / raw.box.height / aspect
    }
    let (wide, high) = (raw.box.width * x, raw.box.height * y)
    let longer = max(wide, high)
    if longer > 0 {
      let fit = min(most.width / max(wide, 1e-9), most.height / max(high, 1e-9))
      let scale = min(object.side / longer, fit)
      (x, y) = (x * scale, y * scale)
    }
    let transform = Transform.translation(x: -raw.box.x, y: -raw.box.y).then(.scale(x: x, y: y))
    return CanvasSheet.Placed(strokes.map { $0.transformed(by: transform) })
  }

  private func relation(_ object: Object, using generator: inout SeededGenerator) -> Relation {
    // Repeated objects are in rows and heaps.
    if object.isRepeated, generator.chance(0.6) { return .beside }
    var place = generator.unit()
    for (relation, share) in Self.mix {
      if place < share { return relation }
      place -= share
    }
    return .apart
  }

  private func position(
    _ shape: CanvasSheet.Placed, _ relation: Relation, _ object: Object, _ gap: Double,
    _ generator: inout SeededGenerator
  ) -> CanvasSheet.Placed? {
    switch relation {
    case .inside: inside(shape, &generator)
    case .across: across(shape, &generator)
    case .beside: beside(shape, object, gap, &generator)
    case .apart: apart(shape, &generator)
    }
  }

  /// A position anywhere on the sheet.
  private func apart(
    _ shape: CanvasSheet.Placed, _ generator: inout SeededGenerator
  ) -> CanvasSheet.Placed {
    shape.moved(
      x: generator.unit() * (width - shape.box.width),
      y: generator.unit() * (height - shape.box.height))
  }

  /// A position within the box of a larger object.
  private func inside(
    _ shape: CanvasSheet.Placed, _ generator: inout SeededGenerator
  ) -> CanvasSheet.Placed? {
    let hosts = placed.filter {
      $0.box.width > shape.box.width * 1.3 && $0.box.height > shape.box.height * 1.3
    }
    guard !hosts.isEmpty else { return nil }
    let host = generator.pick(hosts).box
    return shape.moved(
      x: host.x + generator.unit() * (host.width - shape.box.width),
      y: host.y + generator.unit() * (host.height - shape.box.height))
  }

  /// A position across the edge of another object's box.
  private func across(
    _ shape: CanvasSheet.Placed, _ generator: inout SeededGenerator
  ) -> CanvasSheet.Placed? {
    let host = generator.pick(placed).box
    // A part of the smaller side overlaps.
    let overlap = generator.uniform(0.1...0.8)
    let (along, isBefore) = (generator.uniform(0...1), generator.chance(0.5))
    let center: (x: Double, y: Double)
    if generator.chance(0.5) {
      let inset = min(host.width, shape.box.width) * overlap
      center.x =
        isBefore ? host.x + inset - shape.box.width : host.x + host.width - inset
      center.y = host.y + (host.height - shape.box.height) * along
    } else {
      let inset = min(host.height, shape.box.height) * overlap
      center.x = host.x + (host.width - shape.box.width) * along
      center.y =
        isBefore ? host.y + inset - shape.box.height : host.y + host.height - inset
    }
    return shape.moved(x: center.x, y: center.y)
  }

  /// A position reached by moving the object toward another one until the gap between their ink is
  /// small, or they touch.
  private func beside(
    _ shape: CanvasSheet.Placed, _ object: Object, _ gap: Double,
    _ generator: inout SeededGenerator
  ) -> CanvasSheet.Placed? {
    let host = object.isRepeated ? placed[placed.count - 1] : generator.pick(placed)
    // Rows and ground lines: most neighbors are beside or above each other.
    let quarter = Double(generator.integer(below: 4)) * .pi / 2
    let angle = quarter + generator.normal(deviation: 0.25)
    let (dx, dy) = (cos(angle), sin(angle))
    let reach = hypot(host.box.width + shape.box.width, host.box.height + shape.box.height) / 2
    var moved = shape.moved(
      x: host.box.x + host.box.width / 2 + dx * (reach + gap) - shape.box.width / 2,
      y: host.box.y + host.box.height / 2 + dy * (reach + gap) - shape.box.height / 2)
    for _ in 0..<30 {
      let rest = moved.distance(to: host) - gap
      guard rest > 0.5 else { break }
      moved = moved.moved(x: -dx * rest, y: -dy * rest)
    }
    return moved
  }

  private func isApart(
    _ shape: CanvasSheet.Placed, _ other: CanvasSheet.Placed, _ gap: Double
  ) -> Bool {
    shape.distance(to: other, below: gap) >= gap - 0.6
  }

  private func isOnSheet(_ box: BoundingBox) -> Bool {
    box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height
  }
}
