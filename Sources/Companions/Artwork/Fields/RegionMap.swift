/// The areas that the strokes of a sketch enclose.
///
/// Drawn outlines have gaps. An area counts as enclosed if a ball of radius `gap` cannot roll out of
/// it (trapped-ball segmentation: Zhang et al., "Vectorizing cartoon animations", 2009,
/// doi:10.1109/TVCG.2009.9); areas too narrow for the ball must be closed.
struct RegionMap: Sendable {
  /// The region of each pixel, ink included: 0 outside, else the number of a region, from 1.
  private(set) var labels: [Int16]
  /// The number of regions, without the outside.
  private(set) var count = 0

  /// Half of the widest gap that is closed, in pixels of a picture of 1,024.
  static let gap: Float = 9
  private static let unknown = Int16(-1)
  /// Further areas count as outside.
  private static let maxCount = 4096

  /// The regions of a picture of `side` × `side`.
  ///
  /// - Parameters:
  ///   - side: Columns and rows.
  ///   - distances: The distance of each pixel from the ink, 0 on it.
  ///   - isWall: Pixels that no region may cross, ink or not.
  init(side: Int, distances: [Float], isWall: [Bool]) {
    labels = [Int16](repeating: Self.unknown, count: side * side)
    var filler = Filler(side: side)
    // Balls that touch the edge of the picture are outside.
    var edge: [Int] = []
    for place in 0..<side {
      edge += [place, (side - 1) * side + place]
      edge += [place * side, place * side + side - 1]
    }
    filler.fill(&labels, with: 0, from: edge) { distances[$0] > Self.gap && !isWall[$0] }
    addComponents(&filler) { distances[$0] > Self.gap && !isWall[$0] }
    filler.grow(&labels) { distances[$0] > 0 && !isWall[$0] }
    filler.fill(&labels, with: 0, from: edge) { distances[$0] > 0 && !isWall[$0] }
    addComponents(&filler) { distances[$0] > 0 && !isWall[$0] }
    filler.grow(&labels) { _ in true }
    // All ink, no area.
    for index in labels.indices where labels[index] == Self.unknown { labels[index] = 0 }
  }

  /// Gives each connected area of unknown pixels for which `isFree` is true a label of its own.
  @inline(__always)
  private mutating func addComponents(_ filler: inout Filler, _ isFree: (Int) -> Bool) {
    for index in labels.indices where labels[index] == Self.unknown && isFree(index) {
      if count < Self.maxCount { count += 1 }
      let label = count < Self.maxCount ? Int16(count) : 0
      filler.fill(&labels, with: label, from: [index], isFree)
    }
  }

  /// Fills areas of unknown pixels, four neighbors each.
  private struct Filler {
    let side: Int
    private var queue: [Int32] = []

    init(side: Int) { self.side = side }

    /// Labels the free pixels that are connected with `start`.
    @inline(__always)
    mutating func fill(
      _ labels: inout [Int16], with label: Int16, from start: [Int], _ isFree: (Int) -> Bool
    ) {
      queue.removeAll(keepingCapacity: true)
      for index in start where labels[index] == RegionMap.unknown && isFree(index) {
        labels[index] = label
        queue.append(Int32(index))
      }
      spread(&labels, isFree)
    }

    /// Labels unknown pixels by their nearest labeled neighbor, all regions at the same pace.
    @inline(__always)
    mutating func grow(_ labels: inout [Int16], _ isFree: (Int) -> Bool) {
      queue.removeAll(keepingCapacity: true)
      for index in labels.indices where labels[index] != RegionMap.unknown {
        let x = index % side
        if (x > 0 && labels[index - 1] == RegionMap.unknown)
          || (x + 1 < side && labels[index + 1] == RegionMap.unknown)
          || (index >= side && labels[index - side] == RegionMap.unknown)
          || (index + side < labels.count && labels[index + side] == RegionMap.unknown)
        {
          queue.append(Int32(index))
        }
      }
      spread(&labels, isFree)
    }

    @inline(__always)
    private mutating func spread(_ labels: inout [Int16], _ isFree: (Int) -> Bool) {
      var next = 0
      while next < queue.count {
        let index = Int(queue[next])
        next += 1
        let x = index % side
        let label = labels[index]
        @inline(__always)
        func visit(_ neighbor: Int) {
          guard labels[neighbor] == RegionMap.unknown, isFree(neighbor) else { return }
          labels[neighbor] = label
          queue.append(Int32(neighbor))
        }
        if x > 0 { visit(index - 1) }
        if x + 1 < side { visit(index + 1) }
        if index >= side { visit(index - side) }
        if index + side < labels.count { visit(index + side) }
      }
    }
  }
}
