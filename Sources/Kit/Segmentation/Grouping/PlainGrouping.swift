internal import CLibrary
public import Ink
internal import Recognition

/// A baseline for segmenters that groups consecutive strokes by position and timing alone.
///
/// Each stroke continues the shape of the stroke before it or starts a new one. The decision
/// threshold maximizes the number of perfectly grouped shapes on the canvases it is fitted to.
/// `perfectShapes(on:)` is optimistic, as published baselines are: each decision gets the true
/// strokes of the shape so far. `shapes(of:)` groups canvases without truth.
public struct PlainGrouping: Sendable {
  /// The input of a decision.
  public enum Cue: String, CaseIterable, Sendable {
    /// The pause before the stroke.
    case pause
    /// The distance from the stroke to the shape so far, in the canvas's units, because all of its
    /// shapes have one scale.
    case distance
    /// Both, by logistic regression.
    case logistic
  }

  /// The input of the decisions.
  public let cue: Cue
  /// The log-odds of continuing are the first plus the others times pause and distance.
  private let weights: [Float]

  private struct Row {
    var pause: Float
    var distance: Float
    var continues: Bool
  }

  /// Fits the decision to canvases.
  public init(_ cue: Cue, fittedTo canvases: [LabeledCanvas]) {
    self.cue = cue
    let sheets = canvases.map { ($0, Self.rows($0)) }
    let rows = sheets.flatMap(\.1)
    let found = LBFGS(iterations: 200).minimum(from: [0, 0, 0]) { point in
      var (value, gradient) = (0.0, [Float](repeating: 0, count: 3))
      for row in rows {
        let x = [
          1, cue == .distance ? 0 : row.pause, cue == .pause ? 0 : row.distance,
        ]
        let score = zip(point, x).reduce(Float(0)) { $0 + $1.0 * $1.1 }
        let signed = row.continues ? score : -score
        value += Double(signed > 0 ? log1pf(expf(-signed)) : log1pf(expf(signed)) - signed)
        let slope = 1 / (1 + expf(-score)) - (row.continues ? 1 : 0)
        for k in 0..<3 { gradient[k] += slope * x[k] / Float(max(1, rows.count)) }
      }
      return (value / Double(max(1, rows.count)), gradient)
    }
    // The threshold with the most correct decisions is not the one with the most perfect shapes.
    let scores = rows.map { Self.score($0, found, cue) }.sorted()
    let count = max(1, min(200, scores.count))
    let borders =
      [0] + (0..<count).filter { $0 < scores.count }.map { scores[$0 * scores.count / count] }
    var best = (border: Float(0), perfect: -1)
    for border in borders {
      var shifted = found
      shifted[0] -= border
      let perfect = sheets.reduce(0) { sum, sheet in
        sum + Self.perfectShapes(sheet.0, sheet.1, shifted, cue).count { $0 }
      }
      if perfect > best.perfect { best = (border, perfect) }
    }
    weights = [found[0] - best.border] + found.dropFirst()
  }

  private static func score(_ row: Row, _ weights: [Float], _ cue: Cue) -> Float {
    weights[0] + weights[1] * row.pause * (cue == .distance ? 0 : 1)
      + weights[2] * row.distance * (cue == .pause ? 0 : 1)
  }

  /// Which shapes of a canvas are grouped perfectly.
  ///
  /// - Returns: For each shape, whether every stroke after its first continues it, its first and
  ///   the one after its last start a new shape, and none of its strokes is late.
  public func perfectShapes(on canvas: LabeledCanvas) -> [Bool] {
    Self.perfectShapes(canvas, Self.rows(canvas), weights, cue)
  }

  private static func perfectShapes(
    _ canvas: LabeledCanvas, _ rows: [Row], _ weights: [Float], _ cue: Cue
  ) -> [Bool] {
    var isPerfect = canvas.shapes.indices.map { !canvas.isLate($0) }
    let known = canvas.owners.indices.filter { canvas.owners[$0] != nil }
    for (place, row) in rows.enumerated() {
      guard (score(row, weights, cue) > 0) != row.continues else { continue }
      for index in [known[place], known[place + 1]] {
        if let owner = canvas.owners[index] { isPerfect[owner] = false }
      }
    }
    return isPerfect
  }

  /// One row per stroke after the first.
  private static func rows(_ canvas: LabeledCanvas) -> [Row] {
    var current: (shape: Int, summaries: [StrokeSummary])?
    var rows: [Row] = []
    for (stroke, owner) in zip(canvas.drawing.strokes, canvas.owners) {
      guard let owner, let summary = StrokeSummary(stroke) else { continue }
      if let (shape, summaries) = current {
        let (pause, distance) = Self.cues(summaries, summary)
        rows.append(Row(pause: pause, distance: distance, continues: shape == owner))
      }
      if current?.shape == owner {
        current?.summaries.append(summary)
      } else {
        current = (owner, [summary])
      }
    }
    return rows
  }

  /// The pause and the distance from the shape so far to the next stroke, as inputs of a decision.
  private static func cues(_ shape: [StrokeSummary], _ summary: StrokeSummary) -> (
    pause: Float, distance: Float
  ) {
    let near = shape.map { $0.outline.distance(to: summary.outline) }.min() ?? 0
    let pause = summary.start.flatMap { start in shape.last?.end.map { start - $0 } } ?? 0
    return (Float(JoinFeatures.logarithm(ofPause: pause)), Float(log1p(near)))
  }

  /// The shapes of a canvas without truth: each decision gets the shape from the earlier decisions.
  ///
  /// - Parameter strokes: In the order in which they were drawn.
  /// - Returns: Indices into `strokes`, shapes in the order of their first strokes; a stroke
  ///   without finite points is in no shape.
  public func shapes(of strokes: [Stroke]) -> [[Int]] {
    var shapes: [[Int]] = []
    var current: [StrokeSummary] = []
    for (index, stroke) in strokes.enumerated() {
      guard let summary = StrokeSummary(stroke) else { continue }
      if let last = shapes.indices.last {
        let (pause, distance) = Self.cues(current, summary)
        let row = Row(pause: pause, distance: distance, continues: false)
        if Self.score(row, weights, cue) > 0 {
          shapes[last].append(index)
          current.append(summary)
          continue
        }
      }
      shapes.append([index])
      current = [summary]
    }
    return shapes
  }
}
