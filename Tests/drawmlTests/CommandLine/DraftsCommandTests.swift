import Foundation
import Testing

extension CommandLineTests {
  @Suite("Drafts of posts")
  struct DraftsCommandTests {
    private static func folder() throws -> TestFolder {
      let folder = try TestFolder()
      try folder.write("Momo listens.\n", to: "excerpt.txt")
      return folder
    }

    @Test("CA-036, CA-037: Without a permit there are five examples, marked as such")
    func examples() async throws {
      let folder = try Self.folder()
      let run = try await folder.run("capture drafts excerpt.txt --format json")
      #expect(run.errors.hasPrefix("These are examples."))
      let drafts = try #require(
        JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
      #expect(
        drafts.map { $0["tone"] as? String } == [
          "punchy", "contrarian", "personal", "analytical", "openQuestion",
        ])
      #expect(drafts.allSatisfy { ($0["text"] as? String)?.hasPrefix("Example: ") ?? false })
      let permitted = try await folder.run("capture drafts excerpt.txt --allow openai")
      #expect(permitted.errors.contains("DRAWML_OPENAI_KEY"))
      #expect(permitted.output.hasPrefix("punchy:\nExample: One line stays.\n“Momo"))
    }

    @Test("CA-031: A key that others may read is not used, and never shown")
    func keyFile() async throws {
      let folder = try Self.folder()
      try folder.write("sk-secret\n", to: "key")
      let arguments =
        "capture drafts excerpt.txt --allow openai --openai-key-file key "
        + "--openai-server http://127.0.0.1:1"
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: folder.path + "/key")
      let open = try await folder.run(arguments, status: 1)
      #expect(open.errors.contains("chmod 600 key"))
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: folder.path + "/key")
      let closed = try await folder.run(arguments, status: 1)
      #expect(closed.errors == "Error: Check network and retry\n")
      #expect(!open.errors.contains("sk-secret") && !closed.output.contains("sk-secret"))
    }

    @Test("Without text, with too much, or with a wrong address nothing is asked")
    func refusals() async throws {
      let folder = try Self.folder()
      try folder.write(" \n", to: "empty.txt")
      try folder.write(String(repeating: "word ", count: 20_000), to: "long.txt")
      try folder.write("k", to: "key")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: folder.path + "/key")
      for (arguments, status, sentence) in [
        ("empty.txt", 1, "there is no text in it"), ("long.txt", 1, "take a part"),
        ("none.txt", 1, "No such file"),
        (
          "excerpt.txt --allow openai --openai-key-file key --openai-server http://example.org", 64,
          "https://"
        ),
      ] as [(String, Int, String)] {
        let run = try await folder.run("capture drafts \(arguments)", status: status)
        #expect(run.errors.contains(sentence), "\(run.errors)")
      }
    }
  }
}
