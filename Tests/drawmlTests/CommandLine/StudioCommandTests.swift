import Foundation
import Glibc
import Testing

extension WorkspaceCommandLineTests {
  @Suite("The studio")
  struct StudioCommandTests {
    /// Starts the studio, and waits for its address: the first line; those for other devices
    /// follow.
    private func start(
      _ options: String = "", workspace: String = "w", in folder: TestFolder
    ) async throws -> (process: Program.Process, url: String) {
      let process = try folder.start("studio --port 0 --workspace '\(workspace)' \(options)")
      let isUp = try await process.wait { process.outputSoFar.hasSuffix("\n") }
      try #require(isUp, "it did not start: \(process.errorsSoFar)")
      let line = try #require(process.outputSoFar.split(separator: "\n").first)
      try #require(line.hasPrefix("DrawML Studio: http://127.0.0.1:"))
      return (process, String(line.dropFirst("DrawML Studio: ".count)))
    }

    /// What a request gives, with its head.
    private func get(
      _ path: String, _ url: String, headers: String = "", in folder: TestFolder
    ) async throws -> String {
      let port = try #require(URL(string: url)?.port)
      let run = try await Program.shell(
        """
        exec 3<>/dev/tcp/127.0.0.1/\(port)
        printf 'GET \(path) HTTP/1.1\\r\\nHost: 127.0.0.1:\(port)\\r\\nConnection: close\\r\\n\(headers)\\r\\n' >&3
        cat <&3
        """, in: folder)
      return run.output
    }

