public import Ink
internal import Recognition
internal import Support

/// Groupings of consecutive strokes by place and time alone: what a segmenter is compared with.
///
/// Each stroke goes on with the shape of the stroke before it or begins a new one. Where the
/// score's border lies is chosen so that the most shapes of the canvases that it is fitted to come
/// out whole. These are flattered as published ones are: each decision is told the true strokes of
/// the shape so far. `shapes(of:)` groups canvases without truth.
public struct PlainGrouping: Sendable {
  /// What a decision looks at.
  public enum Cue: String, CaseIterable, Sendable {
    /// The pause before the stroke.
    case pause
    /// The distance from the stroke to the shape so far, in the canvas's units: all of its shapes
    /// are of one scale.
    case distance
    /// Both, by logistic regression.
    case logistic
  }

  /// What it looks at.
  public let cue: Cue
  /// The odds' logarithm is the first plus the others times pause and distance.
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
    // The likeliest answer for each stroke is not the one that keeps most shapes whole.
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

  /// How many shapes of a canvas come out whole and alone.
  ///
  /// - Returns: For each shape whether every stroke of it behind its first goes on with it, its
  ///   first and the one behind its last begin a new shape, and none of its strokes is late.
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

  /// One row a stroke behind the first.
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

  /// Pause and distance from the shape so far to the stroke behind it, as decisions look at them.
  private static func cues(_ shape: [StrokeSummary], _ summary: StrokeSummary) -> (
    pause: Float, distance: Float
  ) {
    let near = shape.map { $0.outline.distance(to: summary.outline) }.min() ?? 0
    let pause = summary.start.flatMap { start in shape.last?.end.map { start - $0 } } ?? 0
    return (Float(JoinFeatures.logarithm(ofPause: pause)), Float(log1p(near)))
  }

  /// The shapes of a canvas whose truth is not known: each decision is told the shape that the
  /// decisions before made.
  ///
  /// - Parameter strokes: In the order in which they were drawn.
  /// - Returns: Indices into `strokes`, shapes in the order of their beginnings; a stroke without
  ///   ink to place is in none.
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
