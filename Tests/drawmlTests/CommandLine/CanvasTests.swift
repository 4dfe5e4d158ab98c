import Foundation
import Pictures
import TestTools
import Testing

extension CommandLineTests {
  @Suite("Canvases")
  struct CanvasTests {
    private static let make = "dataset synthesize canvases --from '\(Fixture.starter)'"

    @Test("The same seed makes the same canvases and picture; another seed others")
    func synthesize() async throws {
      let folder = try TestFolder()
      for (name, seed) in [("a", "3"), ("b", "3"), ("c", "4")] {
        let run = try await folder.run(
          """
          \(Self.make) --output \(name).ndjson --count 5 --seed \(seed) --taught 10
          --picture \(name).png
          """)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasSuffix("\(name).ndjson: 5 canvases\n"), "\(run.errors)")
      }
      #expect(try folder.read("a.ndjson") == folder.read("b.ndjson"))
      #expect(try folder.read("a.png") == folder.read("b.png"))
      #expect(try folder.read("a.ndjson") != folder.read("c.ndjson"))
      let text = String(decoding: try folder.read("a.ndjson"), as: UTF8.self)
      #expect(text.split(separator: "\n").count == 5)
      #expect(text.contains("\"shapes\":[{\"strokes\":["))
    }

    @Test("Held-out drawings get canvases of their own, beside those of the others")
    func heldOut() async throws {
      let folder = try TestFolder()
      try await folder.run(
        "\(Self.make) --output fit.ndjson --held-out 0.3 --held-out-output judge.ndjson --count 3")
      #expect(try folder.read("fit.ndjson") != folder.read("judge.ndjson"))
    }

    @Test("Drawings that a model was taught are on no canvas, whatever their ids")
    func taught() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let renamed = try Fixture.shapes.map { try Fixture.lines($0, 0..<10) }.joined()
        .replacing(#/"id":"(?<name>[^"]*)"/#) { #""id":"other-\#($0.name)""# }
      try folder.write(renamed, to: "renamed.ndjson")
      let run = try await folder.run(
        """
        dataset synthesize canvases --from renamed.ndjson --model \(fixture.model) -o c.ndjson
        """, status: 1)
      #expect(run.errors.contains("no drawings to place"), "\(run.errors)")
    }

