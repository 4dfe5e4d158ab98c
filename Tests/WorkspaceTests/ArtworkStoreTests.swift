import Files
import Foundation
import GRDB
import Pictures
import Testing
import Trace

@testable import Workspace

@Suite("Pictures made of sketches, in a workspace")
struct ArtworkStoreTests {
  /// A sketch with a pen, spelled as no program would spell it.
  static let sketch = Array(
    """
    {"strokes": [[[1,2],[3,4]]], "canvas": {"width":9, "height":9},
     "pens": [{"color":"#e53935","width":5,"tool":"pen"}]}
    """.utf8)

  /// A picture of one shade.
  static func picture(_ shade: UInt8 = 0, width: Int = 4, height: Int = 3) throws -> [UInt8] {
    try PNG.encode(
      [UInt8](repeating: shade, count: width * height), width: width, height: height, as: .gray)
  }

  @discardableResult
  static func add(
    _ shade: UInt8 = 0, maker: String? = nil, to workspace: Workspace
  ) async throws -> Artwork {
    try await workspace.addArtwork(
      picture(shade), of: sketch, style: "watercolor-painting", maker: maker,
      labels: ["🌳", "🏠"])
  }

  /// An empty place with a clock, and a workspace that goes by it.
  private static func timed(
    _ time: String = "2026-11-25T10:00:00Z"
  ) async throws -> (Place, TestClock, () async throws -> Workspace) {
    let (place, clock, base) = (Place(), try TestClock(time), try await Small.base)
    return (
      place, clock,
      { try Workspace(folder: place.path("data"), base: base, now: { clock.now }) }
    )
  }

