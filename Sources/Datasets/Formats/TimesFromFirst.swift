internal import Ink

extension Drawing {
  /// The drawing with times counted from its first point, as formats with other clocks need it.
  ///
  /// - Throws: `InkError.numberTooLarge` for a time that is then out of the range of files.
  func withTimesFromFirst() throws(InkError) -> Drawing {
    guard let start = strokes.first?.points.first?.t, start != 0 else { return self }
    var drawing = self
    for stroke in strokes.indices {
      for point in strokes[stroke].points.indices {
        guard let t = strokes[stroke].points[point].t else { continue }
        guard Point.readable.contains(t - start) else {
          throw .numberTooLarge(stroke: stroke, point: point, axis: .t)
        }
        drawing.strokes[stroke].points[point].t = t - start
      }
    }
    return drawing
  }
}
