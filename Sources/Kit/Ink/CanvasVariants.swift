extension LabeledCanvas {
  /// The canvas without times.
  public func withoutTimes() -> LabeledCanvas {
    changed { stroke, _ in
      for point in stroke.points.indices { stroke.points[point].t = nil }
    }
  }

  /// The canvas scaled by `factor`.
  ///
  /// - Parameter factor: Above 0, finite.
  /// - Returns: The canvas, its shapes in the same order.
  public func scaled(by factor: Double) -> LabeledCanvas {
    var copy = changed { stroke, _ in stroke = stroke.transformed(by: .scale(factor)) }
    if let canvas = drawing.canvas {
      copy.drawing.canvas = .init(width: canvas.width * factor, height: canvas.height * factor)
    }
    return copy
  }

  /// The canvas with each shape drawn at another tempo: a shape with a tempo of 2 takes twice as
  /// long, pauses between its strokes included. Pauses between shapes and strokes without times
  /// stay unchanged.
  ///
  /// - Parameter tempos: One per shape, above 0.
  /// - Returns: The canvas, its strokes in the same order.
  public func retimed(tempos: [Double]) -> LabeledCanvas {
    precondition(tempos.count == shapes.count, "a tempo for each shape")
    return retimed(tempo: { tempos[$0] }, pauseBetween: { $0 })
  }

  /// The canvas with other pauses between strokes of different shapes, as drawn by a hastier or
  /// slower person. Strokes without times stay unchanged.
  ///
  /// - Parameter pause: Returns the length of the next such pause, in milliseconds.
  /// - Returns: The canvas, its strokes in the same order.
  public func retimed(pauseBetweenShapes pause: () -> Double) -> LabeledCanvas {
    retimed(tempo: { _ in 1 }, pauseBetween: { _ in pause() })
  }

  private func retimed(
    tempo: (Int) -> Double, pauseBetween: (Double) -> Double
  ) -> LabeledCanvas {
    var clock: Double?
    var last: (owner: Int?, end: Double)?
    return changed { stroke, owner in
      guard let start = stroke.points.first?.t, let end = stroke.points.last?.t else { return }
      let tempo = owner.map(tempo) ?? 1
      let pause = last.map { last in
        let pause = start - last.end
        return last.owner == owner ? pause * tempo : pauseBetween(pause)
      }
      let begin = (clock ?? start) + (pause ?? 0)
      for point in stroke.points.indices {
        stroke.points[point].t = stroke.points[point].t.map { begin + ($0 - start) * tempo }
      }
      clock = stroke.points.last?.t
      last = (owner, end)
    }
  }

  /// The canvas with its strokes in another order; each keeps its times.
  ///
  /// - Parameter order: A permutation of the stroke indices: the old indices in their new order.
  /// - Returns: The canvas; its shapes have the new stroke indices.
  public func reordered(_ order: [Int]) -> LabeledCanvas {
    precondition(order.sorted() == Array(drawing.strokes.indices), "an order of the strokes")
    var places = order
    for (new, old) in order.enumerated() { places[old] = new }
    var copy = drawing
    copy.strokes = order.map { drawing.strokes[$0] }
    for shape in copy.shapes.indices {
      copy.shapes[shape].strokes = copy.shapes[shape].strokes.map { places[$0] }
    }
    return LabeledCanvas(
      copy, shapes: shapes.map { Self.Shape($0, strokes: $0.strokes.map { places[$0] }.sorted()) },
      owners: order.map { owners[$0] })
  }

  /// The canvas with `change` applied to each stroke and its shape's index. `change` must keep the
  /// number of points.
  private func changed(_ change: (inout Stroke, Int?) -> Void) -> LabeledCanvas {
    var copy = drawing
    for index in copy.strokes.indices { change(&copy.strokes[index], owners[index]) }
    let boxed = shapes.map { shape in
      Shape(
        shape, strokes: shape.strokes,
        box: BoundingBox(shape.strokes.lazy.flatMap { copy.strokes[$0].points }))
    }
    return LabeledCanvas(copy, shapes: boxed, owners: owners)
  }
}
