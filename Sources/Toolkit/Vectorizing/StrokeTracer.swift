internal import CLibrary
internal import Ink

/// A line through some points.
struct TracedLine {
  var points: [Point]
  /// Whether the last point connects to the first.
  var isClosed: Bool
}

/// Joins the lines of a skeleton graph into strokes that pass each junction as straight as
/// possible.
struct StrokeTracer {
  private typealias EdgeEnd = SkeletonGraph.EdgeEnd

  /// The maximum turn of a stroke at a junction, in radians.
  private static let largestTurn = 1.9

  private let graph: SkeletonGraph
  /// For each edge end, where its stroke continues, by `index`.
  private var partners: [EdgeEnd?]
  /// For each edge end, the number of its points within the junction's ink, which are omitted.
  private var hidden: [Int]
  /// For each edge end without a continuation, where its stroke ends.
  private var landings: [Point?]

  init(_ graph: SkeletonGraph) {
    self.graph = graph
    partners = [EdgeEnd?](repeating: nil, count: graph.edges.count * 2)
    hidden = [Int](repeating: 0, count: graph.edges.count * 2)
    landings = [Point?](repeating: nil, count: graph.edges.count * 2)
    for node in graph.nodes.indices { join(at: node) }
  }

  private func index(_ end: EdgeEnd) -> Int { end.edge * 2 + end.side }

  /// Decides which lines continue through a node.
  private mutating func join(at node: Int) {
    let ends = graph.nodes[node].ends
    let middle = graph.nodes[node].place
    if ends.count == 2 {
      partners[index(ends[0])] = ends[1]
      partners[index(ends[1])] = ends[0]
    }
    guard ends.count >= 3 else {
      for end in ends { landings[index(end)] = middle }
      return
    }
    let reach = graph.nodes[node].radius
    let arms = ends.map { graph.arm($0, reach: reach) }
    for arm in arms { hidden[index(arm.end)] = arm.hidden }
    var pairs: [(cost: Double, a: Int, b: Int)] = []
    for a in arms.indices {
      for b in arms.indices where a < b {
        pairs.append((arms[a].turn(to: arms[b]), a, b))
      }
    }
    pairs.sort { ($0.cost, $0.a, $0.b) < ($1.cost, $1.a, $1.b) }
    var chords: [(Point, Point)] = []
    var isTaken = [Bool](repeating: false, count: arms.count)
    for pair in pairs where pair.cost <= Self.largestTurn && !isTaken[pair.a] && !isTaken[pair.b] {
      (isTaken[pair.a], isTaken[pair.b]) = (true, true)
      partners[index(arms[pair.a].end)] = arms[pair.b].end
      partners[index(arms[pair.b].end)] = arms[pair.a].end
      chords.append((arms[pair.a].place, arms[pair.b].place))
    }
    for (arm, isTaken) in zip(arms, isTaken) where !isTaken {
      landings[index(arm.end)] = landing(of: arm, chords, reach) ?? middle
    }
  }

  /// Where a line that ends at a junction meets the strokes that pass through it.
  private func landing(of arm: SkeletonGraph.Arm, _ chords: [(Point, Point)], _ reach: Double)
    -> Point?
  {
    let size = (arm.direction.x * arm.direction.x + arm.direction.y * arm.direction.y).squareRoot()
    guard size > 0 else { return nil }
    let (dx, dy) = (-arm.direction.x / size, -arm.direction.y / size)
    var best: Double?
    for (start, end) in chords {
      let (ex, ey) = (end.x - start.x, end.y - start.y)
      let cross = dx * ey - dy * ex
      guard abs(cross) > 1e-9 else { continue }
      let (sx, sy) = (start.x - arm.place.x, start.y - arm.place.y)
      let along = (sx * ey - sy * ex) / cross
      let fraction = (sx * dy - sy * dx) / cross
      guard along >= 0, along <= 2.5 * reach, (-0.2...1.2).contains(fraction) else { continue }
      best = min(best ?? along, along)
    }
    return best.map { Point(x: arm.place.x + dx * $0, y: arm.place.y + dy * $0) }
  }

