internal import CLibrary
public import Ink
internal import Numbers

/// Makes canvases of several shapes by placing real timed drawings on a sheet.
///
/// A canvas depends only on the seed, its number, the drawings and the settings. Within a shape,
/// the original times and pauses are kept; pauses between shapes are random.
public struct CanvasSynthesizer: Sendable {
  private let known: Pool
  private let unknowns: Pool?
  private let settings: CanvasSettings
  /// The kinds with the upper bounds of their intervals in 0..<1.
  private let kinds: [(kind: CanvasKind, end: Double)]

  /// Drawings grouped by label, so that frequent labels do not dominate.
  private struct Pool {
    var labels: [String] = []
    var drawings: [[Drawing]] = []

    init(_ all: [Drawing]) {
      for (label, members) in Dictionary(grouping: all, by: { $0.label ?? "" }).sorted(by: {
        $0.key < $1.key
      }) {
        labels.append(label)
        drawings.append(members.sorted { ($0.id, $0.digest) < ($1.id, $1.digest) })
      }
    }

    func draw(without used: Set<String>, _ generator: inout SeededGenerator) -> Drawing? {
      for _ in 0..<20 {
        let drawing = generator.pick(drawings[generator.integer(below: labels.count)])
        if !used.contains(drawing.id) { return drawing }
      }
      return nil
    }
  }

  /// A synthesizer.
  ///
  /// - Parameters:
  ///   - drawings: Drawings of labels that a recognizer is taught, with unique ids; timed, unless the
  ///     settings want canvases without times.
  ///   - unknowns: Such drawings of labels that it is not taught.
  ///   - settings: The settings of the canvases.
  /// - Throws: `CanvasSynthesisError` without drawings, for a drawing without times where they are
  ///   needed, and for one with numbers that are too large.
  public init(
    drawings: [Drawing], unknowns: [Drawing] = [], settings: CanvasSettings = CanvasSettings()
  ) throws(CanvasSynthesisError) {
    precondition(settings.isValid, "canvas settings out of range: \(settings)")
    guard !drawings.isEmpty else { throw .noDrawings }
    func pool(_ drawings: [Drawing]) throws(CanvasSynthesisError) -> Pool {
      Pool(
        try drawings.map { drawing throws(CanvasSynthesisError) in
          try drawing.placeable(hasTimes: settings.hasTimes)
        })
    }
    known = try pool(drawings)
    self.unknowns = unknowns.isEmpty ? nil : try pool(unknowns)
    self.settings = settings
    let total = CanvasKind.allCases.reduce(0) { $0 + (settings.mix[$1] ?? 0) }
    var (end, kinds) = (0.0, [(kind: CanvasKind, end: Double)]())
    for kind in CanvasKind.allCases {
      end += (settings.mix[kind] ?? 0) / total
      kinds.append((kind, end))
    }
    self.kinds = kinds
  }

  /// The canvas of the given number, from 0.
  public func canvas(_ number: Int, seed: UInt64) -> SyntheticCanvas {
    var generator = SeededGenerator(seed: seed, stream: number)
    let kind = kind(number)
    let (chosen, placed) =
      CanvasSheet.Way(kind).map { shapes(laidOut: $0, using: &generator) }
      ?? scene(using: &generator)
    let timed = schedule(placed, &generator)
    var drawing = Drawing(
      id: "canvas-\(seed)-\(number)", label: kind.rawValue, strokes: timed.map(\.stroke),
      canvas: .init(width: settings.width, height: settings.height))
    drawing.shapes = chosen.indices.map { shape in
      .init(
        strokes: timed.indices.filter { timed[$0].shape == shape },
        label: chosen[shape].label ?? "")
    }
    return SyntheticCanvas(drawing: drawing, kind: kind, sources: chosen.map(\.id))
  }

  /// Drawings and their strokes on a sheet.
  private typealias Placed = (chosen: [Drawing], strokes: [[Stroke]])

