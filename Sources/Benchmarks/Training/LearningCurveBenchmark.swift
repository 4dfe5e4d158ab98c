package import Datasets
internal import Evaluation
internal import Foundation
internal import Recognition
internal import Report
internal import Support

/// How much better a model gets with more drawings of each label: models are trained on ever more of
/// them and judged on the same held-out ones.
///
/// Each repetition holds out other drawings and orders the rest anew; within one, a larger set has
/// all drawings of a smaller one, so that their difference says what more drawings are worth.
package struct LearningCurveBenchmark: Sendable {
  var base: String?
  var settings: TrainingSettings
  /// Drawings of each label, ascending; nil for 1, 2, 5, 10, 20 and so on.
  var sizes: [Int]?
  var repetitions: Int
  /// The share of each label's drawings that judges, in 0 <..< 1.
  var testShare: Double
  var paths: [String]
  var threads: Int
  /// When it runs.
  var date: String

  package init(
    base: String?, settings: TrainingSettings, sizes: [Int]?, repetitions: Int, testShare: Double,
    paths: [String], threads: Int, date: String
  ) {
    (self.base, self.settings, self.sizes) = (base, settings, sizes)
    (self.repetitions, self.testShare) = (repetitions, testShare)
    (self.paths, self.threads, self.date) = (paths, threads, date)
  }

  /// The models of one size. Its JSON keys, as those of the report, are the properties' names and
  /// stay as they are; rates are fractions in 0...1.
  struct Point: Encodable, Sendable {
    /// At most so many of each label were taught.
    var drawingsPerLabel: Int
    /// How many that were in all, in the first repetition.
    var drawings: Int
    /// The accuracy of each repetition, and their mean with its 95 % interval (Student's t).
    var accuracies: [Double]
    var accuracy: Double
    @OrNull var confidenceInterval95: ConfidenceInterval?
  }

  /// What the last step brought: the mean difference of the accuracies of the largest size and the
  /// one before, paired by repetition, with its 95 % interval.
  struct Gain: Encodable, Sendable {
    var from: Int
    var to: Int
    var accuracy: Double
    @OrNull var confidenceInterval95: ConfidenceInterval?
  }

  package struct Report: Encodable, Sendable {
    var labels: Int
    /// How many drawings judged each model of the first repetition.
    var testDrawings: Int
    var repetitions: Int
    var points: [Point]
    @OrNull var gain: Gain?
    var facts: RunFacts
  }

  /// Trains and judges the models; none is written.
  ///
  /// - Throws: `JobProblem` for too few drawings, what training throws, and `CancellationError`.
  package func run(on samples: SampleSet, progress: @escaping JobProgress) async throws -> Report {
    let started = ContinuousClock.now
    let splits = (0..<repetitions).map { number in
      Splitter(validation: 0, test: testShare, seed: settings.seed &+ UInt64(number))
        .byDrawing(samples)
    }
    guard let first = splits.first, !first.test.isEmpty else {
      throw JobProblem("there are too few drawings to hold out some of a label: give more")
    }
    let sizes = try usedSizes(of: samples.subset(first.train))
    var accuracies = [[Double]](repeating: [], count: sizes.count)
    var (counts, head) = ([Int](repeating: 0, count: sizes.count), "")
    for (number, split) in splits.enumerated() {
      let test = samples.subset(split.test)
      let ordered = order(split.train, of: samples, number)
      for (place, size) in sizes.enumerated() {
        var own = settings
        (own.holdOut, own.seed) = (0, settings.seed &+ UInt64(number))
        let training = samples.subset(ordered.flatMap { $0.prefix(size) }.sorted())
        let model = try await TrainingJob(
          output: "", base: base, settings: own, threads: threads, resumes: false
        ).fit(to: training, checkpoint: nil) { event in
          if case .progress = event { progress(event) }
        }.recognizer
        let records = try await model.evaluate(test, threads: threads, progress)
        let accuracy = Double(records.count { $0.isRight }) / Double(records.count)
        accuracies[place].append(accuracy)
        if number == 0 { counts[place] = training.count }
        head = model.head.configuration.name
        progress(
          .note(
            "\(number + 1) of \(repetitions), \(counted(size, "drawing")) a label: "
              + "\(percent(accuracy)) right"))
      }
    }
    let points = sizes.indices.map { place in
      Point(
        drawingsPerLabel: sizes[place], drawings: counts[place], accuracies: accuracies[place],
        accuracy: accuracies[place].mean, confidenceInterval95: Self.interval(accuracies[place]))
    }
    return Report(
      labels: samples.classes.count, testDrawings: first.test.count, repetitions: repetitions,
      points: points, gain: Self.gain(points),
      facts: RunFacts(
        modelPath: base.map { "trained on the base \($0)" } ?? "trained from scratch",
        modelFingerprint: try base.map { try ModelFile.fingerprint(of: ModelFile.read($0)) } ?? "",
        dataPaths: paths, dataFingerprint: samples.fingerprint, head: head, seed: settings.seed,
        threads: threads, date: date, seconds: (ContinuousClock.now - started) / .seconds(1)))
  }

  /// The sizes that are tried: up to the most drawings that a label has to train on.
  private func usedSizes(of training: SampleSet) throws -> [Int] {
    let most = training.counts.max() ?? 0
    let steps =
      sizes ?? (0...5).flatMap { power in [1, 2, 5].map { $0 * Int(pow(10.0, Double(power))) } }
    let used = steps.filter { $0 <= most }
    // From scratch, a label of one drawing teaches a network nothing.
    let found = sizes == nil ? used.filter { base != nil || $0 >= 5 } : used
    let all = sizes == nil && found.last != most ? found + [most] : found
    guard !all.isEmpty else {
      throw JobProblem(
        "no label has \(sizes?.first ?? 5) drawings to train on: it has at most \(most)")
    }
    return all
  }

  /// The drawings of each label in a random order.
  private func order(_ indices: [Int], of samples: SampleSet, _ number: Int) -> [[Int]] {
    var byClass = [[Int]](repeating: [], count: samples.classes.count)
    for index in indices { byClass[samples.classIndices[index]].append(index) }
    return byClass.indices.map { label in
      var generator = SeededGenerator(seed: settings.seed, stream: 0x1c, number, label)
      var own = byClass[label]
      generator.shuffle(&own)
      return own
    }
  }

  private static func interval(_ values: [Double]) -> ConfidenceInterval? {
    values.count > 1 ? try? ConfidenceInterval.mean(of: values) : nil
  }

  private static func gain(_ points: [Point]) -> Gain? {
    guard points.count > 1 else { return nil }
    let (before, last) = (points[points.count - 2], points[points.count - 1])
    let differences = zip(last.accuracies, before.accuracies).map { $0 - $1 }
    return Gain(
      from: before.drawingsPerLabel, to: last.drawingsPerLabel, accuracy: differences.mean,
      confidenceInterval95: interval(differences))
  }
}

