package import Report
internal import Text

/// The facts to reproduce an evaluation and interpret its numbers.
package struct RunFacts: Codable, Equatable, Sendable {
  /// The version of drawml that ran.
  package var drawmlVersion: String
  /// The version of Swift that built it.
  package var swiftVersion: String
  /// The model file's path as it was given; of a cross-validation, which writes no model, its name.
  package var modelPath: String
  /// The model file's SHA-256, 64 hexadecimal digits; of a cross-validation, that of its models'.
  package var modelFingerprint: String
  /// The paths of the evaluated samples as they were given.
  package var dataPaths: [String]
  /// The samples' SHA-256, 64 hexadecimal digits.
  package var dataFingerprint: String
  /// The head that was used, such as "knn".
  package var head: String
  /// The seed of all randomness, such as a split; nil if there was none.
  package var seed: UInt64?
  /// The number of threads.
  package var threads: Int
  /// The processor's name.
  package var machine: String
  /// When it ran, as it was passed in, such as "2026-01-31T12:00:00Z".
  package var date: String
  /// How long the evaluation took, in seconds.
  package var seconds: Double
  /// The peak memory of the process, in bytes.
  package var peakMemoryBytes: Int
  /// How many samples could not be read and were left out.
  package var skippedCount: Int
  /// How many of the evaluated samples the model was taught or trained on; nil but for `evaluate`.
  package var knownJudged: Int?
  /// How many samples were left out because one of the evaluated models was taught or trained on
  /// them; nil but for `evaluate`.
  package var knownLeftOut: Int?

  package init(
    drawmlVersion: String = Version.text, swiftVersion: String = Version.swift, modelPath: String,
    modelFingerprint: String, dataPaths: [String], dataFingerprint: String, head: String,
    seed: UInt64?, threads: Int, machine: String = Resources.processorName, date: String,
    seconds: Double, peakMemoryBytes: Int = Resources.peakMemoryBytes, skippedCount: Int = 0,
    knownJudged: Int? = nil, knownLeftOut: Int? = nil
  ) {
    (self.drawmlVersion, self.swiftVersion) = (drawmlVersion, swiftVersion)
    (self.modelPath, self.modelFingerprint) = (modelPath, modelFingerprint)
    (self.dataPaths, self.dataFingerprint) = (dataPaths, dataFingerprint)
    (self.head, self.seed, self.threads, self.machine) = (head, seed, threads, machine)
    (self.date, self.seconds, self.peakMemoryBytes) = (date, seconds, peakMemoryBytes)
    (self.skippedCount, self.knownJudged, self.knownLeftOut) = (
      skippedCount, knownJudged, knownLeftOut
    )
  }
}

extension RunFacts {
  /// The facts as a page lists them, after the `first` entries; on a page of several models,
  /// `isComparison`, drawings are left out that any of them knows.
  package func list(after first: [(String, String)] = [], isComparison: Bool = false) -> Markup {
    var entries = first
    entries += [
      ("Model", modelPath), ("Model’s SHA-256", modelFingerprint),
      ("Samples", dataPaths.joined(separator: "\n")), ("Samples’ SHA-256", dataFingerprint),
      ("Head", head), ("Seed", seed.map { "\($0)" } ?? "none: nothing was random"),
      ("Threads", "\(threads)"), ("Processor", machine), ("Date", date),
      ("Time", ReportNumbers.decimal(seconds, 1) + "\u{202f}s"),
      ("Peak memory", ReportNumbers.decimal(Double(peakMemoryBytes) / 1e6, 1) + "\u{202f}MB"),
      ("DrawML", drawmlVersion), ("Swift", swiftVersion),
    ]
    if skippedCount > 0 {
      entries.append(("Left out", "\(counted(skippedCount, "drawing")) that could not be read"))
    }
    if let knownLeftOut, knownLeftOut > 0 {
      let whom = isComparison ? "one of the models" : "the model"
      entries.append(("Left out", "\(counted(knownLeftOut, "drawing")) that \(whom) knows"))
    }
    if let knownJudged, knownJudged > 0 {
      entries.append(
        ("Judged though known", "\(counted(knownJudged, "drawing")): the result is too optimistic")
      )
    }
    return PageParts.facts(entries)
  }
}
