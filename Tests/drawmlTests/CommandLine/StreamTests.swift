import Foundation
import Testing

extension CommandLineTests {
  @Suite("Drawings in a stream")
  struct StreamTests {
    private static let train =
      "train shards --stream --keep 6 --epochs 2 --seed 3 --output"

    @Test("A streamed training gives the same bytes for any number of threads, and stopped or not")
    func training() async throws {
      let folder = try TestFolder()
      for shape in ["circle", "star"] {
        try folder.write(Fixture.lines(shape, 0..<9), to: "drawings/\(shape).ndjson")
      }
      try await folder.run("dataset pack drawings --output shards")
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

      // Files that are not packed are packed first.
      let files = Self.train.replacing("train shards", with: "train drawings")
      try await folder.run("\(files) three.drawml --threads 1")
      #expect(try await folder.run("\(asked) three.drawml").output == first.output)
    }

    @Test("A drawing that cannot be packed is named with its file and line, or left out")
    func broken() async throws {
      let folder = try TestFolder()
      for shape in ["circle", "star"] {
        try folder.write(
          Fixture.lines(shape, 0..<4) + (shape == "star" ? "{\"strokes\":[[[1],[]]]}\n" : ""),
          to: "drawings/\(shape).ndjson")
      }
      let run = try await folder.run("dataset pack drawings --output shards", status: 1)
      #expect(run.errors.contains("drawings/star.ndjson, line 5: "), "\(run.errors)")
      #expect(try folder.names(in: "shards").isEmpty)
      let skipping = try await folder.run(
        "dataset pack drawings --output shards --skip-invalid --format json")
      #expect(skipping.errors.contains("skipped 1 drawing"))
      #expect(try skipping.object()["drawings"] as? Int == 8)
      let info = try await folder.run("dataset info shards --format json").object()
      #expect(info["drawings"] as? Int == 8 && info["shards"] as? Int == 16)
    }

    @Test("A packing that is killed, or meets a limit of the disk, goes on to the same bytes")
    func packing() async throws {
      let folder = try TestFolder()
      let line = #"{"word":"w","drawing":[[[0,9,3,7,200,1,5],[3,80,1,200,77,3,9]]]}"# + "\n"
      try folder.write(String(repeating: line, count: 200_000), to: "d.ndjson")
      try await folder.run("dataset pack d.ndjson --output whole --shards 2")
      let process = try folder.start("dataset pack d.ndjson --output killed --shards 2")
      _ = try await process.wait { folder.has("killed/shard-001") }
      process.signal(SIGKILL)
      _ = try await process.end()
      let full = try await Program.shell(
        "ulimit -f 1000; $drawml dataset pack d.ndjson --output full --shards 2", in: folder)
      #expect(full.status == 1)
      #expect(
        full.errors.contains(
          "the limit on file sizes is reached; raise it ('ulimit -f'), then go on with --resume"),
        "\(full.errors)")
      for name in ["killed", "full"] {
        // The one that was killed may have been finished.
        _ = try await Program.run(
          "dataset pack d.ndjson --output \(name) --shards 2 --resume", in: folder)
        for file in try folder.names(in: "whole") {
          #expect(try folder.read("\(name)/\(file)") == folder.read("whole/\(file)"), "\(name)")
        }
      }
    }

    @Test("evaluate warns where a streamed training did not keep most of its drawings")
    func evaluate() async throws {
      let folder = try TestFolder()
      for shape in ["circle", "star"] {
        try folder.write(Fixture.lines(shape, 0..<9), to: "drawings/\(shape).ndjson")
      }
      try await folder.run("dataset pack drawings --output shards")
      for (kept, isTold) in [(2, true), (9, false)] {
        try await folder.run(
          "train shards --stream --keep \(kept) --epochs 1 --hold-out 0.3 --output m.drawml")
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
      let unused = try await folder.run("train x --keep 50 --output m", status: 64)
      #expect(unused.errors.contains("--keep goes with --stream"))
      let again = try await folder.run("dataset pack - --output s --resume", status: 64)
      #expect(again.errors.contains("read only once"))
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
      try await folder.run("dataset pack drawings --output shards")
      let read = try await folder.run(
        "benchmark stream shards --allow-debug --format json --threads 2"
      ).object()
      #expect(read["drawings"] as? Int == 6 && read["pool"] as? Int == 0)
    }
  }
}