extension LearningCurveBenchmark.Report {
  private typealias Numbers = ReportNumbers

  /// What the last step says of more drawings.
  private var verdict: String? {
    guard let gain else { return nil }
    func points(_ value: Double) -> String { Numbers.decimal(value * 100, 1) }
    let step =
      "From \(gain.from) to \(counted(gain.to, "drawing")) a label: "
      + "\(gain.accuracy < 0 ? "" : "+")\(points(gain.accuracy)) points"
    guard let range = gain.confidenceInterval95 else {
      return step + ". With --repeats 3 or more it is said how sure that is."
    }
    let interval = " (95 %: \(points(range.lower)) to \(points(range.upper)))"
    return step + interval
      + (range.lower > 0
        ? ": more drawings are likely to help."
        : ": no clear gain, so more drawings of the same kind may not help.")
  }

  /// The table, and what it says of more drawings.
  package var lines: [String] {
    var table = TextTable([
      ("drawings a label", .right), ("in all", .right), ("accuracy", .right), ("95 %", .right),
    ])
    for point in points {
      table.add([
        grouped(point.drawingsPerLabel), grouped(point.drawings), Numbers.percent(point.accuracy),
        point.confidenceInterval95.map {
          "\(Numbers.percent(max(0, $0.lower))) to \(Numbers.percent(min(1, $0.upper)))"
        } ?? "",
      ])
    }
    return table.lines + [""] + [verdict].compactMap(\.self) + [
      "\(counted(labels, "label")), \(counted(testDrawings, "drawing")) held out, "
        + "\(counted(repetitions, "repetition")), seed \(facts.seed ?? 0), data "
        + "\(facts.dataFingerprint.prefix(12)), \(duration(facts.seconds))"
    ]
  }