  /// The shapes of a canvas of one of the tidy kinds.
  private func shapes(
    laidOut way: CanvasSheet.Way, using generator: inout SeededGenerator
  ) -> Placed {
    let count =
      settings.shapes.lowerBound
      + generator.integer(below: settings.shapes.upperBound - settings.shapes.lowerBound + 1)
    let unknownIndex = generator.integer(below: count)
    let isTidy =
      way == .spread && settings.tidyShare > 0 && generator.chance(settings.tidyShare)
    let repeated =
      settings.repeatShare > 0 && generator.chance(settings.repeatShare)
      ? generator.pick(known.drawings) : nil
    var sheet = CanvasSheet(
      settings, rowSide: isTidy ? generator.uniform(settings.side) : nil)
    var used: Set<String> = []
    var chosen: [Drawing] = []
    for index in 0..<count {
      let isUnknown = index == unknownIndex || generator.chance(settings.unknownShare)
      let pool = isUnknown ? unknowns ?? known : known
      let own = way == .over && !generator.chance(settings.overShare) ? .spread : way
      // A full canvas has fewer shapes.
      let again = isUnknown ? nil : repeated.map { generator.pick($0) }
      guard let drawing = again ?? pool.draw(without: used, &generator),
        sheet.place(drawing.strokes, own, using: &generator)
      else { continue }
      used.insert(drawing.id)
      chosen.append(drawing)
    }
    return (chosen, sheet.placed.map(\.strokes))
  }

  /// The objects of a scene.
  private func scene(using generator: inout SeededGenerator) -> Placed {
    var layout = SceneLayout(width: settings.width, height: settings.height)
    let objects = layout.objects(using: &generator)
    let unknownIndex = generator.integer(below: objects.count)
    var used: Set<String> = []
    var chosen: [Drawing] = []
    for (index, object) in objects.enumerated() {
      let isUnknown = index == unknownIndex || generator.chance(settings.unknownShare)
      let pool = isUnknown ? unknowns ?? known : known
      let again = object.isRepeated ? chosen.last.flatMap { alike($0, &generator) } : nil
      guard let drawing = again ?? pool.draw(without: used, &generator),
        layout.place(drawing.strokes, as: object, using: &generator)
      else { continue }
      used.insert(drawing.id)
      chosen.append(drawing)
    }
    return (chosen, layout.placed.map(\.strokes))
  }

  /// Another drawing of the same label; in half of the cases the same one.
  private func alike(_ drawing: Drawing, _ generator: inout SeededGenerator) -> Drawing {
    guard generator.chance(0.5) else { return drawing }
    let pools = [known] + (unknowns.map { [$0] } ?? [])
    for pool in pools {
      if let place = pool.labels.firstIndex(of: drawing.label ?? "") {
        return generator.pick(pool.drawings[place])
      }
    }
    return drawing
  }

  /// The kind of a canvas, such that every range of numbers has about the right share of each:
  /// multiples of the golden ratio are evenly distributed over 0..<1.
  private func kind(_ number: Int) -> CanvasKind {
    let place = (Double(number) + 0.5) * 0.618_033_988_749_894_9
    let share = place - place.rounded(.down)
    return (kinds.first { share < $0.end && (settings.mix[$0.kind] ?? 0) > 0 } ?? kinds[0]).kind
  }

  // MARK: Time

  private struct TimedStroke {
    var shape: Int
    var stroke: Stroke
    /// Milliseconds between the end of the preceding stroke, of any shape, and this one's
    /// beginning.
    var pause: Double
  }

