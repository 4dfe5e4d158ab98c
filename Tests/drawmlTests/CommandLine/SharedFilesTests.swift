import Foundation
import Glibc
import Testing

extension CommandLineTests {
  @Suite("Programs that write one file at the same time")
  struct SharedFilesTests {
    /// Waits for the lock of m.drawml as long as a program that changes it has it, and says when.
    private static func holding(until condition: String) -> String {
      """
      flock m.drawml bash -c 'touch held; until \(condition); do sleep 0.02; done; sleep 0.3
        echo released' &
      until [ -e held ]; do sleep 0.02; done
      """
    }

    @Test(
      "Whoever replaces a model waits for the program that changes it",
      arguments: [
        "train fish.ndjson --base m.drawml --output m.drawml --force",
        "train fish.ndjson --base base.drawml --output m.drawml",
        "import coreml --model m.mlmodel --output m.drawml",
      ])
    func waits(command: String) async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(Fixture.lines("fish", 0..<3), to: "fish.ndjson")
      try folder.write(folder.read("m.drawml"), to: "base.drawml")
      try await folder.run("export coreml --model m.drawml --output m.mlmodel")
      let run = try await folder.shell(
        """
        \(Self.holding(until: "ls .drawml-*.tmp >/dev/null 2>&1 && [ -s .drawml-*.tmp ]"))
        $drawml \(command) >/dev/null && echo replaced; wait
        """)
      #expect(run.lines == ["released", "replaced"], "\(run.errors)")
      #expect(try !folder.names.contains { $0.hasSuffix(".tmp") })
    }

    @Test("A training beside an update: where both succeed, the training has not vanished")
    func race() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(folder.read("m.drawml"), to: "base.drawml")
      for shape in ["fish", "cat"] {
        try folder.write(Fixture.lines(shape, 0..<3), to: "\(shape).ndjson")
      }
      for round in 0..<4 {
        try folder.write(folder.read("base.drawml"), to: "m.drawml")
        let training = try folder.start("train fish.ndjson --base base.drawml --output m.drawml")
        try await Task.sleep(for: .milliseconds(150 * round))
        let update = try folder.start("update cat.ndjson --model m.drawml")
        let ends = [try await training.end(), try await update.end()]
        #expect(ends.map(\.status) == [0, 0], "\(ends.map(\.errors))")
        let labels = try #require(
          try await folder.run("info m.drawml --format json").object()["labels"] as? [Any])
        // The training alone, or with the update; never the old model's shapes.
        #expect([1, 2].contains(labels.count), "\(labels)")
        #expect("\(labels)".contains("🐟"), "\(labels)")
      }
    }

    @Test("With --force an input is replaced only as it was read")
    func changedInput() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("fish", 0..<3), to: "a.ndjson")
      try folder.write(Fixture.sound, to: "sound.ndjson")
      // The drawings come from a pipe, too, so that the file changes between reading and writing.
      let run = try await folder.shell(
        """
        mkfifo pipe.ndjson
        $drawml dataset convert a.ndjson pipe.ndjson --output a.ndjson --force &
        exec 3>pipe.ndjson; sleep 0.2; cp a.ndjson b; echo >>b; mv b a.ndjson
        cat sound.ndjson >&3; exec 3>&-; wait $!
        """, status: 1)
      // Behind the progress, on a busy machine.
      #expect(
        run.errors.hasSuffix(
          "Error: cannot write a.ndjson: another program has changed it since it was read; read "
            + "it again, or choose another name\n"))
      #expect(
        String(decoding: try folder.read("a.ndjson"), as: UTF8.self)
          == (try Fixture.lines("fish", 0..<3)) + "\n")
    }

    @Test("What a killed command left is swept by the next one that comes to the folder")
    func sweep() async throws {
      let folder = try await Fixture.folderWithModel()
      for command in [
        "info m.drawml", "dataset convert a.ndjson --output b.ndjson", "model list --workspace w",
      ] {
        try await folder.run("model create A --workspace w\(command.count)")
        try folder.write(Fixture.sound, to: "a.ndjson")
        try FileManager.default.moveItem(
          atPath: "\(folder.path)/w\(command.count)", toPath: folder.path + "/w")
        for name in [".drawml-1-1.tmp", "w/.drawml-2-1.tmp", "w/models/.drawml-3-1.tmp/export"] {
          try folder.write("half", to: name)
        }
        try await folder.run(command)
        #expect(try !folder.names.contains(".drawml-1-1.tmp"), "\(command)")
        if command.hasPrefix("model") {
          #expect(try !folder.names(in: "w").contains(".drawml-2-1.tmp"))
          #expect(try folder.names(in: "w/models") == [])
        }
        try FileManager.default.removeItem(atPath: folder.path + "/w")
      }
    }
  }
}
