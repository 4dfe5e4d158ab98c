package import Datasets
internal import Evaluation
internal import Foundation
internal import JSON
internal import Numbers
internal import Recognition
internal import Report
internal import Text
package import Training

/// How much better a model gets with more drawings of each label: models are trained on increasing
/// numbers of drawings and judged on the same held-out ones.
///
/// Each repetition holds out other drawings and shuffles the rest. Within a repetition, a larger
/// set contains the smaller ones, so their difference is the gain of more drawings.
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
    /// The most drawings of any label that were taught.
    var drawingsPerLabel: Int
    /// How many that were in all, in the first repetition.
    var drawings: Int
    /// The accuracy of each repetition, and their mean with its 95 % interval: the wider of
    /// Wilson's for the drawings that judge one repetition and, from three repetitions on, Student's
    /// t over them, at each end.
    var accuracies: [Double]
    var accuracy: Double
    var confidenceInterval95: ConfidenceInterval
  }

  /// What the last step brought: the mean difference of the accuracies of the largest size and the
  /// one before, paired by drawing, with its 95 % interval: the wider of the normal one for the
  /// drawings that judge one repetition and, from three repetitions on, Student's t over them.
  struct Gain: Encodable, Sendable {
    var from: Int
    var to: Int
    var accuracy: Double
    var confidenceInterval95: ConfidenceInterval
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
    try noteTaught(to: base, of: samples, progress)
    let sizes = try usedSizes(of: samples.subset(first.train), progress)
    // Whether each drawing was right: by size, repetition and drawing.
    var rights = [[[Bool]]](repeating: [], count: sizes.count)
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
        ).fit(to: training) { event in
          if case .progress = event { progress(event) }
        }.recognizer
        let records = try await model.evaluate(test, threads: threads, progress)
        rights[place].append(records.map(\.isRight))
        if number == 0 { counts[place] = training.count }
        head = model.head.configuration.name
        progress(
          .note(
            "\(number + 1) of \(repetitions), \(counted(size, "drawing")) a label: "
              + "\(percent(Self.share(records.map(\.isRight)))) right"))
      }
    }
    let points = try sizes.indices.map { place in
      let accuracies = rights[place].map(Self.share)
      return Point(
        drawingsPerLabel: sizes[place], drawings: counts[place], accuracies: accuracies,
        accuracy: accuracies.mean, confidenceInterval95: try interval(rights[place]))
    }
    return Report(
      labels: samples.classes.count, testDrawings: first.test.count, repetitions: repetitions,
      points: points, gain: try gain(sizes, rights),
      facts: RunFacts(
        modelPath: base.map { "trained on the base \($0)" } ?? "trained from scratch",
        modelFingerprint: try base.map { try ModelFile.open($0).fingerprint } ?? "",
        dataPaths: paths, dataFingerprint: samples.fingerprint, head: head, seed: settings.seed,
        threads: threads, date: date, seconds: (ContinuousClock.now - started) / .seconds(1)))
  }

  /// The sizes to try: up to the maximum number of training drawings of any label.
  private func usedSizes(of training: SampleSet, _ progress: JobProgress) throws -> [Int] {
    let most = training.counts.max() ?? 0
    guard let sizes else {
      let steps = (0...5).flatMap { power in [1, 2, 5].map { $0 * Int(pow(10.0, Double(power))) } }
      // From scratch, a few drawings of a label teach a network nothing. A last step of few drawings
      // would say little.
      let least = base == nil ? 5 : 1
      return steps.filter { $0 >= least && Double($0) * 1.5 <= Double(most) } + [most]
    }
    let used = sizes.filter { $0 <= most }
    guard !used.isEmpty else {
      throw JobProblem(
        "no label has \(counted(sizes[0], "drawing")) to train on: it has at most \(most)")
    }
    if used.count < sizes.count {
      progress(
        .note(
          "No label has \(counted(sizes[used.count], "drawing")) to train on, at most "
            + "\(grouped(most)): larger sizes are left out."))
    }
    return used
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

  private static func share(_ rights: [Bool]) -> Double {
    Double(rights.count { $0 }) / Double(max(1, rights.count))
  }

  /// Student's interval over repetitions, which share most of their drawings: the variance is that
  /// of Nadeau and Bengio (2003, Machine Learning 52, 239). With fewer than three it is the mean.
  private func spread(_ values: [Double]) throws -> ConfidenceInterval {
    let mean = values.mean
    guard values.count > 2 else { return ConfidenceInterval(lower: mean, upper: mean) }
    let own = try ConfidenceInterval.mean(of: values)
    let factor = (1 + Double(values.count) * testShare / (1 - testShare)).squareRoot()
    return ConfidenceInterval(
      lower: mean - (mean - own.lower) * factor, upper: mean + (own.upper - mean) * factor)
  }

  /// The interval of an accuracy. The drawings of several repetitions are partly the same: they
  /// count as those of one.
  private func interval(_ rights: [[Bool]]) throws -> ConfidenceInterval {
    let (accuracies, trials) = (rights.map(Self.share), rights[0].count)
    let own = try ConfidenceInterval.wilson(
      successes: Int((accuracies.mean * Double(trials)).rounded()), trials: trials)
    return own.union(with: try spread(accuracies), within: 0...1)
  }

  /// The gain of the last size over the one before; nil for one size.
  private func gain(_ sizes: [Int], _ rights: [[[Bool]]]) throws -> Gain? {
    guard sizes.count > 1 else { return nil }
    let pairs = zip(rights[sizes.count - 1], rights[sizes.count - 2])
    let changes = pairs.map { last, before in
      zip(last, before).map { ($0 ? 1.0 : 0) - ($1 ? 1 : 0) }
    }
    let all = changes.flatMap(\.self)
    let half = 1.96 * (all.sampleVariance / Double(max(1, changes[0].count))).squareRoot()
    var interval = ConfidenceInterval(lower: all.mean - half, upper: all.mean + half)
    interval = interval.union(with: try spread(changes.map(\.mean)), within: -1...1)
    return Gain(
      from: sizes[sizes.count - 2], to: sizes[sizes.count - 1], accuracy: all.mean,
      confidenceInterval95: interval)
  }
}

