public import Ink
internal import NeuralNetwork
internal import Numbers
public import Recognition

/// Fits a `SegmenterModel` to labeled canvases.
public struct SegmenterFit: Sendable {
  /// Canvases with a recognizer that was taught some of their labels, by other drawings.
  public struct World: Sendable {
    /// Classifies the groups.
    public var recognizer: Recognizer
    /// Canvases of drawings that the recognizer was not taught.
    public var canvases: [LabeledCanvas]

    /// A world.
    public init(recognizer: Recognizer, canvases: [LabeledCanvas]) {
      (self.recognizer, self.canvases) = (recognizer, canvases)
    }
  }

  /// What happens in a fit.
  public enum Event: Sendable {
    /// Some of the canvases of a step were searched for groupings.
    case searched(Int, of: Int)
    /// What a step has found.
    case note(String)
  }

  /// The fit of the position and timing network.
  private let joinFit: JoinFit
  /// The share of the `places` canvases that train the wholeness network; the others fit its weight
  /// relative to position and timing. With `wholenessSource`, the first only show position and
  /// timing.
  public var wholenessShare = 0.8
  /// The maximum number of groups of each canvas that train the wholeness network.
  public var groupsPerCanvas = 60
  /// The share of canvases that are also used without times.
  public var untimedShare = 0.2
  /// The share of canvases that are also used with shuffled strokes.
  public var shuffledShare = 0.15
  /// The share of canvases whose decisions follow simulated mistakes.
  public var simulatedMistakeShare = 0.3
  /// The number of random pairs of shapes of each canvas that train the wholeness network as not
  /// whole.
  public var randomPairsPerCanvas = 4
  /// The number of rounds of searching groupings and refitting the weights.
  public var rounds = 3
  /// How many canvases are searched at the same time; the result does not depend on it.
  public var threads: Int
  /// A fitted model whose wholeness network is kept; nil to train one.
  public var wholenessSource: SegmenterModel?
  /// The seed of all randomness.
  public let seed: UInt64

  /// A fit.
  public init(seed: UInt64, threads: Int = 1) {
    (self.seed, self.threads) = (seed, threads)
    joinFit = JoinFit(seed: seed)
  }

  /// The fitted model.
  ///
  /// - Parameters:
  ///   - places: Canvases to learn position and timing from; their labels are ignored.
  ///   - worlds: Canvases with taught recognizers of one embedding.
  ///   - progress: Called with what happens.
  /// - Returns: The model.
  /// - Throws: `CancellationError`.
  public func callAsFunction(
    places: [LabeledCanvas], worlds: [World], progress: @Sendable (Event) -> Void = { _ in }
  ) async throws -> SegmenterModel {
    let limits = Segmenter.Limits()
    @Sendable func note(_ text: String) { progress(.note(text)) }
    var generator = SeededGenerator(seed: seed)
    // Position and timing are learned from the worlds' canvases as well. The wholeness network is
    // trained on the places alone: if it overfitted the worlds' drawings, its weight would become
    // too large.
    let placed = places + worlds.flatMap(\.canvases)
    var shown = placed
    for canvas in placed {
      if generator.chance(untimedShare) { shown.append(canvas.withoutTimes()) }
      if generator.chance(shuffledShare) {
        let order = generator.permutation(canvas.drawing.strokes.count)
        shown.append(canvas.reordered(order).withoutTimes())
      }
    }
    var joinings: [Joining] = []
    for canvas in shown {
      let hasMistakes = generator.chance(simulatedMistakeShare)
      joinings += Joining.all(on: canvas, reach: limits.reach) { open in
        hasMistakes && !open.isEmpty && generator.chance(0.3) ? generator.pick(open) : nil
      }
    }
    note("place and time: \(joinings.count) strokes")
    let join = joinFit(joinings)
    let start = [Float(1)] + [Float](repeating: 0, count: GroupFeatures.count)
    var model = SegmenterModel(join: join, weights: start, wholeness: nil)

    let watchedCount = Int(Double(places.count) * wholenessShare)
    if let wholenessSource {
      model.wholeness = wholenessSource.wholeness
    } else {
      // Before wholeness is fitted, groupings are scored by position and timing.
      let watching = Segmenter(recognizer: nil, model: model, limits: limits)
      let watched = try await search(
        places.prefix(watchedCount).map { ($0, watching) }, progress: progress)
      var wholenessFit = WholenessFit(seed: seed)
      wholenessFit.threads = threads
      let groups = examples(watched, using: &generator)
      note("wholeness: \(groups.count) groups, \(groups.examples.count { $0.isWhole }) whole")
      model.wholeness = try await wholenessFit(groups, note: note)
    }

    let blind = Segmenter(recognizer: nil, model: model, limits: limits)
    let unread = try await search(
      places.suffix(places.count - watchedCount).map { ($0, blind) }, progress: progress)
    model.blindWeights = Ranking.weights(
      unread.map(\.ranking), from: start, fitted: start.indices.map { $0 < 6 }, penalty: 0.01)
    note("without answers: \(Find.summary(unread)), weights \(model.blindWeights.prefix(6))")

    guard !worlds.isEmpty else { return try model.rounded() }
    // Keep the groupings found with all earlier weights: with new weights the search takes other
    // paths.
    var rankings: [Ranking] = []
    model.weights[4] = 1
    for round in 0..<rounds {
      let found = try await search(
        worlds.flatMap { world in
          let segmenter = Segmenter(recognizer: world.recognizer, model: model, limits: limits)
          return world.canvases.map { ($0, segmenter) }
        }, progress: progress)
      for (index, find) in found.enumerated() {
        if rankings.indices.contains(index) {
          rankings[index].add(find.ranking)
        } else {
          rankings.append(find.ranking)
        }
      }
      model.weights = Ranking.weights(
        rankings, from: start, fitted: start.map { _ in true }, penalty: 0.003)
      note("round \(round + 1): \(Find.summary(found)), weights \(model.weights)")
    }
    return try model.rounded()
  }