    @Test("It prints its address, shows what other commands do meanwhile, and ends with Ctrl-C")
    func life() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("star", 0..<3), to: "star.ndjson")
      let (process, url) = try await start(in: folder)
      #expect(try await get("/", url, in: folder).contains("<!doctype html>"))
      #expect(try await get("/api/state", url, in: folder).contains(#""sampleCount":0"#))
      try await folder.run("sample add star.ndjson --workspace w")
      #expect(try await get("/api/state", url, in: folder).contains(#""sampleCount":3"#))
      process.signal(SIGINT)
      let run = try await process.end()
      #expect(run.status == 0 && run.errors.isEmpty && run.lines.count == 1)
      let log = (try? folder.read("w/workspace.sqlite-wal")) ?? Data()
      #expect(log.isEmpty, "the log is in the database")
      let peak = try #require(run.peakMemoryBytes)
      #expect(peak < 200_000_000)
    }

    @Test("A port that is in use, and options that cannot be, are said to be so")
    func refused() async throws {
      let folder = try TestFolder()
      let (process, url) = try await start(in: folder)
      let port = try #require(URL(string: url)?.port)
      let second = try await folder.run("studio --port \(port) --workspace w", status: 1)
      #expect(second.output.isEmpty)
      #expect(
        second.errors.contains(
          "Port \(port) is in use, perhaps by another studio. Choose another one with --port, "
            + "or --port 0 for any free port."))
      process.signal(SIGTERM)
      #expect(try await process.end().status == 0)
      for arguments in [
        "--port 65536", "--port -1", "--token short", "--host ''",
        "--token '0123456789abcdef\"; x'",
      ] {
        try await folder.run("studio \(arguments)", status: 64)
      }
      // Another machine's address, and an unknown name.
      for host in ["192.0.2.1", "nonsense.invalid"] {
        let nowhere = try await folder.run(
          "studio --port 0 --host \(host) --workspace w", status: 1)
        #expect(
          nowhere.errors
            == "Error: \(host) is not an address of this machine. Choose another --host: 127.0.0.1 "
            + "for this machine alone, 0.0.0.0 for other devices, too.\n")
      }
    }

    @Test("What goes wrong within is one line of its log, which no terminal obeys")
    func errorLog() async throws {
      let folder = try TestFolder()
      // The path is part of the error, and a terminal would turn red for it.
      let workspace = "w\u{1b}[31m\nw"
      try folder.write(Fixture.lines("star", 0..<3), to: "star.ndjson")
      for command in ["sample add star.ndjson", "model train"] {
        try await folder.run("\(command) --workspace '\(workspace)'")
      }
      for name in try folder.names(in: workspace + "/models") where name.hasSuffix(".drawml") {
        try folder.write("not a model", to: workspace + "/models/" + name)
      }
      let (process, url) = try await start(workspace: workspace, in: folder)
      let models = try await get("/api/models", url, in: folder)
      let model = try #require(models.firstMatch(of: /"id":"([0-9a-f-]{36})"/)?.1)
      #expect(process.errorsSoFar.isEmpty)
      let path = "/api/models/\(model)/certainty"
      let answer = try await get(path, url, in: folder)
      #expect(answer.hasPrefix("HTTP/1.1 500") && answer.contains(#""code":"model""#), "\(answer)")
      #expect(!answer.contains("[31m") && !answer.contains(folder.path), "\(answer)")
      #expect(try await get("/api/state", url, in: folder).hasPrefix("HTTP/1.1 200"))
      process.signal(SIGINT)
      let errors = try await process.end().errors
      #expect(errors.split(separator: "\n").count == 1, "\(errors)")
      #expect(errors.contains(" error: GET \(path): "), "\(errors)")
      #expect(errors.contains(#"w\u{1b}[31m\nw/models/"#), "\(errors)")
      #expect(!errors.contains("\u{1b}"))
    }

    @Test("Open to others it has a token of its own, which is part of the address and nowhere else")
    func token() async throws {
      let folder = try TestFolder()
      let (process, url) = try await start("--host 0.0.0.0", in: folder)
      let token = try #require(url.wholeMatch(of: /http:.*\/\?token=([0-9a-f]{32})/)?.1)
      #expect(try await get("/api/state", url, in: folder).hasPrefix("HTTP/1.1 401"))
      let bearer = "Authorization: Bearer \(token)\\r\\n"
      let inside = try await get("/api/state", url, headers: bearer, in: folder)
      #expect(inside.hasPrefix("HTTP/1.1 200") && !inside.contains(token))
      #expect(try await get("/?token=\(token)", url, in: folder).contains("HttpOnly"))
      process.signal(SIGINT)
      #expect(try await process.end().errors.isEmpty)
      let (again, other) = try await start("--host 0.0.0.0", in: folder)
      #expect(!other.contains(token))
      again.signal(SIGINT)
      _ = try await again.end()
    }

    @Test("A token in a file or in the environment stands in no list of processes")
    func hiddenToken() async throws {
      let folder = try TestFolder()
      let token = "0123456789abcdef-TOKEN"
      try folder.write("  \(token) \r\nnot this\n", to: "token.txt")
      for place in [["--token-file", "token.txt"], []] {
        let environment = place.isEmpty ? ["DRAWML_TOKEN=\(token)"] : []
        let process = try Program.Process.start(
          ["/usr/bin/env"] + environment + [
            try Program.path(), "studio", "--port", "0", "--workspace", "w",
          ] + place, input: Data(), in: folder)
        let isUp = try await process.wait { process.outputSoFar.hasSuffix("\n") }
        try #require(isUp, "it did not start: \(process.errorsSoFar)")
        let url = process.outputSoFar.dropFirst("DrawML Studio: ".count).dropLast()
        #expect(url.hasSuffix("?token=\(token)"))
        #expect(try await get("/api/state", String(url), in: folder).hasPrefix("HTTP/1.1 401"))
        let line = try Data(
          contentsOf: URL(fileURLWithPath: "/proc/\(process.identifier)/cmdline"))
        #expect(!String(decoding: line, as: UTF8.self).contains(token))
        process.signal(SIGINT)
        #expect(try await process.end().status == 0)
      }
    }

    @Test("A token that is missing, empty, weak or given twice is refused, and not told")
    func badTokens() async throws {
      let folder = try TestFolder()
      let token = "0123456789abcdef-TOKEN"
      try folder.write(token, to: "token.txt")
      try folder.write("\n\(token)\n", to: "empty.txt")
      try folder.write("TOKEN", to: "weak.txt")
      let rule = "must have 16 or more letters, digits, \"-\" and \"_\"."
      for (line, message, status) in [
        (
          "studio --token-file none.txt",
          "cannot read none.txt: No such file or directory; check the path", 1
        ),
        (
          "studio --token-file empty.txt",
          "cannot read empty.txt: its first line, the token, \(rule)", 1
        ),
        (
          "studio --token-file weak.txt",
          "cannot read weak.txt: its first line, the token, \(rule)", 1
        ),
        (
          "studio --token-file token.txt --token \(token)",
          "The token is given by --token and --token-file: give it only once.", 64
        ),
      ] {
        let run = try await folder.shell("$drawml \(line) --workspace w", status: status)
        #expect(run.output.isEmpty)
        #expect(run.errors.split(separator: "\n").first == "Error: \(message)")
        #expect(!run.errors.contains("TOKEN"))
      }
      for (line, message) in [
        ("DRAWML_TOKEN= $drawml studio", "DRAWML_TOKEN \(rule)"),
        (
          "DRAWML_TOKEN=\(token) $drawml studio --token-file token.txt",
          "The token is given by --token-file and DRAWML_TOKEN: give it only once."
        ),
      ] {
        let run = try await folder.shell("\(line) --workspace w", status: 64)
        #expect(run.errors.hasPrefix("Error: \(message)\n"))
        #expect(!run.errors.contains(token))
      }
    }

    @Test(
      "--open gives the browser the address; where that holds the token, in a page of one's own")
    func opened() async throws {
      let folder = try TestFolder()
      // In the browser's place: it writes down what it is given, and the page with its rights.
      // A shell makes it: nothing that this process starts has it open for writing.
      _ = try await Program.shell(
        """
        mkdir bin
        cat > bin/xdg-open <<'END'
        #!/bin/sh
        env > environment.txt
        { echo "$1"; [ ! -f "$1" ] || { stat -c %a "${1%/*}"; cat "$1"; }; } > opened.part
        mv opened.part opened.txt
        END
        chmod +x bin/xdg-open
        """, in: folder)
      for host in ["127.0.0.1", "0.0.0.0"] {
        let secret = host == "0.0.0.0" ? ["DRAWML_TOKEN=a-token-of-the-environment"] : []
        let process = try Program.Process.start(
          ["/usr/bin/env", "PATH=\(folder.path)/bin:/usr/bin:/bin"] + secret + [
            try Program.path(), "studio",
            "--port", "0", "--workspace", "w", "--open", "--host", host,
          ], input: Data(), in: folder)
        let isOpened = try await process.wait { folder.has("opened.txt") }
        try #require(isOpened, "\(process.errorsSoFar)")
        let lines = String(decoding: try folder.read("opened.txt"), as: UTF8.self)
          .split(separator: "\n").map(String.init)
        let url = process.outputSoFar.prefix { $0 != "\n" }.dropFirst("DrawML Studio: ".count)
        process.signal(SIGINT)
        #expect(try await process.end().status == 0)
        let environment = String(decoding: try folder.read("environment.txt"), as: UTF8.self)
        #expect(environment.contains("PATH=") && !environment.contains("TOKEN"))
        if host == "127.0.0.1" {
          #expect(lines == [String(url)])
        } else {
          try #require(url.contains("token="))
          #expect(lines[0].hasSuffix(".html") && lines[1] == "700")
          #expect(lines[0].contains("/drawml-passing-"), "swept if the studio is killed")
          #expect(lines.contains { $0.contains("refresh") && $0.contains(url) })
          #expect(!FileManager.default.fileExists(atPath: lines[0]), "it goes with the studio")
        }
        try FileManager.default.removeItem(atPath: folder.path + "/opened.txt")
      }
    }
  }
}
