import Foundation
import Glibc
import Pictures
import Testing

extension CommandLineTests {
  @Suite("Benchmarks")
  struct BenchmarkTests {
    @Test("few-shot draws the same tasks from the same seed and gives the keys of the guide")
    func drawn() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let arguments = """
        benchmark few-shot --samples \(fixture.unseen) --model \(fixture.model) --ways 2 --shots 3
        --queries 5 --unknown 6 --tasks 12 --format json
        """
      let report = try await folder.run(arguments).object()
      let keys: Set = [
        "episodes", "accuracy", "confidenceInterval95", "auroc", "fpr95", "ece", "oscr", "aurc",
        "rightRefused", "knownRefused", "strangersAccepted", "dialTarget", "intervals95", "tasks",
        "ways", "shots", "head", "samplesFingerprint", "facts",
      ]
      #expect(Set(report.keys) == keys)
      #expect((report["tasks"] as? [Any])?.count == 12)
      #expect(report["ways"] as? Int == 2 && report["shots"] as? Int == 3)
      #expect(report["episodes"] as? Int == 12)
      let accuracy = try #require(report["accuracy"] as? Double)
      #expect(accuracy > 0.6, "two labels by chance: 0.5")
      let interval = try #require(report["confidenceInterval95"] as? [String: Double])
      #expect(try #require(interval["lower"]) <= accuracy)
      #expect(try #require(interval["upper"]) >= accuracy)
      #expect(report["dialTarget"] as? Double == 0.1)
      let shy = try await folder.run("\(arguments) --dial 0.5").object()
      #expect(shy["dialTarget"] as? Double == 0.5)
      let again = try await folder.run("\(arguments) --threads 1").object()
      #expect(again["accuracy"] as? Double == accuracy)
      #expect(again["auroc"] as? Double == report["auroc"] as? Double)
    }

