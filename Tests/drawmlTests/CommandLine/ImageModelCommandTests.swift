import ArgumentParser
import Artwork
import Foundation
import Pictures
import Testing

@testable import drawml

extension CommandLineTests {
  @Suite(
    "Pictures by an image model",
    .enabled("the stub of the model is in Python") {
      try await Program.shell("python3 -c 'import http.server'", in: TestFolder()).status == 0
    })
  struct ImageModelCommandTests {
    private static let sketch = #"""
      {"canvas":{"width":100,"height":100},"strokes":[[[20,80,80,20,20],[20,20,80,80,20]]],
      "pens":[{"color":"#e53935","width":5,"tool":"pen"}],"id":"secret-id","label":"secret"}
      """#

    /// A folder with a sketch and a key, and a server of an image model.
    private struct Scene {
      let folder: TestFolder
      let address: String
      private let server: Program.Process

      init(_ mode: String) async throws {
        let folder = try TestFolder()
        try folder.write(ImageModelCommandTests.sketch, to: "sketch.json")
        try folder.write("AIza-secret\nnot the key\n", to: "key")
        let server = try Program.Process.start(
          [
            "python3", Guide.root + "/Tests/StudioPage/gemini_stub.py", "--mode", mode, "--log",
            folder.logs + "/requests",
          ], input: Data(), in: folder)
        let runs = try await server.wait { server.outputSoFar.hasSuffix("\n") }
        #expect(runs, "\(server.errorsSoFar)")
        address = server.outputSoFar.trimmingCharacters(in: .whitespacesAndNewlines)
        (self.folder, self.server) = (folder, server)
        try setMode(0o600)
      }

      /// Sets who may read the key.
      func setMode(_ mode: Int) throws {
        try FileManager.default.setAttributes(
          [.posixPermissions: mode], ofItemAtPath: folder.path + "/key")
      }

      /// Each request so far: path, headers and body.
      var requests: [[Any]] {
        get throws {
          try String(contentsOfFile: folder.logs + "/requests", encoding: .utf8)
            .split(separator: "\n").map {
              try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [Any])
            }
        }
      }

      /// Transforms the sketch, with other options.
      func run(_ options: String, status: Int = 0) async throws -> Program.Run {
        let run = try await folder.run(line(options), status: status)
        #expect(!(run.errors + run.output).contains("AIza"))
        return run
      }

      /// What the studio asks for pictures, in this process.
      func painting(_ options: [String] = ["--allow", "gemini"]) throws -> ImagePainting {
        try ImageModelOptions.parse(
          ["--gemini-server", address, "--gemini-key-file", folder.path + "/key"]
        ).painting(permits: try PermitOptions.parse(options))
      }

      func line(_ options: String) -> String {
        "transform sketch.json --style watercolor --output art.png --gemini-server \(address) "
          + options
      }
    }

    private static let allowed = "--allow gemini --gemini-key-file key"

    @Test("TF-020 to TF-022: The sketch as PNG and the prompt are sent, and the picture is kept")
    func picture() async throws {
      let scene = try await Scene("ok")
      let run = try await scene.run(Self.allowed)
      #expect(run.errors.contains("Transforming into Watercolor Painting, by gemini-3.1-flash"))
      let kept = try Array(scene.folder.read("art.png"))
      let (_, width, height) = try PNG.decode(kept, as: .rgba)
      #expect(width == 64 && height == 64)
      #expect(Self.chunks(of: kept) == ["IHDR", "IDAT", "IEND"])
      let requests = try scene.requests
      try #require(requests.count == 1 && requests[0].count == 3)
      let path = requests[0][0] as? String
      #expect(path == "/v1beta/models/gemini-3.1-flash-image-preview:generateContent")
      let headers = try #require(requests[0][1] as? [String: String])
      #expect(headers["x-goog-api-key"] == "AIza-secret")
      let body = try #require(requests[0][2] as? [String: Any])
      #expect(Set(body.keys) == ["contents", "generationConfig"])
      let contents = try #require(body["contents"] as? [[String: [[String: Any]]]])
      let parts = try #require(contents.first?["parts"])
      #expect(contents.count == 1 && parts.count == 2)
      let styles = try JSONSerialization.jsonObject(
        with: Data(
          contentsOf: URL(filePath: Guide.root + "/Sources/Companions/Artwork/styles.json")))
      let style = (styles as? [[String: Any]])?.first {
        ($0["id"] as? String)?.hasPrefix("water") == true
      }
      #expect(parts[1] as? [String: String] == ["text": style?["prompt"] as? String ?? "?"])
      let data = try #require((parts[0]["inline_data"] as? [String: String])?["data"])
      let sent = try #require(Data(base64Encoded: data))
      // What is sent is what 'picture' draws.
      try await scene.folder.run("picture sketch.json --output picture.png")
      #expect(sent == (try scene.folder.read("picture.png")))
      #expect(Set(Self.chunks(of: Array(sent))) == ["IHDR", "IDAT", "IEND"])
    }

    /// The names of a PNG file's chunks.
    private static func chunks(of file: [UInt8]) -> [String] {
      var (names, start) = ([String](), 8)
      while start + 8 <= file.count {
        names.append(String(decoding: file[start + 4..<start + 8], as: UTF8.self))
        start += file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } + 12
      }
      return names
    }

    @Test(
      "TF-022, TF-023, TF-026: Pictures in every form are kept, after at most two requests",
      arguments: [
        ("camel", 1, 64), ("jpeg", 1, 16), ("none-then-ok", 2, 64), ("slow-1", 1, 64),
      ])
    func forms(mode: String, requests: Int, side: Int) async throws {
      let scene = try await Scene(mode)
      _ = try await scene.run(Self.allowed + " --gemini-key-place query")
      #expect(try PNG.decode(Array(scene.folder.read("art.png")), as: .rgba).width == side)
      #expect(try scene.requests.count == requests)
      let path = try #require(try scene.requests[0][0] as? String)
      #expect(path.hasSuffix(":generateContent?key=AIza-secret"))
    }

    private static let oops = "Error: Oops! The magic didn't work. Try again? "

    @Test(
      "TF-023, TF-026: Faults are told in their words, nothing is kept, and nothing asked again",
      arguments: [
        ("none", 2, oops + "The image model made no picture, also when asked once more."),
        ("blocked", 1, "Error: Let's try a different drawing! The image model refuses"),
        ("safety", 1, "Error: Let's try a different drawing! The image model refuses"),
        ("400", 1, oops + "The image model's server refuses the key (400). The key is in DRAWML_"),
        ("403", 1, "(403). The key is in DRAWML_GEMINI_KEY or in the file of --gemini-key-file;"),
        ("404", 1, oops + "The image model's server answers 404. Check --gemini-model and"),
        ("429", 1, "answers 429. It gets too many requests now: wait a minute."),
        ("500", 1, oops + "The image model's server answers 500."),
        ("cut", 1, oops + "The connection ended within http://127.0.0.1:"),
        ("noise", 1, oops + "The image model's answer is not one of its protocol: it is not JSON"),
        ("text", 1, oops + "What the image model sent is not a picture"),
        ("wide", 1, "5000 × 1 pixels; at most 4096 a side"),
        ("huge", 1, oops + "The image model's answer has more than"),
      ])
    func faults(mode: String, requests: Int, sentence: String) async throws {
      let scene = try await Scene(mode)
      let run = try await scene.run(Self.allowed, status: 1)
      #expect(run.errors.contains(sentence), "\(run.errors)")
      #expect(try scene.requests.count == requests)
      #expect(try scene.folder.names.sorted() == ["key", "sketch.json"])
    }

    @Test(
      "TF-023: The studio may retry what may succeed the next time",
      arguments: [
        ("none", true), ("blocked", false), ("400", false), ("401", false), ("404", false),
        ("408", true), ("429", true), ("500", true), ("cut", true), ("text", true),
      ])
    func retry(mode: String, mayRetry: Bool) async throws {
      let scene = try await Scene(mode)
      let painting = try scene.painting()
      #expect(painting.model?.server == scene.address && painting.reason == nil)
      let failure = await #expect(throws: PictureFailure.self) {
        try await painting.picture(
          of: Sketch.parse(Array(Self.sketch.utf8)), style: ArtStyle.all[0])
      }
      #expect(failure?.mayRetry == mayRetry, "\(String(describing: failure))")
      #expect(failure?.detail.hasSuffix(".") == true)
    }

    @Test("TF-021: Without a permit the studio has no model, and says what to do")
    func noModel() async throws {
      let scene = try await Scene("ok")
      let painting = try scene.painting([])
      #expect(painting.model == nil)
      #expect(painting.reason?.hasPrefix("Add --allow gemini") == true)
      let failure = await #expect(throws: PictureFailure.self) {
        try await painting.picture(
          of: Sketch.parse(Array(Self.sketch.utf8)), style: ArtStyle.all[0])
      }
      #expect(failure?.detail == painting.reason && failure?.mayRetry == false)
      #expect(try scene.requests.isEmpty)
    }

    @Test("Four pictures at once wait together, not one after the other, and can be canceled")
    func several() async throws {
      let scene = try await Scene("slow-2")
      let painting = try scene.painting()
      let sketch = try Sketch.parse(Array(Self.sketch.utf8))
      let started = ContinuousClock.now
      try await withThrowingTaskGroup(of: RGBPicture.self) { group in
        for style in ArtStyle.all.prefix(4) {
          group.addTask { try await painting.picture(of: sketch, style: style) }
        }
        for try await picture in group { #expect(picture.width == 64) }
      }
      #expect(ContinuousClock.now - started < .seconds(7))
      let task = Task { try await painting.picture(of: sketch, style: ArtStyle.all[0]) }
      while try scene.requests.count < 5 { try await Task.sleep(for: .milliseconds(20)) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("TF-021: Without a permit, or with a key that is missing or open, nothing is sent")
    func keys() async throws {
      let scene = try await Scene("ok")
      // The filter, as without the options.
      _ = try await scene.run("--gemini-key-file key")
      let filtered = try scene.folder.read("art.png")
      _ = try await scene.run("--allow openai --gemini-key-file key")
      #expect(try scene.folder.read("art.png") == filtered)
      let missing = try await scene.run("--allow gemini", status: 64)
      #expect(
        missing.errors.contains(
          "Put the image model’s key into DRAWML_GEMINI_KEY, or name its file with --gemini-key-file."
        ), "\(missing.errors)")
      try scene.setMode(0o644)
      #expect(try await scene.run(Self.allowed, status: 1).errors.contains("chmod 600 key"))
      try scene.setMode(0o600)
      for (options, sentence) in [
        (" --seed 3", "--seed and --model are for pictures made on this machine"),
        (" --model any.drawml", "--seed and --model are for pictures made on this machine"),
        (" --gemini-model a/b", "“a/b” is no name of a model"),
        (" --gemini-server http://example.org", "https://"),
      ] {
        let run = try await scene.run(Self.allowed + options, status: 64)
        #expect(run.errors.contains(sentence), "\(run.errors)")
      }
      #expect(try scene.requests.isEmpty)
      #expect(try scene.folder.read("art.png") == filtered)
    }

    @Test("TF-021: The key may be in the environment")
    func environment() async throws {
      let scene = try await Scene("ok")
      try await scene.folder.shell(
        "DRAWML_GEMINI_KEY=AIza-other \"$drawml\" \(scene.line("--allow gemini"))")
      let headers = try #require(try scene.requests.first?[1] as? [String: String])
      #expect(headers["x-goog-api-key"] == "AIza-other")
    }

    @Test("TF-025: Ctrl-C ends the request, and leaves no file")
    func interrupted() async throws {
      let scene = try await Scene("slow")
      let process = try scene.folder.start(scene.line(Self.allowed))
      #expect(try await process.wait { (try? scene.requests.count) == 1 })
      process.signal(SIGINT)
      let started = ContinuousClock.now
      let run = try await process.end()
      #expect(run.status == 130)
      #expect(run.errors.hasSuffix("Stopped; no picture was made.\n"), "\(run.errors)")
      #expect(ContinuousClock.now - started < .seconds(10))
      #expect(try scene.folder.names.sorted() == ["key", "sketch.json"])
    }
  }
}
