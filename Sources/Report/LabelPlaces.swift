internal import Ink

/// Finds places for labels in a picture: inside it, near what they name, apart from each other
/// where there is room, and where they hide little ink.
struct LabelPlaces {
  /// A label to place: its size in pixels and the box that it names.
  struct Label {
    var width: Double
    var height: Double
    var box: BoundingBox
  }

  /// What is hidden and taken is counted by squares of this many pixels.
  private static let cell = 4.0
  /// Between a label and the box that it names.
  private static let gap = 4.0
  /// A pixel farther from its box is as bad as hiding this much of a square of ink.
  private static let far = 0.15
  /// Covering a square of another label is worse than all ink and ways.
  private static let clash = 10_000.0
  /// The most places that are tried for a label, and in all: beyond, a crowded picture stays
  /// crowded.
  private static let mostTries = 6000
  private static let mostTriesInAll = 1_500_000
  /// Of more labels than this none is moved again once it has its place.
  private static let mostMoved = 200

  private let area: BoundingBox
  private let columns: Int
  private let rows: Int
  /// How much would be hidden, row-major, shape [rows, columns].
  private var ink: [Float]
  /// How many labels cover each square.
  private var labels: [Int32]
  private var tries = 0

  /// Places inside `area`, whose sides are positive.
  init(in area: BoundingBox) {
    self.area = area
    columns = max(1, Int((area.width / Self.cell).rounded(.up)))
    rows = max(1, Int((area.height / Self.cell).rounded(.up)))
    ink = [Float](repeating: 0, count: columns * rows)
    labels = [Int32](repeating: 0, count: columns * rows)
  }

  /// Makes the squares along a line worth at least `weight` to be seen.
  mutating func addInk(from a: Point, to b: Point, weight: Float = 1) {
    let length = a.distance(to: b)
    guard length.isFinite else { return }
    let steps = max(1, Int(min(10_000, (length / (Self.cell / 2)).rounded(.up))))
    for step in 0...steps {
      let point = a.interpolated(to: b, Double(step) / Double(steps))
      let (x, y) = ((point.x - area.x) / Self.cell, (point.y - area.y) / Self.cell)
      guard x >= 0, y >= 0, x < Double(columns), y < Double(rows) else { continue }
      let index = Int(y) * columns + Int(x)
      ink[index] = max(ink[index], weight)
    }
  }

  /// The top left corners of labels.
  ///
  /// Each label in turn takes the best free place; then each is moved where another became better.
  ///
  /// - Returns: One point a label, in their order, so that the label lies in the area; where it is
  ///   larger than that, it begins at the area's left or top edge.
  mutating func places(for all: [Label]) -> [Point] {
    var found: [Point] = []
    for label in all {
      let place = best(for: label)
      mark(label, place, 1)
      found.append(place)
    }
    guard all.count <= Self.mostMoved else { return found }
    for _ in 0..<3 {
      var isSame = true
      for (index, label) in all.enumerated() {
        mark(label, found[index], -1)
        let place = best(for: label)
        isSame = isSame && place == found[index]
        found[index] = place
        mark(label, place, 1)
      }
      if isSame { break }
    }
    return found
  }

  /// The place that hides least, or the usual one above the box's left end where all are taken.
  private mutating func best(for label: Label) -> Point {
    let usual = Point(x: label.box.x - Self.gap, y: label.box.y - Self.gap - label.height)
    let start = clamped(usual, label)
    // Moved into the picture it may lie on the shape.
    var best = (place: start, cost: cost(of: label, at: start) + (start == usual ? 0 : 3))
    let step = max(Self.cell, min(label.height / 2, 12))
    var (ring, own) = (0.0, 0)
    // A place farther away cannot be better than one that costs less than the way there.
    while ring * Self.far < best.cost, ring < area.width + area.height, own < Self.mostTries,
      tries < Self.mostTriesInAll
    {
      for (place, malus) in candidates(label, ring: ring, step: step) {
        own += 1
        guard place == clamped(place, label) else { continue }
        let cost = cost(of: label, at: place) + ring * Self.far + malus
        if cost < best.cost { best = (place, cost) }
      }
      ring += step
    }
    tries += own
    return best.place
  }

  /// Places around the box, `ring` pixels farther out than beside it; first above it, from left to
  /// right.
  private func candidates(
    _ label: Label, ring: Double, step: Double
  ) -> [(place: Point, malus: Double)] {
    let (box, out) = (label.box, ring + Self.gap)
    let (left, right) = (box.x - out, box.x + box.width + out)
    let (top, bottom) = (box.y - out, box.y + box.height + out)
    // What is off the area is not tried.
    let across = stride(
      from: max(left, area.x), through: min(right - label.width, area.x + area.width), by: step)
    let down = stride(
      from: max(top, area.y), through: min(bottom - label.height, area.y + area.height), by: step)
    var places: [(place: Point, malus: Double)] = []
    let ends = [left, right - label.width].map { ($0, 0.0) }
    for (x, malus) in ends + across.map({ ($0, 0.2) }) {
      places.append((Point(x: x, y: top - label.height), malus))
      places.append((Point(x: x, y: bottom), malus + 0.5))
    }
    for y in down {
      places.append((Point(x: right, y: y), 1))
      places.append((Point(x: left - label.width, y: y), 1))
    }
    guard ring == 0, box.width > label.width + 8, box.height > 2 * label.height else {
      return places
    }
    // A large box has room within.
    for y in [box.y + Self.gap, box.y + box.height - Self.gap - label.height] {
      for x in [box.x + Self.gap, box.x + box.width - Self.gap - label.width] {
        places.append((Point(x: x, y: y), 2))
      }
    }
    return places
  }

  private func clamped(_ place: Point, _ label: Label) -> Point {
    Point(
      x: max(area.x, min(area.x + area.width - label.width, place.x)),
      y: max(area.y, min(area.y + area.height - label.height, place.y)))
  }

  /// The squares that a label would lie on.
  private func squares(_ label: Label, _ place: Point) -> (across: Range<Int>, down: Range<Int>) {
    func range(_ start: Double, _ length: Double, _ count: Int) -> Range<Int> {
      let first = max(0, min(Double(count - 1), (start / Self.cell).rounded(.down)))
      let end = max(first + 1, min(Double(count), ((start + length) / Self.cell).rounded(.up)))
      return Int(first)..<Int(end)
    }
    return (
      range(place.x - area.x, label.width, columns), range(place.y - area.y, label.height, rows)
    )
  }

  private func cost(of label: Label, at place: Point) -> Double {
    let (across, down) = squares(label, place)
    var (hidden, taken) = (Float(0), 0)
    for row in down {
      for index in (row * columns + across.lowerBound)..<(row * columns + across.upperBound) {
        hidden += ink[index]
        if labels[index] > 0 { taken += 1 }
      }
    }
    return Double(hidden) + Double(taken) * Self.clash
  }

  private mutating func mark(_ label: Label, _ place: Point, _ change: Int32) {
    let (across, down) = squares(label, place)
    for row in down {
      for column in across { labels[row * columns + column] += change }
    }
  }
}
