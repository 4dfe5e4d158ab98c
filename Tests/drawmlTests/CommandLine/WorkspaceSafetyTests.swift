import Foundation
import Glibc
import Numbers
import Testing
import Text

extension WorkspaceCommandLineTests {
  @Suite("Workspaces on disks that are full or read-only, and shared by programs")
  struct WorkspaceDiskTests {
    /// Whether a disk of our own can be mounted, in a name space that ends with the shell.
    private static func canMount() async throws -> Bool {
      let folder = try TestFolder()
      let run = try await Program.shell(
        "mkdir disk && \(shell) -c 'mount -t tmpfs tmpfs disk'", in: folder)
      return run.status == 0
    }

    private static let shell = "unshare --mount --map-root-user /bin/bash"

    @Test(
      "A full disk is told in the requirement's words; what was acknowledged stays, and is sound",
      .enabled("disks can be mounted here") { try await canMount() })
    func fullDisk() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("star", 0..<30), to: "star.ndjson")
      let run = try await folder.shell(
        """
        export drawml; mkdir disk; \(Self.shell) -c '
        mount -t tmpfs -o size=900k tmpfs disk || exit 9
        w="--workspace disk/w"
        for try in $(seq 60); do
          "$drawml" sample add star.ndjson --new-ids $w >/dev/null 2>errors || break
          echo acknowledged
        done
        cat errors >&2
        "$drawml" sample list $w --format json | wc -l || exit 8
        "$drawml" workspace check $w || exit 7
        "$drawml" model train $w 2>>errors && exit 6
        "$drawml" workspace export $w --output disk/export 2>>errors && exit 5
        ls -A disk; tail -n 2 errors'
        """)
      let full = "The disk is full. Free some space and try again: nothing was changed."
      #expect(run.errors.hasSuffix("Error: Couldn’t save sample. \(full)\n"))
      let acknowledged = run.lines.count { $0 == "acknowledged" }
      #expect((1..<60).contains(acknowledged))
      #expect(
        run.lines.dropFirst(acknowledged) == [
          "\(30 * acknowledged)", "disk/w is sound.", "w",
          "Error: Training failed. \(full)",
          "Error: Couldn’t export. \(full)",
        ])
    }

    @Test(
      "A disk that is read-only is told, and nothing changes",
      .enabled("disks can be mounted here") { try await canMount() })
    func readOnlyDisk() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("star", 0..<3), to: "star.ndjson")
      let run = try await folder.shell(
        """
        export drawml; mkdir disk; \(Self.shell) -c '
        mount -t tmpfs tmpfs disk || exit 9
        "$drawml" sample add star.ndjson --workspace disk/w >/dev/null 2>&1 || exit 8
        mount -o remount,ro disk || exit 7
        "$drawml" sample add star.ndjson --new-ids --workspace disk/w
        "$drawml" model create A --workspace disk/new
        mount -o remount,rw disk || exit 6
        ls disk; "$drawml" sample list --workspace disk/w | wc -l'
        """)
      #expect(run.lines == ["w", "3"])
      let words =
        "Error: Couldn’t open your models. The folder is not writable. Change its "
        + "permissions, or choose another one with --workspace.\n"
      #expect(run.errors.hasSuffix(words))
      #expect(run.errors.components(separatedBy: words).count == 3)
    }

    @Test(
      "A workspace on a disk that is read-only is listed, checked, exported and rescued",
      .enabled("disks can be mounted here") { try await canMount() })
    func readingReadOnlyDisk() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("star", 0..<3), to: "star.ndjson")
      let run = try await Program.shell(
        """
        export drawml; mkdir disk; \(Self.shell) -c '
        mount -t tmpfs tmpfs disk || exit 9
        "$drawml" sample add star.ndjson --workspace disk/w >/dev/null 2>&1 || exit 8
        mount -o remount,ro disk || exit 7
        "$drawml" sample list --workspace disk/w | wc -l
        "$drawml" workspace check --workspace disk/w
        "$drawml" workspace export --output all --workspace disk/w >/dev/null && echo exported
        "$drawml" workspace rescue --output saved --workspace disk/w >/dev/null && echo rescued
        "$drawml" model rename "My first model" A --workspace disk/w
        "$drawml" model train --workspace disk/w'
        "$drawml" workspace import all --workspace copy >/dev/null
        "$drawml" sample list --workspace copy | wc -l
        """, in: folder)
      #expect(run.lines == ["3", "disk/w is sound.", "exported", "rescued", "3"], "\(run.errors)")
      let words =
        "The folder is not writable. Change its permissions, or choose another one with "
        + "--workspace.\n"
      #expect(
        run.errors.hasPrefix(
          "Error: Couldn’t rename the model. \(words)Error: Training failed. \(words)"))
    }

    @Test(
      "A disk that fills during the very first opening locks no one out",
      .enabled("disks can be mounted here") { try await canMount() })
    func fullAtFirst() async throws {
      let folder = try TestFolder()
      let run = try await folder.shell(
        """
        export drawml; mkdir disk; \(Self.shell) -c '
        for size in $(seq 4 16 340); do
          mount -t tmpfs -o size=${size}k tmpfs disk || exit 9
          "$drawml" model create A --workspace disk/w >/dev/null 2>errors && echo fits
          mount -o remount,size=10m disk || exit 8
          "$drawml" model create B --workspace disk/w >/dev/null || { echo "$size: locked out"; cat errors >&2; }
          umount disk || exit 7
        done'
        """)
      #expect(Set(run.lines) == ["fits"], "\(run.output) \(run.errors)")
      #expect(run.lines.count < 22, "some disks were too small")
    }

    @Test("Several programs at once lose nothing")
    func manyPrograms() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("star", 0..<5), to: "star.ndjson")
      let run = try await folder.shell(
        """
        for program in 1 2 3 4; do
          (for round in 1 2 3 4 5; do
            $drawml sample add star.ndjson --new-ids --label "$program" -m "My first model" --workspace w || echo lost
            $drawml model create "$program-$round" --use --workspace w || echo lost
            if [ $round = 3 ]; then $drawml model train -m "My first model" --workspace w || echo lost; fi
          done) &
        done >/dev/null; wait
        $drawml sample list -m "My first model" --workspace w | wc -l
        $drawml model list --workspace w | grep -c '^[*]'
        $drawml model list --workspace w | wc -l
        $drawml workspace check --workspace w
        """)
      #expect(run.lines == ["100", "1", "22", "w is sound."], "\(run.errors)")
    }
  }

  @Suite("Killed at any moment, a workspace loses nothing that was acknowledged")
  struct KilledWorkspaceTests {
    /// How many programs are killed; 200 where the variable says so.
    static let kills =
      ProcessInfo.processInfo.environment["DRAWML_KILLS"].flatMap { Int($0) } ?? 24

    @Test("In its very first opening")
    func firstOpening() async throws {
      let folder = try TestFolder()
      let start = ContinuousClock.now
      try await folder.run("model create A --workspace w")
      let opening = ContinuousClock.now - start
      let seed = UInt64(Date().timeIntervalSince1970)
      var generator = SeededGenerator(seed: seed)
      for kill in 0..<(Self.kills / 3) {
        let process = try folder.start("model create A --workspace w\(kill)")
        try await Task.sleep(for: opening * generator.unit())
        process.signal(SIGKILL)
        _ = try await process.end()
        // Where it was killed before there was anything, this makes it.
        try await folder.run("model create B --workspace w\(kill)")
        let check = try await folder.run("workspace check --workspace w\(kill)")
        #expect(check.output == "w\(kill) is sound.\n", "seed \(seed): \(check.errors)")
      }
    }

    @Test("In an import into a new folder, which is then as before or has all of it")
    func importing() async throws {
      let folder = try TestFolder()
      for shape in ["star", "house"] {
        try folder.write(Fixture.lines(shape, 0..<4), to: "\(shape).ndjson")
        try await folder.run("sample add \(shape).ndjson --workspace w")
      }
      try await folder.run("model train --workspace w")
      try await folder.run("model rename 'My first model' Shapes --workspace w")
      try await folder.run("workspace export --output all.drawmlx --workspace w")
      let start = ContinuousClock.now
      try await folder.run("workspace import all.drawmlx --workspace whole")
      let importing = ContinuousClock.now - start
      let names = try folder.names
      let seed = UInt64(Date().timeIntervalSince1970)
      var generator = SeededGenerator(seed: seed)
      for kill in 0..<Self.kills {
        // A new folder, and an empty one.
        if kill % 2 == 1 {
          try FileManager.default.createDirectory(
            atPath: folder.path + "/new", withIntermediateDirectories: false)
        }
        let process = try folder.start("workspace import all.drawmlx --workspace new")
        try await Task.sleep(for: importing * generator.unit())
        process.signal(SIGKILL)
        _ = try await process.end()
        let left = try folder.names(in: "new")
        let list = try await Program.run("model list --workspace new", in: folder)
        if left.isEmpty {
          #expect(list.status == 1, "seed \(seed), kill \(kill): \(list.output)")
        } else {
          #expect(list.output.contains("Shapes"), "seed \(seed), kill \(kill): \(list.output)")
          #expect(!list.output.contains("My first model"), "seed \(seed), kill \(kill)")
          let check = try await folder.run("workspace check --workspace new")
          #expect(check.output == "new is sound.\n", "seed \(seed), kill \(kill)")
        }
        // What the kill left has gone with the next command.
        #expect(try folder.names.filter { $0 != "new" } == names, "seed \(seed), kill \(kill)")
        try? FileManager.default.removeItem(atPath: folder.path + "/new")
      }
    }

    @Test("While samples are added, models trained, renamed, deleted and imported")
    func kills() async throws {
      let folder = try TestFolder()
      for shape in ["star", "house", "circle"] {
        try folder.write(Fixture.lines(shape, 0..<4), to: "\(shape).ndjson")
      }
      func run(_ line: String) async throws -> Program.Run {
        try await folder.run("\(line) --workspace w")
      }
      _ = try await run("sample add circle.ndjson")
      let start = ContinuousClock.now
      _ = try await run("model train")
      let training = ContinuousClock.now - start
      _ = try await run("model export --output one.drawmlx")
      /// By model: the ids that were acknowledged and not deleted since.
      var acknowledged = Set(try await ids(run("sample list --format json")))
      var firstName = "My first model"
      let seed = UInt64(Date().timeIntervalSince1970)
      var generator = SeededGenerator(seed: seed)
      for kill in 0..<Self.kills {
        let commands = [
          "sample add star.ndjson --new-ids",
          "sample add house.ndjson --new-ids --label 'label \(kill)'",
          "model train", "model create 'model \(kill)'", "model import one.drawmlx",
          "model rename '\(firstName)' 'first \(kill)'",
        ]
        let command = commands[kill % commands.count]
        let process = try folder.start("\(command) --format json --workspace w")
        let limit = command == "model train" ? training : .milliseconds(150)
        try await Task.sleep(for: limit * generator.unit())
        process.signal(SIGKILL)
        let ended = try await process.end()
        // What was printed is acknowledged, whether or not the program came to its end.
        let answer = ended.output.hasSuffix("\n") ? try ended.object() : [:]
        if command.hasPrefix("sample") {
          acknowledged.formUnion(answer["added"] as? [String] ?? [])
        }
        #expect(
          try await run("workspace check").output == "w is sound.\n",
          "seed \(seed), kill \(kill)")
        let kept = Set(try await ids(run("sample list --format json")))
        #expect(acknowledged.isSubset(of: kept), "seed \(seed), kill \(kill): \(command)")
        // What came in unacknowledged came in whole.
        #expect((kept.count - 4) % 4 == 0, "seed \(seed), kill \(kill): \(kept.count)")
        acknowledged = kept
        let models = try #require(
          try await run("model list --format json").object()["models"]
            as? [[String: Any]])
        #expect(models.count { $0["isActive"] as? Bool == true } == 1)
        if command.hasPrefix("model rename") {
          let names = models.compactMap { $0["name"] as? String }
          let isRenamed = names.contains("first \(kill)")
          #expect(isRenamed != names.contains(firstName), "seed \(seed), kill \(kill): \(names)")
          #expect(isRenamed || answer.isEmpty, "seed \(seed), kill \(kill)")
          if isRenamed { firstName = "first \(kill)" }
        }
        let others = models.filter { $0["isActive"] as? Bool == false }
        if kill % 8 == 7, let last = others.last?["id"] as? String {
          let deleting = try folder.start("model delete \(last) --yes --workspace w")
          try await Task.sleep(for: .milliseconds(generator.integer(below: 120)))
          deleting.signal(SIGKILL)
          _ = try await deleting.end()
          #expect(
            try await run("workspace check").output == "w is sound.\n",
            "seed \(seed), after kill \(kill)")
        }
      }
      // The last one may have left something, which the next opening sweeps away.
      _ = try await run("sample add star.ndjson --new-ids")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/w/models")
      #expect(files.allSatisfy { !$0.hasSuffix(".tmp") }, "what was half written is swept away")
    }

    private func ids(_ run: Program.Run) throws -> [String] {
      try run.lines.map { try #require(try Program.Run.object($0)["id"] as? String) }
    }
  }
}