    @Test("Untimed drawings are refused by name, and bad options by what is wrong")
    func refusals() async throws {
      let folder = try TestFolder()
      try folder.write(
        #"{"id":"u1","label":"a","strokes":[[[1,2],[3,4]]]}"# + "\n", to: "untimed.ndjson")
      let untimed = try await folder.run(
        "dataset synthesize canvases --from untimed.ndjson -o c.ndjson", status: 1)
      #expect(untimed.errors.contains("the drawing \"u1\" has points without times"))
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/c.ndjson"))
      try await folder.run(
        "dataset synthesize canvases --from untimed.ndjson -o c.ndjson --no-times --mix 0,0,0,1")
      let scene = String(decoding: try folder.read("c.ndjson"), as: UTF8.self)
      #expect(scene.contains("\"label\":\"scene\""))
      for (options, message) in [
        ("--mix 1,2", "--mix is three or four numbers"),
        ("--people 3", "it must be a whole number from 1 to 2"),
        ("--held-out 0.5", "--held-out and --held-out-output go together"),
        ("--apart 501", "it must be a number from 0 to 500"),
        ("--fewest 9", "--fewest must not be above --most."),
      ] {
        let run = try await folder.run("\(Self.make) -o c.ndjson \(options)", status: 64)
        #expect(run.errors.contains(message))
      }
    }

    @Test(
      "The benchmark reports rates and times; canvases without truth are refused with their line")
    func benchmark() async throws {
      let folder = try await Fixture.folderWithModel()
      try await folder.run("\(Self.make) -o c.ndjson --count 6 --model m.drawml")
      let run = try await folder.run(
        """
        benchmark segmentation --canvases c.ndjson --model m.drawml --failures failed.png --variants
        --format json
        """)
      let report = try #require(
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      for key in [
        "perfectShapes", "inkAccuracy", "adjustedRandIndex", "recallAtIoU50", "endToEnd",
      ] {
        let rate = try #require(report[key] as? Double)
        #expect((0...1).contains(rate))
      }
      #expect((report["latencyMilliseconds"] as? [String: Any])?["p95"] is Double)
      let rows = try #require(report["kinds"] as? [[String: Any]])
      let names = rows.compactMap { $0["kind"] as? String }
      #expect(names.first == "all" && names.last == "in any order, without times")
      #expect(names.contains("a quarter as large") && names.contains("two people’s tempos"))
      // The order of strokes with times is that of their times, whatever that in the file.
      func perfect(_ name: String) -> Int? {
        let row = rows.first { $0["kind"] as? String == name }
        return (row?["perfectShapes"] as? [String: Any])?["count"] as? Int
      }
      let all = try #require(perfect("all"))
      #expect(perfect("strokes in any order") == all)
      #expect(try #require(report["leastBoxIoU"] as? Double) > 0.9)
      // Spread crosses and houses are easy even for a recognizer that was taught little.
      #expect(try #require(report["inkAccuracy"] as? Double) > 0.5)

      // On a live canvas: as many emojis as 'segment --live' tells, none before the least settle
      // time, and every shape is judged.
      let live = try #require(report["live"] as? [String: Any])
      func count(_ value: Any?, _ part: String) -> Int? { (value as? [String: Any])?[part] as? Int }
      let told = try await folder.run("segment c.ndjson --model m.drawml --live")
      let emojis = told.output.split(separator: "\n").count {
        $0.contains(#""event":"recognized""#)
      }
      #expect(count(live["premature"], "of") == emojis && emojis > 0)
      #expect(count(live["endToEnd"], "of") == count(rows[0]["endToEnd"], "of"))
      let wait = try #require(live["waitMilliseconds"] as? [String: Any])
      #expect(try #require(wait["minimum"] as? Double) >= 400)
      #expect(try #require(count(wait, "count")) > 0)
      #expect(try 1...emojis ~= #require(count(live["takenBack"], "of")))

      try folder.write(#"{"strokes":[[[1,2],[3,4]]]}"# + "\n", to: "bare.ndjson")
      let bare = try await folder.run(
        "benchmark segmentation --canvases bare.ndjson --model m.drawml", status: 1)
      #expect(bare.errors.contains("bare.ndjson, line 1: the canvas has no \"shapes\""))
    }

    @Test("Scenes without labels and times are judged in other orders, too, and shown on a page")
    func scenes() async throws {
      let folder = try await Fixture.folderWithModel()
      try await folder.run("\(Self.make) -o c.ndjson --count 4")
      let lines = String(decoding: try folder.read("c.ndjson"), as: UTF8.self)
      let scenes = try lines.split(separator: "\n").map { line in
        var scene = try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        scene["label"] = nil
        let strokes = try #require(scene["strokes"] as? [[[Double]]])
        scene["strokes"] = strokes.map { $0.prefix(2).map { $0 } }
        return String(
          decoding: try JSONSerialization.data(withJSONObject: scene), as: UTF8.self)
      }
      try folder.write(scenes.joined(separator: "\n"), to: "scenes.ndjson")
      func run(_ options: String, model: String = "m.drawml") async throws -> [String: Any] {
        try await folder.run(
          "benchmark segmentation --canvases scenes.ndjson --model \(model) --format json \(options)"
        ).object()
      }
      let report = try await run("--order shuffled --report scenes.html")
      let rows = try #require(report["kinds"] as? [[String: Any]])
      let orders = ["shapes in any order, without times", "in any order, without times"]
      let names = rows.compactMap { $0["kind"] as? String }
      #expect(names.filter { $0 != "with late strokes" } == ["all"] + orders)
      func count(_ row: [String: Any], _ key: String, _ part: String = "of") -> Int {
        ((row[key] as? [String: Any])?[part] as? Int) ?? -1
      }
      let parts = try #require(report["breakdowns"] as? [[String: Any]])
      #expect(parts.compactMap { $0["order"] as? String } == ["as given"] + orders)
      for (part, row) in zip(parts, [rows[0]] + rows.suffix(2)) {
        for key in ["byStrokes", "byPlace", "byLabel"] {
          let kinds = try #require(part[key] as? [[String: Any]])
          for (rate, word) in [
            ("perfectShapes", "of"), ("perfectShapes", "count"), ("endToEnd", "count"),
          ] {
            #expect(kinds.reduce(0) { $0 + count($1, rate, word) } == count(row, rate, word))
          }
        }
        #expect((row["plain"] as? [String: Any])?["distance"] != nil)
      }
      #expect(report["live"] == nil)
      let page = String(decoding: try folder.read("scenes.html"), as: UTF8.self)
      #expect(page.split(separator: "<svg class=\"scene\"").count == 9)

      let again = try await run("")
      #expect(
        (again["kinds"] as? [[String: Any]])?.first.map { count($0, "endToEnd", "count") }
          == count(rows[0], "endToEnd", "count"))
      #expect((again["breakdowns"] as? [Any])?.count == 1)

      // A model that knows no label refuses everything.
      let base = try await run("", model: "'\(Repository.path)/models/base-slim.drawml'")
      let labels = ((base["breakdowns"] as? [[String: Any]])?.first?["byLabel"]) as? [[String: Any]]
      #expect(labels?.compactMap { $0["kind"] as? String } == ["unknown label"])
      #expect(
        labels.map { count($0[0], "endToEnd", "count") == count($0[0], "perfectShapes", "count") }
          == true)
    }

    @Test("A file without canvases is named")
    func noCanvases() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write("[]", to: "empty.json")
      let run = try await folder.run(
        "benchmark segmentation --canvases empty.json --model m.drawml", status: 1)
      #expect(run.errors.contains("empty.json: there are no canvases"), "\(run.errors)")
    }