  @Test("TF-042: artworks are kept with their sketches and pictures, newest first")
  func kept() async throws {
    let place = Place()
    var workspace = try await place.open()
    #expect(try await workspace.artworks() == [])
    #expect(!AtomicFile.exists(place.path("data/artworks")), "it is made with the first picture")
    let first = try await Self.add(to: workspace)
    #expect(first.style == "watercolor-painting" && first.maker == nil)
    #expect(first.labels == ["🌳", "🏠"] && !first.isFavorite && first.stars == nil)
    let second = try await workspace.addArtwork(
      Self.picture(9), of: Self.sketch, style: "pencil", maker: "gpt-image-1",
      labels: ["b", "a", "b"])
    #expect(second.maker == "gpt-image-1" && second.labels == ["a", "b"])
    try workspace.close()
    workspace = try await place.open()
    #expect(try await workspace.artworks() == [second, first])
    #expect(try await workspace.artwork(first.id) == first)
    #expect(try await workspace.sketch(ofArtwork: first.id) == Self.sketch)
    #expect(try await workspace.picture(ofArtwork: first.id) == Self.picture())
    #expect(try await workspace.picture(ofArtwork: second.id) == Self.picture(9))
    #expect(
      place.files(in: "data/artworks") == ["\(first.id).png", "\(second.id).png"].sorted())
    let found = try FileManager.default.attributesOfItem(atPath: place.path("data/artworks"))
    #expect((found[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    #expect(try await workspace.problems() == [])
  }

  @Test("TF-042: an artwork is a favorite or not, and has stars or none; the rest stays")
  func changed() async throws {
    let (place, workspace) = try await Place.opened()
    let artwork = try await Self.add(to: workspace)
    var expected = artwork
    (expected.isFavorite, expected.stars) = (true, 4)
    #expect(
      try await workspace.changeArtwork(artwork.id, .init(isFavorite: true, stars: 4)) == expected)
    #expect(try await workspace.changeArtwork(artwork.id, .init()) == expected)
    #expect(try await place.open().artworks() == [expected])
    expected.stars = nil
    #expect(
      try await workspace.changeArtwork(artwork.id, .init(stars: .some(nil))) == expected)
    for stars in [0, 6] {
      await refused(.changeArtwork, .invalidNumber("stars are in 1...5")) {
        try await workspace.changeArtwork(artwork.id, .init(isFavorite: false, stars: stars))
      }
    }
    #expect(try await workspace.artwork(artwork.id) == expected)
  }

  @Test("A change is decoded strictly; stars that are null are taken back")
  func decodedChange() throws {
    func decode(_ text: String) throws -> ArtworkChange {
      try JSONDecoder().decode(ArtworkChange.self, from: Data(text.utf8))
    }
    #expect(try decode("{}") == ArtworkChange())
    #expect(try decode(#"{"isFavorite":true,"stars":5}"#) == .init(isFavorite: true, stars: 5))
    #expect(try decode(#"{"stars":null}"#) == ArtworkChange(stars: .some(nil)))
    for text in [#"{"star":1}"#, #"{"stars":0}"#, #"{"stars":6}"#, #"{"isFavorite":1}"#, "[]"] {
      #expect(throws: DecodingError.self, "\(text)") { try decode(text) }
    }
    let encoded = try JSONEncoder().encode(
      Artwork(
        id: "x", created: Date(milliseconds: 0), style: "pencil", labels: [], isFavorite: false))
    let keys = try #require(try JSONSerialization.jsonObject(with: encoded) as? [String: Any]).keys
    #expect(
      keys.sorted() == ["created", "id", "isFavorite", "labels", "maker", "stars", "style"])
  }

  @Test("TF-042: a deleted artwork can be restored for an hour; later nothing of it is left")
  func deleted() async throws {
    let (place, clock, open) = try await Self.timed()
    let workspace = try await open()
    let artwork = try await Self.add(to: workspace)
    let name = "\(artwork.id).png"
    try await workspace.deleteArtwork(artwork.id)
    #expect(try await workspace.artworks() == [])
    await refused(.deleteArtwork, .unknownArtwork(artwork.id)) {
      try await workspace.deleteArtwork(artwork.id)
    }
    await refused(.readArtwork, .unknownArtwork(artwork.id)) {
      try await workspace.picture(ofArtwork: artwork.id)
    }
    clock.now += 3600
    let again = try await open()
    #expect(place.files(in: "data/artworks") == [name])
    #expect(try await again.restoreArtwork(artwork.id) == artwork)
    #expect(try await again.restoreArtwork(artwork.id) == artwork, "which changes nothing")
    #expect(try await workspace.artworks() == [artwork])
    #expect(try await workspace.picture(ofArtwork: artwork.id) == Self.picture())
    // Its hour begins anew, and ends with the next opening.
    try await workspace.deleteArtwork(artwork.id)
    clock.now += 3601
    #expect(try await open().problems() == [])
    #expect(place.files(in: "data/artworks") == [])
    await refused(.restore, .unknownArtwork(artwork.id)) {
      try await workspace.restoreArtwork(artwork.id)
    }
    // Or with the next deletion.
    let (first, second) = (
      try await Self.add(1, to: workspace), try await Self.add(2, to: workspace)
    )
    try await workspace.deleteArtwork(first.id)
    clock.now += 3601
    try await workspace.deleteArtwork(second.id)
    #expect(place.files(in: "data/artworks") == ["\(second.id).png"])
  }

  @Test("Unknown ids, and those that lead elsewhere, are told")
  func unknown() async throws {
    let (place, workspace) = try await Place.opened()
    try AtomicFile.write(try Self.picture(), to: place.path("data/outside.png"))
    for id in ["", "x", "../outside", Place.id(99)] {
      let reason = WorkspaceError.Reason.unknownArtwork(id)
      await refused(.readArtwork, reason) { try await workspace.artwork(id) }
      await refused(.readArtwork, reason) { try await workspace.sketch(ofArtwork: id) }
      await refused(.readArtwork, reason) { try await workspace.picture(ofArtwork: id) }
      await refused(.changeArtwork, reason) { try await workspace.changeArtwork(id, .init()) }
      await refused(.deleteArtwork, reason) { try await workspace.deleteArtwork(id) }
      await refused(.restore, reason) { try await workspace.restoreArtwork(id) }
    }
    // A row with such an id is damage.
    let artwork = try await Self.add(to: workspace)
    try await workspace.execute(
      "UPDATE artwork SET id = '../outside' WHERE id = ?", [artwork.id])
    let error = await #expect(throws: WorkspaceError.self) {
      try await workspace.picture(ofArtwork: "../outside")
    }
    #expect(error?.code == "damaged")
  }

  @Test("TF-042: what is no picture or no sketch is refused with the reason, and nothing is kept")
  func invalid() async throws {
    let (place, workspace) = try await Place.opened()
    let sound = try Self.picture()
    func add(
      _ picture: [UInt8], _ sketch: [UInt8] = Self.sketch, style: String = "pencil",
      labels: [String] = []
    ) async -> String? {
      let error = await #expect(throws: WorkspaceError.self) {
        try await workspace.addArtwork(
          picture, of: sketch, style: style, maker: nil, labels: labels)
      }
      #expect(error?.operation == .saveArtwork)
      return error?.code
    }
    let tooLong = sound + [UInt8](repeating: 0, count: WorkspaceLimits.artworkPictureBytes)
    for picture in [
      [], Array("GIF89a".utf8), Array(sound.dropLast(20)), tooLong,
      try Self.picture(width: WorkspaceLimits.artworkSide + 1, height: 1),
    ] {
      #expect(await add(picture) == "unusableArtwork", "of \(picture.count) bytes")
    }
    #expect(await add(sound, Array("{".utf8)) == "invalidDrawing")
    #expect(await add(sound, Array(#"{"strokes":[]}"#.utf8)) == "emptyDrawing")
    let blanks = [UInt8](repeating: 0x20, count: StoredValues.longestText)
    #expect(await add(sound, Self.sketch + blanks) == "tooMuch")
    #expect(await add(sound, style: " ") == "nameEmpty")
    #expect(await add(sound, labels: ["."]) == "labelInvalid")
    #expect(await add(sound, labels: (0...1000).map { "\($0)" }) == "tooMuch")
    #expect(try await workspace.artworks() == [])
    #expect(place.files(in: "data/artworks") == [])
  }

  @Test("The longest labels, the longest sketch and the largest picture are kept, and exported")
  func largest() async throws {
    let (place, workspace) = try await Place.opened()
    let labels = (1000..<2000).map { "\($0)" + String(repeating: "\"", count: 60) }
    let side = WorkspaceLimits.artworkSide
    let sketch =
      Self.sketch
      + [UInt8](repeating: 0x20, count: StoredValues.longestText - Self.sketch.count)
    let artwork = try await workspace.addArtwork(
      Self.picture(width: side, height: side), of: sketch, style: "pencil", maker: nil,
      labels: labels)
    #expect(artwork.labels == labels)
    try await workspace.export(to: place.path("all"))
    let other = try await place.open(in: "other", importing: "all")
    #expect(try await other.artworks() == [artwork])
    #expect(try await other.sketch(ofArtwork: artwork.id) == sketch)
    #expect(try await other.problems() == [])
  }

  @Test("TF-042: a workspace has room for so many pictures, and so many bytes of them")
  func room() async throws {
    let (place, workspace) = try await Place.opened()
    let kept = try await Self.add(to: workspace)
    func fill(_ count: Int, bytes: Int) async throws {
      try await workspace.execute(
        """
        DELETE FROM artwork WHERE id <> ?;
        WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO artwork
        SELECT id || i, created, style, maker, labels, 0, NULL, NULL, ?, digest, sketch
        FROM artwork, n
        """, [kept.id, count, bytes])
    }
    try await fill(2, bytes: WorkspaceLimits.artworkBytes)
    await refused(.saveArtwork, .tooManyArtworks) { try await Self.add(1, to: workspace) }
    try await fill(WorkspaceLimits.artworks, bytes: 1)
    await refused(.saveArtwork, .tooManyArtworks) { try await Self.add(1, to: workspace) }
    #expect(place.files(in: "data/artworks") == ["\(kept.id).png"])
    // A deleted one makes room, which it needs when it is restored.
    try await workspace.deleteArtwork(kept.id)
    try await Self.add(1, to: workspace)
    await refused(.restore, .tooManyArtworks) { try await workspace.restoreArtwork(kept.id) }
    #expect(
      WorkspaceError.Reason.tooManyArtworks.description.contains("room for 1000 pictures"))
  }

  @Test("TF-042: a picture whose program was killed before the row is swept, unless one is at work")
  func swept() async throws {
    let (place, workspace) = try await Place.opened()
    let artwork = try await Self.add(to: workspace)
    let orphan = place.path("data/artworks/\(Place.id(77)).png")
    try AtomicFile.write("mine", to: place.path("data/artworks/cat.png"))
    try await workspace.withArtworkLock {
      try AtomicFile.write("no row yet", to: orphan)
      try AtomicFile.write("half", to: place.path("data/artworks/.drawml-1-2.tmp"))
      _ = try await place.open()
      #expect(AtomicFile.exists(orphan))
    }
    _ = try await place.open()
    #expect(place.files(in: "data/artworks") == ["\(artwork.id).png", "cat.png"].sorted())
    // A training is not in the way.
    try await workspace.withModelLock { _ = try await Self.add(1, to: workspace) }
    #expect(try await workspace.problems() == [])
  }

  @Test("A picture whose row is on a damaged page is not swept")
  func hiddenRow() async throws {
    let (place, workspace) = try await Place.opened()
    let artwork = try await Self.add(to: workspace)
    let page = try await workspace.database.read { db in
      try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'artwork'") ?? 0
    }
    try workspace.close()
    var bytes = try AtomicFile.read(place.database)
    // The page says that it has no cells.
    let header = (page - 1) * 4096
    bytes.replaceSubrange((header + 1)..<(header + 8), with: [0, 0, 0, 0, 0x10, 0, 0])
    try AtomicFile.write(bytes, to: place.database)
    let damaged = try await place.open()
    #expect(try await damaged.artworks() == [])
    #expect(place.files(in: "data/artworks") == ["\(artwork.id).png"])
    #expect(try await !damaged.problems().isEmpty)
  }

  @Test("Pictures without a database are not taken for a new workspace, and stay")
  func lostDatabase() async throws {
    let (place, workspace) = try await Place.opened()
    let artwork = try await Self.add(to: workspace)
    try workspace.close()
    AtomicFile.remove(place.database)
    let reason = WorkspaceError.Reason.lost(log: nil, hasModels: false, hasArtworks: true)
    await refused(.open, reason) { try await place.open() }
    #expect(reason.description.contains("move the folder artworks away"))
    #expect(place.files(in: "data/artworks") == ["\(artwork.id).png"])
    try FileManager.default.removeItem(atPath: place.path("data/artworks"))
    #expect(try await place.open().artworks() == [])
  }

  @Test("A folder of pictures that leads elsewhere is not written to")
  func linked() async throws {
    let (place, workspace) = try await Place.opened()
    try place.makeFolder("outside")
    try FileManager.default.createSymbolicLink(
      atPath: place.path("data/artworks"), withDestinationPath: place.path("outside"))
    await refused(.saveArtwork, .foreignFile("artworks", .link)) {
      try await Self.add(to: workspace)
    }
    await refused(.open, .foreignFile("artworks", .link)) { try await place.open() }
    #expect(try place.contents(of: "outside") == [])
  }

  @Test(
    "TF-042: a picture that is missing or damaged is told by check; a rescue takes the others",
    arguments: ["missing", "changed", "cut off", "linked"])
  func damagedPicture(how: String) async throws {
    let (place, workspace) = try await Place.opened()
    let (bad, good) = (try await Self.add(1, to: workspace), try await Self.add(2, to: workspace))
    try await workspace.changeArtwork(good.id, .init(isFavorite: true, stars: 3))
    let path = place.path("data/artworks/\(bad.id).png")
    var bytes = try AtomicFile.read(path)
    switch how {
    case "changed": bytes[bytes.count - 20] ^= 1
    case "cut off": bytes.removeLast()
    default: AtomicFile.remove(path)
    }
    if how == "linked" {
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: place.path("data/artworks/\(good.id).png"))
    } else if how != "missing" {
      try AtomicFile.write(bytes, to: path)
    }
    let error = await #expect(throws: WorkspaceError.self) {
      try await workspace.picture(ofArtwork: bad.id)
    }
    let problems = try await workspace.problems()
    #expect(problems == [error?.detail])
    #expect(
      problems[0].hasPrefix("The picture “watercolor-painting” of 2023-11-14T22:13:20Z cannot be"))
    await refused(.export, try #require(error).reason) {
      try await workspace.export(to: place.path("all"))
    }
    #expect(try place.rescue().damagedTables == ["artwork"])
    let other = try await place.open(in: "other", importing: "rescued")
    #expect(try await other.artworks() == [workspace.artwork(good.id)])
    #expect(try await other.problems() == [])
    // Without it the workspace is sound.
    try await workspace.deleteArtwork(bad.id)
    #expect(try await workspace.problems() == [])
    try await workspace.export(to: place.path("all"))
  }

  @Test("TF-042: the disk is full in the middle of storing: it is told, and nothing is left")
  func fullDisk() async throws {
    let (place, workspace) = try await Place.opened()
    let kept = try await Self.add(to: workspace)
    try await workspace.database.writeWithoutTransaction { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      try db.execute(sql: "PRAGMA max_page_count = \(pages)")
    }
    // Its picture is written, its row is not.
    let long = Self.sketch + [UInt8](repeating: 0x20, count: 100_000)
    await refused(.saveArtwork, .diskFull) {
      try await workspace.addArtwork(
        Self.picture(7), of: long, style: "pencil", maker: nil, labels: [])
    }
    #expect(try await workspace.artworks() == [kept])
    #expect(place.files(in: "data/artworks") == ["\(kept.id).png"])
    #expect(try await workspace.problems() == [])
    try await workspace.execute("PRAGMA max_page_count = 1000000")
    try await workspace.addArtwork(
      Self.picture(7), of: long, style: "pencil", maker: nil, labels: [])
    #expect(place.files(in: "data/artworks").count == 2)
  }

  @Test("A task that was canceled adds nothing")
  func canceled() async throws {
    let (place, workspace) = try await Place.opened()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await Self.add(to: workspace)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(place.files(in: "data/artworks") == [])
  }
}