extension ConfidenceInterval {
  /// The smallest interval that contains both, clipped to a range.
  fileprivate func union(
    with other: ConfidenceInterval, within range: ClosedRange<Double>
  ) -> ConfidenceInterval {
    ConfidenceInterval(
      lower: max(range.lowerBound, min(lower, other.lower)),
      upper: min(range.upperBound, max(upper, other.upper)))
  }
}

extension LearningCurveBenchmark.Report {
  private typealias Numbers = ReportNumbers

  private static func text(_ interval: ConfidenceInterval) -> String {
    "\(Numbers.percent(interval.lower)) to \(Numbers.percent(interval.upper))"
  }

  /// What the last step says of more drawings.
  private var verdict: String? {
    guard let gain else { return nil }
    func points(_ value: Double) -> String { Numbers.decimal(value * 100, 1) }
    let step =
      "From \(gain.from) to \(counted(gain.to, "drawing")) a label: "
      + "\(gain.accuracy < 0 ? "" : "+")\(points(gain.accuracy)) points"
    let range = gain.confidenceInterval95
    let interval = " (95 %: \(points(range.lower)) to \(points(range.upper)))"
    return step + interval
      + (range.lower > 0
        ? ": more drawings are likely to help."
        : ": no clear gain, so more drawings of the same kind may not help.")
  }

  /// The table, and whether more drawings are likely to help.
  package var lines: [String] {
    var table = TextTable([
      ("drawings a label", .right), ("in all", .right), ("accuracy", .right), ("95 %", .right),
    ])
    for point in points {
      table.add([
        grouped(point.drawingsPerLabel), grouped(point.drawings), Numbers.percent(point.accuracy),
        Self.text(point.confidenceInterval95),
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
    let lowest = points.map(\.confidenceInterval95.lower).min() ?? 0
    let bottom = max(0, min(0.9, (lowest * 10).rounded(.down) / 10))
    var plot = Plot(
      across: Plot.Axis(
        title: "drawings a label",
        range: range.lowerBound...max(range.upperBound, range.lowerBound + 1),
        ticks: points.map { (across($0), grouped($0.drawingsPerLabel)) }),
      up: .percent("share that is right", bottom...1),
      isWide: true)
    plot.band(
      points.map { (across($0), max(bottom, $0.confidenceInterval95.lower)) },
      points.map { (across($0), $0.confidenceInterval95.upper) })
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
            PageParts.cell(Self.text(point.confidenceInterval95)),
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
        "The area is the 95\u{202f}% interval. Drawings a label are on a "
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
