import Foundation
import HTTPTypes
import NIOCore
import Testing
import Workspace

@testable import Studio

@Suite("Taking models along over HTTP")
struct TransferTests {
  private let binary = ["Content-Type": "application/octet-stream"]

  @Test("What one studio exports another imports, with all samples and what was trained")
  func roundTrip() async throws {
    let studio = try await TestStudio()
    let model = try await studio.teach(3)
    let file = try await studio.test { page in
      let all = try await page.get("/api/export")
      #expect(all.headers[.contentDisposition]?.hasPrefix("attachment; ") == true)
      #expect(all.headers[.contentLength] == "\(all.body.count)")
      let one = try await page.get("/api/export?model=\(model)")
      #expect(one.status == 200 && one.body.count <= all.body.count)
      return one.body
    }
    let other = try await TestStudio()
    try await other.test { page in
      let imported = try await page.send(.post, "/api/import", bytes: file, headers: binary)
      #expect(imported.status == 200, "\(imported.text)")
      let id = try #require(imported.text("models", 0, "id"))
      #expect(imported.number("models", 0, "sampleCount") == 6)
      let answer = try await page.post("/api/models/\(id)/classify", Shapes.body("ring", 70))
      #expect(answer.text("label") == "ring")
      let (a, b) = (
        try await studio.workspace.samples(of: model), try await other.workspace.samples(of: id)
      )
      #expect(a.map(\.drawing) == b.map(\.drawing))
    }
  }

  @Test("A file that is none changes nothing, and no file of ours stays behind")
  func broken() async throws {
    let before = try passing()
    let studio = try await TestStudio()
    try await studio.teach(1)
    try await studio.test { page in
      let whole = try await page.get("/api/export").body
      var changed = whole
      changed[changed.count / 2] ^= 0xff
      for bytes in [Data(), Data("no database".utf8), whole.prefix(whole.count / 2)] {
        let refused = try await page.send(.post, "/api/import", bytes: bytes, headers: binary)
        #expect(refused.status == 400, "\(bytes.count) bytes: \(refused.text)")
        #expect(refused.message == "Couldn’t import.")
      }
      // One bit may stand where nothing is: then it is the same file, else it is refused.
      #expect(
        try await page.send(.post, "/api/import", bytes: changed, headers: binary).status < 500)
      let text = try await page.send(
        .post, "/api/import", bytes: whole, headers: ["Content-Type": "text/plain"])
      #expect(text.status == 415)
      #expect(try await page.get("/api/export?model=none").status == 404)
      #expect(try await studio.workspace.models().count <= 2)
    }
    // Other tests run at the same time, with a file each at most.
    #expect(try passing().subtracting(before).count <= 4)
  }

  /// The files of exports and imports that are on their way.
  private func passing() throws -> Set<String> {
    let folder = FileManager.default.temporaryDirectory.path
    return Set(
      try FileManager.default.contentsOfDirectory(atPath: folder).filter {
        $0.hasPrefix("drawml-passing-")
      })
  }
}
