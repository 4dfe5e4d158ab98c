internal import Datasets
internal import Evaluation
internal import Ink
internal import NeuralNetwork
internal import NotebookTools
internal import Numbers
internal import Recognition
internal import Report
internal import Synchronization

/// Notebook 1: from strokes to a first model.
///
/// Run it with `swift run -c release FirstModel`; it leaves a page with pictures in
/// `output/notebooks/01-first-model`. Read it from top to bottom: each chapter is a method.
@main
struct FirstModel {
  let setting: Setting
  let seed: UInt64 = 1

  static func main() async {
    await tell { setting in try await FirstModel(setting: setting).run() }
  }

  /// Runs the notebook and returns the names of the pictures.
  @discardableResult
  func run() async throws -> [String] {
    var page = try Page(
      "1 · A first model", folder: "\(setting.output)/01-first-model",
      isPrinting: setting.isPrinting)
    let samples = try setting.samples(of: setting.shapes)
    try lookAtDrawings(samples, &page)
    try lookAtPixels(samples, &page)
    try lookAtAugmentation(samples, &page)
    let split = try cut(samples, &page)
    let trained = try await train(samples, split, &page)
    let (training, validation) = (
      split.train.map { samples.drawings[$0] }, split.validation.map { samples.drawings[$0] }
    )
    var recognizer = Recognizer(
      embedding: trained.embedding, trained: trained.trained.fitted(to: training),
      prior: try await PLDAPrior(
        of: trained.embedding, base: training, fresh: validation, seed: 1, threads: 2),
      head: .classMeans,
      provenance: provenance(samples, split))
    try await teach(&recognizer, samples, split, &page)
    try await judge(recognizer, samples, split, &page)
    try save(recognizer, &page)
    try page.write()
    return page.pictures
  }

  // MARK: 1. Drawings

  private func lookAtDrawings(_ samples: SampleSet, _ page: inout Page) throws {
    page.chapter("Look at the data first")
    let points = samples.drawings.map { Double($0.pointCount) }.mean
    page.tell(
      """
      \(samples.count) drawings of \(samples.classes.count) shapes. A drawing is a list of \
      strokes, a stroke a list of points with x, y and, where it is known, the time: here \
      \(decimal(points)) points on average. A generator made them, with several ways to draw each \
      shape.
      """)
    let rows = samples.classes.map { label in
      (
        title: label,
        cells: samples.drawings.filter { $0.label == label }.prefix(10).map { SVG.Cell($0) }
      )
    }
    try page.show(
      SVG.sheet(rows, size: 56), as: "drawings", caption: "Ten drawings of each shape.")
  }

  // MARK: 2. Pixels

  private func lookAtPixels(_ samples: SampleSet, _ page: inout Page) throws {
    page.chapter("What the network gets: pixels")
    let rasterizer = setting.rasterizer
    page.tell(
      """
      Every drawing is made into \(rasterizer.width) × \(rasterizer.height) pixels by the one \
      rasterizer that training, program and library share: proportions kept, centered, strokes \
      \(decimal(rasterizer.strokeWidth)) pixels wide. A pixel says how much of it ink covers. \
      Where, how large and how fast something was drawn is gone; so is the order of strokes.
      """)
    let chosen = samples.classes.prefix(4).compactMap { label in
      samples.drawings.first { $0.label == label }
    }
    let factor = 6
    let large = Rasterizer(
      width: rasterizer.width * factor, height: rasterizer.height * factor, strokeWidth: 5,
      margin: 8)
    let pixels = try chosen.map { try rasterizer($0).enlarged(factor) }
    try page.show(
      Raster(sheetOf: try chosen.map { try large($0) } + pixels, columns: chosen.count),
      as: "pixels", caption: "Above, as drawn; below, as the network gets it, enlarged.")
  }

  // MARK: 3. Augmentation

