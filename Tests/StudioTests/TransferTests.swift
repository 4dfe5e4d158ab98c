import Files
import Foundation
import HTTPTypes
import Testing
import Workspace

@testable import Studio

@Suite("Taking models along over HTTP")
struct TransferTests {
  private let binary = ["Content-Type": "application/octet-stream"]

  @Test("What one studio exports another imports, with all samples and what was trained")
  func roundTrip() async throws {
    let (studio, first, model) = try await TestStudio.taught(3)
    let all = try await first.get("/api/export")
    #expect(
      all.headers[.contentDisposition]
        == """
        attachment; filename="drawml-models.drawmlx"; filename*=UTF-8''drawml-models.drawmlx
        """
    )
    #expect(all.headers[.contentLength] == "\(all.body.count)")
    let one = try await first.get("/api/export?model=\(model)")
    #expect(one.status == 200 && one.body.count <= all.body.count)
    #expect(
      one.headers[.contentDisposition]?.contains("filename=\"My-first-model.drawmlx\"") == true)
    let file = one.body
    let other = try await TestStudio()
    let page = try await other.page()
    let imported = try await page.send(.post, "/api/import", bytes: file, headers: binary)
    #expect(imported.status == 200, "\(imported.text)")
    let id = try #require(imported.text("models", 0, "id"))
    #expect(imported.number("models", 0, "sampleCount") == 6)
    #expect(imported.text("added", 0, "id") == id && imported.count("unchanged") == 0)
    let again = try await page.send(.post, "/api/import", bytes: file, headers: binary)
    #expect(again.count("added") == 0 && again.text("unchanged", 0, "id") == id)
    #expect(again.text("models", 0, "name") == "My first model")
    let answer = try await page.post("/api/models/\(id)/classify", Shapes.body("ring", 70))
    #expect(answer.text("label") == "ring")
    let (a, b) = (
      try await studio.workspace.samples(of: model), try await other.workspace.samples(of: id)
    )
    #expect(a.map(\.drawing) == b.map(\.drawing))
  }

  @Test("An import that brings settings alone is told to open pages, too")
  func settingsAlone() async throws {
    let (_, first, model) = try await TestStudio.taught(1)
    _ = try await first.patch("/api/settings", #"{"theme":"dark"}"#)
    let models = try await first.get("/api/export?model=\(model)").body
    let all = try await first.get("/api/export").body
    let other = try await TestStudio()
    let page = try await other.page()
    _ = try await page.send(.post, "/api/import", bytes: models, headers: binary)
    let listener = try other.listener()
    let imported = try await page.send(.post, "/api/import", bytes: all, headers: binary)
    #expect(imported.count("added") == 0 && imported.count("unchanged") == 1)
    let told = try await listener.told()
    #expect(told.map(\.name) == ["changed"])
    // Clients reload the whole state on this event.
    #expect(try await page.get("/api/state").text("settings", "theme") == "dark")
  }

  @Test(
    "A file is called as its model is, in characters that every file system and header takes",
    arguments: [
      ("Shapes", "Shapes", "Shapes"), ("a/b\\c: \"d\"\r\n..", "a-b-c-d", "a-b-c-d"),
      ("Tiere 🐟", "Tiere-_", "Tiere-%F0%9F%90%9F"), ("É", "_", "%C3%89"),
      ("../..", "drawml-models", "drawml-models"), ("%41;=", "41", "41"),
      // What changes an emoji's skin joins any character before it.
      ("a\"🏻b", "a-b", "a-b"), ("a/🏻b", "a-b", "a-b"), ("1️⃣", "1__", "1%EF%B8%8F%E2%83%A3"),
    ])
  func names(model: String, plain: String, encoded: String) {
    #expect(
      ExportName(of: model).disposition
        == "attachment; filename=\"\(plain).drawmlx\"; filename*=UTF-8''\(encoded).drawmlx")
  }

  @Test("An invalid file changes nothing, and no file of ours stays behind")
  func broken() async throws {
    let (studio, page, _) = try await TestStudio.taught(1)
    let whole = try await page.get("/api/export").body
    var changed = whole
    changed[changed.count / 2] ^= 0xff
    for bytes in [Data(), Data("no database".utf8), whole.prefix(whole.count / 2)] {
      let refused = try await page.send(.post, "/api/import", bytes: bytes, headers: binary)
      #expect(refused.status == 400, "\(bytes.count) bytes: \(refused.text)")
      #expect(refused.message == "Couldn’t import.")
    }
    // The bit may be in unused bytes: then the file imports the same, else it is rejected.
    #expect(try await page.send(.post, "/api/import", bytes: changed, headers: binary).status < 500)
    let text = try await page.send(
      .post, "/api/import", bytes: whole, headers: ["Content-Type": "text/plain"])
    #expect(text.status == 415)
    #expect(try await page.get("/api/export?model=none").status == 404)
    #expect(try await studio.workspace.models().count <= 2)
    // Another test runs at the same time, with a file or two.
    #expect(try names { $0.hasPrefix("drawml-passing-\(own)-") }.count <= 3)
  }

  @Test("What passes through lies where no other user can look, and one import runs at a time")
  func passing() async throws {
    let studio = try await TestStudio()
    let folder = try PrivateTemporaryFolder()
    let file = folder.path + "/models"
    try await studio.workspace.export(to: file)
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o700)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    let page = try await studio.page()
    try await studio.services.imports.run {
      let second = try await page.send(.post, "/api/import", bytes: bytes, headers: binary)
      #expect(second.status == 503 && second.code == "busy")
      // The message must not send the user looking for another program.
      #expect(second.message == "Another import is running. Please try again when it is done.")
    }
    let headers = ["Content-Type": "Application/Octet-Stream; v=1"]
    let later = try await page.send(.post, "/api/import", bytes: bytes, headers: headers)
    #expect(later.status == 200, "\(later.text)")
  }

  private var own: Int32 { ProcessInfo.processInfo.processIdentifier }

  private func names(_ isMeant: (String) -> Bool) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: FileManager.default.temporaryDirectory.path
    ).filter(isMeant)
  }

  @Test("What a killed process has left is removed, and nothing of one that lives")
  func sweep() throws {
    // The name of a process that lives says nothing: in another container it is another process.
    let dead = "drawml-passing-\(own)-left.tmp"
    let path = FileManager.default.temporaryDirectory.path + "/" + dead
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/models"))
    let alive = try PrivateTemporaryFolder()
    PrivateTemporaryFolder.sweep()
    #expect(try names { $0 == dead }.isEmpty)
    #expect(FileManager.default.fileExists(atPath: alive.path))
    withExtendedLifetime(alive) {}
  }
}