    @Test("A file that names a drawing very often does not take memory for each time")
    func often() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let names = repeatElement(#""synthetic-circle-0010""#, count: 150_000).joined(separator: ",")
      try folder.write(
        #"""
        {"episodes":[{"support":[{"id":"synthetic-star-0010","label":"a"},
        {"id":"synthetic-house-0010","label":"b"}],
        "query":[{"id":"synthetic-star-0011","label":"a"}],"unknown":[\#(names)]}]}
        """#, to: "tasks.json")
      let run = try await folder.run(
        """
        benchmark few-shot --samples \(fixture.unseen) --model \(fixture.model)
        --episodes tasks.json --threads 1
        """)
      let peak = try #require(run.peakMemoryBytes)
      #expect(peak < 180 << 20)
    }

    @Test("few-shot runs the tasks of a file, and names a drawing that is not there")
    func file() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      // Stars and houses look so different that every embedding must answer rightly.
      let task = #"""
        {"episodes":[{"support":[{"id":"synthetic-star-0010","label":"a"},
        {"id":"synthetic-house-0010","label":"b"}],
        "query":[{"id":"synthetic-star-0011","label":"a"}]}]}
        """#
      try folder.write(task, to: "tasks.json")
      let arguments = """
        benchmark few-shot --samples \(fixture.unseen) --model \(fixture.model)
        --episodes tasks.json --format json
        """
      let report = try await folder.run(arguments).object()
      #expect(report["accuracy"] as? Double == 1)
      #expect(report["auroc"] == nil)
      try folder.write(
        task.replacingOccurrences(of: "star-0010", with: "star-0999"), to: "tasks.json")
      let run = try await folder.run(arguments, status: 1)
      #expect(
        run.errors.contains(
          "tasks.json: episodes[0] names the drawing synthetic-star-0999, which is not among the samples in"
        ))
    }

    @Test("few-shot says how many drawings a task needs")
    func tooFew() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let run = try await folder.run(
        "benchmark few-shot --samples \(fixture.unseen) --model \(fixture.model) --ways 20",
        status: 1)
      #expect(
        run.errors.contains("\(fixture.unseen): a task needs 20 labels of at least 15 drawings"))
    }

    @Test(
      "Saved tasks give the drawn ones' numbers, from few-shot and open-set, on any threads"
    )
    func saved() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let common = "--samples \(fixture.unseen) --model \(fixture.model) --format json"
      let drawn = try await folder.run(
        """
        benchmark few-shot \(common) --ways 2 --shots 2 --queries 3 --unknown 4 --tasks 4
        --save-episodes tasks.json --report a.html --threads 2
        """)
      #expect(drawn.errors.contains("tasks.json: 4 tasks"))
      let first = try drawn.object()
      let second = try await folder.run(
        "benchmark open-set \(common) --episodes tasks.json --report b.html --threads 1"
      ).object()
      for key in ["accuracy", "auroc", "fpr95", "oscr", "aurc", "ece", "strangersAccepted"] {
        #expect(first[key] as? Double == second[key] as? Double, "\(key)")
        #expect(first[key] is Double, "\(key)")
      }
      #expect((second["reliability"] as? [Any])?.count == 15)
      for (name, title) in [("a.html", "few-shot"), ("b.html", "open-set")] {
        let html = String(decoding: try folder.read(name), as: UTF8.self)
        #expect(html.contains("DrawML · \(title) benchmark"))
      }
    }

    @Test("A file without tasks, and tasks without unknowns, are refused with what to do")
    func badTasks() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      try folder.write(#"{"episodes":[]}"#, to: "none.json")
      try folder.write(
        """
        {"episodes":[{"support":[{"id":"synthetic-star-0010","label":"a"}],
        "query":[{"id":"synthetic-star-0011","label":"a"}]}]}
        """, to: "known.json")
      for (name, message) in [
        ("none.json", "cannot read none.json: its list of episodes is empty; write tasks with"),
        ("known.json", "known.json: no task has unknown drawings, so there is nothing to refuse"),
      ] {
        let run = try await folder.run(
          """
          benchmark open-set --samples \(fixture.unseen) --model \(fixture.model) --episodes \(name)
          """, status: 1)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.output.isEmpty)
      }
      let run = try await folder.run(
        """
        benchmark few-shot --samples \(fixture.unseen) --model \(fixture.model)
        --episodes known.json --shots 5
        """, status: 64)
      #expect(run.errors.contains("--shots is for tasks that are drawn at random"))
    }

    @Test("incremental: one by one equals all at once, and forgetting is exact")
    func incremental() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let common = """
        benchmark incremental --samples \(fixture.unseen) --model \(fixture.model)
        --shots 2 --queries 3 --orders 2
        """
      let report = try await folder.run(
        "\(common) --labels 3 --retrain 1 --report r.html --format json"
      ).object()
      #expect(report["equalsAllAtOnce"] as? Bool == true)
      #expect(report["forgetIsExact"] as? Bool == true)
      func mean(_ key: String) -> Double? { (report[key] as? [String: Any])?["mean"] as? Double }
      #expect(mean("lostToAllAtOnce") == 0)
      #expect(mean("finalAccuracy") == mean("allAtOnceAccuracy"))
      #expect(try #require(mean("finalAccuracy")) > 0.5, "three labels by chance: 0.33")
      #expect(mean("retrainedAccuracy") != nil && mean("forgetting") != nil)
      #expect((report["steps"] as? [Any])?.count == 3)
      let latency = try #require(report["teachMilliseconds"] as? [String: Any])
      #expect(latency["count"] as? Int == 12)
      #expect(folder.has("r.html"))
      let few = try await folder.run("\(common) --labels 9", status: 1)
      #expect(
        few.errors.contains(
          "\(fixture.unseen): 9 labels with at least 5 drawings each are needed, and there are 3"))
    }

    @Test("omniglot: runs of pictures, and tasks from strokes with and without pictures between")
    func omniglot() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      // Three shapes as characters of an alphabet; two "people" drew each.
      var lines = ""
      for (number, shape) in Fixture.shapes.enumerated() {
        for (person, line) in try Fixture.lines(shape, 10..<12).split(separator: "\n").enumerated()
        {
          let file = "Shapes/character0\(number)/000\(number)_0\(person)"
          let text = line.replacing(#/"id":"[^"]*"/#, with: #""id":"\#(file)""#)
            .replacing(#/"label":"[^"]*"/#, with: #""label":"Shapes/character0\#(number)""#)
          lines += text + "\n"
        }
      }
      try folder.write(lines, to: "strokes.ndjson")
      let common = "benchmark omniglot --model \(fixture.model) --format json"
      let strokes = "\(common) --strokes strokes.ndjson --ways 3 --tasks 2"
      var errors: [Double] = []
      for more in ["", "--as-pictures"] {
        let report = try await folder.run("\(strokes) \(more)").object()
        #expect((report["runs"] as? [Any])?.count == 2)
        #expect(report["form"] as? String == (more.isEmpty ? "strokes" : "strokesAsPictures"))
        errors.append(try #require(report["errorRate"] as? Double))
      }
      #expect(errors.allSatisfy { $0 < 0.67 }, "three characters by chance: 0.67")

      for (person, part) in [(0, "training/class"), (1, "test/item")] {
        for number in 1...3 {
          let name = "runs/run01/\(part)0\(number).png"
          try folder.write("", to: name)
          try await folder.run(
            """
            rasterize strokes.ndjson --number \(2 * number - 1 + person) --size 105 --stroke-width 3
            --margin 12 --output \(name)
            """)
        }
      }
      try folder.write(
        (1...3).map { "run01/test/item0\($0).png run01/training/class0\($0).png\n" }.joined(),
        to: "runs/run01/class_labels.txt")
      let report = try await folder.run("\(common) --runs runs --report o.html").object()
      let runs = try #require(report["runs"] as? [[String: Any]])
      #expect(runs.map { $0["run"] as? String } == ["run01"])
      #expect(runs[0]["errorRate"] as? Double == report["errorRate"] as? Double)
      #expect(runs[0]["count"] as? Int == 3)
      #expect(folder.has("o.html"))

      for (options, message) in [
        ("--runs runs --ways 3", "--save-episodes are for --strokes"),
        ("--strokes strokes.ndjson --report one --save-episodes one", "named for two outputs"),
      ] {
        let run = try await folder.run("\(common) \(options)", status: 64)
        #expect(run.errors.contains(message), "\(run.errors)")
      }

      try folder.write("no picture", to: "runs/run01/test/item02.png")
      let broken = try await folder.run("\(common) --runs runs", status: 1)
      #expect(broken.errors.contains("runs/run01/test/item02.png: it is not a PNG or JPEG picture"))
    }

    @Test("dataset split puts whole labels in one part each, by seed, and does not mix two splits")
    func split() async throws {
      let folder = try TestFolder()
      try await folder.run(
        "dataset synthesize --output all --count 4 --shapes star,heart,house,fish,moon,sun,key")
      func split(_ source: String, _ output: String, status: Int = 0) async throws -> Program.Run {
        try await folder.run("dataset split \(source) --seed 3 --output \(output)", status: status)
      }
      let report = try await split("all", "parts --format json").object()
      let parts = try #require(report["parts"] as? [[String: Any]])
      #expect(parts.map { $0["name"] as? String } == ["train", "validation", "test"])
      let labels = parts.map { $0["labels"] as? [String] ?? [] }
      #expect(labels.map(\.count) == [5, 1, 1])
      #expect(Set(labels.joined()).count == 7)
      #expect(parts.map { $0["drawings"] as? Int } == [20, 4, 4])
      let test = try await folder.run("dataset info parts/test")
      #expect(test.output.contains("4 drawings of 1 label"))
      // Files in another order, another folder: the same labels in the same parts.
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/all")
        .sorted().reversed().map { "all/\($0)" }.joined(separator: " ")
      let again = try await split(names, "again --format json").object()
      #expect(
        (again["parts"] as? [[String: Any]])?.map { $0["labels"] as? [String] ?? [] } == labels)
      let mixed = try await split("all", "parts", status: 1)
      #expect(mixed.errors.contains("cannot write parts/train: the folder contains "))
      for name in ["elsewhere", "linked"] {
        #expect(mkdir("\(folder.path)/\(name)", 0o755) == 0)
      }
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/linked/train", withDestinationPath: "../elsewhere")
      let linked = try await split("all", "linked", status: 1)
      #expect(linked.errors.contains("linked/train: it is a file or a link"))
      let written = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/elsewhere")
      #expect(written.isEmpty)
      let text = try await split("all", "drawings --by drawing")
      #expect(
        text.lines.count == 6 && text.output.contains("drawings/test: 7 drawings of 7 labels"))
    }

    @Test("dataset split that fails leaves no folder that it made")
    func failedSplit() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("star", 0..<6) + Fixture.lines("house", 0..<6), to: "a.ndjson")
      // Short enough for a folder, too long for the parts in it.
      let output = String(repeating: "./", count: 2043) + "parts"
      try await folder.run("dataset split a.ndjson --by drawing --output \(output)", status: 1)
      #expect(try folder.names == ["a.ndjson"])
    }
  }
}
