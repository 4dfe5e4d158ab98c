internal import Ink
internal import Support

/// The decisions that the truth of a canvas makes, stroke by stroke: which of the earlier groups, or none, it joins.
struct Decision: Sendable {
  /// The features of joining each group that is open, row-major, shape [groups, JoinFeatures.count].
  var features: [Float]
  /// The group that is joined, nil for a new one.
  var choice: Int?

  /// The decisions on a canvas; strokes that belong to no shape are passed over.
  static func all(on canvas: LabelledCanvas, reach: Int) -> [Decision] {
    var history = StrokeHistory(reach: reach)
    var groups: [(shape: Int, group: Group)] = []
    var decisions: [Decision] = []
    for (stroke, owner) in zip(canvas.drawing.strokes, canvas.owners) {
      guard let owner, let trace = Trace(stroke) else { continue }
      let context = history.add(trace)
      let open = groups.indices.filter { (groups[$0].group.strokes.last ?? 0) >= context.oldest }
      let place = groups.firstIndex { $0.shape == owner }
      decisions.append(
        Decision(
          features: open.flatMap { JoinFeatures.features(context, groups[$0].group) },
          choice: place.flatMap { open.firstIndex(of: $0) }))
      if let place {
        groups[place].group = groups[place].group.adding(context.index, trace)
      } else {
        groups.append((owner, Group(context.index, trace)))
      }
    }
    return decisions
  }
}

extension LabelledCanvas {
  /// The canvas without times.
  func withoutTimes() -> LabelledCanvas? {
    var copy = drawing
    for stroke in copy.strokes.indices {
      for point in copy.strokes[stroke].points.indices {
        copy.strokes[stroke].points[point].t = nil
      }
    }
    return try? LabelledCanvas(copy)
  }

  /// The canvas with its strokes in another order, each with the times that it had.
  func shuffled(using generator: inout SeededGenerator) -> LabelledCanvas? {
    var copy = drawing
    let order = generator.permutation(drawing.strokes.count)
    var places = [Int](repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { places[old] = new }
    copy.strokes = order.map { drawing.strokes[$0] }
    for shape in copy.shapes.indices {
      copy.shapes[shape].strokes = copy.shapes[shape].strokes.map { places[$0] }
    }
    return try? LabelledCanvas(copy)
  }
}
