package import Datasets
internal import Ink
internal import Recognition
internal import Report
internal import Text

/// Looks for drawings whose label may be wrong: a base model is taught all of them, and each is
/// judged without itself and its copies (leave-one-out).
package struct LabelCheckJob: Sendable {
  var base: String
  var paths: [String]
  var threads: Int
  /// When it runs.
  var date: String

  package init(base: String, paths: [String], threads: Int, date: String) {
    (self.base, self.paths, self.threads, self.date) = (base, paths, threads, date)
  }

  /// The results. Its JSON keys are those of the doubts and the properties' names.
  package struct Result: Encodable, Sendable {
    package var doubts: LabelDoubts
    /// The number of drawings of labels that have no other drawing, which cannot be judged.
    package var alone: Int
    var facts: RunFacts
    var records: [EvaluationRecord]

    private enum CodingKeys: CodingKey { case alone, dataFingerprint }

    package func encode(to encoder: any Encoder) throws {
      try doubts.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(alone, forKey: .alone)
      try container.encode(facts.dataFingerprint, forKey: .dataFingerprint)
    }
  }

  /// Judges the drawings.
  ///
  /// - Throws: `JobProblem` for drawings that no model can be taught, what reading the base throws,
  ///   and `CancellationError`.
  package func run(on samples: SampleSet, progress: @escaping JobProgress) async throws -> Result {
    let started = ContinuousClock.now
    let settings = TrainingSettings(hasBase: true)
    let job = TrainingJob(
      output: "", base: base, settings: settings, threads: threads, resumes: false)
    let model = try await job.fit(to: samples, progress).recognizer
    let records = try await model.leaveOneOutRecords(of: samples, progress)
    return Result(
      doubts: LabelDoubts(records), alone: samples.count - records.count,
      facts: RunFacts(
        modelPath: base, modelFingerprint: try ModelFile.open(base).fingerprint,
        dataPaths: paths, dataFingerprint: samples.fingerprint,
        head: model.head.configuration.name, seed: settings.seed, threads: threads, date: date,
        seconds: (ContinuousClock.now - started) / .seconds(1)),
      records: records)
  }
}

extension LabelCheckJob.Result {
  /// The lines for people.
  ///
  /// - Parameters:
  ///   - rows: How many doubts to list at most.
  ///   - more: What to do to see the others.
  /// - Returns: A line of numbers, and one a drawing.
  package func lines(rows: Int, more: String) -> [String] {
    doubts.lines(rows: rows, more: more)
      + (alone > 0
        ? ["\(counted(alone, "drawing")) of labels without another drawing cannot be judged"] : [])
  }

  /// What the model answered to each drawing.
  package var answers: AnswerFile {
    AnswerFile(answers: [(.model(facts.modelPath), records)])
  }

  /// The page with the pictures of the doubtful drawings, the surest first.
  package func page() -> String {
    var gallery = Gallery(of: records)
    let doubtful = LabelDoubts.doubtful(records)
    let figures = EvaluationPage.figures(
      of: doubtful, records, &gallery, words: ("labeled ", "looks like "))
    let count = doubtful.count
    let body = Markup.joined([
      PageParts.header(
        brand: "labels", number: grouped(count),
        text: "of \(counted(records.count, "drawing")) \(count == 1 ? "looks" : "look") like "
          + "another label",
        gauge: nil,
        sentence: Markup(
          "Each was judged by a model that was taught all others. Some are mislabeled, others only "
            + "unusual."),
        cards: [
          ("Not judged", grouped(alone), "drawings of labels without another drawing")
        ]),
      PageParts.section(
        "doubts", "The doubtful drawings", "The surest first.",
        count == 0 ? .tag("p", [:], Markup("There are none.")) : figures),
      PageParts.section("run", "This run", nil, facts.list()),
    ])
    return PageParts.document(
      title: "DrawML labels: \(grouped(count)) doubtful", symbols: gallery.symbols, body: body)
  }
}

extension Recognizer {
  /// What it answers to each of the samples that it was taught, without the sample and its copies;
  /// those of labels that have no other drawing are left out.
  func leaveOneOutRecords(
    of samples: SampleSet, _ progress: @escaping JobProgress
  ) async throws -> [EvaluationRecord] {
    let places = Dictionary(
      uniqueKeysWithValues: zip(samples.drawings.map(\.id), samples.drawings.indices))
    let rows = labels.indices.flatMap { label -> [Int] in
      let rows = memory.rows(ofLabel: label)
      guard Set(rows.map { memory.samples[$0].digest }).count > 1 else { return [] }
      return rows.filter { places[memory.samples[$0].id] != nil }
    }
    let answers = try await leaveOneOutAnswers(rows: rows) { done, total in
      progress(.progress("Checking labels", done: done, of: total))
    }
    return zip(rows, answers).compactMap { row, answer in
      places[memory.samples[row].id].map {
        EvaluationRecord(
          of: samples, at: $0, truth: memory.samples[row].label, decision: answer.decision,
          candidates: answer.candidates)
      }
    }
  }
}
