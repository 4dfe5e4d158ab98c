package import Datasets
internal import Evaluation
internal import Files
internal import JSON
internal import NeuralNetwork
internal import Recognition
internal import Report
internal import Text

/// Tries settings of a training one after the other, each by cross-validation on the same folds.
///
/// Every finished trial is a line of a file, so a stopped sweep continues where it was.
package struct SweepJob: Sendable {
  var plan: SweepPlan
  var folds: Int
  var base: String?
  var paths: [String]
  var threads: Int
  /// The file of the trials.
  var output: String

  package init(
    _ plan: SweepPlan, folds: Int, base: String?, paths: [String], threads: Int, output: String
  ) {
    (self.plan, self.folds, self.base) = (plan, folds, base)
    (self.paths, self.threads, self.output) = (paths, threads, output)
  }

  /// What the file's first line says of it.
  static let format = "drawml-sweep"

  /// The file's first line: what all trials share.
  private struct Header: Codable, Equatable {
    var format = SweepJob.format
    var data: String
    /// The base model's SHA-256; nil without one.
    var base: String?
    var folds: Int
    var settings: TrainingSettings
  }

  /// A finished trial, as its line of the file. Its keys are the properties' names and stay as they
  /// are; rates are fractions in 0...1.
  package struct Trial: Codable, Sendable {
    /// The settings that vary, in YAML.
    var settings: [String: String]
    var count: Int
    var accuracy: Double
    /// The 95 % interval of the accuracy (Wilson).
    var lower: Double
    var upper: Double
    var macroRecall: Double
    var recognizedShare: Double
    var expectedCalibrationError: Double
    var seconds: Double
  }

  package struct Result: Encodable, Sendable {
    var output: String
    var folds: Int
    var keys: [String]
    /// The trials, the best first.
    package var trials: [Trial]
    /// The best trial's varied settings, as options of 'train'.
    package var best: String
    /// All settings of the best one, as a file for 'train --config'.
    package var bestSettings: [String]
    var dataFingerprint: String
    var base: String?
  }

  /// Tries what has not been tried yet.
  ///
  /// - Throws: `JobProblem` for a file of another sweep and for too few drawings, what training
  ///   throws, and `CancellationError`.
  package func run(on samples: SampleSet, progress: @escaping JobProgress) async throws -> Result {
    let header = Header(
      data: samples.fingerprint,
      base: try base.map { try ModelFile.fingerprint(of: ModelFile.read($0)) },
      folds: folds,
      settings: plan.settings)
    var done = try trials(of: header, progress)
    // Made with the first trial: a sweep that fails at once leaves no file.
    var file: AppendedFile?
    var known = Set((done ?? []).map(\.settings))
    try noteTaught(to: base, of: samples, progress)
    for (number, trial) in plan.trials.enumerated() {
      let settings = trial.values
      guard known.insert(settings).inserted else { continue }
      progress(.note("Trial \(number + 1) of \(plan.trials.count): \(trial.options)"))
      let started = ContinuousClock.now
      var job = CrossValidationJob(
        folds: folds, base: base, settings: trial.settings, paths: paths, threads: threads,
        skipped: 0, date: "")
      job.foldSeed = plan.settings.seed
      let judged = try await job.run(on: samples) { event in
        // A line for each epoch of each fold of each trial is too much.
        switch event {
        case .training(let training, _):
          if case .epoch(_) = training { return }
        case .note: return
        case .progress: break
        }
        progress(event)
      }
      let summary = judged.summary
      let found = Trial(
        settings: settings, count: summary.count, accuracy: summary.accuracy,
        lower: summary.confidenceInterval95.lower, upper: summary.confidenceInterval95.upper,
        macroRecall: summary.macroRecall, recognizedShare: summary.recognizedShare,
        expectedCalibrationError: summary.expectedCalibrationError,
        seconds: (ContinuousClock.now - started) / .seconds(1))
      let isFirst = file == nil
      let open = try file ?? AppendedFile(output)
      file = open
      if isFirst { try open.endLine() }
      if isFirst, done == nil { try open.append(Array((jsonText(header) + "\n").utf8)) }
      try open.append(Array((jsonText(found) + "\n").utf8))
      progress(.note("  \(ReportNumbers.percent(found.accuracy)) right"))
      done = (done ?? []) + [found]
    }
    let wanted = plan.trials.map(\.values)
    // Two programs on one file may have tried the same.
    var unlisted = Set(wanted)
    let trials = (done ?? []).filter { unlisted.remove($0.settings) != nil }
      .enumerated().sorted { ($1.element.accuracy, $0.offset) < ($0.element.accuracy, $1.offset) }
      .map(\.element)
    let best = plan.trials[wanted.firstIndex { $0 == trials.first?.settings } ?? 0]
    return Result(
      output: output, folds: folds, keys: plan.keys, trials: trials, best: best.options,
      bestSettings: try best.settings.yaml(hasBase: base != nil),
      dataFingerprint: samples.fingerprint, base: base)
  }

  /// The trials that the file has; nil if there is no file yet.
  private func trials(of header: Header, _ progress: JobProgress) throws -> [Trial]? {
    guard AtomicFile.exists(output) else { return nil }
    let lines = try AtomicFile.read(output).split(separator: 0x0a)
    guard let first = lines.first else { return nil }
    let old = try? JSONDocument.decode(Header.self, from: Array(first))
    guard old == header else {
      let others = [
        ("other drawings", old?.data == header.data), ("another base", old?.base == header.base),
        ("another number of folds", old?.folds == header.folds),
        ("other settings that do not vary", old?.settings == header.settings),
      ].filter { !$0.1 }.map(\.0)
      throw JobProblem(
        "\(output) has trials of \(others.joined(separator: " and ")): name another --output, or "
          + "remove it")
    }
    // A line that a power cut or a full disk left is tried again.
    let trials = lines.dropFirst().compactMap {
      try? JSONDocument.decode(Trial.self, from: Array($0))
    }
    progress(.note("Continuing after \(counted(trials.count, "trial")) in \(output)"))
    return trials
  }
}

