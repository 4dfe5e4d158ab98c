internal import Ink

/// A place on a skeleton and how thick the ink is there, in pixels.
struct SkeletonPoint {
  var place: Point
  /// Half the ink's width.
  var radius: Double
}

/// A skeleton as ends and junctions (nodes) and the lines between them (edges).
struct SkeletonGraph {
  /// Where lines end or meet.
  struct Node {
    var place: Point
    /// Half the ink's width; for merged junctions, the reach of their ink.
    var radius: Double
    /// The ends of edges at this node.
    var ends: [EdgeEnd] = []
    /// Whether it is a dot: a separate piece of ink, a node without edges.
    var isDot = false
  }

  /// A line from one node to another or to the same.
  struct Edge {
    /// The nodes at its start and end.
    var nodes: [Int]
    /// The points between them; may be empty.
    var points: [SkeletonPoint]
    /// False once the edge was removed.
    var isAlive = true
  }

  /// One of the two ends of an edge.
  struct EdgeEnd: Hashable {
    var edge: Int
    /// 0 the start, 1 the end.
    var side: Int
    var other: EdgeEnd { EdgeEnd(edge: edge, side: 1 - side) }
  }

  /// The width of a typical stroke, in pixels.
  let strokeWidth: Double
  var nodes: [Node] = []
  var edges: [Edge] = []

  /// The graph of a thinned mask.
  init(_ skeleton: Mask, distances: DistanceMap, strokeWidth: Double) {
    self.strokeWidth = strokeWidth
    var walker = SkeletonWalker(skeleton)
    func radius(_ index: Int) -> Double { max(0.5, distances[index] - 0.5) }
    for cluster in walker.clusters {
      let points = cluster.map { skeleton.point($0) }
      let count = Double(points.count)
      nodes.append(
        Node(
          place: Point(
            x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count),
          radius: cluster.map(radius).max() ?? 0.5))
    }
    for (start, end, pixels) in walker.lines() {
      connect(
        start, end, pixels.map { SkeletonPoint(place: skeleton.point($0), radius: radius($0)) })
    }
    for node in nodes.indices where nodes[node].ends.isEmpty { nodes[node].isDot = true }
  }

  /// Prunes spurs, restores corners, merges the junctions of crossings, and turns pieces as short
  /// as they are wide into dots.
  ///
  /// - Parameters:
  ///   - spurLength: The maximum length of a spur beyond its stroke's side, in pixels.
  ///   - pixel: The size of an original pixel, in pixels of the skeleton.
  mutating func tidy(spurLength: Double, pixel: Double) {
    foldTips(pixel: pixel)
    prune(below: spurLength)
    mergeJunctions()
    prune(below: spurLength)
    makeDots()
  }

  // MARK: Changes

  /// Adds an edge.
  mutating func connect(_ start: Int, _ end: Int, _ points: [SkeletonPoint]) {
    let edge = edges.count
    edges.append(Edge(nodes: [start, end], points: points))
    nodes[start].ends.append(EdgeEnd(edge: edge, side: 0))
    nodes[end].ends.append(EdgeEnd(edge: edge, side: 1))
  }

  /// Removes an edge.
  mutating func remove(_ edge: Int) {
    edges[edge].isAlive = false
    for node in edges[edge].nodes { nodes[node].ends.removeAll { $0.edge == edge } }
  }

  /// Merges the two edges at a node of degree 2 into one, unless they are the same edge.
  mutating func mergeEdges(at node: Int) {
    guard nodes[node].ends.count == 2, nodes[node].ends[0].edge != nodes[node].ends[1].edge else {
      return
    }
    let (a, b) = (nodes[node].ends[0], nodes[node].ends[1])
    let middle = SkeletonPoint(place: nodes[node].place, radius: nodes[node].radius)
    let points = Array(self.points(from: a).reversed()) + [middle] + self.points(from: b)
    let (start, end) = (self.node(at: a.other), self.node(at: b.other))
    remove(a.edge)
    remove(b.edge)
    connect(start, end, points)
  }

  /// Moves all edge ends from `node` to `target`.
  mutating func move(_ node: Int, to target: Int) {
    for end in nodes[node].ends {
      edges[end.edge].nodes[end.side] = target
      nodes[target].ends.append(end)
    }
    nodes[node].ends = []
  }

  // MARK: Questions

  /// The node at an end of an edge.
  func node(at end: EdgeEnd) -> Int { edges[end.edge].nodes[end.side] }