    @Test("Shapes are drawn over emojis, the same ones for each pause and seed (F-015)")
    func over() async throws {
      let folder = try await Fixture.folderWithModel()
      func run(_ options: String, status: Int = 0) async throws -> Program.Run {
        try await folder.run("benchmark segmentation --model m.drawml \(options)", status: status)
      }
      let over = "--over '\(Fixture.starter)/house.ndjson' '\(Fixture.starter)/star.ndjson'"
      let first = try await run("\(over) --count 4 --format json")
      let report = try first.object()
      let rows = try #require(report["rows"] as? [[String: Any]])
      #expect(
        rows.compactMap { $0["gapMilliseconds"] as? Double } == [1000, 2000, 3000, 4000, 5100])
      func count(_ row: [String: Any], _ key: String, _ part: String) -> Int? {
        (row[key] as? [String: Any])?[part] as? Int
      }
      for row in rows {
        #expect(count(row, "bothRight", "of") == 4)
        // An emoji can vanish only where the first shape had one.
        #expect(count(row, "bothRightOverEmoji", "of") == count(row, "vanished", "of"))
      }
      // After five seconds a shape is closed: nothing that is drawn over it takes its emoji away.
      let last = try #require(rows.last)
      #expect(count(last, "vanished", "count") == 0 && count(last, "vanished", "of") == 4)
      #expect(count(report, "usable", "of") == 120)
      #expect(try #require(count(report, "usable", "count")) > 60)
      #expect(try await run("\(over) --count 4 --format json").output == first.output)
      let other = try await run("\(over) --count 4 --seed 2 --format json")
      #expect(other.output != first.output)

      let nothing = try await run("--over '\(Fixture.starter)/moon.ndjson'", status: 1)
      #expect(nothing.errors.contains("two or more are needed"))
      for (options, message) in [
        ("", "give either --canvases or --over"),
        ("\(over) --canvases c.ndjson", "give either --canvases or --over"),
        (
          "\(over) --variants",
          "--plain, --failures, --variants, --order and --report go with --canvases"
        ),
        (
          "\(over) --order shuffled",
          "--plain, --failures, --variants, --order and --report go with --canvases"
        ),
        (
          "\(over) --report r.html",
          "--plain, --failures, --variants, --order and --report go with --canvases"
        ),
      ] {
        let refused = try await run(options, status: 64)
        #expect(refused.errors.contains(message))
      }
    }
  }
}
