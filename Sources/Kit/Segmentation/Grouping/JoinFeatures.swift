internal import CLibrary
internal import Ink

/// The position and timing features for whether a new stroke belongs to a group of earlier ones.
///
/// Lengths are relative to each other, not to the canvas, so the features are scale-invariant.
/// Without times, features that depend on them are 0.
enum JoinFeatures {
  /// The number of features.
  static let count = 39

  /// The data that all groups that a stroke may join have in common.
  struct Context {
    /// The stroke.
    var summary: StrokeSummary
    /// Its index.
    var index: Int
    /// Milliseconds since the end of the stroke before; nil without times and for the first stroke.
    var pause: Double?
    /// The mean logarithm of the earlier pauses; nil without any.
    var usualPause: Double?
    /// The logarithm of the longest earlier pause; nil without any. Without long pauses, a pause
    /// does not separate shapes.
    var longestPause: Double?
    /// The geometric mean of the sides of all strokes so far.
    var usualSide: Double
    /// The end of the stroke before.
    var penUp: Point?
    /// The index of the first stroke that it is compared with.
    var oldest: Int
    /// The share of recent strokes away from all earlier ink, as the first strokes of shapes are on
    /// a canvas with space.
    var isolation: Double
    /// The mean logarithm of the distance of those strokes relative to the usual side; 0 without
    /// any.
    var usualGap: Double
    /// The distances to the strokes from `oldest` on.
    var distances: [Distance]
  }

  /// The distances of a stroke from an earlier one; far away, that of their boxes.
  struct Distance {
    /// Between the two outlines.
    var least: Double
    /// From the stroke's start and from its end to the earlier stroke's outline.
    var start: Double
    var end: Double
    /// From the stroke's outline to the nearer end of the earlier stroke.
    var ends: Double

    /// The same distance for all four.
    init(_ distance: Double) {
      (least, start, end, ends) = (distance, distance, distance, distance)
    }

    init(from summary: StrokeSummary, to other: StrokeSummary) {
      least = summary.outline.distance(to: other.outline)
      start = other.outline.distance(to: summary.penDown)
      end = other.outline.distance(to: summary.penUp)
      ends = min(
        summary.outline.distance(to: other.penDown), summary.outline.distance(to: other.penUp))
    }

    func nearer(_ other: Distance) -> Distance {
      var result = self
      result.least = min(least, other.least)
      result.start = min(start, other.start)
      result.end = min(end, other.end)
      result.ends = min(ends, other.ends)
      return result
    }
  }

  /// The distances to the nearest of a group's strokes, and to the nearest other stroke.
  static func distances(_ context: Context, _ group: Group) -> (near: Distance, away: Double) {
    var first = group.strokes.count
    while first > 0, group.strokes[first - 1] >= context.oldest { first -= 1 }
    var (near, away, others) = (Distance(.infinity), Double.infinity, group.strokes[first...])
    for (place, distance) in context.distances.enumerated() {
      if others.first == context.oldest + place {
        near = near.nearer(distance)
        others = others.dropFirst()
      } else {
        away = min(away, distance.least)
      }
    }
    return (near, away)
  }

  /// The features of joining `group`, shape [count].
  static func features(_ context: Context, _ group: Group) -> [Float] {
    let (stroke, box) = (context.summary.box, group.box)
    let union = stroke.union(box)
    let side = max(union.longerSide, 1e-9)
    let usual = max(context.usualSide, 1e-9)
    let (nearest, away) = distances(context, group)
    let near = nearest.least
    let last = group.strokes[group.strokes.count - 1]
    let isLast = last == context.index - 1
    let slack = 0.02 * side
    let overlap = stroke.grown(slack).overlap(with: box.grown(slack))
    let (small, large) = (
      max(stroke.grown(slack).area, 1e-18), max(box.grown(slack).area, 1e-18)
    )
    let inside = share(of: context.summary.outline.points, in: box)
    var values: [Double] = [
      log(near / side + 0.01),
      log(near / usual + 0.01),
      near <= 0.01 * side ? 1 : 0,
      isLast ? 1 : 0,
      log1p(Double(min(16, context.index - 1 - last))),
      overlap / min(small, large),
      overlap / small,
      overlap / large,
      inside,
      log(side / max(box.longerSide, 0.02 * side)),
      log(max(stroke.longerSide, 0.02 * side) / max(box.longerSide, 0.02 * side)),
      log1p(Double(group.strokes.count)),
      away.isFinite ? max(-4, min(4, log((near + slack) / (away + slack)))) : -4,
      context.penUp.map { log($0.distance(to: context.summary.penDown) / side + 0.01) }
        ?? 0,
      log(max(box.longerSide, 0.02 * usual) / usual),
      log(max(stroke.longerSide, 0.02 * usual) / usual),
      stroke.gap(to: box) / side,
      group.strokes.count == 1 ? 1 : 0,
      log(nearest.start / side + 0.01),
      log(nearest.end / side + 0.01),
      log(nearest.ends / side + 0.01),
      log((context.summary.length + slack) / (group.length + slack)),
      context.summary.penDown.distance(to: context.summary.penUp)
        / max(context.summary.length, 1e-9),
      log((stroke.longerSide + slack) / (group.lastSide + slack)),
      group.widest.map { log((near + slack) / ($0 + slack)) } ?? 0,
      context.summary.share(of: group.longest), group.longest.share(of: context.summary),
      context.isolation, context.usualGap,
      log1p(Double(min(16, context.index - group.strokes[0] - group.strokes.count))),
    ]
    if let pause = context.pause {
      let seconds = logarithm(ofPause: pause)
      values += [
        1, isLast ? seconds : 0, isLast ? 0 : seconds,
        isLast ? context.usualPause.map { seconds - $0 } ?? 0 : 0,
        context.usualPause ?? 0,
        context.longestPause ?? 0,
        isLast ? context.longestPause.map { seconds - $0 } ?? 0 : 0,
        isLast ? group.usualPause.map { seconds - $0 } ?? 0 : 0,
        group.end.flatMap { end in
          context.summary.start.map { logarithm(ofPause: $0 - end) }
        } ?? 0,
      ]
    } else {
      values += [0, 0, 0, 0, 0, 0, 0, 0, 0]
    }
    return values.map { Float($0.isFinite ? max(-50, min(50, $0)) : 0) }
  }

  /// The logarithm of a pause in seconds plus 0.05, so pauses far below 50 ms are about equal.
  static func logarithm(ofPause milliseconds: Double) -> Double {
    log(max(0, milliseconds) / 1000 + 0.05)
  }

  private static func share(of points: [Point], in box: BoundingBox) -> Double {
    let inside = points.count {
      $0.x >= box.x && $0.x <= box.x + box.width && $0.y >= box.y && $0.y <= box.y + box.height
    }
    return Double(inside) / Double(points.count)
  }
}
