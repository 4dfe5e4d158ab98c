package import Datasets
package import Ink
internal import Numbers
package import Recognition
package import Segmentation
internal import Synthesis
package import Training

/// Fits what groups the strokes of a canvas into shapes, as `drawml train-segmenter` does.
package struct SegmenterTrainingJob: Sendable {
  /// The number of canvases of `Drawings.places`.
  var placesCount: Int
  /// The number of worlds: in each, other labels are taught.
  var worlds: Int
  /// The number of canvases in each world.
  var canvases: Int
  /// The number of taught labels in each world.
  var taught: Int
  var seed: UInt64
  var threads: Int

  package init(
    placesCount: Int, worlds: Int, canvases: Int, taught: Int, seed: UInt64, threads: Int
  ) {
    (self.placesCount, self.worlds, self.canvases) = (placesCount, worlds, canvases)
    (self.taught, self.seed, self.threads) = (taught, seed, threads)
  }

  /// What it learns from.
  package struct Drawings: Sendable {
    /// Timed drawings of labels that the embedding may know: where and when people draw.
    var places: [Drawing]
    /// Timed drawings of labels that it does not know: how far its answers can be trusted.
    var answers: SampleSet
    /// Further drawings of those labels, which are on no canvas, by label.
    var lessons: [String: [Drawing]]

    package init(places: [Drawing], answers: SampleSet, lessons: [String: [Drawing]]) {
      (self.places, self.answers, self.lessons) = (places, answers, lessons)
    }
  }

  /// The shares of unknowns of the worlds: some users draw only taught labels, others anything. A
  /// grouping must not merge shapes because none of them is known.
  private static let unknowns = [0.1, 0.5]
  /// The maximum numbers of taught drawings per label of the worlds: answers from one example
  /// deserve other weights than answers from fifty.
  private static let lessonCounts = [5, 1, 15, 3, 50]

  /// Fits a segmenter.
  ///
  /// - Parameters:
  ///   - drawings: What it learns from.
  ///   - base: The recognizer whose answers it will use, without labels.
  ///   - kept: A segmenter whose wholeness network is kept; nil to train one.
  ///   - progress: Called with worlds made, canvases searched and notes.
  /// - Returns: The segmenter.
  /// - Throws: `CanvasSynthesisError`, `CancellationError`, and the errors of teaching.
  package func run(
    on drawings: Drawings, base: Recognizer, keepingWholenessOf kept: SegmenterModel?,
    progress: @escaping JobProgress
  ) async throws -> SegmenterModel {
    var made: [SegmenterFit.World] = []
    for number in 0..<worlds {
      progress(.progress("Worlds", done: number, of: worlds))
      made.append(try await world(number, drawings, base))
    }
    progress(.progress("Worlds", done: worlds, of: worlds))
    let places = try FitCanvases(drawings: drawings.places)
    var fit = SegmenterFit(seed: seed, threads: threads)
    fit.wholenessSource = kept
    return try await fit(
      places: (0..<placesCount).map { try places.canvas($0, seed: seed) }, worlds: made
    ) { event in
      switch event {
      case .searched(let done, let total): progress(.progress("Canvases", done: done, of: total))
      case .note(let text): progress(.note(text))
      }
    }
  }

  /// A world: some drawings of some labels are taught; the others, and drawings of the other
  /// labels, are placed on canvases.
  private func world(
    _ number: Int, _ drawings: Drawings, _ base: Recognizer
  ) async throws -> SegmenterFit.World {
    let samples = drawings.answers
    var generator = SeededGenerator(seed: seed, stream: 7, number)
    let order = generator.permutation(samples.classes.count)
    let known = Set(order.prefix(taught))
    let split = Splitter(validation: 0, test: 0.35, seed: seed &+ UInt64(number)).byDrawing(samples)
    var recognizer = base
    let lessons = known.sorted().flatMap { label in
      let own = split.train.filter { samples.classIndices[$0] == label }
      var all = own.map { samples.drawings[$0] } + (drawings.lessons[samples.classes[label]] ?? [])
      generator.shuffle(&all)
      return all.prefix(Self.lessonCounts[number % Self.lessonCounts.count])
    }
    try await recognizer.update(with: lessons, threads: threads)
    let drawn = split.test.filter { known.contains(samples.classIndices[$0]) }
      .map { samples.drawings[$0] }
    let unknown = split.test.filter { !known.contains(samples.classIndices[$0]) }
      .map { samples.drawings[$0] }
    let placed = try FitCanvases(
      drawings: drawn, unknowns: unknown,
      unknownShare: Self.unknowns[number % Self.unknowns.count])
    let canvasSeed = seed &+ 1000 &+ UInt64(number)
    return SegmenterFit.World(
      recognizer: recognizer,
      canvases: try (0..<canvases).map { try placed.canvas($0, seed: canvasSeed) })
  }
}

/// The canvases of a fit, of four kinds in turn:
/// 0. The standard ones, with closer shapes, more shapes, some in rows, and some drawn in haste, so
///    that a repeated position or size, or a missing pause, is not learned to mean one shape.
/// 1. The same with pauses of seconds between shapes, as there are within them, and more shapes that
///    are drawn over others.
/// 2. Scenes, with such pauses.
/// 3. Scenes without times, for which drawings without times serve as well.
private struct FitCanvases {
  private let synthesizers: [CanvasSynthesizer]

  init(
    drawings: [Drawing], unknowns: [Drawing] = [],
    unknownShare: Double = CanvasSettings().unknownShare
  ) throws {
    var usual = CanvasSettings()
    (usual.tightGap, usual.nestedShare, usual.spreadGap) = (3...12, 0.1, 30)
    (usual.tidyShare, usual.repeatShare, usual.shapes) = (0.5, 0.35, 3...12)
    (usual.hastyShare, usual.unknownShare) = (0.07, unknownShare)
    var slow = usual
    (slow.pause, slow.pausesAreLogarithmic) = (500...6000, true)
    slow.mix = [.spread: 0.4, .tight: 0.25, .over: 0.35]
    var scene = slow
    scene.mix = [.scene: 1]
    var untimed = scene
    untimed.hasTimes = false
    synthesizers = try [usual, slow, scene, untimed].map { settings in
      func fitting(_ drawings: [Drawing]) -> [Drawing] {
        settings.hasTimes ? drawings.filter(\.isTimed) : drawings
      }
      return try CanvasSynthesizer(
        drawings: fitting(drawings), unknowns: fitting(unknowns), settings: settings)
    }
  }

  func canvas(_ number: Int, seed: UInt64) throws -> LabeledCanvas {
    try LabeledCanvas(
      synthesizers[number % synthesizers.count].canvas(number, seed: seed).drawing)
  }
}
