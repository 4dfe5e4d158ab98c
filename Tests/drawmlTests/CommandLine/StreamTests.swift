import Foundation
import Testing

extension CommandLineTests {
  @Suite("Drawings in a stream")
  struct StreamTests {
    private static let train =
      "train drawings --stream --shuffle-buffer 4 --keep 6 --epochs 2 --seed 3 --output"

    @Test("A streamed training gives the same bytes for any number of threads, and stopped or not")
    func training() async throws {
      let folder = try TestFolder()
      for shape in ["circle", "star"] {
        try folder.write(Fixture.lines(shape, 0..<9), to: "drawings/\(shape).ndjson")
      }
      let one = try await folder.run("\(Self.train) one.drawml --threads 1 --format json")
      let report = try one.object()
      // Of 18 drawings 12 are kept in memory; those that judge are not trained on.
      #expect(report["samples"] as? Int == 12)
      let judging = try #require(report["validationDrawings"] as? Int)
      #expect(report["trainingDrawings"] as? Int == 18 - judging)

      let process = try folder.start("\(Self.train) two.drawml --threads 2 --resume")
      let seen = try await process.wait { folder.has("two.drawml.checkpoint") }
      process.signal(SIGKILL)
      _ = try await process.end()
      if !folder.has("two.drawml") {
        #expect(seen)
        try await folder.run("\(Self.train) two.drawml --threads 2 --resume")
      }
      // Threads are on record, so the embeddings are compared by what they say.
      let asked = "classify drawings/star.ndjson --format json --model"
      let first = try await folder.run("\(asked) one.drawml")
      let second = try await folder.run("\(asked) two.drawml")
      #expect(first.output == second.output)
    }

    @Test("A drawing that cannot be read is named with its file and line, or left out")
    func broken() async throws {
      let folder = try TestFolder()
      for shape in ["circle", "star"] {
        try folder.write(
          Fixture.lines(shape, 0..<4) + (shape == "star" ? "{\"strokes\":[[[1],[]]]}\n" : ""),
          to: "drawings/\(shape).ndjson")
      }
      let run = try await folder.run("\(Self.train) m.drawml --threads 1", status: 1)
      #expect(run.errors.contains("drawings/star.ndjson, line 5: "), "\(run.errors)")
      let skipping = try await folder.run(
        "\(Self.train) m.drawml --threads 1 --skip-invalid --epochs 1")
      #expect(skipping.errors.contains("skipped 1 drawing"))
    }

    @Test("evaluate warns where a streamed training did not keep most of its drawings")
    func evaluate() async throws {
      let folder = try TestFolder()
      for shape in ["circle", "star"] {
        try folder.write(Fixture.lines(shape, 0..<9), to: "drawings/\(shape).ndjson")
      }
      for (kept, isTold) in [(2, true), (9, false)] {
        try await folder.run(
          "train drawings --stream --keep \(kept) --epochs 1 --hold-out 0.3 --output m.drawml")
        let run = try await folder.run("evaluate drawings --model m.drawml")
        #expect(run.errors.contains("of which it names") == isTold, "\(run.errors)")
      }
    }

    @Test("Streaming goes with an embedding of one's own")
    func wrongUse() async throws {
      let folder = try TestFolder()
      let based = try await folder.run("train x --stream --base b --output m", status: 64)
      #expect(
        based.errors
          == "Error: --stream trains an embedding: leave out --base.\n"
          + "  See 'drawml train --help' for more information.\n")
      let alone = try await folder.run("train x --examples-per-epoch 5 --output m", status: 64)
      #expect(alone.errors.contains("goes with --stream"))
      for option in ["--keep", "--shuffle-buffer"] {
        let unused = try await folder.run("train x \(option) 50 --output m", status: 64)
        #expect(unused.errors.contains("--keep and --shuffle-buffer go with --stream"))
      }
      let input = try await folder.run("train - --stream --output m", status: 64)
      #expect(input.errors.contains("read only once"))
    }

    @Test("The benchmark reads what it wrote, and its sums do not depend on the threads")
    func benchmark() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.lines("star", 0..<6), to: "drawings/star.ndjson")
      let arguments = """
        benchmark stream drawings --allow-debug --count 1300 --interval 600 --format json --threads
        """
      var reports: [[String: Any]] = []
      for threads in ["1", "2"] {
        let run = try await folder.run("\(arguments) \(threads)")
        reports.append(try run.object())
      }
      for report in reports {
        #expect(report["drawings"] as? Int == 1300 && report["pool"] as? Int == 6)
        let intervals = try #require(report["intervals"] as? [[String: Any]])
        #expect(intervals.map { $0["drawings"] as? Int } == [600, 1200, 1300])
        #expect(intervals.allSatisfy { ($0["peakMemoryBytes"] as? Int ?? 0) > 0 })
        #expect(report["points"] as? Int ?? 0 > 1300)
      }
      #expect(reports[0]["points"] as? Int == reports[1]["points"] as? Int)
      #expect(reports[0]["bytes"] as? Int == reports[1]["bytes"] as? Int)
      #expect(reports[0]["inkOfChecked"] as? Double == reports[1]["inkOfChecked"] as? Double)
    }
  }
}
