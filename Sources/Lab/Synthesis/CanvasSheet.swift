internal import CLibrary
internal import Ink
internal import Numbers

/// The layout of a canvas: places shapes without unwanted overlap.
struct CanvasSheet {
  /// A placed drawing: its strokes, and their outlines for distances.
  struct Placed {
    var strokes: [Stroke]
    var outlines: [InkOutline]
    var box: BoundingBox

    init?(_ strokes: [Stroke]) {
      let outlines = strokes.compactMap { InkOutline($0, count: 40) }
      guard outlines.count == strokes.count, let first = outlines.first else { return nil }
      self.strokes = strokes
      self.outlines = outlines
      box = outlines.dropFirst().reduce(first.box) { $0.union($1.box) }
    }

    func moved(x: Double, y: Double) -> Placed {
      var copy = self
      let move = Transform.translation(x: x, y: y)
      copy.strokes = strokes.map { $0.transformed(by: move) }
      copy.outlines = outlines.map { $0.transformed(by: move) }
      copy.box.x += x
      copy.box.y += y
      return copy
    }

    func distance(to other: Placed, below limit: Double = .infinity) -> Double {
      guard box.gap(to: other.box) < limit else { return box.gap(to: other.box) }
      var least = limit
      for line in outlines {
        for next in other.outlines { least = min(least, line.distance(to: next, below: least)) }
      }
      return least
    }
  }

  /// How shapes lie to earlier ones.
  enum Way {
    case spread, tight, over

    /// The way of a kind of canvas; nil for scenes, whose layout is another.
    init?(_ kind: CanvasKind) {
      switch kind {
      case .spread: self = .spread
      case .tight: self = .tight
      case .over: self = .over
      case .scene: return nil
      }
    }
  }

  let settings: CanvasSettings
  private(set) var placed: [Placed] = []
  /// The side of all shapes if they are laid out in rows; nil for individual sizes and positions.
  private let rowSide: Double?
  /// The free margin at the sheet's edges, in pixels.
  private static let margin = 8.0
  /// The number of tries to place a shape before it is made smaller.
  private static let tries = 60

  /// An empty sheet.
  ///
  /// - Parameters:
  ///   - settings: The settings of the canvas.
  ///   - rowSide: The side of all shapes if they are laid out in rows, else nil.
  init(_ settings: CanvasSettings, rowSide: Double? = nil) {
    (self.settings, self.rowSide) = (settings, rowSide)
  }

  /// Places a shape.
  ///
  /// - Parameters:
  ///   - strokes: The shape in its own units.
  ///   - way: How it lies to earlier shapes.
  ///   - generator: The random generator.
  /// - Returns: Whether there was room for the shape.
  mutating func place(
    _ strokes: [Stroke], _ way: Way, using generator: inout SeededGenerator
  ) -> Bool {
    guard let raw = Placed(strokes) else { return false }
    var side = rowSide.map { $0 * generator.uniform(0.9...1.1) } ?? generator.uniform(settings.side)
    for _ in 0..<4 {
      let scale = raw.box.longerSide > 0 ? side / raw.box.longerSide : 1
      let transform = Transform.translation(x: -raw.box.x, y: -raw.box.y).then(.scale(scale))
      guard let shape = Placed(strokes.map { $0.transformed(by: transform) }) else { return false }
      for _ in 0..<Self.tries {
        let candidate: Placed? =
          switch placed.isEmpty ? .spread : way {
          case .spread: rowSide.map { inRow(shape, $0, &generator) } ?? free(shape, &generator)
          case .tight:
            generator.chance(settings.nestedShare)
              ? nested(shape, &generator) : beside(shape, &generator)
          case .over: across(shape, &generator)
          }
        if let candidate {
          placed.append(candidate)
          return true
        }
      }
      side *= 0.75
    }
    return false
  }

  private func isOnSheet(_ box: BoundingBox) -> Bool {
    box.x >= Self.margin && box.y >= Self.margin
      && box.x + box.width <= settings.width - Self.margin
      && box.y + box.height <= settings.height - Self.margin
  }

  /// A random position away from all other shapes; nil if it is taken.
  private func free(_ shape: Placed, _ generator: inout SeededGenerator) -> Placed? {
    let x = Self.margin + generator.unit() * (settings.width - 2 * Self.margin - shape.box.width)
    let y = Self.margin + generator.unit() * (settings.height - 2 * Self.margin - shape.box.height)
    let moved = shape.moved(x: x - shape.box.x, y: y - shape.box.y)
    let isFree = placed.allSatisfy { $0.box.gap(to: moved.box) >= settings.spreadGap }
    return isFree && isOnSheet(moved.box) ? moved : nil
  }

