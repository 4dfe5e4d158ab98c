internal import Ink

/// The strokes of a canvas that groups consist of and are rendered with, in drawing order.
struct VisibleInk: Sendable {
  /// A stroke; all copies share it: undoing keeps many.
  private final class Member: Sendable {
    let index: Int
    let stroke: Stroke
    let box: BoundingBox

    init(_ index: Int, _ stroke: Stroke, _ box: BoundingBox) {
      (self.index, self.stroke, self.box) = (index, stroke, box)
    }
  }

  private var members: [Member] = []

  /// Adds a stroke whose index is above those of all others.
  mutating func add(_ stroke: Stroke, _ box: BoundingBox, at index: Int) {
    members.append(Member(index, stroke, box))
  }

  /// Removes strokes.
  ///
  /// - Parameter gone: Their indices.
  mutating func remove(_ gone: [Int]) {
    let gone = Set(gone)
    members.removeAll { gone.contains($0.index) }
  }

  /// The box around a group; nil if none of its strokes is present.
  func box(of group: [Int]) -> BoundingBox? {
    let group = Set(group)
    return members.lazy.filter { group.contains($0.index) }.map(\.box)
      .reduce(nil) { $0?.union($1) ?? $1 }
  }

  /// The strokes of a group, and the other strokes before its last one that may be visible in its
  /// picture.
  ///
  /// - Parameters:
  ///   - group: Indices, ascending, at least one.
  ///   - frame: The middle of its picture.
  /// - Returns: Both in drawing order.
  func seen(_ group: [Int], in frame: BoundingBox) -> (own: [Stroke], others: [Stroke]) {
    var (own, others): ([Stroke], [Stroke]) = ([], [])
    var rest = group[...]
    let sight = GroupPicture.sight * frame.longerSide
    let middle = (x: frame.x + frame.width / 2, y: frame.y + frame.height / 2)
    let half = frame.longerSide / 2 + sight
    for member in members where member.index <= group[group.count - 1] {
      if member.index == rest.first {
        own.append(member.stroke)
        rest = rest.dropFirst()
        continue
      }
      let box = member.box
      if box.x <= middle.x + half, box.x + box.width >= middle.x - half,
        box.y <= middle.y + half, box.y + box.height >= middle.y - half
      {
        others.append(member.stroke)
      }
    }
    return thinned(own, others)
  }

  /// A picture of 32 pixels shows no more points than this; without a limit, scribbling in one
  /// place would take longer with every stroke.
  static let mostPoints = 4096

  /// The strokes with at most `mostPoints` in all, apart from their endpoints: if there are more,
  /// long strokes are subsampled evenly.
  private func thinned(
    _ own: [Stroke], _ others: [Stroke]
  ) -> (own: [Stroke], others: [Stroke]) {
    let points = own.reduce(0) { $0 + $1.points.count } + others.reduce(0) { $0 + $1.points.count }
    guard points > Self.mostPoints else { return (own, others) }
    let share = max(2, Self.mostPoints / (own.count + others.count))
    return (own.map { $0.thinned(to: share) }, others.map { $0.thinned(to: share) })
  }
}

extension Stroke {
  /// The stroke through `count` evenly chosen points, including the first and the last.
  fileprivate func thinned(to count: Int) -> Stroke {
    guard points.count > count else { return self }
    return Stroke((0..<count).map { points[$0 * (points.count - 1) / (count - 1)] })
  }
}
