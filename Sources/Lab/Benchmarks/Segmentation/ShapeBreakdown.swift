internal import Evaluation
internal import Ink
internal import Numbers
internal import Report
internal import Segmentation
internal import Text

/// The shapes of canvases by kinds, each right as a whole or not at all.
struct ShapeBreakdown: Encodable {
  /// The shapes of one kind.
  struct Row: Encodable {
    var kind: String
    var perfectShapes: Rate
    /// Of a label that was taught: also named rightly; of another one: refused.
    var endToEnd: Rate
    var plain: [String: Rate]
  }

  /// The 95 % intervals of the rates over all shapes, by the bootstrap over canvases, whose shapes
  /// depend on each other.
  struct Intervals: Encodable {
    var perfectShapes: ConfidenceInterval
    var endToEnd: ConfidenceInterval
  }

  /// The order in which the canvases were drawn.
  var order: String
  /// The mean over canvases of the share of shapes that are grouped perfectly, in which a canvas
  /// with few shapes counts as much as one with many: the all-or-nothing metric of Kütük and Sezgin
  /// (WACV 2025, arXiv:2410.00266).
  var perfectShapesMeanOverCanvases: Double
  /// Nil for a single canvas.
  var intervals95: Intervals?
  var byStrokes: [Row]
  var byPlace: [Row]
  var byLabel: [Row]

  /// The ranges of stroke counts that are reported separately.
  static let strokeCounts: [(kind: String, range: ClosedRange<Int>)] = [
    ("1 stroke", 1...1), ("2 to 3 strokes", 2...3), ("4 to 7 strokes", 4...7),
    ("8 to 15 strokes", 8...15), ("16 strokes or more", 16...Int.max),
  ]

  /// The shapes of `outcomes`; `known` are the labels that the recognizer was taught.
  init(
    _ order: String, _ outcomes: [SegmentationBenchmark.Outcome], known: Set<String>
  ) throws {
    self.order = order
    perfectShapesMeanOverCanvases =
      outcomes.reduce(0) { sum, outcome in
        sum + Double(outcome.isPerfect.count { $0 }) / Double(outcome.isPerfect.count)
      } / Double(outcomes.count)
    intervals95 =
      outcomes.count < 2
      ? nil
      : Intervals(
        perfectShapes: try Self.interval(outcomes.map(\.isPerfect)),
        endToEnd: try Self.interval(outcomes.map(\.isRight)))
    let places = outcomes.map { ShapePlace.places(on: $0.canvas) }
    /// The row of the shapes for which `isOne` holds, by canvas and shape; no row without any.
    func rows(_ kind: String, _ isOne: (Int, Int) -> Bool) throws -> [Row] {
      func values(_ all: (SegmentationBenchmark.Outcome) -> [Bool]) -> [Bool] {
        outcomes.enumerated().flatMap { canvas, outcome in
          all(outcome).enumerated().filter { isOne(canvas, $0.offset) }.map(\.element)
        }
      }
      let perfect = values(\.isPerfect)
      guard !perfect.isEmpty else { return [] }
      return [
        Row(
          kind: kind, perfectShapes: try Rate(perfect), endToEnd: try Rate(values(\.isRight)),
          plain: try Rate.byCue { cue in values { $0.plain[cue] ?? [] } })
      ]
    }
    byStrokes = try Self.strokeCounts.flatMap { kind, range in
      try rows(kind) { range.contains(outcomes[$0].canvas.shapes[$1].strokes.count) }
    }
    byPlace = try ShapePlace.allCases.flatMap { place in
      try rows(place.rawValue) { places[$0][$1] == place }
    }
    byLabel = try [("known label", true), ("unknown label", false)].flatMap { kind, isKnown in
      try rows(kind) { known.contains(outcomes[$0].canvas.shapes[$1].label) == isKnown }
    }
  }

  private static func interval(_ canvases: [[Bool]]) throws -> ConfidenceInterval {
    let counts = canvases.map { (right: $0.count { $0 }, of: $0.count) }
    var generator = SeededGenerator(seed: 1)
    return try .bootstrap(count: counts.count, using: &generator) { chosen in
      let sums = chosen.reduce((right: 0, of: 0)) {
        ($0.right + counts[$1].right, $0.of + counts[$1].of)
      }
      return Double(sums.right) / Double(sums.of)
    }
  }
}

extension ShapeBreakdown {
  /// A table for people.
  var lines: [String] {
    var table = TextTable([
      (order, .left), ("shapes", .right), ("grouped perfectly", .left),
      ("and named or refused rightly", .left), ("distance", .right),
    ])
    for row in byStrokes + byPlace + byLabel {
      table.add([
        row.kind, grouped(row.perfectShapes.of), row.perfectShapes.text, row.endToEnd.text,
        row.plain[PlainGrouping.Cue.distance.rawValue].map { percent($0.rate) } ?? "",
      ])
    }
    guard let intervals95 else { return table.lines }
    func range(_ interval: ConfidenceInterval) -> String {
      "\(percent(interval.lower)) to \(percent(interval.upper))"
    }
    return table.lines + [
      "all shapes, 95 % over canvases: grouped perfectly \(range(intervals95.perfectShapes)), and "
        + "named or refused rightly \(range(intervals95.endToEnd))",
      "mean over canvases: grouped perfectly \(percent(perfectShapesMeanOverCanvases))",
    ]
  }
}
