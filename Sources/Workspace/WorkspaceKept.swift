internal import Foundation
internal import GRDB
public import Ink
internal import Support

/// Settings (D-005).
extension Workspace {
  /// The settings; the usual ones where nothing was set.
  public func settings() async throws -> WorkspaceSettings {
    try await read(.read) { db in try Self.settings(in: db) }
  }

  /// Changes some settings; the others stay as they are.
  ///
  /// - Returns: All of them.
  @discardableResult
  public func update(_ patch: WorkspaceSettings.Patch) async throws -> WorkspaceSettings {
    try await write(.saveSettings) { db in
      let settings = try Self.settings(in: db).changed(by: patch)
      try Self.save(settings, in: db)
      return settings
    }
  }

  static func settings(in db: Database) throws -> WorkspaceSettings {
    guard let text = try String.fetchOne(db, sql: "SELECT json FROM settings") else {
      return WorkspaceSettings()
    }
    do {
      return try JSONDocument.decode(WorkspaceSettings.self, from: Array(text.utf8))
    } catch {
      throw WorkspaceError.Reason.damaged("the settings cannot be read")
    }
  }

  static func save(_ settings: WorkspaceSettings, in db: Database) throws {
    guard WorkspaceSettings.penSizes.contains(settings.penSize) else {
      throw WorkspaceError.Reason.invalidNumber("there is no pen of that size")
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try db.execute(
      sql:
        """
        INSERT INTO settings (id, json) VALUES (1, ?) ON CONFLICT DO UPDATE SET json = excluded.json
        """,
      arguments: [String(decoding: try encoder.encode(settings), as: UTF8.self)])
  }
}

/// What was asked, and what the model said (D-006).
extension Workspace {
  /// Keeps a prediction; of a model's the last `WorkspaceLimits.predictions` stay.
  ///
  /// - Parameters:
  ///   - drawing: What was drawn; its id and label are not looked at.
  ///   - decision: Whether the label was said aloud.
  ///   - label: The best label; nil where there was none.
  ///   - confidence: How much it was believed, in 0...1.
  ///   - model: The model's id.
  /// - Returns: The prediction as it is kept.
  /// - Throws: `WorkspaceError` for an unknown model and a drawing that is none.
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
          DELETE FROM prediction WHERE model = :model AND number <= (
            SELECT number FROM prediction WHERE model = :model
            ORDER BY number DESC LIMIT 1 OFFSET :kept)
          """, arguments: ["model": model, "kept": WorkspaceLimits.predictions])
      return prediction
    }
  }

  /// What a model said last, newest first.
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

  /// Forgets what a model said.
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
      db, sql: "SELECT * FROM prediction WHERE model = ? ORDER BY number DESC LIMIT ?",
      arguments: [model, max(0, limit)]
    ).map { try $0.prediction }
  }

  static func insert(_ prediction: Prediction, in db: Database) throws {
    try PredictionRow(prediction).insert(db)
  }

  /// A number in 0...1.
  static func share(_ value: Double) throws(WorkspaceError.Reason) -> Double {
    guard (0...1).contains(value) else { throw .invalidNumber("a confidence is in 0...1") }
    return value
  }
}

/// A prediction as it is kept.
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

/// What lies on the canvases of the playground (D-007).
extension Workspace {
  /// The playground with the given id.
  ///
  /// - Throws: `WorkspaceError` of `unknownPlayground`.
  public func playground(_ id: String) async throws -> Playground {
    try await read(.read) { db in
      guard let playground = try Self.playground(id, in: db) else {
        throw WorkspaceError.Reason.unknownPlayground(id)
      }
      return playground
    }
  }

  /// Keeps a playground as it is now, in the place of what was kept under its id.
  ///
  /// - Throws: `WorkspaceError` for an unknown model, and for items that are none or too many.
  public func save(_ playground: Playground) async throws {
    let rows: PlaygroundRows
    // Checked and encoded before others have to wait.
    do { rows = try PlaygroundRows(playground) } catch {
      throw WorkspaceError(.savePlayground, error, in: files)
    }
    try await write(.savePlayground) { db in
      try Self.requireModel(playground.model, in: db)
      try rows.save(in: db)
    }
  }

  static func playgrounds(of model: String, _ db: Database) throws -> [Playground] {
    try String.fetchAll(
      db, sql: "SELECT id FROM playground WHERE model = ? ORDER BY id", arguments: [model]
    ).compactMap { try playground($0, in: db) }
  }

  static func playground(_ id: String, in db: Database) throws -> Playground? {
    guard let row = try PlaygroundRow.fetchOne(db, key: id) else { return nil }
    let items = try ItemRow.fetchAll(db, sql: ItemRow.allOfPlayground, arguments: [id])
    let playground = Playground(
      id: id, model: row.model, canvas: .init(width: row.width, height: row.height),
      items: try items.map { try $0.item })
    guard isSound(playground) else {
      throw WorkspaceError.Reason.damaged("the playground \(id) is none")
    }
    return playground
  }

  /// Whether the playground could be kept as it is.
  private static func isSound(_ playground: Playground) -> Bool {
    (try? Checked.id(playground.id)) != nil && (try? Checked.canvas(playground.canvas)) != nil
      && (try? checked(playground.items)) == playground.items
      && playground.items.allSatisfy { $0.label.map(Checked.isLabel) ?? true }
  }

  /// The items as they are kept.
  fileprivate static func checked(
    _ items: [PlaygroundItem]
  ) throws(WorkspaceError.Reason) -> [PlaygroundItem] {
    let limit = WorkspaceLimits.items
    guard items.count <= limit else { throw .tooMuch("items", limit: limit) }
    guard Set(items.map(\.number)).count == items.count else {
      throw .invalidNumber("two items of a playground have the same number")
    }
    guard items.allSatisfy({ WorkspaceLimits.itemNumbers.contains($0.number) }) else {
      throw .invalidNumber(
        "an item's number must be from 0 to \(WorkspaceLimits.itemNumbers.upperBound - 1)")
    }
    let places = -WorkspaceLimits.farthest...WorkspaceLimits.farthest
    var points = 0
    return try items.map { item throws(WorkspaceError.Reason) in
      points += item.strokes.reduce(0) { $0 + $1.points.count }
      // A shape may be more than a drawing that can teach: what counts is all of the canvas.
      try Checked.strokes(item.strokes, points: WorkspaceLimits.playgroundPoints)
      guard points <= WorkspaceLimits.playgroundPoints else {
        throw .tooMuch("points", limit: WorkspaceLimits.playgroundPoints)
      }
      guard places.contains(item.x), places.contains(item.y),
        (0...WorkspaceLimits.farthest).contains(item.side)
      else { throw .invalidNumber("the place of item \(item.number) is none") }
      guard item.ids.count <= WorkspaceLimits.strokes,
        item.ids.allSatisfy({ $0.map(PlaygroundItem.isStrokeID) ?? true }),
        item.ids.isEmpty || item.label != nil || item.ids.count == item.strokes.count
      else { throw .invalidNumber("the ids of item \(item.number) are not those of its strokes") }
      var item = item
      item.strokes.removeAll { $0.points.isEmpty }
      if let label = item.label { item.label = try Checked.label(label) }
      if let confidence = item.confidence { item.confidence = try share(confidence) }
      return item
    }
  }
}

/// A playground as it is kept.
struct PlaygroundRows: Sendable {
  private let row: PlaygroundRow
  private let items: [ItemRow]

  /// Throws for a playground that is none.
  init(_ playground: Playground) throws(WorkspaceError.Reason) {
    let (id, canvas) = (try Checked.id(playground.id), playground.canvas)
    try Checked.canvas(canvas)
    row = PlaygroundRow(
      id: id, model: playground.model, width: canvas.width, height: canvas.height)
    items = try Workspace.checked(playground.items).enumerated().map {
      ItemRow($1, at: $0, of: id)
    }
  }

  /// Writes the rows, in the place of those that were kept under the id.
  func save(in db: Database) throws {
    // What has not changed is not written again: a canvas grows by one item at a time.
    let old = try Row.fetchAll(db, sql: ItemRow.allOfPlayground, arguments: [row.id])
    let same = zip(old, items).prefix { (try? ItemRow(row: $0)) == $1 }.count
    try row.upsert(db)
    try db.execute(
      sql: "DELETE FROM playgroundItem WHERE playground = ? AND place >= ?",
      arguments: [row.id, same])
    for item in items.dropFirst(same) { try item.insert(db) }
  }
}

private struct PlaygroundRow: Codable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "playground"

  let id: String
  let model: String
  let width: Double
  let height: Double
}

/// An item of a playground as it is kept.
private struct ItemRow: Codable, Equatable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "playgroundItem"
  static let allOfPlayground = "SELECT * FROM playgroundItem WHERE playground = ? ORDER BY place"

  let playground: String
  let place: Int
  let number: Int
  let label: String?
  let confidence: Double?
  let x: Double
  let y: Double
  let side: Double
  /// Stroke JSON; empty where there are none. Before it a line with the strokes' ids, a list of
  /// texts and nulls, where some are known.
  let strokes: String

  init(_ item: PlaygroundItem, at place: Int, of playground: String) {
    (self.playground, self.place) = (playground, place)
    (number, label, confidence) = (item.number, item.label, item.confidence)
    (x, y, side) = (item.x, item.y, item.side)
    let ids = item.ids.isEmpty ? "" : Self.text(of: item.ids) + "\n"
    strokes =
      ids + (item.strokes.isEmpty ? "" : SampleRow.text(of: Drawing(strokes: item.strokes)))
  }

  /// The item, of which nothing is believed yet.
  var item: PlaygroundItem {
    get throws {
      let lines = strokes.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let (ids, ink) = lines.count == 2 ? (lines[0], String(lines[1])) : ("[]", strokes)
      return PlaygroundItem(
        number: number, label: label, confidence: confidence, x: x, y: y, side: side,
        strokes: ink.isEmpty
          ? [] : try Workspace.drawing(ink, id: playground, label: nil).strokes,
        ids: try Self.ids(ids, of: playground))
    }
  }

  private static func text(of ids: [String?]) -> String {
    (try? JSONEncoder().encode(ids)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
  }

  private static func ids(_ text: Substring, of playground: String) throws -> [String?] {
    guard text.utf8.count <= mostIDBytes else {
      throw WorkspaceError.Reason.damaged("the ids of strokes of \(playground) are too long")
    }
    do throws(JSONFault) {
      return try JSONDocument.decode([String?].self, from: Array(text.utf8))
    } catch {
      throw WorkspaceError.Reason.damaged("the ids of strokes of \(playground): \(error)")
    }
  }

  /// More than as many ids as there may be take, whatever is in them.
  private static let mostIDBytes = WorkspaceLimits.strokes * 512
}