  /// The page with the curve.
  package func page() -> String {
    func across(_ point: LearningCurveBenchmark.Point) -> Double {
      log2(Double(point.drawingsPerLabel))
    }
    let range = (points.first.map(across) ?? 0)...(points.last.map(across) ?? 1)
    let lowest = points.map { $0.confidenceInterval95?.lower ?? $0.accuracy }.min() ?? 0
    let bottom = max(0, (lowest * 10).rounded(.down) / 10)
    var plot = Plot(
      across: Plot.Axis(
        title: "drawings a label",
        range: range.lowerBound...max(range.upperBound, range.lowerBound + 1),
        ticks: points.map { (across($0), grouped($0.drawingsPerLabel)) }),
      up: .percent("share that is right", bottom...1),
      isWide: true)
    let ends = points.map { ($0, $0.confidenceInterval95) }
    plot.band(
      ends.map { (across($0), max(bottom, $1?.lower ?? $0.accuracy)) },
      ends.map { (across($0), min(1, $1?.upper ?? $0.accuracy)) })
    plot.curve("curve", points.map { (across($0), $0.accuracy) })
    for point in points {
      plot.dot(at: (across(point), point.accuracy), "\(Numbers.percent(point.accuracy))")
    }
    let last = points.last
    let table = PageParts.table(
      ["Drawings a label", "In all", "Accuracy", "95 %"],
      points.map { point in
        (
          Markup(grouped(point.drawingsPerLabel)),
          [
            PageParts.cell(grouped(point.drawings)),
            PageParts.bar(point.accuracy, Numbers.percent(point.accuracy)),
            PageParts.cell(
              point.confidenceInterval95.map {
                "\(Numbers.percent(max(0, $0.lower))) to \(Numbers.percent(min(1, $0.upper)))"
              } ?? "–"),
          ]
        )
      })
    let body = Markup.joined([
      PageParts.header(
        brand: "learning curve", number: last.map { Numbers.percent($0.accuracy) } ?? "–",
        text: "right with \(counted(last?.drawingsPerLabel ?? 0, "drawing")) a label", gauge: nil,
        sentence: Markup(verdict ?? ""),
        cards: [
          ("Labels", grouped(labels), "each counts by its held-out drawings"),
          ("Held out", grouped(testDrawings), "drawings judge each model"),
          ("Repetitions", grouped(repetitions), "each with other drawings held out"),
        ]),
      PageParts.section(
        "curve", "With more drawings",
        "The area is the 95\u{202f}% interval of the mean over repetitions. Drawings a label are on a "
          + "logarithmic scale.",
        .joined([
          plot.markup(
            describedAs: "accuracy by drawings a label, "
              + points.map { "\($0.drawingsPerLabel): \(Numbers.percent($0.accuracy))" }
              .joined(separator: ", ")), table,
        ])), PageParts.section("run", "This run", nil, facts.list()),
    ])
    return PageParts.document(
      title: "DrawML learning curve", symbols: Markup(), body: body)
  }
}
