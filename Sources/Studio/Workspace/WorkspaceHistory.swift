internal import Foundation
internal import GRDB
public import Ink

/// The history of predictions (D-006).
extension Workspace {
  /// Stores a prediction; only the model's last `WorkspaceLimits.predictions` are kept, whose
  /// drawings have at most `WorkspaceLimits.predictionBytes`.
  ///
  /// - Parameters:
  ///   - drawing: The drawing; its id and label are ignored.
  ///   - decision: Whether the label was accepted or rejected.
  ///   - label: The best label; nil if there was none.
  ///   - confidence: The label's confidence, in 0...1.
  ///   - model: The model's id.
  /// - Returns: The prediction as stored.
  /// - Throws: `WorkspaceError` for an unknown model and an invalid drawing.
  @discardableResult
  public func record(
    _ drawing: Drawing, decision: Prediction.Decision, label: String?, confidence: Double?,
    of model: String
  ) async throws -> Prediction {
    let (id, created) = (newID(), now())
    return try await write(.saveHistory) { db in
      try Self.requireModel(model, in: db)
      var ink = try Checked.ink(drawing)
      ink.id = id
      let prediction = Prediction(
        id: id, model: model, label: try label.map { try Checked.label($0) },
        confidence: try confidence.map { try Self.share($0) }, decision: decision, drawing: ink,
        created: Date(milliseconds: created.milliseconds))
      try Self.insert(prediction, in: db)
      try db.execute(
        sql: """
          DELETE FROM prediction WHERE model = :model AND number NOT IN (\(Self.latest))
          """, arguments: Self.latest(of: model, limit: WorkspaceLimits.predictions))
      return prediction
    }
  }

  /// A model's latest predictions, newest first.
  ///
  /// - Throws: `WorkspaceError` for an unknown model.
  public func history(
    of model: String, limit: Int = WorkspaceLimits.predictions
  ) async throws -> [Prediction] {
    try await read(.read) { db in
      try Self.requireModel(model, in: db)
      return try Self.history(of: model, limit: limit, db)
    }
  }

  /// Deletes a model's predictions.
  ///
  /// - Throws: `WorkspaceError` for an unknown model.
  public func clearHistory(of model: String) async throws {
    try await write(.saveHistory) { db in
      try Self.requireModel(model, in: db)
      try db.execute(sql: "DELETE FROM prediction WHERE model = ?", arguments: [model])
    }
  }

  static func history(of model: String, limit: Int, _ db: Database) throws -> [Prediction] {
    try PredictionRow.fetchAll(
      db, sql: "SELECT * FROM prediction WHERE number IN (\(latest)) ORDER BY number DESC",
      arguments: latest(of: model, limit: max(0, limit))
    ).map { try $0.prediction }
  }

  /// Selects the numbers of a model's latest predictions. Older databases may have more ink.
  private static let latest = """
    SELECT number FROM (
      SELECT number, row_number() OVER newest AS place,
        sum(length(CAST(drawing AS BLOB))) OVER newest AS bytes
      FROM prediction WHERE model = :model WINDOW newest AS (ORDER BY number DESC))
    WHERE place <= :limit AND (place = 1 OR bytes <= :bytes)
    """

  private static func latest(of model: String, limit: Int) -> StatementArguments {
    ["model": model, "limit": limit, "bytes": WorkspaceLimits.predictionBytes]
  }

  static func insert(_ prediction: Prediction, in db: Database) throws {
    try PredictionRow(prediction).insert(db)
  }

  /// Throws unless the confidence is in 0...1.
  static func share(_ value: Double) throws(WorkspaceError.Reason) -> Double {
    guard (0...1).contains(value) else { throw .invalidNumber("a confidence is in 0...1") }
    return value
  }
}

/// A row of the table `prediction`.
private struct PredictionRow: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "prediction"

  let model: String
  let id: String
  let label: String?
  let confidence: Double?
  let isRecognized: Bool
  let created: Int64
  let drawing: String

  init(_ prediction: Prediction) {
    (model, id, label) = (prediction.model, prediction.id, prediction.label)
    (confidence, isRecognized) = (prediction.confidence, prediction.decision == .recognized)
    created = prediction.created.milliseconds
    drawing = SampleRow.text(of: prediction.drawing)
  }

  var prediction: Prediction {
    get throws {
      guard (0...1).contains(confidence ?? 0) else {
        throw WorkspaceError.Reason.damaged("the prediction \(id) has an invalid confidence")
      }
      return Prediction(
        id: id, model: model, label: label, confidence: confidence,
        decision: isRecognized ? .recognized : .unrecognized,
        drawing: try Workspace.drawing(drawing, id: id, label: nil),
        created: Date(milliseconds: created))
    }
  }
}
