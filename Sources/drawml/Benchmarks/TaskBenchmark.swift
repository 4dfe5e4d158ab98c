internal import Datasets
internal import Ink
internal import Recognition

/// Few-shot tasks with strangers: what `benchmark few-shot` and `benchmark open-set` run.
struct TaskBenchmark: Sendable {
  var runner: TaskRunner
  /// What the facts tell of the model and the data.
  var model: String
  var samplesPath: String
  var tasksPlace: String
  var seed: UInt64?
  /// The share of drawings of taught labels that may be refused.
  var dialTarget: Double
  /// When it runs.
  var date: String

  /// The keys are those of the guide, the scores' own among them.
  struct Report: Encodable, Sendable {
    var scores: TaskScores
    /// Labels a task and taught drawings a label, where all tasks have the same.
    var ways: Int?
    var shots: Int?
    /// The share of tasks whose recogniser was adapted to the taught drawings; absent where it was
    /// not tried.
    var adapted: Double?
    var head: String
    var samplesFingerprint: String
    var facts: RunFacts

    private enum CodingKeys: CodingKey {
      case ways, shots, adapted, head, samplesFingerprint, facts
    }

    func encode(to encoder: any Encoder) throws {
      try scores.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeIfPresent(ways, forKey: .ways)
      try container.encodeIfPresent(shots, forKey: .shots)
      try container.encodeIfPresent(adapted, forKey: .adapted)
      try container.encode(head, forKey: .head)
      try container.encode(samplesFingerprint, forKey: .samplesFingerprint)
      try container.encode(facts, forKey: .facts)
    }
  }

  /// A report and what its page shows.
  struct Result: Sendable {
    var report: Report
    var outcomes: [TaskRunner.Outcome]
    var samples: SampleSet
  }

  /// Runs the tasks.
  func run(_ episodes: Episodes, on samples: SampleSet) async throws -> Result {
    let started = ContinuousClock.now
    let outcomes = try await runner.run(
      episodes, on: samples, from: (tasksPlace, samplesPath))
    let fingerprint = samples.fingerprint
    let facts = RunFacts(
      of: runner, model: model, data: [samplesPath], fingerprint: fingerprint, seed: seed,
      date: date, since: started)
    let report = Report(
      scores: try TaskScores(outcomes, dialTarget: dialTarget), ways: Self.ways(episodes),
      shots: Self.shots(episodes),
      adapted: runner.adapts
        ? Double(outcomes.count { $0.isAdapted == true }) / Double(outcomes.count) : nil,
      head: runner.headName, samplesFingerprint: fingerprint,
      facts: facts)
    return Result(report: report, outcomes: outcomes, samples: samples)
  }

  private static func ways(_ episodes: Episodes) -> Int? {
    same(episodes.episodes.map { Set($0.support.map(\.label)).count })
  }

  private static func shots(_ episodes: Episodes) -> Int? {
    same(
      episodes.episodes.flatMap { episode in
        Dictionary(grouping: episode.support, by: \.label).values.map(\.count)
      })
  }

  private static func same(_ numbers: [Int]) -> Int? {
    Set(numbers).count == 1 ? numbers[0] : nil
  }
}

extension RunFacts {
  /// The facts of a benchmark that ends now.
  init(
    of runner: TaskRunner, model: String, data: [String], fingerprint: String, seed: UInt64?,
    date: String, since started: ContinuousClock.Instant
  ) {
    self.init(
      drawmlVersion: Version.text, swiftVersion: Version.swift, modelPath: model,
      modelFingerprint: runner.modelFingerprint, dataPaths: data,
      dataFingerprint: fingerprint, head: runner.headName, seed: seed, threads: runner.threads,
      machine: Resources.processorName, date: date,
      seconds: (ContinuousClock.now - started) / .seconds(1),
      peakMemoryBytes: Resources.peakMemoryBytes)
  }
}

extension TaskRunner {
  /// What turns vectors into labels, in words.
  var headName: String { base.head.configuration.name }
}
