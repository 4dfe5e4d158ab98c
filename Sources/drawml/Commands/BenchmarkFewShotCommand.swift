internal import ArgumentParser
internal import Datasets
internal import Evaluation
internal import Recognition
internal import Support

struct BenchmarkFewShotCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "few-shot",
    abstract: "Teach a few drawings of labels never seen, and ask for others.",
    discussion: """
      Each task teaches the model's embedding some labels from a few drawings, asks for other \
      drawings of them, and mixes in strangers that should be refused. Tasks come from a file, so \
      that two systems can be run on exactly the same ones, or are drawn at random.

      Examples:
        drawml benchmark few-shot --samples drawings/ --model base.drawml --ways 10 --shots 5
        drawml benchmark few-shot --samples drawings/ --episodes tasks.json --model base.drawml \
      --format json
      """)

  @Option(help: "A file or folder with the drawings.")
  var samples: String
  @Option(help: "A JSON file of tasks; without it they are drawn at random.")
  var episodes: String?
  @Option(name: .shortAndLong, help: "The model whose embedding is measured.")
  var model: String
  @OptionGroup var head: HeadOptions
  @Option(help: "Tasks to draw.")
  var tasks = 200
  @Option(help: "Labels a task.")
  var ways = 10
  @Option(help: "Taught drawings of each label.")
  var shots = 5
  @Option(help: "Asked-for drawings of each label.")
  var queries = 10
  @Option(help: "Strangers a task.")
  var strangers = 50
  @Option(help: "Another seed, other tasks.")
  var seed: UInt64 = 1
  @OptionGroup var threads: ThreadOption
  @OptionGroup var format: FormatOption

  func validate() throws {
    guard tasks >= 1, ways >= 2, shots >= 1, queries >= 1, strangers >= 0 else {
      throw ValidationError("--tasks, --shots and --queries are at least 1, --ways at least 2.")
    }
  }

  func run() async throws {
    let set = try DatasetFiles.read([samples]).samples()
    let episodes =
      if let episodes {
        try Episodes(path: episodes)
      } else {
        try Episodes(
          drawnFrom: set, count: tasks, ways: ways, shots: shots, queries: queries,
          strangers: strangers, seed: seed)
      }
    let base = try ModelFile.read(model)
    let familiar = Set(set.classes).intersection(base.memory.trained.labels)
    if !familiar.isEmpty {
      printToStandardError(
        "The embedding was trained on \(familiar.count) of the \(set.classes.count) labels: the result flatters it."
      )
    }
    let benchmark = FewShotBenchmark(
      base: base, head: head.configuration(standard: .standard(for: base)),
      threads: threads.count)
    let report = try await interruptible(hint: { "nothing was measured" }) {
      try await benchmark.run(episodes, on: set)
    }
    try printToStandardOutput(format.format == .json ? json(report) : report.text)
  }
}

extension FewShotBenchmark.Report {
  /// A few lines for people.
  var text: String {
    var lines = [
      "accuracy  \(percent(accuracy))  (95 %: \(percent(confidenceInterval95.lower)) to "
        + "\(percent(confidenceInterval95.upper)), \(grouped(episodes)) tasks, \(head))"
    ]
    if let auroc, let fpr95 {
      lines.append(
        "strangers: AUROC \(decimal(Float(auroc))), accepted at 95 % of queries \(percent(fpr95))")
    }
    lines.append("calibration error \(decimal(Float(ece)))")
    return lines.joined(separator: "\n")
  }
}