@Suite("Exports of pictures made of sketches")
struct ArtworkExportTests {
  /// A workspace with two artworks, and its export `all`.
  private func exported() async throws -> (Place, Workspace, [Artwork]) {
    let (place, workspace) = try await Place.opened()
    let (first, second) = (
      try await ArtworkStoreTests.add(1, to: workspace),
      try await ArtworkStoreTests.add(2, maker: "gpt-image-1", to: workspace)
    )
    let starred = try await workspace.changeArtwork(
      second.id, .init(isFavorite: true, stars: 5))
    let deleted = try await ArtworkStoreTests.add(3, to: workspace)
    try await workspace.deleteArtwork(deleted.id)
    _ = try await workspace.countImageRequest()
    try await workspace.export(to: place.path("all"))
    return (place, workspace, [starred, first])
  }

  @Test("TF-042: an export carries artworks, without the deleted ones; an import adds them once")
  func roundTrip() async throws {
    let (place, workspace, artworks) = try await exported()
    let other = try await place.open(in: "other")
    for _ in 1...2 {
      try await other.import(from: place.path("all"))
      #expect(try await other.artworks() == artworks)
    }
    for artwork in artworks {
      #expect(
        try await other.picture(ofArtwork: artwork.id)
          == workspace.picture(ofArtwork: artwork.id))
      #expect(try await other.sketch(ofArtwork: artwork.id) == ArtworkStoreTests.sketch)
    }
    #expect(try await other.problems() == [])
    let counted = try await other.database.read { db in
      try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM imageRequest")
    }
    #expect(counted == 0)
    // Those of one model have none.
    let model = try await workspace.activeModel().id
    try await workspace.export(models: [model], to: place.path("one"))
    #expect(try await place.open(in: "third", importing: "one").artworks() == [])
  }

  @Test("TF-042: into the same workspace; what was deleted comes back, what differs gets a new id")
  func sameWorkspace() async throws {
    let (place, workspace, artworks) = try await exported()
    // What the user thinks of one does not make it another one.
    let unstarred = try await workspace.changeArtwork(
      artworks[0].id, .init(isFavorite: false, stars: .some(nil)))
    try await workspace.deleteArtwork(artworks[1].id)
    try await workspace.import(from: place.path("all"))
    #expect(try await workspace.artworks() == [unstarred, artworks[1]])
    try await workspace.execute(
      "UPDATE artwork SET style = 'pencil' WHERE id = ?", [artworks[1].id])
    for _ in 1...2 {
      try await workspace.import(from: place.path("all"))
      let found = try await workspace.artworks().filter { $0.created == artworks[1].created }
      #expect(Set(found.map(\.style)) == ["watercolor-painting", "pencil"] && found.count == 2)
      for artwork in found {
        #expect(
          try await workspace.picture(ofArtwork: artwork.id) == ArtworkStoreTests.picture(1))
      }
    }
    #expect(try await workspace.problems() == [])
  }

  @Test("TF-042: an export of version 5, which has no artworks, is taken")
  func version5() async throws {
    let (place, workspace) = try await Place.opened()
    try place.edit("old") { db in
      try db.execute(sql: TroubleTests.dump(ofVersion: 5))
      try db.execute(
        sql: """
          DROP TABLE grdb_migrations;
          UPDATE model SET generation = 0, lastTrained = NULL, base = NULL;
          DELETE FROM taught; DELETE FROM report;
          PRAGMA application_id = \(WorkspaceSchema.exportID)
          """)
      try db.execute(sql: WorkspaceSchema.exportTable)
    }
    #expect(try await workspace.import(from: place.path("old")).added.count == 2)
    #expect(try await workspace.importedTemplates().map(\.name) == ["house"])
    #expect(try await workspace.artworks() == [])
    #expect(!AtomicFile.exists(place.path("data/artworks")))
  }

  @Test(
    "TF-042: an export with a changed picture or row is refused, and nothing is added",
    arguments: [
      "UPDATE artworkFile SET bytes = CAST('no picture' AS BLOB)", "DELETE FROM artworkFile",
      "UPDATE artworkFile SET bytes = CAST(bytes || X'00' AS BLOB)",
      "UPDATE artwork SET digest = 'x'",
      "UPDATE artwork SET bytes = bytes + 1", "UPDATE artwork SET bytes = 0",
      "UPDATE artwork SET bytes = 9223372036854775807", "UPDATE artwork SET id = id || 'x'",
      "UPDATE artwork SET stars = 6", "UPDATE artwork SET isFavorite = 2",
      "UPDATE artwork SET style = ' '", "UPDATE artwork SET maker = ' '",
      "UPDATE artwork SET created = 9000000000000000000",
      "UPDATE artwork SET labels = '{}'", #"UPDATE artwork SET labels = '["b","a"]'"#,
      "UPDATE artwork SET sketch = '{}'",
      "UPDATE artwork SET sketch = printf('%9000000s', sketch)",
      "UPDATE artworkFile SET bytes = zeroblob(33554433)",
    ])
  func tampered(sql: String) async throws {
    let (place, _, _) = try await exported()
    try place.edit("all") { db in
      try db.execute(
        sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
      try db.execute(sql: sql)
    }
    let other = try await place.open(in: "other")
    let error = await #expect(throws: WorkspaceError.self) {
      try await other.import(from: place.path("all"))
    }
    #expect(error?.code == "notImportable", "\(error as Any)")
    #expect(try await other.artworks() == [])
    #expect(try await other.models().count == 1)
    #expect(place.files(in: "other/artworks") == [])
  }

  @Test("A picture that no workspace takes is refused, whatever its row says")
  func foreignPicture() async throws {
    let (place, _, _) = try await exported()
    let wide = try ArtworkStoreTests.picture(width: WorkspaceLimits.artworkSide + 1, height: 1)
    try place.edit("all") { db in
      try db.execute(
        sql: "UPDATE artwork SET bytes = ?, digest = ?",
        arguments: [wide.count, Fingerprint.sha256(wide)])
      try db.execute(sql: "UPDATE artworkFile SET bytes = ?", arguments: [Data(wide)])
    }
    let error = await #expect(throws: WorkspaceError.self) {
      _ = try await place.open(in: "other", importing: "all")
    }
    #expect(error?.detail.contains("has 4097 × 1 pixels") == true, "\(error as Any)")
  }

  @Test("TF-042: an import that fails after it wrote the pictures leaves none")
  func failingImport() async throws {
    let (place, _, _) = try await exported()
    let other = try await place.open(in: "other")
    try await other.execute(
      "CREATE TRIGGER refuse BEFORE INSERT ON artwork BEGIN SELECT RAISE(ABORT, 'no'); END")
    await #expect(throws: WorkspaceError.self) {
      try await other.import(from: place.path("all"))
    }
    #expect(place.files(in: "other/artworks") == [])
    try await other.execute("DROP TRIGGER refuse")
    #expect(try await other.artworks() == [])
    try await other.import(from: place.path("all"))
    #expect(try await other.artworks().count == 2)
  }
}

