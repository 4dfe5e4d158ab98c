package import Datasets
internal import JSON
internal import Recognition
internal import Report
internal import Text

/// What changed from one model to another. Its JSON keys are the properties' names and stay as they
/// are.
package struct ModelDifference: Encodable, Sendable {
  /// A setting that differs, in words.
  struct Setting: Encodable, Equatable, Sendable {
    var name: String
    /// Empty if the first model does not have it.
    var before: String
    /// Empty if the second model does not have it.
    var after: String
  }

  /// The samples of a label that changed.
  struct LabelRow: Encodable, Equatable, Sendable {
    var label: String
    /// The numbers of its samples.
    var before: Int
    var after: Int
    /// The ids of samples that are new, or gone.
    var added: [String]
    var removed: [String]
    /// The samples that had another label.
    var relabeled: [SampleChanges.Relabeling]
  }

  var before: ModelInfo
  var after: ModelInfo
  /// Whether both files hold the same bytes.
  var isSame: Bool
  var labelsAdded: [String]
  var labelsRemoved: [String]
  /// The labels whose samples changed, ascending.
  var labels: [LabelRow]
  /// The settings that differ: head, prior, adaptation, refusing, embedding, origin.
  var settings: [Setting]
  /// How both answer the given drawings; null without drawings.
  @OrNull var answers: AnswerComparison?

  /// The difference of two model files, without answers.
  init(
    _ before: (info: ModelInfo, recognizer: Recognizer),
    _ after: (info: ModelInfo, recognizer: Recognizer)
  ) {
    let memories = (before.recognizer.memory, after.recognizer.memory)
    let changes = SampleChanges(from: memories.0, to: memories.1)
    (self.before, self.after) = (before.info, after.info)
    isSame = before.info.fingerprint == after.info.fingerprint
    (labelsAdded, labelsRemoved) = (changes.labelsAdded, changes.labelsRemoved)
    labels = Self.rows(changes, before.info, after.info)
    settings = Self.settings(before.info, after.info)
    if memories.0.priors != memories.1.priors, !settings.contains(where: { $0.name == "prior" }) {
      settings.append(
        Setting(name: "prior", before: "the same kind", after: "with other numbers"))
    }
    answers = nil
  }

  private static func rows(
    _ changes: SampleChanges, _ before: ModelInfo, _ after: ModelInfo
  ) -> [LabelRow] {
    func counts(_ info: ModelInfo) -> [String: Int] {
      Dictionary(uniqueKeysWithValues: info.labels.map { ($0.label, $0.samples) })
    }
    let (old, new) = (counts(before), counts(after))
    let added = Dictionary(grouping: changes.added, by: \.label)
    let removed = Dictionary(grouping: changes.removed, by: \.label)
    let relabeled = Dictionary(grouping: changes.relabeled, by: \.to)
    // A label that only lost samples to another one changed, too.
    let labels = Set(added.keys).union(removed.keys).union(relabeled.keys)
      .union(changes.relabeled.map(\.from))
    return labels.sorted().map { label in
      LabelRow(
        label: label, before: old[label] ?? 0, after: new[label] ?? 0,
        added: (added[label] ?? []).map(\.id), removed: (removed[label] ?? []).map(\.id),
        relabeled: relabeled[label] ?? [])
    }
  }

  private static func settings(_ before: ModelInfo, _ after: ModelInfo) -> [Setting] {
    func values(_ info: ModelInfo) -> [String: String] {
      Dictionary(uniqueKeysWithValues: info.facts.map { ($0.name, $0.value) })
    }
    let (old, new) = (values(before), values(after))
    let more = before.facts.map(\.name).filter { new[$0] == nil }
    return (after.facts.map(\.name) + more).filter { old[$0] != new[$0] }.map {
      Setting(name: $0, before: old[$0] ?? "", after: new[$0] ?? "")
    }
  }
}

/// Compares two models, and what they answer to drawings.
package struct ModelDifferenceJob: Sendable {
  var before: String
  var after: String
  /// Whether drawings that a model was taught are compared too.
  var includesTaught: Bool
  var threads: Int

  /// The comparison of the models in two files.
  package init(before: String, after: String, includesTaught: Bool, threads: Int) {
    (self.before, self.after) = (before, after)
    (self.includesTaught, self.threads) = (includesTaught, threads)
  }

  /// Compares the models, and their answers to `samples` if there are any.
  ///
  /// - Throws: `FileError` for a file that is no model, `JobProblem` if the models were
  ///   taught all samples, and `CancellationError`.
  package func run(
    on samples: SampleSet?, progress: @escaping JobProgress
  ) async throws -> ModelDifference {
    func open(_ path: String) throws -> (info: ModelInfo, recognizer: Recognizer) {
      let opened = try ModelFile.open(path)
      return (ModelInfo(opened, path: path), opened.recognizer)
    }
    let models = (try open(before), try open(after))
    var difference = ModelDifference(models.0, models.1)
    guard let samples else { return difference }
    let (first, second) = (models.0.recognizer, models.1.recognizer)
    let both = [first, second]
    let judged =
      includesTaught
      ? samples : try samples.leavingOut(samples.seen(by: both), of: both, progress)
    reportUnknownLabels(of: judged, to: first, named: before, progress)
    reportUnknownLabels(of: judged, to: second, named: after, progress)
    difference.answers = try AnswerComparison(
      before: await first.evaluate(judged, threads: threads, progress),
      after: await second.evaluate(judged, threads: threads, progress))
    return difference
  }
}

// MARK: For people

extension ModelDifference {
  /// What changed, in words and tables.
  ///
  /// - Parameter rows: How many labels of each table to list at most.
  /// - Returns: The lines.
  package func lines(rows: Int) -> [String] {
    var lines = [heading]
    if !labelsAdded.isEmpty { lines.append("new labels: \(listed(labelsAdded))") }
    if !labelsRemoved.isEmpty { lines.append("removed labels: \(listed(labelsRemoved))") }
    lines += sampleLines(rows)
    if !settings.isEmpty {
      var table = TextTable([("", .left), ("before", .left), ("after", .left)])
      for setting in settings { table.add([setting.name, setting.before, setting.after]) }
      lines += [""] + table.lines
    }
    if let answers { lines += [""] + answers.lines(rows: rows) }
    return lines
  }

  private var heading: String {
    if isSame { return "\(before.file) and \(after.file) are the same model." }
    let counts = [before, after].map {
      "\($0.file): \(counted($0.labels.count, "label")), \(counted($0.samples, "sample"))"
    }
    let isOnlyBytes = labels.isEmpty && settings.isEmpty
    return counts.joined(separator: "; ")
      + (isOnlyBytes ? ". Only numbers differ; labels, samples and settings are the same." : "")
  }

  private func sampleLines(_ rows: Int) -> [String] {
    guard !labels.isEmpty else { return [] }
    var table = TextTable([
      ("label", .left), ("before", .right), ("after", .right), ("added", .right),
      ("removed", .right), ("relabeled", .right),
    ])
    for row in labels.prefix(rows) {
      table.add(
        [TextTable.shortened(row.label)]
          + [row.before, row.after, row.added.count, row.removed.count, row.relabeled.count]
          .map(grouped))
    }
    var lines = [""] + table.lines + unlisted(labels.count - rows, "label")
    for (title, ids) in [
      ("added", labels.flatMap(\.added)), ("removed", labels.flatMap(\.removed)),
      (
        "relabeled", labels.flatMap(\.relabeled).map { "\($0.id) (\($0.from) to \($0.to))" }
      ),
    ] where !ids.isEmpty {
      lines.append("\(title): \(listed(ids))")
    }
    return lines
  }
}
