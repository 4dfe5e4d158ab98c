internal import JSON
internal import Recognition
internal import Report
internal import Text

/// The result of adapting to the user's samples, for the report of `train --base`.
struct AdaptationSummary: Encodable, Equatable {
  var outcome: AdaptationReport.Outcome
  var labels: [AdaptationReport.Change]
  @OrNull var logLossBefore: Double?
  @OrNull var logLossAfter: Double?
  @OrNull var priorWeight: Double?

  init(_ report: AdaptationReport) {
    outcome = report.outcome
    labels = report.changes
    logLossBefore = report.logLossBefore
    logLossAfter = report.logLossAfter
    priorWeight = report.priorWeight
  }

  /// A sentence, and a table of the labels that got better or worse.
  var lines: [String] {
    switch outcome {
    case .accepted: ["adapted to your samples: \(counts)"] + table
    case .noGain:
      ["not adapted: adapting to your samples gave no clear gain: \(counts)"] + table
    case .tooFewSamples:
      [
        "not adapted: that takes at least two labels with at least two samples that did not train "
          + "the embedding"
      ]
    case .noPrior:
      ["not adapted: the base model has no prior"]
    case .otherHead: ["not adapted: only the plda head adapts"]
    }
  }

  private var counts: String {
    func total(_ count: (AdaptationReport.Change) -> Int) -> Int {
      labels.reduce(0) { $0 + count($1) }
    }
    return """
      with each sample left out in turn, \(grouped(total(\.rightAfter))) of \
      \(counted(total(\.count), "sample")) are right, and \(grouped(total(\.rightBefore))) without \
      adapting
      """
  }

  private var table: [String] {
    let changed = labels.filter { $0.rightBefore != $0.rightAfter }
    guard !changed.isEmpty else { return [] }
    var table = TextTable([
      ("label", .left), ("samples", .right), ("right without", .right), ("adapted", .right),
      ("", .left),
    ])
    for label in changed {
      table.add([
        TextTable.shortened(label.label), grouped(label.count), grouped(label.rightBefore),
        grouped(label.rightAfter), label.rightAfter > label.rightBefore ? "better" : "worse",
      ])
    }
    return table.lines.map { "  " + $0 }
  }
}

extension AcceptanceRates {
  /// The expected error rates on new drawings, for people.
  package var lines: [String] {
    func text(_ rate: Rate) -> String {
      "\(percent(rate.share)) (95 %: \(percent(rate.lower)) to \(percent(rate.upper)))"
    }
    return [
      knownRefused.map { "New drawings of taught labels: about \(text($0)) will be refused." },
      unknownAccepted.map { "Drawings of other labels: about \(text($0)) will be accepted." },
    ].compactMap(\.self)
  }
}

/// The resources of a training, and its seed, data and model fingerprints, for people.
func runLines(
  _ seconds: Double, threads: Int, _ peakMemoryBytes: Int, _ modelBytes: Int, seed: UInt64,
  data: String?, model: String
) -> [String] {
  [
    "  \(duration(seconds)) on \(counted(threads, "thread")), "
      + "peak memory \(megabytes(peakMemoryBytes)), model \(megabytes(modelBytes))",
    "  seed \(seed), " + (data.map { "data \($0.prefix(12)), " } ?? "")
      + "model \(model.prefix(12))",
  ]
}
