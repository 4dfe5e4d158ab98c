internal import Benchmarks
package import Datasets
internal import Evaluation
package import Ink
package import Recognition
internal import Report

/// Drawings to teach and query many recognizers with, each embedded once.
package struct Classroom: Sendable {
  /// The recognizer that every task begins with, without taught samples.
  package let base: Recognizer
  private let embedded: EmbeddedSamples

  /// All drawings.
  package var samples: SampleSet { embedded.samples }

  /// Embeds `samples`.
  ///
  /// - Throws: What `Embedding.vectors` throws.
  package init(_ base: Recognizer, _ samples: SampleSet, threads: Int = 2) async throws {
    self.base = base.untaught()
    embedded = try await EmbeddedSamples(samples, by: base.embedding, threads: threads)
  }

  /// An answer to one drawing.
  package struct Reply: Sendable {
    /// The query.
    package var drawing: Drawing
    /// Its true label in the task; nil for an unknown.
    package var truth: String?
    /// The recognizer's answer.
    package var answer: Answer

    /// The best label, accepted or not.
    package var best: Candidate? { answer.decision.best }
    /// Whether that label is right.
    package var isRight: Bool { truth != nil && best?.label == truth }
    /// Whether the label was accepted.
    package var isRecognized: Bool { answer.decision.isRecognized }
    /// The log-likelihood ratio of the best label against an unknown.
    package var score: Double { answer.evidence?.score ?? 0 }
    /// The confidence of the best label, in 0...1.
    package var confidence: Double { min(1, max(0, best?.confidence ?? 0)) }
  }

  /// The results of one task.
  package struct Outcome: Sendable {
    /// The recognizer after it was taught.
    package var recognizer: Recognizer
    /// The taught drawings.
    package var taught: [Drawing]
    /// The answers to other drawings of the taught labels.
    package var known: [Reply]
    /// The answers to drawings of other labels.
    package var unknowns: [Reply]

    /// The share of the known drawings whose best label is right.
    package var accuracy: Double {
      Double(known.count(where: \.isRight)) / Double(max(1, known.count))
    }
  }

  /// Teaches the task's drawings to a new recognizer, and classifies the queries.
  ///
  /// - Parameters:
  ///   - task: The task, with ids of `samples`.
  ///   - head: Another head than the base's.
  ///   - policy: Another policy than the base's.
  /// - Returns: The taught recognizer and its answers.
  package func run(
    _ task: Episodes.Episode, head: HeadConfiguration? = nil, policy: DecisionPolicy? = nil
  ) -> Outcome {
    var recognizer = base.untaught(head: head)
    if let policy { recognizer.policy = policy }
    let taught = task.support.map { samples.drawings[embedded.row($0.id)] }
    teach(&recognizer, taught)
    return Outcome(
      recognizer: recognizer, taught: taught,
      known: ask(recognizer, task.query.map(\.id), task.query.map { $0.label }),
      unknowns: ask(recognizer, task.unknown, task.unknown.map { _ in nil }))
  }

  /// Teaches drawings of `samples` to `recognizer`.
  package func teach(_ recognizer: inout Recognizer, _ drawings: [Drawing]) {
    embedded.teach(drawings.map { (embedded.row($0.id), $0.label ?? "") }, to: &recognizer)
  }

  /// The answers of `recognizer` to the drawings with the given ids, with up to `count` candidates
  /// each.
  package func ask(
    _ recognizer: Recognizer, _ ids: [String], _ truths: [String?], candidates count: Int = 5
  ) -> [Reply] {
    let asked = ids.map { embedded.row($0) }
    let answers = recognizer.answers(
      to: asked.flatMap { embedded.vector($0) }, candidates: count)
    return zip(zip(asked, truths), answers).map { pair, answer in
      Reply(drawing: samples.drawings[pair.0], truth: pair.1, answer: answer)
    }
  }

  /// Runs every task of `episodes`.
  package func run(
    _ episodes: Episodes, head: HeadConfiguration? = nil, policy: DecisionPolicy? = nil
  ) -> [Outcome] {
    episodes.episodes.map { run($0, head: head, policy: policy) }
  }

  /// The vectors of drawings, one after the other.
  package func vectors(of drawings: [Drawing]) -> [Float] {
    drawings.flatMap { embedded.vector(embedded.row($0.id)) }
  }

  /// The drawing of `drawings` that is most like `drawing`.
  package func nearest(to drawing: Drawing, among drawings: [Drawing]) -> Drawing? {
    embedded.nearest(
      to: embedded.row(drawing.id), among: drawings.map { embedded.row($0.id) }
    ).map { samples.drawings[$0] }
  }
}

extension Episodes.Episode {
  /// The task with the first `ways` of its labels and the first `shots` drawings of each; all of
  /// its queries of those labels.
  package func reduced(ways: Int = .max, shots: Int = .max) -> Episodes.Episode {
    var order: [String] = []
    var counts: [String: Int] = [:]
    var kept: [Episodes.Example] = []
    for example in support {
      if counts[example.label] == nil { order.append(example.label) }
      counts[example.label, default: 0] += 1
      if counts[example.label, default: 0] <= shots { kept.append(example) }
    }
    let labels = Set(order.prefix(ways))
    return Episodes.Episode(
      support: kept.filter { labels.contains($0.label) },
      query: query.filter { labels.contains($0.label) }, unknown: unknown)
  }
}

/// A mean over tasks with its 95 % confidence interval (Student's).
package struct Estimate: Sendable {
  /// The mean.
  package var value: Double
  /// The interval; the value alone for a single task.
  package var interval: ClosedRange<Double>

  /// The mean of shares or areas, each in 0...1.
  package init(of values: [Double]) throws {
    value = values.mean
    guard values.count > 1 else {
      interval = value...value
      return
    }
    let found = try ConfidenceInterval.mean(of: values)
    interval = max(0, found.lower)...min(1, max(0, found.upper))
  }

  /// "97.3 ± 0.4 %".
  package var text: String {
    "\(percent(value).dropLast(2)) ± \(percent((interval.upperBound - interval.lowerBound) / 2))"
  }
}

extension Chart.Point {
  /// An estimate at `x`.
  package init(_ x: Double, _ estimate: Estimate) {
    self.init(x, estimate.value, interval: estimate.interval)
  }
}