  /// The next position in the row, or at the beginning of the next row, with a small random offset.
  private func inRow(
    _ shape: Placed, _ side: Double, _ generator: inout SeededGenerator
  ) -> Placed? {
    let cell = side * 1.1 + settings.spreadGap
    let columns = Int((settings.width - 2 * Self.margin) / cell)
    guard columns > 0 else { return nil }
    func off() -> Double { generator.uniform(0...1) * settings.spreadGap / 4 }
    let x = Self.margin + Double(placed.count % columns) * cell + off()
    let y = Self.margin + Double(placed.count / columns) * cell + off()
    let moved = shape.moved(x: x - shape.box.x, y: y - shape.box.y)
    return isOnSheet(moved.box) ? moved : nil
  }

  /// A position left, right, above or below an earlier shape, with `tightGap` between their boxes.
  private func beside(_ shape: Placed, _ generator: inout SeededGenerator) -> Placed? {
    let host = generator.pick(placed).box
    let gap = generator.uniform(settings.tightGap)
    let (width, height) = (shape.box.width, shape.box.height)
    let along = generator.uniform(-0.3...0.3)
    let x: Double
    let y: Double
    switch generator.integer(below: 4) {
    case 0: (x, y) = (host.x - gap - width, host.y + (host.height - height) * (0.5 + along))
    case 1: (x, y) = (host.x + host.width + gap, host.y + (host.height - height) * (0.5 + along))
    case 2: (x, y) = (host.x + (host.width - width) * (0.5 + along), host.y - gap - height)
    default: (x, y) = (host.x + (host.width - width) * (0.5 + along), host.y + host.height + gap)
    }
    let moved = shape.moved(x: x - shape.box.x, y: y - shape.box.y)
    let hasRoom = placed.allSatisfy { $0.box.gap(to: moved.box) >= gap - 1e-6 }
    return hasRoom && isOnSheet(moved.box) ? moved : nil
  }

  /// A position reached by moving the shape toward an earlier one until `tightGap` is left between
  /// their ink.
  private func nested(_ shape: Placed, _ generator: inout SeededGenerator) -> Placed? {
    let host = generator.pick(placed)
    let gap = generator.uniform(settings.tightGap)
    let angle = generator.uniform(0...(2 * .pi))
    let (dx, dy) = (cos(angle), sin(angle))
    let reach =
      hypot(host.box.width + shape.box.width, host.box.height + shape.box.height) / 2 + gap
    let aim = Point(
      x: host.box.x + host.box.width * generator.uniform(0.2...0.8),
      y: host.box.y + host.box.height * generator.uniform(0.2...0.8))
    var moved = shape.moved(
      x: aim.x + dx * reach - shape.box.x - shape.box.width / 2,
      y: aim.y + dy * reach - shape.box.y - shape.box.height / 2)
    // No step is longer than the remaining distance, so ink never crosses ink.
    for _ in 0..<40 {
      let rest = moved.distance(to: host) - gap
      guard rest > 0.25 else { break }
      moved = moved.moved(x: -dx * rest, y: -dy * rest)
    }
    let distance = moved.distance(to: host)
    let hasRoom = placed.allSatisfy { $0.distance(to: moved, below: gap) >= min(gap, distance) }
    let isNear = distance >= settings.tightGap.lowerBound / 2 && distance <= gap + 1
    return isNear && hasRoom && isOnSheet(moved.box) ? moved : nil
  }

  /// A position that overlaps the ink of one earlier shape only.
  private func across(_ shape: Placed, _ generator: inout SeededGenerator) -> Placed? {
    let index = generator.integer(below: placed.count)
    let host = placed[index]
    let angle = generator.uniform(0...(2 * .pi))
    let reach = generator.uniform(0.1...0.9)
    let x =
      host.box.x + host.box.width / 2 - shape.box.width / 2
      + cos(angle) * reach * (host.box.width + shape.box.width) / 2
    let y =
      host.box.y + host.box.height / 2 - shape.box.height / 2
      + sin(angle) * reach * (host.box.height + shape.box.height) / 2
    let moved = shape.moved(x: x - shape.box.x, y: y - shape.box.y)
    guard isOnSheet(moved.box), moved.distance(to: host, below: 1) < 1 else { return nil }
    let gap = settings.tightGap.upperBound
    let hasRoom = placed.indices.allSatisfy {
      $0 == index || placed[$0].distance(to: moved, below: gap) >= gap
    }
    return hasRoom ? moved : nil
  }
}
