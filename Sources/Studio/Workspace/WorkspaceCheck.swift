internal import Foundation
internal import GRDB
internal import Recognition

/// What a workspace holds.
public struct WorkspaceSummary: Hashable, Sendable, Codable {
  /// The folder.
  public var folder: String
  /// The version of the database.
  public var version: Int
  /// How many models.
  public var models: Int
  /// The name of the active model.
  public var activeModel: String
  /// How many samples all models have.
  public var samples: Int
  /// How many artworks.
  public var artworks: Int
  /// The bytes of all files.
  public var bytes: Int
}

extension Workspace {
  /// What the workspace holds.
  public func summary() async throws -> WorkspaceSummary {
    let models = try await models()
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    let bytes = names.reduce(0) { sum, name in
      let found = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      guard let found, found[.type] as? FileAttributeType == .typeRegular else { return sum }
      return sum + ((found[.size] as? NSNumber)?.intValue ?? 0)
    }
    return WorkspaceSummary(
      folder: folder, version: WorkspaceSchema.version, models: models.count,
      activeModel: models.first(where: \.isActive)?.name ?? "",
      samples: models.reduce(0) { $0 + $1.sampleCount }, artworks: try await artworks().count,
      bytes: bytes)
  }

  /// Checks every page, row, model file and picture, which takes as long as reading all of it.
  ///
  /// - Returns: The problems, a sentence each; empty for a sound workspace.
  public func problems() async throws -> [String] {
    let (found, trained, artworks) = try await read(.read) {
      db -> ([String], [TrainedRows], [ArtworkRow]) in
      var found: [String] = []
      do {
        var lines = try String.fetchAll(db, sql: "PRAGMA integrity_check")
        for row in try Row.fetchAll(db, sql: "PRAGMA foreign_key_check") {
          let table: String = row[0]
          lines.append("a row of \(table) refers to a missing row")
        }
        let faults = IntegrityErrors(lines)
        if !faults.kinds.isEmpty {
          found.append(WorkspaceError.Reason.damaged(faults.summary).description)
        }
        try StoredValues.check(in: db)
        _ = try Self.settings(in: db)
      } catch let error where !(error is CancellationError) {
        // A database this damaged is not checked any further.
        return (found + [WorkspaceError.Reason(error, in: files).description], [], [])
      }
      let active = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM model WHERE isActive = 1") ?? 0
      if active != 1 { found.append("\(active) models are active; it should be one.") }
      var trained: [TrainedRows] = []
      for id in try String.fetchAll(db, sql: "SELECT id FROM model ORDER BY created, id") {
        do {
          let rows = TrainedRows(try ModelContents(of: id, in: db))
          if rows.generation > 0 { trained.append(rows) }
        } catch let error where !(error is CancellationError) {
          found.append("Model \(id): \(WorkspaceError.Reason(error, in: files))")
        }
      }
      for id in try TemplateRow.ids(in: db) {
        do { _ = try TemplateRow.checked(id, in: db) } catch let error
          where !(error is CancellationError)
        { found.append("Template \(id): \(WorkspaceError.Reason(error, in: files))") }
      }
      var artworks: [ArtworkRow] = []
      for id in try ArtworkRow.ids(in: db) {
        do {
          var row = try ArtworkRow.checked(id, in: db)
          // The sketches of all may not fit in memory.
          row.sketch = nil
          artworks.append(row)
        } catch let error where !(error is CancellationError) {
          found.append("Picture \(id): \(WorkspaceError.Reason(error, in: files))")
        }
      }
      return (found, trained, artworks)
    }
    var problems = found
    for rows in trained {
      do {
        let recognizer = try files.recognizer(of: rows.id, generation: rows.generation)
        if recognizer.memory.samples.filter(\.isOwn) != rows.taught {
          problems.append(
            "Model “\(rows.name)”: its file has other samples than it should. Train it again.")
        }
      } catch {
        // Trained again by another program in the meantime?
        let now = try? await self.model(rows.id)
        if now?.lastTrained?.milliseconds == rows.lastTrained {
          problems.append("Model “\(rows.name)”: \(error). Train it again.")
        }
      }
    }
    for row in artworks {
      try Task.checkCancellation()
      do throws(WorkspaceError.Reason) { _ = try files.picture(of: row) } catch {
        // Deleted in the meantime?
        if (try? await artwork(row.id)) != nil { problems.append(error.description) }
      }
    }
    return problems
  }
}

/// The rows of a model that its trained file is compared with, without the drawings: those of all
/// models may not fit in memory.
struct TrainedRows: Sendable {
  let id: String
  let name: String
  let generation: Int
  let lastTrained: Int64?
  let taught: [TaughtSample]

  init(_ contents: ModelContents) {
    let core = contents.core
    (id, name, generation) = (core.id, core.name, core.generation)
    (lastTrained, taught) = (core.lastTrained, core.taught)
  }
}