@Suite("How often image models are asked")
struct ImageRequestTests {
  private let place = Place()

  /// The workspace at a time, with a number of pictures a day.
  private func workspace(
    _ clock: TestClock, picturesADay: Int? = nil
  ) async throws -> Workspace {
    let workspace = try Workspace(
      folder: place.path("data"), base: await Small.base, now: { clock.now })
    var patch = WorkspaceSettings.Patch()
    patch.picturesADay = picturesADay
    if picturesADay != nil { try await workspace.update(patch) }
    return workspace
  }

  @Test("TF-024: the sixth within a minute is refused, and says when there is one again")
  func minute() async throws {
    let clock = try TestClock("2026-11-25T12:00:00Z")
    let workspace = try await workspace(clock, picturesADay: 0)
    #expect(try await workspace.imageRequestsLeft() == nil, "0 is no limit")
    for _ in 1...5 {
      #expect(try await workspace.countImageRequest() == .granted(leftToday: nil))
      clock.now += 2.5
    }
    #expect(try await workspace.countImageRequest() == .minuteLimit(wait: 48))
    clock.now += 47
    // Whoever asks, also after a restart.
    let again = try await self.workspace(clock)
    #expect(try await again.countImageRequest() == .minuteLimit(wait: 1))
    clock.now += 0.5
    #expect(try await workspace.countImageRequest() == .granted(leftToday: nil))
    #expect(try await workspace.countImageRequest() == .minuteLimit(wait: 3))
    clock.now += 60
    for _ in 1...5 {
      #expect(try await again.countImageRequest() == .granted(leftToday: nil))
    }
  }

