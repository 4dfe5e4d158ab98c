internal import Ink

/// The decisions that the truth of a canvas makes, stroke by stroke: which of the earlier groups, or none, it joins.
struct Joining: Sendable {
  /// The features of joining each group that is open, row-major, shape [groups, JoinFeatures.count].
  var features: [Float]
  /// The group that is joined, nil for a new one.
  var choice: Int?

  /// The decisions on a canvas; strokes that belong to no shape are passed over.
  static func all(on canvas: LabelledCanvas, reach: Int) -> [Joining] {
    var history = StrokeHistory(reach: reach)
    var groups: [(shape: Int, group: Group)] = []
    var decisions: [Joining] = []
    for (stroke, owner) in zip(canvas.drawing.strokes, canvas.owners) {
      guard let owner, let trace = Trace(stroke) else { continue }
      let context = history.add(trace)
      let open = groups.indices.filter { (groups[$0].group.strokes.last ?? 0) >= context.oldest }
      let place = groups.firstIndex { $0.shape == owner }
      decisions.append(
        Joining(
          features: open.flatMap { JoinFeatures.features(context, groups[$0].group) },
          choice: place.flatMap { open.firstIndex(of: $0) }))
      if let place {
        groups[place].group = groups[place].group.adding(context)
      } else {
        groups.append((owner, Group(context.index, trace)))
      }
    }
    return decisions
  }
}
