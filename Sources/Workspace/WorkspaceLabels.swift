internal import Foundation
internal import GRDB
internal import Ink

/// Labels (D-002, F-007).
extension Workspace {
  /// A model's labels, in ascending order: those with samples, and those that the trained model still knows.
  ///
  /// - Throws: `WorkspaceError` for an unknown model.
  public func labels(of model: String) async throws -> [WorkspaceLabel] {
    try await read(.read) { db in
      try Self.requireModel(model, in: db)
      return try Self.labels(of: model, db)
    }
  }

  /// Gives a label's drawings another label.
  ///
  /// - Parameters:
  ///   - label: The label.
  ///   - new: What its samples are called from now on; the label's name goes along.
  ///   - merging: Whether the samples may join those of a label that there is already.
  ///   - model: The model's id.
  /// - Returns: The label as it is now.
  /// - Throws: `WorkspaceError` for an unknown model or label, and a label that is none or is taken.
  @discardableResult
  public func renameLabel(
    _ label: String, to new: String, merging: Bool = false, of model: String
  ) async throws -> WorkspaceLabel {
    try await write(.changeLabel) { db in
      try Self.requireModel(model, in: db)
      let new = try Checked.label(new)
      let old = try Self.existing(label, of: model, db)
      guard new != old else { return try Self.label(new, of: model, db) }
      if try Self.hasSamples(new, of: model, db) {
        guard merging else { throw WorkspaceError.Reason.labelTaken(new) }
        try db.execute(
          sql: "UPDATE sample SET label = ? WHERE model = ? AND label = ?",
          arguments: [new, model, old])
        try db.execute(
          sql: "DELETE FROM label WHERE model = ? AND label = ?", arguments: [model, old])
      } else {
        // One that only has a name left gives way.
        try db.execute(
          sql: "DELETE FROM label WHERE model = ? AND label = ?", arguments: [model, new])
        try db.execute(
          sql: "UPDATE label SET label = ? WHERE model = ? AND label = ?",
          arguments: [new, model, old])
      }
      return try Self.label(new, of: model, db)
    }
  }

  /// Says what the user calls a label.
  ///
  /// - Parameters:
  ///   - name: The name; nil or empty for none.
  ///   - label: The label.
  ///   - model: The model's id.
  /// - Returns: The label as it is now.
  /// - Throws: `WorkspaceError` for an unknown model or label, and a name that is too long.
  @discardableResult
  public func setName(
    _ name: String?, ofLabel label: String, of model: String
  ) async throws -> WorkspaceLabel {
    try await write(.changeLabel) { db in
      try Self.requireModel(model, in: db)
      let label = try Self.existing(label, of: model, db)
      let isEmpty = name?.allSatisfy(\.isWhitespace) ?? true
      try db.execute(
        sql: "UPDATE label SET name = ? WHERE model = ? AND label = ?",
        arguments: [isEmpty ? nil : try Checked.name(name ?? ""), model, label])
      return try Self.label(label, of: model, db)
    }
  }

  /// Deletes a label with its samples.
  ///
  /// - Returns: What was deleted, to put it back.
  /// - Throws: `WorkspaceError` for an unknown model or label.
  @discardableResult
  public func deleteLabel(_ label: String, of model: String) async throws -> DeletedSamples {
    try await write(.deleteLabel) { db in
      try Self.requireModel(model, in: db)
      let label = try Self.existing(label, of: model, db)
      let samples = try Self.samples(
        in: db, where: "sample.model = ? AND sample.label = ?", [model, label])
      let name = try String.fetchOne(
        db, sql: "SELECT name FROM label WHERE model = ? AND label = ?", arguments: [model, label])
      // The samples go with it.
      try db.execute(
        sql: "DELETE FROM label WHERE model = ? AND label = ?", arguments: [model, label])
      return DeletedSamples(
        model: model, samples: samples, names: name.map { [label: $0] } ?? [:])
    }
  }
}

// MARK: Rows

extension Workspace {
  static func labels(of model: String, _ db: Database) throws -> [WorkspaceLabel] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT list.label,
          (SELECT name FROM label WHERE label.model = :model AND label.label = list.label) AS name,
          (SELECT COUNT(*) FROM sample WHERE sample.model = :model AND sample.label = list.label)
            AS samples,
          (SELECT COUNT(*) FROM taught WHERE taught.model = :model AND taught.label = list.label)
            AS taught
        FROM (
          SELECT label FROM sample WHERE model = :model
          UNION SELECT label FROM taught WHERE model = :model) AS list
        """, arguments: ["model": model])
    return try rows.map { row in
      let label: String = row["label"]
      return WorkspaceLabel(
        label: label, name: row["name"], sampleCount: row["samples"], taughtCount: row["taught"],
        example: try samples(
          in: db, where: "sample.model = ? AND sample.label = ?", [model, label, 1], limited: true
        ).first?.drawing)
    }.sorted { $0.label < $1.label }
  }

  private static func label(
    _ label: String, of model: String, _ db: Database
  ) throws -> WorkspaceLabel {
    guard let found = try labels(of: model, db).first(where: { $0.label == label }) else {
      throw WorkspaceError.Reason.unknownLabel(label)
    }
    return found
  }

  private static func hasSamples(
    _ label: String, of model: String, _ db: Database
  ) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM sample WHERE model = ? AND label = ?)",
      arguments: [model, label]) ?? false
  }

  /// The label as it is kept, if it has samples.
  private static func existing(
    _ label: String, of model: String, _ db: Database
  ) throws -> String {
    let label = label.inNormalFormC
    guard try hasSamples(label, of: model, db) else {
      throw WorkspaceError.Reason.unknownLabel(label)
    }
    return label
  }

  /// Sees to it that samples can have the label.
  static func makeLabel(_ label: String, of model: String, _ db: Database) throws {
    try db.execute(
      sql: "INSERT INTO label (model, label) VALUES (?, ?) ON CONFLICT DO NOTHING",
      arguments: [model, label])
  }

  /// Removes those of the labels that have neither samples nor a name.
  static func dropEmptyLabels(_ labels: [String], of model: String, _ db: Database) throws {
    for label in Set(labels).sorted() {
      try db.execute(
        sql: """
          DELETE FROM label WHERE model = ? AND label = ? AND name IS NULL AND NOT EXISTS (
            SELECT 1 FROM sample WHERE sample.model = label.model AND sample.label = label.label)
          """, arguments: [model, label])
    }
  }
}