  /// The strokes, dots included.
  func lines() -> [TracedLine] {
    var lines: [TracedLine] = []
    var isDone = [Bool](repeating: false, count: graph.edges.count)
    for edge in graph.liveEdges {
      for side in 0...1 where !isDone[edge] {
        let start = EdgeEnd(edge: edge, side: side)
        guard partners[index(start)] == nil else { continue }
        lines.append(walk(from: start, &isDone))
      }
    }
    for edge in graph.liveEdges where !isDone[edge] {
      lines.append(walk(from: EdgeEnd(edge: edge, side: 0), &isDone))
    }
    for node in graph.nodes where node.isDot {
      lines.append(TracedLine(points: [node.place], isClosed: false))
    }
    // A ring of edges that lie within the ink of their junctions has no points.
    return lines.filter { !$0.points.isEmpty }
  }

  /// The stroke that starts at an end of an edge, or the closed one through it.
  private func walk(from start: EdgeEnd, _ isDone: inout [Bool]) -> TracedLine {
    var points: [Point] = []
    var end = start
    if let landing = landings[index(start)], partners[index(start)] == nil {
      points.append(landing)
    }
    while true {
      isDone[end.edge] = true
      let line = graph.points(from: end)
      let (first, last) = (hidden[index(end)], line.count - hidden[index(end.other)])
      if first < last { points += line[first..<last].map(\.place) }
      guard let next = partners[index(end.other)] else {
        if let landing = landings[index(end.other)] { points.append(landing) }
        return TracedLine(points: points, isClosed: false)
      }
      let node = graph.node(at: next)
      if graph.nodes[node].ends.count == 2 { points.append(graph.nodes[node].place) }
      if next == start { return TracedLine(points: points, isClosed: points.count > 2) }
      end = next
    }
  }
}

extension TracedLine {
  /// The line as points `spacing` apart, smoothed by a Gaussian of standard deviation `sigma`; the
  /// ends of an open line stay.
  ///
  /// - Parameters:
  ///   - spacing: The distance from point to point, in pixels.
  ///   - sigma: The standard deviation of the Gaussian, in pixels.
  /// - Returns: The line through the new points.
  func smoothed(spacing: Double, sigma: Double) -> TracedLine {
    guard points.count > 1 else { return self }
    let ring = isClosed ? points + [points[0]] : points
    let even = Stroke(ring).resampled(spacing: spacing).points
    guard even.count > 2 else { return self }
    let reach = Int((3 * sigma / spacing).rounded(.up))
    let weights = (0...reach).map { step in
      let place = Double(step) * spacing / sigma
      return exp(-place * place / 2)
    }
    let last = even.count - 1
    func at(_ index: Int) -> Point {
      if isClosed { return even[((index % last) + last) % last] }
      // Mirrored at the end point, so that it stays in place.
      if index < 0 {
        let mirror = even[min(last, -index)]
        return Point(x: 2 * even[0].x - mirror.x, y: 2 * even[0].y - mirror.y)
      }
      if index > last {
        let mirror = even[max(0, 2 * last - index)]
        return Point(x: 2 * even[last].x - mirror.x, y: 2 * even[last].y - mirror.y)
      }
      return even[index]
    }
    let result = (0..<(isClosed ? last : last + 1)).map { index in
      var (x, y, total) = (even[index].x * weights[0], even[index].y * weights[0], weights[0])
      for step in 1...reach {
        let (before, behind) = (at(index - step), at(index + step))
        x += (before.x + behind.x) * weights[step]
        y += (before.y + behind.y) * weights[step]
        total += 2 * weights[step]
      }
      return Point(x: x / total, y: y / total)
    }
    return TracedLine(points: result, isClosed: isClosed)
  }

  /// The line as a stroke; a closed one ends with its first point.
  var stroke: Stroke { Stroke(isClosed ? points + points.prefix(1) : points) }
}
