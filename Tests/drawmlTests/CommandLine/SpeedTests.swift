import Foundation
import Testing

extension CommandLineTests {
  @Suite("Benchmark of speed")
  struct SpeedTests {
    /// The tests run a debug build, whose times say nothing: only what is printed is looked at.
    static let few = "benchmark speed --allow-debug --repeats 2 --warm-ups 1 --threads 1"

    #if DEBUG
      @Test("A debug build is refused, and says what to build")
      func refusal() async throws {
        let run = try await TestFolder().run("benchmark speed --filter parse", status: 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("swift build -c release"))
      }
    #endif

    /// As many drawings as are needed, each two lines: quicker to make than those of the
    /// synthesizer.
    static let lines = (0..<1256).map { number in
      Fixture.line(
        "[[[0,\(number + 1)],[0,5]],[[3,4],[0,9]]]", id: "\(number)", label: "\(number % 40)")
    }.joined()

    @Test("The JSON has the keys of the guide, and a filter leaves one step")
    func keys() async throws {
      let folder = try TestFolder()
      try folder.write(Self.lines, to: "lines.ndjson")
      let run = try await folder.run(
        "\(Self.few) --filter rasterize --format json --drawings lines.ndjson")
      let report = try run.object()
      let keys: Set = [
        "build", "date", "drawmlVersion", "kernels", "loadAverage", "machine", "peakMemoryBytes",
        "processors", "drawings", "repeats", "seed", "steps", "swiftVersion", "threads", "warmUps",
      ]
      // Kernels are named only where the processor has better ones than OpenBLAS would take.
      #expect(Set(report.keys).subtracting(["blasKernels"]) == keys)
      #expect(report["repeats"] as? Int == 2 && report["warmUps"] as? Int == 1)
      let steps = try #require(report["steps"] as? [[String: Any]])
      #expect(steps.map { $0["name"] as? String } == ["rasterize"])
      #expect(
        Set(steps[0].keys) == [
          "name", "title", "unit", "unitsPerRun", "threads", "secondsPerRun", "quartiles",
          "unitsPerSecond", "peakMemoryBytes",
        ])
      #expect(steps[0]["unitsPerRun"] as? Int == 1000)
      let times = try #require(steps[0]["secondsPerRun"] as? [String: Double])
      #expect(
        Set(times.keys) == ["count", "minimum", "mean", "p50", "p95", "p99", "maximum"])
      #expect(times["count"] == 2)
    }

    @Test("Steps whose bytes or operations are known say their rate, and a file is read whole")
    func rates() async throws {
      let folder = try TestFolder()
      try folder.write(Self.lines, to: "lines.ndjson")
      let run = try await folder.run(
        "\(Self.few) --filter parse,read,search-1k-256 --format json --drawings lines.ndjson")
      let steps = try #require(try run.object()["steps"] as? [[String: Any]])
      #expect(steps.map { $0["name"] as? String } == ["parse", "read", "search-1k-256"])
      #expect(steps.map { $0["unitsPerRun"] as? Int } == [1256, 1256, 256])
      #expect(steps.map { $0["megabytesPerSecond"] != nil } == [true, true, false])
      #expect(steps.map { $0["gigaflops"] != nil } == [false, false, true])
    }

    @Test("A report of its own is a baseline; what is no report is named")
    func baseline() async throws {
      let folder = try TestFolder()
      let arguments = "\(Self.few) --filter search-1k-1 --format json"
      let first = try await folder.run(arguments)
      try folder.write(first.output, to: "old.json")
      let second = try await folder.run("\(arguments) --baseline old.json")
      let comparison = try #require(try second.object()["comparison"] as? [String: Any])
      #expect(
        Set(comparison.keys) == [
          "baseline", "moved", "steady", "incomparable", "added", "missing", "remarks",
        ])
      let compared = ["moved", "steady"].flatMap { comparison[$0] as? [[String: Any]] ?? [] }
      #expect(compared.map { $0["name"] as? String } == ["search-1k-1"])
      try folder.write("{}", to: "other.json")
      let bad = try await folder.run("\(arguments) --baseline other.json", status: 1)
      #expect(
        bad.errors.contains("other.json is not a report of this version's"))
    }

    @Test("Every step of the list is there by name, and another name is refused with the list")
    func list() async throws {
      let folder = try TestFolder()
      let run = try await folder.run("benchmark speed --list")
      let names = run.lines.compactMap { $0.split(separator: " ").first.map(String.init) }
      let expected: Set = [
        "parse", "read", "rasterize", "embed-1", "embed-256", "network-1", "network-256",
        "search-1k-1", "search-1k-256", "search-10k-1", "search-10k-256", "search-100k-1",
        "search-100k-256", "classify", "teach-1", "teach-200", "segment", "load", "save",
        "cold-start", "train-reference-sgd", "train-reference-adamw", "train-embedding-1",
      ]
      #expect(expected.isSubset(of: Set(names)))
      #expect(names.count == Set(names).count)
      let wrong = try await folder.run("\(Self.few) --filter sing", status: 1)
      #expect(wrong.errors.contains("no step has \"sing\" in its name; there are: parse, read,"))
    }

    @Test("Its table names the step, its threads and where the middle half lies")
    func text() async throws {
      let run = try await TestFolder().run("\(Self.few) --filter search-1k-1")
      let row = try #require(run.lines.first { $0.hasPrefix("search-1k-1 ") })
      #expect(row.contains(" to ") && row.contains(" queries "))
      #expect(run.output.contains("synthetic drawings, seed 1; 2 runs a step after 1 to warm up"))
    }

    @Test("Products have a row by BLAS beside ours, and --kernels chooses one of both")
    func kernels() async throws {
      let both = try await TestFolder().run(
        "\(Self.few) --filter search-1k-1,search-1k-1-blas --kernels auto --format json")
      let steps = try #require(try both.object()["steps"] as? [[String: Any]])
      #expect(steps.map { $0["name"] as? String } == ["search-1k-1", "search-1k-1-blas"])
      let blas = try await TestFolder().run(
        "\(Self.few) --filter search-1k-1 --kernels blas --format json")
      #expect(try blas.object()["kernels"] as? String == "blas")
      let list = try await TestFolder().run("benchmark speed --list --kernels blas")
      #expect(!list.output.contains("-blas"))
      let unknown = try await TestFolder().run("benchmark speed --list --kernels mkl", status: 64)
      #expect(unknown.errors.contains("mkl"))
    }

    @Test("It takes turns: a line asks for a run, and its inputs and results lie in HDF5 files")
    func serving() async throws {
      let folder = try TestFolder()
      let run = try await folder.run(
        "\(Self.few) --filter search-1k-1 --serve --record record",
        input: "search-1k-1\nsearch-1k-1\n")
      #expect(run.lines.count == 3)
      #expect(run.lines.first?.contains(#""unitsPerRun":256"#) == true)
      #expect(run.lines.dropFirst().allSatisfy { (Double($0) ?? 0) > 0 })
      #expect(folder.has("record/search-1k-1.h5"))
    }

    @Test("Too few drawings are named with their number")
    func drawings() async throws {
      let folder = try TestFolder()
      try folder.write(Fixture.sound, to: "few.ndjson")
      let run = try await folder.run("\(Self.few) --filter parse --drawings few.ndjson", status: 1)
      #expect(run.errors.contains("few.ndjson has 1 labeled drawing; 1,256 are needed"))
    }
  }
}
