import Foundation
import Glibc
import Testing

extension WorkspaceCommandLineTests {
  @Suite("The calm surface")
  struct CalmCommandTests {
    /// A folder with programs in the place of Chromium and cage: they write down what they are
    /// given, and stay until a signal ends them.
    private func programs(_ names: [String]) async throws -> TestFolder {
      let folder = try TestFolder()
      _ = try await Program.shell("mkdir bin; ln -s /bin/sleep /bin/mv bin", in: folder)
      for name in names {
        _ = try await Program.shell(
          """
          cat > bin/\(name) <<'END'
          #!/bin/sh
          { echo "\(name)"; printf '%s\\n' "$@"; } > "$FOLDER/opened.part"
          mv "$FOLDER/opened.part" "$FOLDER/opened.txt"
          echo $$ > "$FOLDER/browser.pid"
          exec sleep 300
          END
          chmod +x bin/\(name)
          """, in: folder)
      }
      return folder
    }

    /// Starts `drawml calm --kiosk` where only these programs are found.
    private func start(
      in folder: TestFolder, display: String? = nil, _ options: [String] = []
    ) throws -> Program.Process {
      try .start(
        ["/usr/bin/env", "-i", "PATH=\(folder.path)/bin", "HOME=\(folder.path)"]
          + ["FOLDER=\(folder.path)", "DRAWML_TOKEN=a-token-of-the-environment"]
          + (display.map { ["DISPLAY=\($0)"] } ?? [])
          + [try Program.path(), "calm", "--kiosk", "--workspace", "w"] + options,
        input: Data(), in: folder)
    }

    private func text(_ name: String, in folder: TestFolder) throws -> String {
      String(decoding: try folder.read(name), as: UTF8.self)
    }

    /// Waits until the browser was started, and returns its id and what it was given.
    private func browser(
      of process: Program.Process, in folder: TestFolder
    ) async throws -> (id: pid_t, arguments: [String]) {
      let isUp = try await process.wait {
        (try? text("browser.pid", in: folder))?.hasSuffix("\n") == true
      }
      try #require(isUp, "\(process.errorsSoFar)")
      let id = try #require(pid_t(text("browser.pid", in: folder).dropLast()))
      let lines = try text("opened.txt", in: folder).split(separator: "\n").map(String.init)
      return (id, lines)
    }

    @Test(
      "CL-030: --kiosk starts the browser over the screen, says so, and both end together",
      arguments: [(nil, SIGTERM, "alone"), (":7", SIGINT, "desktop")] as [(String?, Int32, String)])
    func kiosk(display: String?, signal: Int32, kind: String) async throws {
      let folder = try await programs(["chromium", "cage"])
      let process = try start(in: folder, display: display, ["--scene", "bloom"])
      let (id, arguments) = try await browser(of: process, in: folder)
      #expect(
        display == nil
          ? Array(arguments.prefix(3)) == ["cage", "--", "\(folder.path)/bin/chromium"]
          : arguments.first == "chromium")
      #expect(arguments.contains("--kiosk"))
      let profile = try #require(arguments.first { $0.hasPrefix("--user-data-dir=") })
        .dropFirst("--user-data-dir=".count)
      #expect(FileManager.default.fileExists(atPath: String(profile)))
      let address = try #require(arguments.last)
      #expect(address.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/calm/) != nil)
      let port = try #require(URL(string: address)?.port)
      let settings = try await Program.shell(
        """
        exec 3<>/dev/tcp/127.0.0.1/\(port)
        printf 'GET /api/calm HTTP/1.1\\r\\nHost: 127.0.0.1:\(port)\\r\\nConnection: close\\r\\n\\r\\n' >&3
        cat <&3
        """, in: folder
      ).output
      #expect(settings.contains(#""kiosk":"\#(kind)""#), "\(settings)")
      #expect(settings.contains(#""scene":"bloom""#), "\(settings)")
      let environment = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(id)/environ"))
      #expect(!String(decoding: environment, as: UTF8.self).contains("DRAWML_"))
      process.signal(signal)
      let run = try await process.end()
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
      #expect(kill(id, 0) == -1 && errno == ESRCH, "the browser still runs")
      #expect(!FileManager.default.fileExists(atPath: String(profile)), "its profile is left")
    }

    @Test("A browser that is closed, or ends with an error, ends the program")
    func closed() async throws {
      let folder = try await programs(["chromium"])
      let process = try start(in: folder, display: ":7")
      kill(try await browser(of: process, in: folder).id, SIGKILL)
      let killed = try await process.end()
      #expect(killed.status == 1)
      #expect(killed.errors == "Error: the browser ended with signal 9; see what it printed\n")
      for (program, status) in [("true", Int32(0)), ("false", 1)] {
        let folder = try await programs([])
        _ = try await Program.shell("ln -s /bin/\(program) bin/chromium", in: folder)
        let run = try await start(in: folder, display: ":7").end()
        #expect(run.status == status)
        #expect(run.errors.isEmpty == (status == 0), "\(run.errors)")
      }
    }

    @Test("A missing program is a sentence")
    func missing() async throws {
      for (names, package) in [([], "chromium"), (["chromium"], "cage")] {
        let folder = try await programs(names)
        let run = try await start(in: folder).end()
        #expect(run.status == 1 && run.output.isEmpty)
        #expect(run.errors.hasPrefix("Error: "))
        #expect(run.errors.hasSuffix("install it: apt-get install \(package)\n"), "\(run.errors)")
        #expect(!folder.has("w"), "nothing is made before")
      }
    }

    @Test("A damaged calm.json is told with its path and what to do")
    func damaged() async throws {
      let folder = try TestFolder()
      try await folder.run("calm passphrase --workspace w", input: "a quiet word\n")
      try folder.write("{", to: "w/calm.json")
      for command in ["calm --scene still", "calm passphrase --remove"] {
        let run = try await folder.run("\(command) --workspace w", status: 1)
        #expect(run.errors.contains("w/calm.json"))
        #expect(run.errors.contains("remove the file to start over, without a passphrase"))
      }
    }
  }
}
