internal import Files
internal import Foundation
internal import GRDB
internal import Ink
internal import JSON
internal import Pictures

/// A row of an artwork; its picture is in a file.
struct ArtworkRow: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "artwork"
  /// All columns but the sketch, which may be long.
  static let shortColumns =
    "id, created, style, maker, labels, isFavorite, stars, deleted, bytes, digest"

  var id: String
  let created: Int64
  let style: String
  let maker: String?
  /// A JSON list, ascending.
  let labels: String
  var isFavorite: Bool
  var stars: Int?
  /// When it was deleted; nil if it was not.
  var deleted: Int64?
  /// The length of the picture's file.
  let bytes: Int
  /// The SHA-256 of the picture's file.
  let digest: String
  /// The JSON of the sketch; nil in a row of `shortColumns`.
  var sketch: String?

  /// A new row.
  ///
  /// - Throws: `WorkspaceError.Reason` for what no artwork may have.
  init(
    id: String, created: Date, style: String, maker: String?, labels: [String], sketch: [UInt8],
    picture: [UInt8]
  ) throws {
    let labels = Set(try labels.map { try Checked.label($0) }).sorted()
    guard labels.count <= WorkspaceLimits.artworkLabels else {
      throw WorkspaceError.Reason.tooMuch("labels", limit: WorkspaceLimits.artworkLabels)
    }
    try Self.check(sketch: sketch)
    try Self.check(picture: picture)
    (self.id, self.created) = (id, created.milliseconds)
    self.style = try Checked.name(style)
    self.maker = try maker.map { try Checked.name($0) }
    self.labels = try jsonText(labels)
    (isFavorite, stars, deleted) = (false, nil, nil)
    (bytes, digest) = (picture.count, Fingerprint.sha256(picture))
    self.sketch = String(decoding: sketch, as: UTF8.self)
  }

  /// The artwork.
  ///
  /// - Throws: `WorkspaceError.Reason.damaged` if a value is not one that this program would write.
  var artwork: Artwork {
    get throws {
      // Ids are made as those of models are.
      guard Checked.isModelID(id), WorkspaceLimits.times.contains(created),
        WorkspaceLimits.times.contains(deleted ?? 0), Checked.isName(style),
        maker.map(Checked.isName) ?? true, stars.map(Artwork.starRange.contains) ?? true,
        (1...WorkspaceLimits.artworkPictureBytes).contains(bytes),
        let labels = try? JSONDocument.decode([String].self, from: Array(labels.utf8)),
        labels.count <= WorkspaceLimits.artworkLabels, labels.allSatisfy(Checked.isLabel),
        Set(labels).sorted() == labels
      else { throw damaged }
      return Artwork(
        id: id, created: Date(milliseconds: created), style: style, maker: maker, labels: labels,
        isFavorite: isFavorite, stars: stars)
    }
  }

  /// Throws if a value is not one that this program would write.
  func check() throws {
    _ = try artwork
    guard let sketch, (try? Self.check(sketch: Array(sketch.utf8))) != nil else { throw damaged }
  }

  /// Throws if a JSON text is not a drawing of at most as many strokes as one of a workspace has, and
  /// as many points as a sketch.
  private static func check(sketch: [UInt8]) throws(WorkspaceError.Reason) {
    guard sketch.count <= StoredValues.longestText else {
      throw .tooMuch("bytes of the sketch", limit: StoredValues.longestText)
    }
    let drawing: Drawing
    do { drawing = try StrokeJSON.parse(sketch) } catch { throw .drawing(error) }
    try Checked.strokes(drawing.strokes, points: WorkspaceLimits.sketchPoints)
    if let canvas = drawing.canvas { try Checked.canvas(canvas) }
  }

  /// Throws if a file is not a PNG picture that an artwork may have.
  private static func check(picture: [UInt8]) throws(WorkspaceError.Reason) {
    try check(sizeOf: picture)
    let side = WorkspaceLimits.artworkSide
    // Up to 14 bytes a pixel, of 16 bits a channel.
    do { _ = try PNG.decode(picture, as: .rgba, memory: 14 * side * side) } catch {
      throw .unusableArtwork("\(error)")
    }
  }

  /// Throws if the length or the header of a file is not one that an artwork's picture may have.
  static func check(sizeOf picture: [UInt8]) throws(WorkspaceError.Reason) {
    guard picture.count <= WorkspaceLimits.artworkPictureBytes else {
      throw .unusableArtwork("it has more than \(WorkspaceLimits.artworkPictureBytes >> 20) MB")
    }
    guard picture.starts(with: PNG.signature) else { throw .unusableArtwork("it is no PNG file") }
    let header: PNG.Header
    do { header = try PNG.header(of: picture) } catch { throw .unusableArtwork("\(error)") }
    guard max(header.width, header.height) <= WorkspaceLimits.artworkSide else {
      throw .unusableArtwork(
        "it has \(header.width) × \(header.height) pixels, and a side has at most "
          + "\(WorkspaceLimits.artworkSide)")
    }
  }

  /// Whether another row has the same artwork, whatever the user thinks of it.
  func isSame(as other: ArtworkRow) -> Bool {
    var other = other
    (other.id, other.isFavorite, other.stars, other.deleted) = (id, isFavorite, stars, deleted)
    return self == other
  }

  /// Which picture it is, in messages.
  var shown: String { "\(style.shown) of \(Date(milliseconds: created).formatted(.iso8601))" }

  private var damaged: WorkspaceError.Reason { .damaged("the picture \(style.shown) is invalid") }

  /// The ids of all artworks that are not deleted, oldest first.
  static func ids(in db: Database) throws -> [String] {
    try String.fetchAll(
      db, sql: "SELECT id FROM artwork WHERE deleted IS NULL ORDER BY created, id")
  }

  /// The row of an artwork that is not deleted.
  ///
  /// - Parameters:
  ///   - id: The artwork.
  ///   - columns: What to read.
  ///   - db: The database.
  /// - Returns: The row.
  /// - Throws: `WorkspaceError.Reason` if there is none.
  static func row(_ id: String, columns: String = shortColumns, in db: Database) throws -> Self {
    let sql = "SELECT \(columns) FROM artwork WHERE id = ? AND deleted IS NULL"
    guard let row = try fetchOne(db, sql: sql, arguments: [id]) else {
      throw WorkspaceError.Reason.unknownArtwork(id)
    }
    return row
  }

  /// A checked row with its sketch.
  static func checked(_ id: String, in db: Database) throws -> Self {
    let row = try row(id, columns: "*", in: db)
    try row.check()
    return row
  }

  /// Throws if there would be more artworks than a workspace may have with so many more, or if there
  /// are more bytes of their pictures.
  static func checkRoom(for more: Int = 0, in db: Database) throws {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT COUNT(*) AS count, ifnull(SUM(bytes), 0) AS bytes
        FROM artwork WHERE deleted IS NULL
        """)
    let (count, bytes): (Int, Int) = (row?["count"] ?? 0, row?["bytes"] ?? 0)
    guard count + more <= WorkspaceLimits.artworks, bytes <= WorkspaceLimits.artworkBytes else {
      throw WorkspaceError.Reason.tooManyArtworks
    }
  }

  /// The last time of deletion of what cannot be restored any more.
  private static func lastPurged(at time: Date) -> Int64 {
    time.milliseconds - Int64(Workspace.artworkRestoreTime * 1000)
  }

  /// Whether some were deleted so long ago that `purge` would remove their rows.
  static func hasPurgeable(at time: Date, in db: Database) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM artwork WHERE deleted < ?)",
      arguments: [lastPurged(at: time)]) == true
  }

  /// Removes the rows of those that were deleted long ago.
  static func purge(at time: Date, in db: Database) throws {
    try db.execute(
      sql: "DELETE FROM artwork WHERE deleted < ?", arguments: [lastPurged(at: time)])
  }
}
