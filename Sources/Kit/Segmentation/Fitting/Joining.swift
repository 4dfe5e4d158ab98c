internal import Ink

/// A true decision for a stroke of a labeled canvas: which of the open groups it joins, if any.
struct Joining: Sendable {
  /// The features of joining each open group, row-major, shape [groups, JoinFeatures.count].
  var features: [Float]
  /// The index of the group that is joined; nil for a new one.
  var choice: Int?

  /// The decisions on a canvas; strokes that belong to no shape are skipped.
  ///
  /// `mistake` may put a shape's first stroke into one of the open groups. A search encounters such
  /// mixed groups and must learn not to extend them; strokes that belong to one have no correct
  /// decision and are left out.
  static func all(
    on canvas: LabeledCanvas, reach: Int, mistake: ([Int]) -> Int? = { _ in nil }
  ) -> [Joining] {
    var history = StrokeHistory(reach: reach)
    var groups: [(shapes: Set<Int>, group: Group)] = []
    var decisions: [Joining] = []
    for (stroke, owner) in zip(canvas.drawing.strokes, canvas.owners) {
      guard let owner, let summary = StrokeSummary(stroke) else { continue }
      let context = history.add(summary)
      let open = groups.indices.filter { (groups[$0].group.strokes.last ?? 0) >= context.oldest }
      let place = groups.firstIndex { $0.shapes.contains(owner) }
      if place.map({ groups[$0].shapes.count == 1 }) ?? true {
        decisions.append(
          Joining(
            features: open.flatMap { JoinFeatures.features(context, groups[$0].group) },
            choice: place.flatMap { open.firstIndex(of: $0) }))
      }
      if let place = place ?? mistake(open) {
        groups[place].group = groups[place].group.adding(context)
        groups[place].shapes.insert(owner)
      } else {
        groups.append(([owner], Group(context.index, summary)))
      }
    }
    return decisions
  }
}