  @Test("TF-024: five a day, unless the settings say otherwise; what is refused does not count")
  func day() async throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let clock = try TestClock("2026-11-25T22:50:00Z")
    let workspace = try await workspace(clock)
    #expect(try await workspace.imageRequestsLeft(in: zone) == 5)
    for left in (0...4).reversed() {
      #expect(try await workspace.countImageRequest(in: zone) == .granted(leftToday: left))
      #expect(try await workspace.imageRequestsLeft(in: zone) == left)
    }
    #expect(try await workspace.countImageRequest(in: zone) == .dayLimit)
    var patch = WorkspaceSettings.Patch()
    patch.picturesADay = 6
    try await workspace.update(patch)
    #expect(
      try await workspace.countImageRequest(in: zone) == .minuteLimit(wait: 60),
      "the day has one left")
    clock.now += 60
    #expect(try await workspace.countImageRequest(in: zone) == .granted(leftToday: 0))
    #expect(try await self.workspace(clock).countImageRequest(in: zone) == .dayLimit)
    clock.now += 9 * 60
    #expect(try await workspace.countImageRequest(in: zone) == .granted(leftToday: 5))
  }

  @Test("TF-024: a request of which no picture came is given back to its day, not to the minute")
  func givenBack() async throws {
    let clock = try TestClock("2026-11-25T22:59:50Z")
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let workspace = try await workspace(clock, picturesADay: 2)
    for _ in 1...5 {
      #expect(try await workspace.countImageRequest(in: zone) == .granted(leftToday: 1))
      try await workspace.giveBackImageRequest()
      #expect(try await workspace.imageRequestsLeft(in: zone) == 2)
    }
    #expect(try await workspace.countImageRequest(in: zone) == .minuteLimit(wait: 60))
    // It fails after midnight: the next day gets nothing for it.
    clock.now += 60
    #expect(try await workspace.countImageRequest(in: zone) == .granted(leftToday: 1))
    clock.now -= 55
    try await workspace.giveBackImageRequest()
    try await workspace.giveBackImageRequest()
    #expect(try await workspace.imageRequestsLeft(in: zone) == 2)
    clock.now += 86_400
    #expect(try await workspace.imageRequestsLeft(in: zone) == 2)
  }

  @Test(
    "TF-024: the day ends at local midnight, also when it has 23 or 25 hours",
    arguments: [
      ("2026-03-28T23:00:00Z", 23), ("2026-10-24T22:00:00Z", 25), ("2026-07-01T22:00:00Z", 24),
    ])
  func clockChange(start: String, hours: Int) async throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let clock = try TestClock(start)
    let midnight = clock.now
    let workspace = try await workspace(clock, picturesADay: 2)
    clock.now = midnight - 1
    #expect(try await workspace.countImageRequest(in: zone) == .granted(leftToday: 1))
    clock.now = midnight
    #expect(try await workspace.countImageRequest(in: zone) == .granted(leftToday: 1))
    clock.now = midnight + TimeInterval(hours * 3600 - 1)
    #expect(try await workspace.countImageRequest(in: zone) == .granted(leftToday: 0))
    #expect(try await workspace.countImageRequest(in: zone) == .dayLimit)
    clock.now = midnight + TimeInterval(hours * 3600)
    #expect(try await workspace.countImageRequest(in: zone) == .granted(leftToday: 1))
  }

  @Test("TF-024: a clock that was set back counts on, and locks nobody out for long")
  func setBack() async throws {
    let clock = try TestClock("2026-11-25T12:00:00Z")
    let noon = clock.now
    let zone = TimeZone.gmt
    let workspace = try await workspace(clock, picturesADay: 0)
    for _ in 1...5 { _ = try await workspace.countImageRequest(in: zone) }
    clock.now = noon - 30
    #expect(try await workspace.countImageRequest(in: zone) == .minuteLimit(wait: 90))
    // So far ahead they tell nothing about the last minute; of the day they are all the same.
    clock.now = noon - 3600
    for _ in 1...5 {
      #expect(try await workspace.countImageRequest(in: zone) == .granted(leftToday: nil))
    }
    #expect(try await workspace.countImageRequest(in: zone) == .minuteLimit(wait: 60))
    var patch = WorkspaceSettings.Patch()
    patch.picturesADay = 11
    try await workspace.update(patch)
    #expect(try await workspace.imageRequestsLeft(in: zone) == 1)
    // Yesterday, and back again.
    clock.now = noon - 86_400
    #expect(try await workspace.countImageRequest(in: zone) == .granted(leftToday: 10))
    clock.now = noon + 60
    #expect(try await workspace.countImageRequest(in: zone) == .granted(leftToday: 0))
  }

  @Test("Requests of other days are forgotten after two days")
  func pruned() async throws {
    let clock = try TestClock("2026-11-25T12:00:00Z")
    let workspace = try await workspace(clock)
    func count() async throws -> Int? {
      try await workspace.database.read { db in
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM imageRequest")
      }
    }
    for _ in 1...3 { _ = try await workspace.countImageRequest(in: .gmt) }
    clock.now += 86_400
    _ = try await workspace.countImageRequest(in: .gmt)
    #expect(try await count() == 4)
    clock.now += 90_000
    _ = try await workspace.countImageRequest(in: .gmt)
    #expect(try await count() == 2)
  }
}