  /// The strokes of all shapes in order, their times counted from the canvas's first point.
  private func schedule(
    _ shapes: [[Stroke]], _ generator: inout SeededGenerator
  ) -> [TimedStroke] {
    let tempos = (0..<settings.people).map { _ in
      settings.people == 1 ? 1 : exp(generator.uniform(-0.7...0.7))
    }
    let isHasty = settings.hastyShare > 0 && generator.chance(settings.hastyShare)
    let usual = isHasty ? settings.hastyPause : settings.pause
    var blocks: [[TimedStroke]] = []
    for (index, strokes) in shapes.enumerated() {
      let tempo = generator.pick(tempos)
      blocks.append(
        strokes.indices.map { place in
          let start = strokes[place].points.first?.t ?? 0
          let before = place > 0 ? strokes[place - 1].points.last?.t ?? 0 : start
          let stroke = Stroke(
            strokes[place].points.map {
              Point(x: round10($0.x), y: round10($0.y), t: (($0.t ?? 0) - start) * tempo)
            })
          let pause = place == 0 ? self.pause(in: usual, &generator) : (start - before) * tempo
          return TimedStroke(shape: index, stroke: stroke, pause: pause)
        })
    }
    if generator.chance(settings.lateShare) { addLateStroke(to: &blocks, pause: usual, &generator) }
    var (result, clock) = ([TimedStroke](), 0.0)
    for var item in blocks.joined() {
      clock += result.isEmpty ? 0 : max(0, item.pause)
      let start = clock
      item.stroke.points = item.stroke.points.map {
        Point(x: $0.x, y: $0.y, t: settings.hasTimes ? (start + ($0.t ?? 0)).rounded() : nil)
      }
      clock = item.stroke.points.last?.t ?? clock
      result.append(item)
    }
    return result
  }

  /// Moves the last stroke of one shape after strokes of a later one, as when somebody adds a
  /// forgotten dot.
  private func addLateStroke(
    to blocks: inout [[TimedStroke]], pause: ClosedRange<Double>,
    _ generator: inout SeededGenerator
  ) {
    let hosts = blocks.indices.dropLast().filter { blocks[$0].count > 1 }
    guard !hosts.isEmpty else { return }
    let host = generator.pick(Array(hosts))
    guard var late = blocks[host].popLast() else { return }
    late.pause = self.pause(in: pause, &generator)
    let other = host + 1 + generator.integer(below: blocks.count - host - 1)
    // In most cases the later shape is finished first.
    let length = blocks[other].count
    let place =
      length == 1 || generator.chance(0.7) ? length : 1 + generator.integer(below: length - 1)
    if place < length { blocks[other][place].pause = self.pause(in: pause, &generator) }
    blocks[other].insert(late, at: place)
  }

  /// A random pause between shapes, in milliseconds.
  private func pause(
    in range: ClosedRange<Double>, _ generator: inout SeededGenerator
  ) -> Double {
    guard settings.pausesAreLogarithmic else { return generator.uniform(range) }
    return exp(generator.uniform(log(range.lowerBound)...log(range.upperBound)))
  }

  /// A tenth of a pixel is finer than any screen.
  private func round10(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

extension Drawing {
  /// Whether all points have times.
  package var isTimed: Bool { strokes.allSatisfy { $0.points.allSatisfy { $0.t != nil } } }

  /// The drawing with non-decreasing times, or without times: where a clock jumps back, the time
  /// stays constant until it has caught up.
  fileprivate func placeable(hasTimes: Bool) throws(CanvasSynthesisError) -> Drawing {
    let range = -CanvasSynthesisError.farthest...CanvasSynthesisError.farthest
    var (result, last) = (self, -Double.infinity)
    guard !strokes.isEmpty || !hasTimes else { throw .untimed(id: id) }
    for stroke in strokes.indices {
      for point in strokes[stroke].points.indices {
        let place = strokes[stroke].points[point]
        guard range.contains(place.x), range.contains(place.y) else { throw .tooFar(id: id) }
        guard hasTimes else {
          result.strokes[stroke].points[point].t = nil
          continue
        }
        guard let t = place.t else { throw .untimed(id: id) }
        guard range.contains(t) else { throw .tooFar(id: id) }
        last = max(last, t)
        result.strokes[stroke].points[point].t = last
      }
    }
    return result
  }
}
