internal import GRDB
internal import JSON
internal import Recognition

// How the report of a model's last training is stored; the model itself is stored elsewhere.
extension TrainingReport.Findings {
  /// The findings for a model's generation; nil if none are stored, such as after a training by an
  /// older DrawML.
  ///
  /// - Throws: `WorkspaceError.Reason.damaged` if they cannot be read.
  init?(of model: String, generation: Int, in db: Database) throws {
    // Version 1 has no such table.
    guard generation > 0, try db.tableExists("report"),
      let json = try String.fetchOne(
        db,
        // Shares had shorter names at first. Inside a JSON string a quotation mark is escaped, so
        // only keys match.
        sql: """
          SELECT replace(replace(replace(json, '"recognized":', '"recognizedShare":'),
            '"before":', '"shareBefore":'), '"after":', '"shareAfter":')
          FROM report WHERE model = ? AND generation = ?
          """, arguments: [model, generation])
    else { return nil }
    do { self = try JSONDocument.decode(Self.self, from: Array(json.utf8)) } catch {
      throw WorkspaceError.Reason.damaged("a model's report cannot be read")
    }
    try checkNumbers()
  }

  /// Stores the findings in place of the previous ones; with very many labels, without the single
  /// drawings.
  func save(of model: String, generation: Int, in db: Database) throws {
    var json = try jsonText(self)
    if json.utf8.count > StoredValues.longestText {
      var short = self
      (short.mistakes, short.refusals) = ([], [])
      json = try jsonText(short)
    }
    guard json.utf8.count <= StoredValues.longestText else {
      try db.execute(sql: "DELETE FROM report WHERE model = ?", arguments: [model])
      return
    }
    try db.execute(
      sql: """
        INSERT INTO report (model, generation, json) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET generation = excluded.generation, json = excluded.json
        """,
      arguments: [model, generation, json])
  }

  private func require(_ condition: Bool) throws {
    guard condition else { throw WorkspaceError.Reason.damaged("a model's report is invalid") }
  }

  /// Throws if the numbers are out of range.
  private func checkNumbers() throws {
    let counts = 0...WorkspaceLimits.rows(of: "sample")
    try require(
      ([samples, added, relabeled, removed] + labels.map(\.samples)).allSatisfy(counts.contains))
    try require(seconds >= 0 && seconds <= Double(WorkspaceLimits.times.upperBound))
    try require(labels.allSatisfy { $0.shares.areConsistent(for: $0.samples) })
    try require(
      [rates?.knownRefused, rates?.unknownAccepted].allSatisfy { $0?.isConsistent ?? true })
  }

  /// Throws unless the findings are consistent with a training that resulted in `taught`.
  func check(for taught: [TaughtSample]) throws {
    try checkNumbers()
    let counts = Dictionary(grouping: taught, by: \.label).mapValues(\.count)
    try require(samples == taught.count && labels.map(\.label) == counts.keys.sorted())
    for label in labels {
      try require(label.samples == counts[label.label] && label.name.map(Checked.isName) ?? true)
      try require(label.change == LeaveOneOutEvaluation.change(label.shares))
    }
    let ids = Dictionary(taught.map { ($0.id, $0.label) }, uniquingKeysWith: { $1 })
    try require(
      mistakes.allSatisfy { ids[$0.sample] == $0.label && Checked.isLabel($0.takenFor) }
        && refusals.allSatisfy { ids[$0.sample] == $0.label })
  }
}

extension AcceptanceRates.Rate {
  /// Whether its numbers are consistent.
  fileprivate var isConsistent: Bool {
    (1...WorkspaceLimits.rows(of: "sample")).contains(of) && (0...of).contains(count)
      && 0 <= lower && lower <= upper && upper <= 1
  }
}

extension TrainingReport.Shares {
  /// Whether these are consistent for a label with `samples` samples.
  fileprivate func areConsistent(for samples: Int) -> Bool {
    let shares = [recognized, known?.before, known?.after, added?.recognized].compactMap { $0 }
    let parts = [known?.judged, added?.judged].compactMap { $0 }
    return (0...samples).contains(judged) && (judged == 0) == (recognized == nil)
      && shares.allSatisfy((0...1).contains) && parts.allSatisfy((1...max(1, judged)).contains)
      && parts.reduce(0, +) <= judged
  }
}

extension Workspace {
  /// The report of a model's last training, by whichever program.
  ///
  /// - Returns: The report, with the model as it is now.
  /// - Throws: `WorkspaceError` of `unknownModel`, and of `noReport` for a model that was never
  ///   trained, or last by a DrawML that kept no reports.
  public func report(of id: String) async throws -> TrainingReport {
    try await read(.read) { db in
      let model = try Self.model(id, in: db)
      guard
        let kept = try TrainingReport.Findings(of: id, generation: model.generation, in: db)
      else { throw WorkspaceError.Reason.noReport }
      return TrainingReport(model: model, findings: kept)
    }
  }
}