  private func lookAtAugmentation(_ samples: SampleSet, _ page: inout Page) throws {
    page.chapter("Few drawings do the work of many")
    let standard = Augmentation.standard
    page.tell(
      """
      No drawing is shown to the network twice in the same way: each time it is turned, stretched, \
      slanted and bent at random, its strokes shift, and a short one may be left out. The strokes \
      are changed, not the pixels, so lines stay sharp. Every strength is a fraction of the \
      drawing's size.
      """)
    let kinds: [(String, Augmentation)] = [
      ("as drawn", .none),
      ("rotation", Augmentation(rotation: standard.rotation)),
      ("stretch, shear", Augmentation(stretch: standard.stretch, shear: standard.shear)),
      ("warp", Augmentation(warp: standard.warp, longestPiece: standard.longestPiece)),
      (
        "stroke shift",
        Augmentation(strokeShift: standard.strokeShift, strokeScale: standard.strokeScale)
      ),
      ("wobble, jitter", Augmentation(wobble: standard.wobble, jitter: standard.jitter)),
      ("stroke dropping", Augmentation(strokeDropping: standard.strokeDropping)),
      ("all of it", standard),
    ]
    // The shape with the most strokes shows the most kinds of change.
    let drawing = samples.drawings.max { $0.strokes.count < $1.strokes.count }
    guard let drawing else { return }
    let rows = kinds.map { name, augmentation in
      var generator = SeededGenerator(seed: seed, stream: 1)
      return (
        title: name,
        cells: (0..<8).map { _ in SVG.Cell(augmentation(drawing, using: &generator)) }
      )
    }
    try page.show(
      SVG.sheet(rows), as: "augmentation", caption: "One drawing, changed eight times in each way.")
  }

  // MARK: 4. The split

  private func cut(_ samples: SampleSet, _ page: inout Page) throws -> Split {
    page.chapter("What is held out")
    let splitter = Splitter(validation: 0.1, test: 0.4, seed: seed)
    let split = splitter.byDrawing(samples)
    page.tell(
      """
      \(split.train.count) drawings train the weights, \(split.validation.count) only measure \
      while they do, and \(split.test.count) are put away until the end. Each shape is cut by the \
      same shares. A hash of seed, label and id decides, not the order of the files; drawings with \
      the same strokes stay together.
      """)
    let partOf = part(of: split)
    // When the data set grows, drawings must mostly stay in their part, or test drawings leak into
    // training.
    let without = samples.subset(samples.drawings.indices.filter { $0 % 10 != 0 })
    let smaller = part(of: splitter.byDrawing(without))
    let before = Dictionary(
      uniqueKeysWithValues: zip(
        without.drawings.map(\.id), without.drawings.indices.map { smaller[$0] }))
    let stayed = samples.drawings.indices.compactMap { index in
      before[samples.drawings[index].id].map { $0 == partOf[index] }
    }
    let share = Double(stayed.count { $0 }) / Double(max(1, stayed.count))
    page.tell(
      """
      When every tenth drawing comes later, \(percent(share)) of the others are in the part where \
      they were before.
      """
    )
    let colors = [SVG.ink, SVG.palette[1], SVG.palette[0]]
    let rows = samples.classes.prefix(6).map { label in
      (
        title: label,
        cells: samples.drawings.indices.filter { samples.drawings[$0].label == label }.prefix(16)
          .map { SVG.Cell(samples.drawings[$0], color: colors[partOf[$0]]) }
      )
    }
    try page.show(
      SVG.sheet(rows, size: 40), as: "split",
      caption: "Sixteen drawings of six shapes: gray trains, orange validates, blue tests.")
    return split
  }

  /// The part of each drawing: 0 training, 1 validation, 2 test.
  private func part(of split: Split) -> [Int] {
    var parts = [Int](
      repeating: 0, count: split.train.count + split.validation.count + split.test.count)
    for index in split.validation { parts[index] = 1 }
    for index in split.test { parts[index] = 2 }
    return parts
  }

  // MARK: 5. Training

