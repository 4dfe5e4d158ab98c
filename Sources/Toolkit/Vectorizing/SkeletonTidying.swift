internal import CLibrary
internal import Ink

extension SkeletonGraph {
  /// Restores the tips of acute corners.
  ///
  /// Where two lines meet in an acute corner their ink merges before their center lines do, and the
  /// skeleton is a Y whose stem ends in the tip. For round pens of width *w* and a corner of angle
  /// φ the stem is as long as *w* / 2 · (1 / sin(φ / 2) - 1) / (1 + sin(φ / 2)), and longer where
  /// the picture is too coarse to show the gap between the lines. A stem of about this length,
  /// along the other two lines' bisector, is not a stroke: it is removed and the two lines are
  /// extended to its tip.
  ///
  /// - Parameter pixel: The size of an original pixel, in pixels of the skeleton.
  mutating func foldTips(pixel: Double) {
    for node in nodes.indices where nodes[node].ends.count == 3 {
      for stem in nodes[node].ends where isTip(stem, at: node, pixel) {
        let tip = self.node(at: stem.other)
        let reach = nodes[node].radius
        let arms = nodes[node].ends.filter { $0 != stem }
        for end in arms {
          let kept = points(from: end).drop {
            $0.place.distance(to: nodes[node].place) < reach
          }
          edges[end.edge].points = end.side == 0 ? Array(kept) : kept.reversed()
        }
        remove(stem.edge)
        move(node, to: tip)
        mergeEdges(at: tip)
        break
      }
    }
  }

  /// Whether the line that leaves a junction of three at `stem` is the tip of a corner.
  private func isTip(_ stem: EdgeEnd, at node: Int, _ pixel: Double) -> Bool {
    guard nodes[self.node(at: stem.other)].ends.count == 1 else { return false }
    let length = self.length(of: stem.edge)
    let arms = nodes[node].ends.filter { $0 != stem }
    guard length < 3 * strokeWidth, arms.allSatisfy({ self.length(of: $0.edge) > length }) else {
      return false
    }
    let reach = nodes[node].radius
    let directions = arms.map { direction(from: $0, skipping: reach, over: 3 * strokeWidth) }
    let angle = directions[0].angle(to: directions[1])
    let outwards = Direction(
      x: -directions[0].x - directions[1].x, y: -directions[0].y - directions[1].y)
    let own = direction(from: stem, skipping: 0, over: length)
    // The direction of a line of few pixels is uncertain.
    let tolerance = length < strokeWidth ? 1.2 : 0.6
    guard angle < 1.8, angle > 0.05, own.angle(to: outwards) < tolerance else { return false }
    let sine = sin(angle / 2)
    let expected = (strokeWidth + 1.5 * pixel) / 2 * (1 / sine - 1) / (1 + sine)
    return length < 1.4 * expected + 0.3 * strokeWidth
  }

  /// Removes spurs: lines with a free end that extend less than `spurLength` beyond their
  /// junction's ink.
  mutating func prune(below spurLength: Double) {
    for limit in [spurLength / 2, spurLength] {
      var hasChanged = true
      while hasChanged {
        hasChanged = false
        for node in nodes.indices where nodes[node].ends.count >= 3 {
          let spurs = nodes[node].ends.filter { end in
            let tip = self.node(at: end.other)
            return nodes[tip].ends.count == 1
              && length(of: end.edge) + nodes[tip].radius - nodes[node].radius < limit
          }
          guard !spurs.isEmpty else { continue }
          hasChanged = true
          let isAll = spurs.count == nodes[node].ends.count
          for spur in spurs { remove(spur.edge) }
          if isAll {
            nodes.append(Node(place: nodes[node].place, radius: nodes[node].radius, isDot: true))
          }
          mergeEdges(at: node)
        }
      }
    }
  }