  /// The points of an edge, seen from one of its ends.
  func points(from end: EdgeEnd) -> [SkeletonPoint] {
    end.side == 0 ? edges[end.edge].points : edges[end.edge].points.reversed()
  }

  /// The length of an edge from node to node.
  func length(of edge: Int) -> Double {
    var length = 0.0
    var last = nodes[edges[edge].nodes[0]].place
    for point in edges[edge].points {
      length += last.distance(to: point.place)
      last = point.place
    }
    return length + last.distance(to: nodes[edges[edge].nodes[1]].place)
  }

  /// The edges that were not removed.
  var liveEdges: [Int] { edges.indices.filter { edges[$0].isAlive } }
}

/// Finds nodes and lines in the pixels of a skeleton.
private struct SkeletonWalker {
  private let skeleton: Mask
  /// The pixels of each node: an end point, adjacent junction pixels, or one pixel of a ring.
  private(set) var clusters: [[Int]] = []
  /// The node of each pixel, or -1.
  private var nodeOfPixel: [Int32]
  private var isVisited: [Bool]
  private let ink: [Int]

  init(_ skeleton: Mask) {
    self.skeleton = skeleton
    ink = skeleton.ink
    nodeOfPixel = [Int32](repeating: -1, count: skeleton.pixels.count)
    isVisited = [Bool](repeating: false, count: skeleton.pixels.count)
    let degrees = ink.map { neighbors($0).count }
    var isJunction = [Bool](repeating: false, count: skeleton.pixels.count)
    for (index, degree) in zip(ink, degrees) where degree >= 3 { isJunction[index] = true }
    let steps = skeleton.neighbors
    for (index, degree) in zip(ink, degrees) where degree != 2 && nodeOfPixel[index] < 0 {
      var cluster = [index]
      nodeOfPixel[index] = Int32(clusters.count)
      var next = 0
      while degree >= 3, next < cluster.count {
        for step in steps where isJunction[cluster[next] + step] {
          let other = cluster[next] + step
          guard nodeOfPixel[other] < 0 else { continue }
          nodeOfPixel[other] = Int32(clusters.count)
          cluster.append(other)
        }
        next += 1
      }
      clusters.append(cluster)
    }
    // Rings have no node yet: their first pixel becomes one.
    for index in ink where nodeOfPixel[index] < 0 && !isVisited[index] {
      guard !reachesNode(from: index) else { continue }
      nodeOfPixel[index] = Int32(clusters.count)
      clusters.append([index])
    }
    for index in ink { isVisited[index] = false }
  }

  /// The connected neighbors: a diagonal one only if no horizontal or vertical step leads there.
  private func neighbors(_ index: Int) -> [Int] {
    let pixels = skeleton.pixels
    let steps = skeleton.neighbors
    var found: [Int] = []
    for place in 0..<8 where pixels[index + steps[place]] != 0 {
      if place & 1 == 1,
        pixels[index + steps[place - 1]] != 0 || pixels[index + steps[(place + 1) & 7]] != 0
      {
        continue
      }
      found.append(index + steps[place])
    }
    return found
  }

  /// Whether the line through a pixel reaches a node; marks its pixels as visited.
  private mutating func reachesNode(from index: Int) -> Bool {
    var open = [index]
    var reaches = false
    isVisited[index] = true
    while let index = open.popLast() {
      for other in neighbors(index) {
        if nodeOfPixel[other] >= 0 { reaches = true }
        if nodeOfPixel[other] < 0, !isVisited[other] {
          isVisited[other] = true
          open.append(other)
        }
      }
    }
    return reaches
  }

  /// The lines between nodes, each once: its two nodes and the pixels between.
  mutating func lines() -> [(start: Int, end: Int, pixels: [Int])] {
    var lines: [(start: Int, end: Int, pixels: [Int])] = []
    for (node, cluster) in clusters.enumerated() {
      for pixel in cluster {
        for first in neighbors(pixel) where !isVisited[first] {
          let met = Int(nodeOfPixel[first])
          if met >= 0 {
            // Adjacent nodes: added once, from the one with the lower index.
            if met > node { lines.append((node, met, [])) }
            continue
          }
          var line: [Int] = []
          var (last, current) = (pixel, first)
          var end = -1
          while end < 0 {
            isVisited[current] = true
            line.append(current)
            guard let next = neighbors(current).first(where: { $0 != last }) else { break }
            (last, current) = (current, next)
            end = Int(nodeOfPixel[current])
          }
          if end >= 0 { lines.append((node, end, line)) }
        }
      }
    }
    return lines
  }
}