  private func train(
    _ samples: SampleSet, _ split: Split, _ page: inout Page
  ) async throws -> EmbeddingTrainer.Outcome {
    page.chapter("Training")
    let recipe = setting.recipe
    let augmentation = Augmentation.standard
    let trainer = EmbeddingTrainer(recipe) { drawing, generator in
      AugmentedDrawing(
        augmentation(drawing, using: &generator),
        strokeWidthFactor: augmentation.strokeWidthFactor(using: &generator))
    }
    let isPrinting = setting.isPrinting
    let outcome = try await trainer.fit(
      training: split.train.map { samples.drawings[$0] },
      validation: split.validation.map { samples.drawings[$0] }, seed: seed, threads: 2
    ) { event in
      if case .epoch(let epoch) = event, isPrinting {
        print(
          "  epoch \(epoch.epoch + 1) of \(recipe.training.epochs): loss \(decimal(epoch.trainingLoss))"
        )
      }
    }
    let history = outcome.history
    let (first, last) = (history.first, history.last)
    page.tell(
      """
      A residual network learns to tell the \(samples.classes.count) shapes apart, \
      \(history.count) times through the drawings. Its loss falls from \
      \(decimal(first?.trainingLoss ?? 0)) to \(decimal(last?.trainingLoss ?? 0)); of the \
      validation drawings it gets \(percent(last?.validationAccuracy ?? 0)) right in the end. The \
      training loss stays above zero for two reasons: labels are smoothed, and every drawing comes \
      changed.
      """
    )
    let top = history.flatMap { [$0.trainingLoss, $0.validationLoss ?? 0] }.max() ?? 1
    let epochs = Chart.Axis.inside("epoch", 1...Double(history.count))
    try page.show(
      Chart(
        across: epochs, up: Chart.Axis("loss", from: 0, to: top),
        [
          .init("training", history.map(\.trainingLoss)),
          .init("validation", history.compactMap(\.validationLoss)),
        ]
      ).picture(),
      as: "loss", caption: "The loss of each epoch.")
    try page.show(
      Chart(
        across: epochs, up: .shares("right"),
        [
          .init("training, changed drawings", history.map(\.trainingAccuracy)),
          .init("validation", history.compactMap(\.validationAccuracy)),
        ]
      ).picture(),
      as: "accuracy", caption: "The share of drawings that are right in each epoch.")
    return outcome
  }

  private func provenance(_ samples: SampleSet, _ split: Split) -> Provenance {
    Provenance(
      software: "notebook 1", seed: seed, threads: 2,
      dataFingerprint: samples.subset(split.train).fingerprint,
      trainingDrawings: split.train.count, validationDrawings: split.validation.count,
      validationAccuracy: nil, recipes: [setting.recipe])
  }

  private func teach(
    _ recognizer: inout Recognizer, _ samples: SampleSet, _ split: Split, _ page: inout Page
  ) async throws {
    page.chapter("Teaching")
    let training = split.train.map { samples.drawings[$0] }
    let validation = split.validation.map { samples.drawings[$0] }
    let update = try await recognizer.update(with: training + validation, threads: 2)
    page.tell(
      """
      The network's last layer is left off: what remains turns a drawing into a vector of \
      \(recognizer.embedding.dimension) numbers. The recognizer remembers the vectors of \
      \(update.added) drawings, and answers with the shape whose own vector is closest. From the \
      drawings that did not fit the weights it takes how well new ones will fit their shape, and \
      refuses what fits worse than all but \(percent(recognizer.policy.refusalRate)) of them would.
      """
    )
  }

  // MARK: 6. Judging

