internal import Glibc
internal import Ink

/// The strokes of a canvas so far, and what a new one is compared with.
struct StrokeHistory: Sendable {
  private(set) var traces: [Trace] = []
  private var pauses = (sum: 0.0, count: 0)
  private var sides = (sum: 0.0, count: 0)
  /// Strokes before this one are no longer compared with.
  var oldest = 0

  /// Adds a stroke.
  ///
  /// - Returns: What its grouping depends on.
  mutating func add(_ trace: Trace) -> JoinFeatures.Context {
    let last = traces.last
    let usualPause = pauses.count > 0 ? pauses.sum / Double(pauses.count) : nil
    var pause: Double?
    if let start = trace.start, let end = last?.end {
      pause = start - end
      pauses.sum += log(max(0, start - end) / 1000 + 0.05)
      pauses.count += 1
    }
    if trace.box.longerSide > 0 {
      sides.sum += log(trace.box.longerSide)
      sides.count += 1
    }
    let usualSide = sides.count > 0 ? exp(sides.sum / Double(sides.count)) : 1
    // Further away, the exact distance says no more.
    let far = 4 * max(usualSide, trace.box.longerSide)
    var distances = [Double](repeating: .infinity, count: traces.count)
    for index in min(oldest, traces.count)..<traces.count {
      let gap = traces[index].box.gap(to: trace.box)
      distances[index] = gap < far ? trace.outline.distance(to: traces[index].outline) : gap
    }
    let context = JoinFeatures.Context(
      trace: trace, index: traces.count, pause: pause, usualPause: usualPause,
      usualSide: usualSide, penUp: last?.outline.points.last, distances: distances)
    traces.append(trace)
    return context
  }
}
