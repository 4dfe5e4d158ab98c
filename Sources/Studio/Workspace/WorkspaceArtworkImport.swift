internal import Files
internal import Foundation
internal import GRDB

// Artworks in exported files: their rows, and the bytes of their pictures in `artworkFile`.

extension Workspace {
  /// Copies the artworks that are not deleted, with their pictures, into an export; returns their
  /// number.
  static func exportArtworks(
    from db: Database, _ files: WorkspaceFiles, to out: Database
  ) throws -> Int {
    let ids = try ArtworkRow.ids(in: db)
    for id in ids {
      let row = try ArtworkRow.checked(id, in: db)
      let picture = try files.picture(of: row)
      try row.insert(out)
      try out.execute(
        sql: "INSERT INTO artworkFile (artwork, bytes) VALUES (?, ?)",
        arguments: [id, Data(picture)])
    }
    return ids.count
  }

  /// Where to put the artworks of a file: one is here already if one of the same time is the same,
  /// and one whose id is taken gets a new one.
  static func artworkPlaces(
    of file: ImportedFile, _ newIDs: [String], in db: Database
  ) throws -> [ImportTarget] {
    try zip(file.artworks, newIDs).map { id, newID in
      let row = try file.artwork(id)
      let alike = try ArtworkRow.fetchAll(
        db, sql: "SELECT * FROM artwork WHERE created = ? AND digest = ? ORDER BY id <> ?",
        arguments: [row.created, row.digest, id])
      if let here = alike.first(where: row.isSame(as:)) {
        return ImportTarget(id: here.id, isHere: true)
      }
      let isTaken = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM artwork WHERE id = ?)", arguments: [id])
      return ImportTarget(id: isTaken == true ? newID : id, isHere: false)
    }
  }

  /// Adds the rows of a file's artworks, and restores those that are here but deleted.
  static func insertArtworks(
    of file: ImportedFile, at places: [ImportTarget], in db: Database
  ) throws {
    for (id, place) in zip(file.artworks, places) {
      if place.isHere {
        try db.execute(
          sql: "UPDATE artwork SET deleted = NULL WHERE id = ? AND deleted IS NOT NULL",
          arguments: [place.id])
      } else {
        var row = try file.artwork(id)
        row.id = place.id
        try row.insert(db)
      }
    }
    if !places.isEmpty { try ArtworkRow.checkRoom(in: db) }
  }
}

extension ArtworkRow {
  /// The bytes of an artwork's picture in an exported file; nil without any.
  static func picture(_ id: String, in db: Database) throws -> [UInt8]? {
    try Data.fetchOne(
      db, sql: "SELECT bytes FROM artworkFile WHERE artwork = ?", arguments: [id]
    ).map { [UInt8]($0) }
  }

  /// The ids of the artworks of an exported file, after checking them and their pictures.
  static func checkedIDs(ofExport db: Database) throws -> [String] {
    // An export has no deleted ones, and no pictures without a row.
    let ids = try ids(in: db)
    for id in ids {
      let row = try checked(id, in: db)
      guard let picture = try picture(id, in: db), picture.count == row.bytes,
        Fingerprint.sha256(picture) == row.digest
      else {
        throw WorkspaceError.Reason.notImportable("a picture is not the one that was exported")
      }
      try check(sizeOf: picture)
    }
    if !ids.isEmpty { try checkRoom(in: db) }
    return ids
  }
}
