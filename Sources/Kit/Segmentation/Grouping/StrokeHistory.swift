internal import CLibrary
internal import Ink

/// The strokes of a canvas so far, with the statistics that a new one is compared with.
struct StrokeHistory: Sendable {
  /// A stroke is compared with this many before it.
  let reach: Int
  /// The number of strokes so far.
  private(set) var count = 0
  /// The last `reach` of them.
  private var summaries: [StrokeSummary] = []
  private var pauses = (sum: 0.0, count: 0, longest: -Double.infinity)
  private var sides = (sum: 0.0, count: 0)
  private var gaps = (sum: 0.0, count: 0)
  private var isolatedStrokes = (sum: 0.0, weight: 0.0)
  /// The number of strokes since one with an earlier time than the stroke before it; nil without
  /// such a stroke.
  private var sinceDisorder: Int?
  /// After this many strokes in order, times are trusted again.
  private static let orderly = 8
  /// A stroke this many typical sides away from all ink is isolated.
  private static let leastGap = 0.1
  /// The decay per stroke of the running share of isolated strokes.
  private static let memory = 1 - 1.0 / 24

  init(reach: Int) {
    self.reach = reach
  }

  /// Adds a stroke.
  ///
  /// - Returns: The context for grouping it.
  /// - Complexity: O(reach), independent of the number of strokes.
  mutating func add(_ summary: StrokeSummary) -> JoinFeatures.Context {
    let last = summaries.last
    let longestPause = pauses.count > 0 ? pauses.longest : nil
    let usualPause = pauses.count > 0 ? pauses.sum / Double(pauses.count) : nil
    if let end = summary.end, let start = last?.start, end < start {
      sinceDisorder = 0
    } else if let since = sinceDisorder {
      sinceDisorder = since + 1 < Self.orderly ? since + 1 : nil
    }
    var pause: Double?
    // Out of time order, the pauses between strokes are not real.
    if sinceDisorder == nil, let start = summary.start, let end = last?.end {
      pause = start - end
      let pause = JoinFeatures.logarithm(ofPause: start - end)
      pauses.sum += pause
      pauses.longest = max(pauses.longest, pause)
      pauses.count += 1
    }
    if summary.box.longerSide > 0 {
      sides.sum += log(summary.box.longerSide)
      sides.count += 1
    }
    let usualSide = sides.count > 0 ? exp(sides.sum / Double(sides.count)) : 1
    // Farther away, the exact distance does not matter.
    let far = 4 * max(usualSide, summary.box.longerSide)
    let distances = summaries.map { other in
      let gap = other.box.gap(to: summary.box)
      return gap < far
        ? JoinFeatures.Distance(from: summary, to: other) : JoinFeatures.Distance(gap)
    }
    let context = JoinFeatures.Context(
      summary: summary, index: count, pause: pause, usualPause: usualPause,
      longestPause: longestPause,
      usualSide: usualSide, penUp: last?.penUp,
      oldest: count - summaries.count,
      isolation: isolatedStrokes.sum / max(1, isolatedStrokes.weight),
      usualGap: gaps.count > 0 ? gaps.sum / Double(gaps.count) : 0, distances: distances)
    if let near = distances.lazy.map(\.least).min() {
      let isIsolated = near > Self.leastGap * usualSide
      isolatedStrokes.sum = isolatedStrokes.sum * Self.memory + (isIsolated ? 1 : 0)
      isolatedStrokes.weight = isolatedStrokes.weight * Self.memory + 1
      if isIsolated {
        gaps.sum += log(near / usualSide)
        gaps.count += 1
      }
    }
    if summaries.count == reach { summaries.removeFirst() }
    summaries.append(summary)
    count += 1
    return context
  }
}