  private func judge(
    _ recognizer: Recognizer, _ samples: SampleSet, _ split: Split, _ page: inout Page
  ) async throws {
    page.chapter("Judged on what it never saw")
    let test = split.test.map { samples.drawings[$0] }
    let truths = test.compactMap(\.label)
    let answers = try await recognizer.classify(test, threads: 2)
    let predictions = answers.map { $0.decision.best?.label ?? "" }
    let right = zip(predictions, truths).count { $0 == $1 }
    let interval = try ConfidenceInterval.wilson(successes: right, trials: test.count)
    page.tell(
      """
      \(right) of \(test.count) test drawings are right: \
      \(percent(try accuracy(predictions: predictions, truths: truths))), with a 95 % confidence \
      interval from \(percent(interval.lower)) to \(percent(interval.upper)).
      """
    )
    page.tell(
      """
      Is that good? The plainest rival compares pixels: each test drawing gets the label of the \
      taught drawing whose pixels are closest. It gets \
      \(percent(try pixelAccuracy(samples, split))) right. A network that is no better than that \
      is not worth its training.
      """)
    let numbers = Dictionary(
      uniqueKeysWithValues: zip(samples.classes, samples.classes.indices))
    let matrix = ConfusionMatrix(
      predictions: predictions.compactMap { numbers[$0] },
      truths: truths.compactMap { numbers[$0] },
      classCount: samples.classes.count)
    let scores = matrix.classScores
    let cells = samples.classes.indices.flatMap { truth in
      samples.classes.indices.map { matrix[truth: truth, prediction: $0] }
    }
    try page.show(
      SVG.heatMap(
        cells.enumerated().map { index, count in
          Double(count) / Double(max(1, scores[index / samples.classes.count].support))
        }, names: samples.classes, texts: cells.map { $0 == 0 ? "" : "\($0)" }, down: "drawn",
        across: "answered"),
      as: "confusion", caption: "How many test drawings of each shape got which answer.")
    let least = test.indices.sorted {
      (answers[$0].margin(of: truths[$0]), $0) < (answers[$1].margin(of: truths[$1]), $1)
    }
    let worst = least.prefix(16).map { index in
      let isRight = predictions[index] == truths[index]
      let answer = answers[index].decision.best
      return SVG.Cell(
        test[index], caption: "\(answer?.label ?? "–") \(percent(answer?.confidence ?? 0))",
        color: isRight ? SVG.ink : SVG.palette[1])
    }
    try page.show(
      SVG.sheet([("", Array(worst.prefix(8))), ("", Array(worst.dropFirst(8)))], size: 76),
      as: "worst",
      caption: "The sixteen hardest test drawings with what the model says; orange ones are wrong.")
  }

  /// The test accuracy of nearest neighbors in pixel space.
  private func pixelAccuracy(_ samples: SampleSet, _ split: Split) throws -> Double {
    func pixels(_ indices: [Int]) throws -> [[Float]] {
      try indices.map { try setting.rasterizer(samples.drawings[$0]).values }
    }
    let taughtIndices = split.train + split.validation
    let taught = try pixels(taughtIndices)
    let answers = try pixels(split.test).map { query -> Int in
      var (best, least) = (0, Float.infinity)
      for (index, other) in taught.enumerated() {
        var distance: Float = 0
        for place in query.indices {
          let difference = query[place] - other[place]
          distance += difference * difference
        }
        if distance < least { (best, least) = (index, distance) }
      }
      return samples.classIndices[taughtIndices[best]]
    }
    return try accuracy(predictions: answers, truths: split.test.map { samples.classIndices[$0] })
  }

  // MARK: 7. The file

  private func save(_ recognizer: Recognizer, _ page: inout Page) throws {
    page.chapter("A model is one file")
    try ModelFile.write(recognizer, to: setting.modelPath)
    let same = try ModelFile.fingerprint(of: ModelFile.read(setting.modelPath))
    page.tell(
      """
      The model is in \(setting.modelPath): weights, rasterizer, labels, taught vectors and \
      thresholds. Read back it has the fingerprint \(same.prefix(12))…, the same as before. \
      Notebook 2 looks into it.
      """)
    let before = try ModelFile.fingerprint(of: recognizer)
    precondition(same == before, "the file does not hold the same model")
  }
}

extension Classification {
  /// The confidence in `label` less that in the best other label; negative if the answer is wrong.
  fileprivate func margin(of label: String) -> Double {
    let own = candidates.first { $0.label == label }?.confidence ?? 0
    return own - (candidates.first { $0.label != label }?.confidence ?? 0)
  }
}
