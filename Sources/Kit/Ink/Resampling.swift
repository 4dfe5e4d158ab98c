extension Stroke {
  /// The stroke as `count` equidistant points along its line; the first and last points stay.
  ///
  /// Times are interpolated between points that have one. A stroke of length 0 becomes `count`
  /// copies of its first point; a stroke without points stays empty.
  ///
  /// - Parameter count: The number of points: 2 or more, or 1 for only the first.
  /// - Returns: The stroke through the new points.
  /// - Complexity: O(*n* + `count`).
  public func resampled(count: Int) -> Stroke {
    precondition(count >= 1, "a stroke is resampled to one point or more, got \(count)")
    guard let first = points.first, let last = points.last else { return self }
    guard count > 1 else { return Stroke([first]) }
    var ends: [Double] = [0]
    ends.reserveCapacity(points.count)
    for (a, b) in zip(points, points.dropFirst()) {
      ends.append(ends[ends.count - 1] + a.distance(to: b))
    }
    let total = ends[ends.count - 1]
    guard total > 0, total.isFinite else {
      return Stroke([Point](repeating: first, count: count))
    }
    var result: [Point] = []
    result.reserveCapacity(count)
    result.append(first)
    var index = 0
    for step in 1..<(count - 1) {
      let target = total * (Double(step) / Double(count - 1))
      while index + 2 < points.count, ends[index + 1] < target { index += 1 }
      let length = ends[index + 1] - ends[index]
      let fraction = length > 0 ? max(0, min(1, (target - ends[index]) / length)) : 0
      result.append(points[index].interpolated(to: points[index + 1], fraction))
    }
    result.append(last)
    return Stroke(result)
  }

  /// The stroke as equidistant points along its line, with the distance nearest to `spacing` for
  /// which the last point stays.
  ///
  /// - Parameters:
  ///   - spacing: The distance from point to point, in the drawing's units, positive.
  ///   - limit: The maximum number of points, however small `spacing` is.
  /// - Returns: The stroke through the new points.
  public func resampled(spacing: Double, limit: Int = 1 << 20) -> Stroke {
    precondition(spacing > 0, "the spacing must be positive, got \(spacing)")
    precondition(limit >= 2, "the limit must be 2 or more, got \(limit)")
    guard points.count > 1 else { return self }
    let steps = (length / spacing).rounded()
    guard steps.isFinite else { return resampled(count: limit) }
    return resampled(count: Int(max(1, min(Double(limit - 1), steps))) + 1)
  }
}