  /// Merges junctions whose ink overlaps: where two lines cross, thinning leaves a bridge between
  /// two junctions of degree 3. The sharper the angle, the longer the bridge; a long bridge is
  /// merged only if lines run straight across it.
  mutating func mergeJunctions() {
    func isBridge(_ edge: Int) -> Bool {
      let (a, b) = (edges[edge].nodes[0], edges[edge].nodes[1])
      guard nodes[a].ends.count >= 3, nodes[b].ends.count >= 3 else { return false }
      let (length, reach) = (self.length(of: edge), nodes[a].radius + nodes[b].radius)
      return length <= 0.9 * reach || (length <= 2.5 * reach && isCrossing(edge))
    }
    let bridges = liveEdges.filter(isBridge)
    var group = Array(nodes.indices)
    func root(_ node: Int) -> Int {
      var node = node
      while group[node] != node { node = group[node] }
      return node
    }
    for edge in bridges {
      let (a, b) = (root(edges[edge].nodes[0]), root(edges[edge].nodes[1]))
      group[max(a, b)] = min(a, b)
    }
    for edge in bridges { remove(edge) }
    var members: [Int: [Int]] = [:]
    for node in nodes.indices { members[root(node), default: []].append(node) }
    for first in nodes.indices {
      guard let group = members[first], group.count > 1 else { continue }
      let count = Double(group.count)
      let middle = Point(
        x: group.reduce(0) { $0 + nodes[$1].place.x } / count,
        y: group.reduce(0) { $0 + nodes[$1].place.y } / count)
      let radius = group.map { nodes[$0].radius + nodes[$0].place.distance(to: middle) }.max()
      for member in group.dropFirst() { move(member, to: first) }
      nodes[first].place = middle
      nodes[first].radius = radius ?? strokeWidth / 2
      mergeEdges(at: first)
    }
  }

  /// Whether the two lines at each end of a bridge continue straight in those at its other end.
  private func isCrossing(_ edge: Int) -> Bool {
    let (a, b) = (edges[edge].nodes[0], edges[edge].nodes[1])
    guard a != b else { return false }
    let arms = [a, b].map { node in
      nodes[node].ends.filter { $0.edge != edge }.map { arm($0, reach: nodes[node].radius) }
    }
    guard arms[0].count == 2, arms[1].count == 2 else { return false }
    return [[0, 1], [1, 0]].contains { order in
      (0..<2).allSatisfy { arms[0][$0].turn(to: arms[1][order[$0]]) < 0.5 }
    }
  }

  /// Turns pieces whose line is at most half their width long into dots.
  mutating func makeDots() {
    for edge in liveEdges {
      let (a, b) = (edges[edge].nodes[0], edges[edge].nodes[1])
      guard a != b, nodes[a].ends.count == 1, nodes[b].ends.count == 1 else { continue }
      let radius =
        (edges[edge].points.map(\.radius) + [nodes[a].radius, nodes[b].radius]).max() ?? 0
      let (start, end) = (nodes[a].place, nodes[b].place)
      guard length(of: edge) <= radius else { continue }
      remove(edge)
      nodes.append(Node(place: start.interpolated(to: end, 0.5), radius: radius, isDot: true))
    }
  }

  // MARK: Directions

  /// One line of a junction, seen from the junction.
  struct Arm {
    var end: EdgeEnd
    /// The number of its points within the junction's ink.
    var hidden: Int
    /// The first point outside it.
    var place: Point
    /// Its direction from there.
    var direction: Direction

    /// The turn, in radians, of a stroke that arrives on this line and leaves on another.
    func turn(to other: Arm) -> Double {
      let chord = Direction(x: other.place.x - place.x, y: other.place.y - place.y)
      guard place.distance(to: other.place) > 1 else {
        return direction.reversed.angle(to: other.direction)
      }
      return direction.reversed.angle(to: chord) + chord.angle(to: other.direction)
    }
  }

  /// The line that leaves a junction at `end`; the junction's ink has the radius `reach`.
  func arm(_ end: EdgeEnd, reach: Double) -> Arm {
    let middle = nodes[node(at: end)].place
    let points = points(from: end)
    let inside = points.prefix { $0.place.distance(to: middle) < reach }.count
    return Arm(
      end: end, hidden: inside,
      place: inside < points.count ? points[inside].place : nodes[node(at: end.other)].place,
      direction: direction(from: end, skipping: reach, over: 1.5 * strokeWidth))
  }

  /// The direction of a line from one of its ends, measured from the point `skipping` pixels along
  /// it to the one `over` pixels farther.
  func direction(from end: EdgeEnd, skipping: Double, over: Double) -> Direction {
    let start = nodes[node(at: end)].place
    let line = points(from: end).map(\.place) + [nodes[node(at: end.other)].place]
    var length = 0.0
    var last = start
    var first: Point?
    for point in line {
      length += last.distance(to: point)
      last = point
      if length >= skipping, first == nil { first = point }
      if length >= skipping + over { break }
    }
    let from = first.map { $0 == last ? start : $0 } ?? start
    return Direction(x: last.x - from.x, y: last.y - from.y)
  }
}

/// A direction vector of any length.
struct Direction {
  var x: Double
  var y: Double

  var reversed: Direction { Direction(x: -x, y: -y) }

  /// The angle to another direction, in 0...π; 0 if either has length 0.
  func angle(to other: Direction) -> Double {
    abs(atan2(x * other.y - y * other.x, x * other.x + y * other.y))
  }
}
