internal import Ink

/// The strokes of a canvas that groups are made of and looked at with, in the order in which they
/// came.
struct VisibleInk: Sendable {
  private var indices: [Int] = []
  private var strokes: [Stroke] = []
  private var boxes: [BoundingBox] = []

  /// Adds a stroke whose index is above those of all others.
  mutating func add(_ stroke: Stroke, _ box: BoundingBox, at index: Int) {
    indices.append(index)
    strokes.append(stroke)
    boxes.append(box)
  }

  /// Takes strokes away.
  ///
  /// - Parameter gone: Their indices, ascending.
  mutating func remove(_ gone: [Int]) {
    let gone = Set(gone)
    let kept = indices.indices.filter { !gone.contains(indices[$0]) }
    (indices, strokes, boxes) = (
      kept.map { indices[$0] }, kept.map { strokes[$0] }, kept.map { boxes[$0] }
    )
  }

  /// The box around a group, nil without strokes that are there.
  func box(of group: [Int]) -> BoundingBox? {
    let members = Set(group)
    return zip(indices, boxes).lazy.filter { members.contains($0.0) }.map(\.1)
      .reduce(nil) { $0?.union($1) ?? $1 }
  }

  /// The strokes of a group, and of those before its last one the others that its picture may show.
  ///
  /// - Parameters:
  ///   - group: Indices, ascending, at least one.
  ///   - frame: The middle of its picture.
  /// - Returns: Both in the order in which they came.
  func seen(_ group: [Int], in frame: BoundingBox) -> (own: [Stroke], others: [Stroke]) {
    var (own, others): ([Stroke], [Stroke]) = ([], [])
    var members = group[...]
    let sight = GroupPicture.sight * frame.longerSide
    let middle = (x: frame.x + frame.width / 2, y: frame.y + frame.height / 2)
    let half = frame.longerSide / 2 + sight
    for (place, index) in indices.enumerated() where index <= group[group.count - 1] {
      if index == members.first {
        own.append(strokes[place])
        members = members.dropFirst()
        continue
      }
      let box = boxes[place]
      if box.x <= middle.x + half, box.x + box.width >= middle.x - half,
        box.y <= middle.y + half, box.y + box.height >= middle.y - half
      {
        others.append(strokes[place])
      }
    }
    return thinned(own, others)
  }

  /// A picture of 32 pixels shows no more points than this; without a bound, who scribbles on one
  /// place would wait longer with every stroke.
  static let mostPoints = 4096

  /// Strokes with at most `mostPoints` together, but the ends of each: where there are more, those
  /// of many points lose some, evenly.
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
  /// The stroke through `count` of its points, its first and last among them, evenly chosen.
  fileprivate func thinned(to count: Int) -> Stroke {
    guard points.count > count else { return self }
    return Stroke((0..<count).map { points[$0 * (points.count - 1) / (count - 1)] })
  }
}
