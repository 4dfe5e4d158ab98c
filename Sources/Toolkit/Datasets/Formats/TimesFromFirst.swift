internal import Ink

extension Drawing {
  /// The drawing with times counted from its first point, as formats with other clocks need it;
  /// from the first known time if that point has none and the time is a clock's, over a year.
  ///
  /// - Throws: `InkError.numberTooLarge` for a time that is then out of the range of files.
  func withTimesFromFirst() throws(InkError) -> Drawing {
    let known = strokes.lazy.flatMap(\.points).compactMap(\.t).first
    let clock = known.flatMap { abs($0) > Self.year ? $0 : nil }
    guard let start = strokes.first?.points.first?.t ?? clock, start != 0 else { return self }
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

  private static let year = 365 * 86_400_000.0
}
