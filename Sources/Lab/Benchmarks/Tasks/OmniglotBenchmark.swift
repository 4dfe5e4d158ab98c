package import Datasets
internal import Evaluation
internal import Files
internal import Ink
internal import Pictures
internal import Recognition
internal import Report
package import Training
internal import Vectorizing

/// Omniglot's one-shot task: one drawing of each of some characters is taught, others are queries.
package struct OmniglotBenchmark: Sendable {
  /// The form of the characters.
  package enum Form: String, Codable, Sendable {
    /// Pictures, turned into strokes by the vectorizer.
    case pictures
    /// The strokes as they were drawn.
    case strokes
    /// Strokes drawn as pictures of 105 × 105 pixels, and turned into strokes again.
    case strokesAsPictures
  }

  var runner: TaskRunner
  var path: String
  /// The seed of the tasks; nil for the official runs.
  var seed: UInt64?
  var form: Form

  package init(_ runner: TaskRunner, path: String, seed: UInt64?, form: Form) {
    (self.runner, self.path, self.seed, self.form) = (runner, path, seed, form)
  }

  /// One run's error.
  struct Run: Codable, Equatable, Sendable {
    /// Its name, such as "run01".
    var run: String
    /// The share of items answered wrongly, in 0...1.
    var errorRate: Double
    /// The number of wrong answers.
    var wrong: Int
    /// The number of items.
    var count: Int
  }

  /// The keys are those of the guide; rates are fractions in 0...1.
  package struct Report: Codable, Sendable {
    /// The mean over runs of the share of items answered wrongly.
    var errorRate: Double
    /// Student's interval of that mean.
    var confidenceInterval95: ConfidenceInterval
    var runs: [Run]
    /// The form of the characters.
    var form: Form
    var head: String
    var samplesFingerprint: String
    var facts: RunFacts
  }

  /// A report and what its page shows.
  package struct Result: Sendable {
    package var report: Report
    var episodes: Episodes
    var outcomes: [TaskRunner.Outcome]
    var samples: SampleSet

    /// The page of `benchmark omniglot`.
    package func page() -> String { OmniglotPage.html(self) }
  }

  /// Runs the tasks, which have the given names.
  package func run(
    _ episodes: Episodes, names: [String], on samples: SampleSet, progress: @escaping JobProgress
  ) async throws -> Result {
    let started = ContinuousClock.now
    let outcomes = try await runner.run(
      episodes, on: samples, from: (path, path), progress: progress)
    let runs = zip(names, outcomes).map { name, outcome in
      let wrong = outcome.queries.count { !$0.isRight }
      return Run(
        run: name, errorRate: Double(wrong) / Double(outcome.queries.count), wrong: wrong,
        count: outcome.queries.count)
    }
    let errors = runs.map(\.errorRate)
    let interval = try ConfidenceInterval.mean(of: errors)
    let report = Report(
      errorRate: errors.reduce(0, +) / Double(errors.count),
      confidenceInterval95: ConfidenceInterval(
        lower: max(0, interval.lower), upper: min(1, interval.upper)),
      runs: runs, form: form, head: runner.headName, samplesFingerprint: samples.fingerprint,
      facts: RunFacts(
        of: runner, data: [path], fingerprint: samples.fingerprint, seed: seed, since: started))
    return Result(report: report, episodes: episodes, outcomes: outcomes, samples: samples)
  }

  // MARK: Pictures

  /// The drawings in the pictures of all runs.
  ///
  /// - Throws: `FileError` that names the picture that cannot be used.
  package static func drawings(
    in runs: OmniglotRuns, progress: JobProgress
  ) throws -> SampleSet {
    let pictures = runs.runs.flatMap { $0.training + $0.test }
    let vectorizer = Vectorizer()
    // A run may name a picture more than once.
    var traced: [String: Drawing] = [:]
    return try SampleSet(
      pictures.enumerated().map { index, picture in
        defer { progress(.progress("Vectorizing", done: index + 1, of: pictures.count)) }
        do {
          var drawing =
            try traced[picture.path] ?? vectorizer(try GrayPicture(path: picture.path))
          traced[picture.path] = drawing
          (drawing.id, drawing.label) = (picture.id, picture.label)
          return drawing
        } catch let error as FileError {
          throw error
        } catch {
          throw FileError("read", path: picture.path, reason: .malformed("\(error)"))
        }
      })
  }

  /// The side of Omniglot's pictures, in pixels.
  private static let pictureSide = 105
  /// Their pen, in pixels.
  private static let penWidth = 3.0

  /// The drawings of the tasks, drawn as pictures and turned into strokes again.
  ///
  /// - Throws: `InkError` or `VectorizerError` for a drawing that cannot be converted.
  package static func throughPictures(
    _ samples: SampleSet, for episodes: Episodes, progress: JobProgress
  ) throws -> SampleSet {
    let used = Set(episodes.episodes.flatMap { ($0.support + $0.query).map(\.id) })
    let drawings = samples.drawings.filter { used.contains($0.id) }
    return try SampleSet(
      drawings.enumerated().map { index, drawing in
        defer { progress(.progress("Vectorizing", done: index + 1, of: drawings.count)) }
        var traced = try Vectorizer()(picture(of: drawing))
        (traced.id, traced.label) = (drawing.id, drawing.label)
        return traced
      })
  }

  /// The drawing centered in a picture like Omniglot's, at its own size if it fits.
  static func picture(of drawing: Drawing) throws -> GrayPicture {
    let box = drawing.boundingBox
    let extent = max(box?.width ?? 0, box?.height ?? 0)
    let free = (Double(pictureSide) - penWidth - extent) / 2
    let raster = try Rasterizer(
      width: pictureSide, height: pictureSide, strokeWidth: penWidth,
      margin: max(1, min(free, Double(pictureSide) / 2 - penWidth)))(drawing)
    return GrayPicture(raster)
  }
}

extension OmniglotBenchmark.Form {
  /// In words.
  var text: String {
    switch self {
    case .pictures: "pictures, turned into strokes"
    case .strokes: "strokes as they were drawn"
    case .strokesAsPictures: "strokes drawn as pictures, and turned into strokes again"
    }
  }
}

extension OmniglotBenchmark.Report {
  /// Whether these are the runs that the published rows were measured on.
  var isOfficial: Bool { form == .pictures }

  /// A few lines for people.
  package var lines: [String] {
    let interval = confidenceInterval95
    let items = runs.reduce(0) { $0 + $1.count }
    var lines = [
      """
      error  \(percent(errorRate)) (95 %: \(percent(interval.lower)) to \
      \(percent(interval.upper)))  \(counted(runs.count, "run")), \(counted(items, "item")), \(head)
      """,
      "       \(form.text)", "",
    ]
    var table = TextTable([("run", .left), ("error", .right), ("wrong", .right), ("of", .right)])
    for run in runs {
      table.add([run.run, percent(run.errorRate), "\(run.wrong)", "\(run.count)"])
    }
    lines += table.lines
    lines += [
      "",
      PublishedRows.heading + (isOfficial ? ":" : " (on the official runs, not on these tasks):"),
    ]
    lines += PublishedRows.omniglot.map { row in
      "  \(percent(row.value))  \(row.system)" + (row.setting.isEmpty ? "" : " (\(row.setting))")
    }
    lines.append("  from \(PublishedRows.omniglotSource.identifier)")
    return lines
  }
}
