import Evaluation
import NeuralNetwork
import Testing

@testable import Benchmarks

/// A step whose runs took `seconds`, for tests that look at one number.
private func row(
  _ name: String, _ seconds: [Double], units: Int = 1, threads: Int = 1, unit: String = "drawings"
) throws -> SpeedReport.Row {
  let step = SpeedStep(name: name, title: "a step", unit: unit, threads: threads) {
    PreparedStep(count: units) { .zero }
  }
  return try SpeedReport.Row(
    step, PreparedStep(count: units) { .zero }, seconds: seconds, peakMemoryBytes: 1)
}

private func report(_ rows: [SpeedReport.Row]) -> SpeedReport {
  SpeedReport(
    drawmlVersion: "1", swiftVersion: "6", build: "release", date: "2026-01-01T00:00:00Z",
    machine: "a", processors: 2, loadAverage: 0, threads: 2, repeats: 5, warmUps: 1, seed: 1,
    peakMemoryBytes: 1, steps: rows)
}

@Suite("Speed compared with an earlier report")
struct SpeedComparisonTests {
  @Test("A step moved where the middle halves of its runs do not overlap")
  func moved() throws {
    // Quartiles 2 and 4 before; 5 and 7, then 4 and 6 (which touch), then 0.5 and 1.5 now.
    let old = try report([
      row("slower", [1, 2, 3, 4, 5]), row("same", [1, 2, 3, 4, 5]), row("faster", [1, 2, 3, 4, 5]),
    ])
    let new = try report([
      row("slower", [4, 5, 6, 7, 8]), row("same", [3, 4, 5, 6, 7]),
      row("faster", [0, 0.5, 1, 1.5, 2]),
    ])
    let comparison = SpeedComparison(new, with: old, path: "old.json")
    #expect(
      comparison.moved == [
        .init(name: "slower", before: 3, now: 6, speedup: 0.5),
        .init(name: "faster", before: 3, now: 1, speedup: 3),
      ])
    #expect(comparison.steady == [.init(name: "same", before: 3, now: 5, speedup: 0.6)])
    let lines = comparison.lines
    #expect(lines.first == "against old.json:")
    #expect(lines.contains("slower  3.00 s  6.00 s  2.00 times as slow"))
    #expect(lines.contains("faster  3.00 s  1.00 s  3.00 times as fast"))
    #expect(lines.contains("1 step within the spread"))
  }

  @Test("Times are compared by unit, so a run may do more of them than before")
  func units() throws {
    let old = try report([row("a", [10, 10, 10], units: 10)])
    let new = try report([row("a", [40, 40, 40], units: 20)])
    let comparison = SpeedComparison(new, with: old, path: "old.json")
    #expect(comparison.moved == [.init(name: "a", before: 1, now: 2, speedup: 0.5)])
  }

  @Test("Other threads or units are not compared, new and missing steps are named")
  func incomparable() throws {
    let old = try report([
      row("threads", [1, 1], threads: 1), row("unit", [1, 1], unit: "queries"),
      row("gone", [1, 1]),
    ])
    let new = try report([
      row("threads", [9, 9], threads: 2), row("unit", [9, 9], unit: "images"), row("new", [1, 1]),
    ])
    let comparison = SpeedComparison(new, with: old, path: "old.json")
    #expect(comparison.moved.isEmpty && comparison.steady.isEmpty)
    #expect(
      comparison.incomparable == [
        "threads: threads 1, now 2", "unit: counted in queries, now in images",
      ])
    #expect(comparison.added == ["new"])
    #expect(comparison.missing == ["gone"])
    #expect(comparison.remarks.isEmpty)
    #expect(comparison.lines.contains("no step changed by more than its spread"))
  }

  @Test("Another machine, model or seed is said")
  func remarks() throws {
    let old = report([])
    var new = old
    (new.machine, new.model, new.seed) = ("b", "m.drawml", 2)
    let comparison = SpeedComparison(new, with: old, path: "old.json")
    #expect(
      comparison.remarks == [
        "machine: a, now b", "model: untrained, now m.drawml", "seed: 1, now 2",
      ]
    )
  }

  @Test("Other kernels are said, those of DrawML and those of OpenBLAS apart")
  func kernels() {
    let old = report([])
    var new = old
    (new.kernels, new.blasKernels) = ("blas", "Haswell")
    let comparison = SpeedComparison(new, with: old, path: "old.json")
    #expect(
      comparison.remarks == [
        "kernels: auto, now blas", "OpenBLAS’s kernels: unset, now Haswell",
      ])
    new.kernels = "auto"
    #expect(SpeedComparison(new, with: new, path: "old.json").remarks.isEmpty)
  }
}

@Suite("Numbers of speed")
struct SpeedNumbersTests {
  @Test("A row has the median, the middle half and what follows from them")
  func numbers() throws {
    let step = SpeedStep(name: "a", title: "", unit: "images") { PreparedStep(count: 1) { .zero } }
    let prepared = PreparedStep(count: 100, bytes: 4_000_000, operations: 6e9) { .zero }
    let row = try SpeedReport.Row(
      step, prepared, seconds: [5, 1, 2, 4, 3], peakMemoryBytes: 77)
    #expect(row.secondsPerRun.p50 == 3 && row.secondsPerRun.count == 5)
    #expect(row.quartiles == .init(lower: 2, upper: 4))
    #expect(row.unitsPerSecond == 100.0 / 3)
    #expect(row.megabytesPerSecond == 4.0 / 3)
    #expect(row.gigaflops == 2)
    #expect(row.peakMemoryBytes == 77)
  }

  @Test("Every step has its own kernels, not those of the step before it")
  func kernels() {
    let steps = ["network-1", "segment"].map { name in
      SpeedStep(name: name, title: "a step", unit: "drawings") { PreparedStep(count: 1) { .zero } }
    }
    func kernels(_ chosen: KernelChoice) -> [String] {
      SpeedStep.withTwins(steps, kernels: chosen).map { "\($0.name): \($0.kernels)" }
    }
    #expect(kernels(.auto) == ["network-1: auto", "network-1-blas: blas", "segment: auto"])
    #expect(kernels(.blas) == ["network-1: blas", "segment: blas"])
  }

  @Test("A part of a name chooses all that have it, a whole name only itself")
  func filter() throws {
    let names = ["search-1k-1", "search-1k-256", "rasterize", "rasterize-flow"]
    #expect(try SpeedBenchmark.chosen(by: ["1k"], from: names) == [0, 1])
    #expect(try SpeedBenchmark.chosen(by: ["rasterize"], from: names) == [2])
    #expect(try SpeedBenchmark.chosen(by: ["flow", "1k-1"], from: names) == [0, 3])
    #expect(throws: SpeedError.self) { try SpeedBenchmark.chosen(by: ["1k", "sing"], from: names) }
  }
}
