internal import Files
public import Foundation
internal import GRDB

/// Pictures made of sketches (TF-042): rows, and their PNG files in the folder `artworks`.
extension Workspace {
  /// How long a deleted artwork can be restored at least, in seconds.
  public static let artworkRestoreTime: TimeInterval = 3600

  /// The artworks, newest first; deleted ones are left out.
  ///
  /// - Throws: `WorkspaceError` for a damaged database.
  public func artworks() async throws -> [Artwork] {
    try await read(.read) { db in
      try ArtworkRow.fetchAll(
        db,
        sql: """
          SELECT \(ArtworkRow.shortColumns) FROM artwork WHERE deleted IS NULL
          ORDER BY created DESC, id
          """
      ).map { try $0.artwork }
    }
  }

  /// An artwork.
  ///
  /// - Throws: `WorkspaceError` for an unknown or deleted one.
  public func artwork(_ id: String) async throws -> Artwork {
    try await read(.readArtwork) { db in try ArtworkRow.row(id, in: db).artwork }
  }

  /// The sketch that an artwork was made of: the JSON that it was added with.
  ///
  /// - Throws: `WorkspaceError` for an unknown or deleted artwork.
  public func sketch(ofArtwork id: String) async throws -> [UInt8] {
    try await read(.readArtwork) { db in
      Array((try ArtworkRow.checked(id, in: db).sketch ?? "").utf8)
    }
  }

  /// The picture of an artwork: a PNG file, the same as it was added with.
  ///
  /// - Throws: `WorkspaceError` for an unknown or deleted artwork, and if its file is missing or
  ///   damaged.
  public func picture(ofArtwork id: String) async throws -> [UInt8] {
    try await mappingErrors(of: .readArtwork) {
      let row = try await database.read { db in
        let row = try ArtworkRow.row(id, in: db)
        _ = try row.artwork
        return row
      }
      return try files.picture(of: row)
    }
  }

  /// Throws if there is no room for one more artwork, before work whose result could not be kept.
  ///
  /// - Throws: `WorkspaceError`.
  public func requireRoomForArtwork() async throws {
    try await read(.saveArtwork) { db in try ArtworkRow.checkRoom(for: 1, in: db) }
  }

  /// Adds an artwork.
  ///
  /// - Parameters:
  ///   - picture: A PNG file of at most `WorkspaceLimits.artworkPictureBytes` bytes and
  ///     `WorkspaceLimits.artworkSide` pixels a side.
  ///   - sketch: What it was made of: a JSON object of a drawing, which may have `pens` besides, of
  ///     at most 8 MiB.
  ///   - style: The id of its style, a text like a name.
  ///   - maker: The name of the image model that made it; nil for this machine.
  ///   - labels: The labels of the shapes that were recognized on the sketch, in any order.
  /// - Returns: The new artwork.
  /// - Throws: `WorkspaceError` for what is invalid, for more artworks or bytes of them than
  ///   `WorkspaceLimits` allow, and for a full disk; nothing is kept then.
  @discardableResult
  public func addArtwork(
    _ picture: [UInt8], of sketch: [UInt8], style: String, maker: String?, labels: [String]
  ) async throws -> Artwork {
    try await mappingErrors(of: .saveArtwork) {
      try files.requireWritable()
      let row = try ArtworkRow(
        id: newID(), created: now(), style: style, maker: maker, labels: labels, sketch: sketch,
        picture: picture)
      return try await withArtworkLock {
        try Task.checkCancellation()
        do {
          try files.write(picture, ofArtwork: row.id)
          // A separate task: once the file exists, cancellation must not come between the row and
          // the result.
          return try await Task {
            try await change { db in
              try row.insert(db)
              try ArtworkRow.checkRoom(in: db)
              return try row.artwork
            }
          }.value
        } catch {
          files.artworkFiles.remove(
            WorkspaceFiles.name(ofArtwork: row.id), unlessNamedIn: database)
          throw error
        }
      }
    }
  }

  /// Changes what the user thinks of an artwork.
  ///
  /// - Parameters:
  ///   - id: The artwork.
  ///   - change: What to change.
  /// - Returns: The artwork as it is then.
  /// - Throws: `WorkspaceError` for an unknown or deleted artwork, and for stars that are not in
  ///   `Artwork.starRange`.
  @discardableResult
  public func changeArtwork(_ id: String, _ change: ArtworkChange) async throws -> Artwork {
    try await write(.changeArtwork) { db in
      var row = try ArtworkRow.row(id, in: db)
      if let isFavorite = change.isFavorite { row.isFavorite = isFavorite }
      if let stars = change.stars {
        guard stars.map(Artwork.starRange.contains) ?? true else {
          throw WorkspaceError.Reason.invalidNumber("stars are in 1...5")
        }
        row.stars = stars
      }
      try db.execute(
        sql: "UPDATE artwork SET isFavorite = ?, stars = ? WHERE id = ?",
        arguments: [row.isFavorite, row.stars, id])
      return try row.artwork
    }
  }

  /// Deletes an artwork: hides it, so that it can be restored for `artworkRestoreTime`. Later its
  /// row and its picture are removed.
  ///
  /// - Throws: `WorkspaceError` for an unknown artwork, and one that is deleted already.
  public func deleteArtwork(_ id: String) async throws {
    let time = now()
    let hasPurged = try await write(.deleteArtwork) { db in
      try db.execute(
        sql: "UPDATE artwork SET deleted = ? WHERE id = ? AND deleted IS NULL",
        arguments: [time.milliseconds, id])
      guard db.changesCount > 0 else { throw WorkspaceError.Reason.unknownArtwork(id) }
      try ArtworkRow.purge(at: time, in: db)
      return db.changesCount > 0
    }
    if hasPurged { files.sweep(keeping: database) }
  }

  /// Brings a deleted artwork back; one that is not deleted stays as it is.
  ///
  /// - Throws: `WorkspaceError` for an unknown artwork, such as one that was deleted too long ago,
  ///   and if there is no room for it any more.
  @discardableResult
  public func restoreArtwork(_ id: String) async throws -> Artwork {
    try await write(.restore) { db in
      try db.execute(sql: "UPDATE artwork SET deleted = NULL WHERE id = ?", arguments: [id])
      let artwork = try ArtworkRow.row(id, in: db).artwork
      try ArtworkRow.checkRoom(in: db)
      return artwork
    }
  }

  /// Removes the rows of artworks that were deleted long ago; the sweep removes their files. If this
  /// fails, a later opening retries.
  func purgeArtworks() {
    let time = now()
    guard files.copy == nil,
      (try? database.read { db in try ArtworkRow.hasPurgeable(at: time, in: db) }) == true
    else { return }
    try? database.write { db in
      try WorkspaceSchema.requireDrawMLDatabase(db)
      try ArtworkRow.purge(at: time, in: db)
    }
  }
}

extension WorkspaceFiles {
  /// Writes the picture of an artwork, whose row comes later. Requires the lock.
  func write(_ picture: [UInt8], ofArtwork id: String) throws {
    try requireWritable()
    try AtomicFile.write(
      picture, to: "\(artworks)/\(Self.name(ofArtwork: id))", replacesLinks: true)
  }
}