extension SweepJob.Result {
  private typealias Numbers = ReportNumbers

  private func cells(_ trial: SweepJob.Trial) -> [String] {
    keys.map { trial.settings[$0] ?? "" } + [
      Numbers.percent(trial.accuracy),
      "\(Numbers.percent(trial.lower)) to \(Numbers.percent(trial.upper))",
      Numbers.percent(trial.macroRecall), Numbers.percent(trial.recognizedShare),
      Numbers.decimal(trial.expectedCalibrationError, 3), duration(trial.seconds),
    ]
  }

  private static let headings = [
    "accuracy", "95 %", "macro recall", "recognized", "calibration error", "time",
  ]

  /// The table of the trials, the best first, and how to train as the best one did.
  ///
  /// - Parameter path: The file that has the settings of the best one; nil for none.
  /// - Returns: The lines.
  package func lines(best path: String?) -> [String] {
    var table = TextTable(
      keys.map { ($0, .left) } + Self.headings.map { ($0, .right) })
    for trial in trials { table.add(cells(trial)) }
    let command = "drawml train …" + (base.map { " --base \($0.shellWord)" } ?? "")
    let advice = "The best of many trials is partly lucky: evaluate it on other drawings."
    return table.lines + [""]
      + (path.map {
        [advice + " Train it with", "  \(command) --config \($0.shellWord)"]
      } ?? [
        advice
          + " Train it with the settings that do not vary and these, or write all with --best:",
        "  \(command) \(best)",
      ])
  }

  /// The page with the table and what each setting is worth alone.
  package func page() -> String {
    let count = trials.count
    let table = PageParts.longTable(
      ["Trial"] + keys + ["Accuracy", "95 %", "Macro recall", "Recognized", "Calibration", "Time"],
      trials.enumerated().map { place, trial in
        let cells = cells(trial)
        let settings = cells.prefix(keys.count).map { PageParts.words($0) }
        let numbers = cells.dropFirst(keys.count + 1).map { PageParts.cell($0) }
        return (
          Markup("\(place + 1)"),
          settings + [PageParts.bar(trial.accuracy, Numbers.percent(trial.accuracy))] + numbers
        )
      }, "trials")
    let means = keys.map { key in
      PageParts.section(
        "key-\(key)", key, nil,
        PageParts.table(
          [key, "Trials", "Mean accuracy", "Best"],
          byValue(of: key).map { value, accuracies in
            let mean = accuracies.reduce(0, +) / Double(accuracies.count)
            return (
              Markup(value),
              [
                PageParts.cell(grouped(accuracies.count)),
                PageParts.bar(mean, Numbers.percent(mean)),
                PageParts.cell(Numbers.percent(accuracies.max() ?? 0)),
              ]
            )
          }))
    }
    let best = trials.first
    let body = Markup.joined(
      [
        PageParts.header(
          brand: "sweep", number: best.map { Numbers.percent($0.accuracy) } ?? "–",
          text: "right at best, of \(counted(count, "trial"))", gauge: nil,
          sentence: Markup(
            "The best of many trials is partly lucky: evaluate it on other drawings."),
          cards: [
            ("Folds", grouped(folds), "each judged by a model of the others"),
            ("Drawings", grouped(best?.count ?? 0), "data \(dataFingerprint.prefix(12))"),
          ]), PageParts.section("trials", "The trials", "The best first.", table),
      ] + means)
    return PageParts.document(
      title: "DrawML sweep: \(counted(count, "trial"))", symbols: Markup(), body: body)
  }

  /// The accuracies of the trials with each value of a key, by value.
  private func byValue(of key: String) -> [(value: String, accuracies: [Double])] {
    Dictionary(grouping: trials) { $0.settings[key] ?? "" }
      .map { ($0.key, $0.value.map(\.accuracy)) }
      .sorted { a, b in
        if let x = Double(a.value), let y = Double(b.value) { return x < y }
        return a.value < b.value
      }
  }
}