  /// Training examples from the groups that were evaluated, at most `groupsPerCanvas` per canvas,
  /// and from random pairs of shapes.
  private func examples(
    _ finds: [Find], using generator: inout SeededGenerator
  ) -> GroupExamples {
    var examples: [GroupExamples.Example] = []
    for (canvas, find) in finds.enumerated() {
      var indices = Array(find.evaluatedGroups.indices)
      generator.shuffle(&indices)
      for index in indices.prefix(groupsPerCanvas).sorted() {
        examples.append(
          GroupExamples.Example(
            canvas: canvas, group: find.evaluatedGroups[index].strokes,
            frame: find.evaluatedGroups[index].frame,
            isWhole: find.isWhole[index]))
      }
      for _ in 0..<randomPairsPerCanvas where find.truth.count > 1 {
        var shapes = find.truth
        generator.shuffle(&shapes)
        let group = (shapes[0] + shapes[1]).sorted()
        guard let box = find.ink.box(of: group) else { continue }
        examples.append(.init(canvas: canvas, group: group, frame: box, isWhole: false))
      }
    }
    return GroupExamples(canvases: finds.map(\.ink), examples: examples)
  }

  /// The result of a search on one canvas.
  private struct Find: Sendable {
    var ranking: Ranking
    /// Whether the true grouping is among those found, and whether it is the best of them.
    var isFound = false
    var isBest = false
    var ink = VisibleInk()
    var evaluatedGroups: [Segmenter.EvaluatedGroup] = []
    var isWhole: [Bool] = []
    var truth: [[Int]] = []

    static func summary(_ finds: [Find]) -> String {
      "the true grouping was found on \(finds.count { $0.isFound }) and best on "
        + "\(finds.count { $0.isBest }) of \(finds.count) canvases"
    }
  }

  private func search(
    _ canvases: [(LabeledCanvas, Segmenter)], progress: @Sendable (Event) -> Void
  ) async throws -> [Find] {
    var finds = [Find?](repeating: nil, count: canvases.count)
    var done = 0
    try await concurrently(canvases.count, threads: threads) { index in
      try Self.search(canvases[index].0, canvases[index].1)
    } then: { index, find in
      finds[index] = find
      done += 1
      progress(.searched(done, of: canvases.count))
    }
    return finds.compactMap { $0 }
  }

  private static func search(
    _ canvas: LabeledCanvas, _ blank: Segmenter
  ) throws -> Find {
    var segmenter = blank
    segmenter.recordsGroups = true
    let known = zip(canvas.drawing.strokes, canvas.owners).filter { $0.1 != nil }
    for (stroke, _) in known { try segmenter.add(stroke) }
    // Indices among the strokes that belong to shapes.
    var (truth, count) = ([[Int]](repeating: [], count: canvas.shapes.count), 0)
    for owner in canvas.owners {
      guard let owner else { continue }
      truth[owner].append(count)
      count += 1
    }
    var find = Find(ranking: Ranking(terms: try blank.terms(of: truth, on: known.map(\.0))))
    let whole = Set(truth)
    for (place, hypothesis) in segmenter.hypotheses.enumerated() {
      let groups = hypothesis.groups.compactMap { segmenter.groups[$0]?.group.strokes }
      if Set(groups) == whole {
        find.isFound = true
        find.isBest = place == 0
      } else {
        find.ranking.add(grouping: segmenter.terms(of: hypothesis))
      }
    }
    find.evaluatedGroups = segmenter.evaluatedGroups
    find.isWhole = find.evaluatedGroups.map { whole.contains($0.strokes) }
    (find.ink, find.truth) = (segmenter.strokes, truth.filter { !$0.isEmpty })
    return find
  }
}
