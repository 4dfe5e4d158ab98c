internal import Ink

/// Places labels in a picture: inside it, near the box they name, without overlap if there is room,
/// and where they hide little ink.
struct LabelPlaces {
  /// A label to place: its size in pixels and the box that it names.
  struct Label {
    var width: Double
    var height: Double
    var box: BoundingBox
  }

  /// The side, in pixels, of the squares in which hidden ink and overlap are counted.
  private static let cell = 4.0
  /// The gap between a label and the box that it names.
  private static let gap = 4.0
  /// The cost of each pixel of distance from the box, in squares of hidden ink.
  private static let far = 0.15
  /// The cost of covering a square of another label: above any cost of ink and distance.
  private static let clash = 10_000.0
  /// The maximum number of positions tried per label, and in total; a crowded picture may keep
  /// overlaps.
  private static let mostTries = 6000
  private static let mostTriesInAll = 1_500_000
  /// The maximum number of labels that are moved again after the first placement.
  private static let mostMoved = 200

  private let area: BoundingBox
  private let columns: Int
  private let rows: Int
  /// The cost of hiding each square, row-major, shape [rows, columns].
  private var ink: [Float]
  /// The number of labels that cover each square.
  private var labels: [Int32]
  private var tries = 0

  /// A placement inside `area`, whose sides must be positive.
  init(in area: BoundingBox) {
    self.area = area
    columns = max(1, Int((area.width / Self.cell).rounded(.up)))
    rows = max(1, Int((area.height / Self.cell).rounded(.up)))
    ink = [Float](repeating: 0, count: columns * rows)
    labels = [Int32](repeating: 0, count: columns * rows)
  }

  /// Raises the cost of hiding the squares along a line to at least `weight`.
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
  /// Each label in turn takes the best free position; then each is moved if another is now better.
  ///
  /// - Returns: One point per label, in their order, so that the label is inside the area; a larger
  ///   label begins at the area's left or top edge.
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

  /// The position of least cost, or the usual one above the box's left end if all are taken.
  private mutating func best(for label: Label) -> Point {
    let usual = Point(x: label.box.x - Self.gap, y: label.box.y - Self.gap - label.height)
    let start = clamped(usual, label)
    // After clamping to the picture, it may overlap the shape.
    var best = (place: start, cost: cost(of: label, at: start) + (start == usual ? 0 : 3))
    let step = max(Self.cell, min(label.height / 2, 12))
    var (ring, own) = (0.0, 0)
    // A farther position cannot be better once its distance alone costs more than the best.
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

  /// Candidate positions around the box, `ring` pixels farther out than adjacent ones; first above
  /// it, from left to right.
  private func candidates(
    _ label: Label, ring: Double, step: Double
  ) -> [(place: Point, malus: Double)] {
    let (box, out) = (label.box, ring + Self.gap)
    let (left, right) = (box.x - out, box.x + box.width + out)
    let (top, bottom) = (box.y - out, box.y + box.height + out)
    // Positions outside the area are not tried.
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
    // A large box has room inside.
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

  /// The squares that a label would cover.
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
