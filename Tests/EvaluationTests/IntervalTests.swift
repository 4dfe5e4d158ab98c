import Numbers
import Testing

@testable import Evaluation

@Suite("Intervals, percentiles and forgetting")
struct IntervalTests {
  typealias Golden = MetricFixtures

  @Test("SciPy agrees on Wilson intervals")
  func wilson() throws {
    let one = try ConfidenceInterval.wilson(successes: 17, trials: 20)
    #expect(isClose([one.lower, one.upper], Golden.wilson17of20))
    let other = try ConfidenceInterval.wilson(successes: 3, trials: 1000, level: 0.99)
    #expect(isClose([other.lower, other.upper], Golden.wilson3of1000))
  }

  @Test("A rate of 0 or 1 keeps its end and still says how little is known")
  func wilsonEnds() throws {
    let none = try ConfidenceInterval.wilson(successes: 0, trials: 10)
    #expect(none.lower == 0)
    // z² / (n + z²)
    #expect(isClose(none.upper, 3.841_458_820_694_124 / 13.841_458_820_694_124))
    let all = try ConfidenceInterval.wilson(successes: 10, trials: 10)
    #expect(all.upper == 1)
    #expect(isClose(all.lower, 1 - none.upper))
    #expect(throws: EvaluationError.empty(what: "trials")) {
      try ConfidenceInterval.wilson(successes: 0, trials: 0)
    }
  }

  @Test("SciPy agrees on quantiles and the incomplete beta function")
  func quantiles() {
    #expect(isClose(Golden.normalProbabilities.map(normalQuantile), Golden.normalQuantiles, 1e-11))
    #expect(
      isClose(
        Golden.degreesOfFreedom.map { studentQuantile(0.975, degreesOfFreedom: $0) },
        Golden.studentQuantiles, 1e-10))
    #expect(isClose(studentQuantile(0.25, degreesOfFreedom: 1), -1))
    #expect(studentQuantile(0.5, degreesOfFreedom: 3) == 0)
    #expect(
      isClose(
        Golden.betaArguments.map { incompleteBeta($0[0], $0[1], $0[2]) }, Golden.betaValues, 1e-12))
  }

  @Test("The interval of a mean is SciPy's")
  func mean() throws {
    let student = try ConfidenceInterval.mean(of: Golden.sample)
    #expect(isClose([student.lower, student.upper], Golden.studentInterval, 1e-11))
    // Deviation 1, standard error 1/√3; the quantile of two degrees of freedom.
    let small = try ConfidenceInterval.mean(of: [1, 2, 3])
    let halfWidth = (small.upper - small.lower) / 2
    #expect(isClose(halfWidth, 4.302_652_729_749_461 / 3.0.squareRoot()))
    let single = try ConfidenceInterval.mean(of: [5])
    #expect(single.lower == -.infinity && single.upper == .infinity)
    #expect(throws: EvaluationError.notFinite(what: "values", index: 1)) {
      try ConfidenceInterval.mean(of: [1, .nan])
    }
  }

  @Test("The bootstrap of a mean is close to Student's interval, and repeats itself with its seed")
  func bootstrap() throws {
    var generator = SeededGenerator(seed: 1)
    let values = (0..<200).map { _ in generator.normal(mean: 3, deviation: 2) }
    func interval(seed: UInt64) throws -> ConfidenceInterval {
      var generator = SeededGenerator(seed: seed)
      return try ConfidenceInterval.bootstrap(count: 200, using: &generator) { indices in
        indices.reduce(0) { $0 + values[$1] } / 200
      }
    }
    let (one, again, other) = (try interval(seed: 2), try interval(seed: 2), try interval(seed: 3))
    #expect(one == again)
    #expect(one != other)
    let student = try ConfidenceInterval.mean(of: values)
    #expect(abs(one.lower - student.lower) < 0.06)
    #expect(abs(one.upper - student.upper) < 0.06)
    #expect(throws: EvaluationError.empty(what: "samples")) {
      try ConfidenceInterval.bootstrap(count: 0, using: &generator) { _ in 0 }
    }
  }

  @Test("A 95 % interval holds the true rate about 95 times of 100")
  func coverage() throws {
    var generator = SeededGenerator(seed: 14)
    var held = 0
    for _ in 0..<2000 {
      let successes = (0..<60).count { _ in generator.chance(0.85) }
      let interval = try ConfidenceInterval.wilson(successes: successes, trials: 60)
      if interval.lower <= 0.85, 0.85 <= interval.upper { held += 1 }
    }
    #expect(abs(Double(held) / 2000 - 0.95) < 0.02)
  }

  @Test("Percentiles lie between the nearest ranks as NumPy's do")
  func percentileValues() throws {
    #expect(try percentiles([0, 0.25, 0.5, 1], of: [4, 1, 3, 2]) == [1, 1.75, 2.5, 4])
    #expect(
      isClose(
        try percentiles(Golden.percentileFractions, of: Golden.sample), Golden.percentiles))
    let latency = try LatencySummary((1...101).map(Double.init).reversed())
    #expect(latency.count == 101)
    #expect((latency.minimum, latency.p50, latency.mean, latency.maximum) == (1, 51, 51, 101))
    #expect((latency.p95, latency.p99) == (96, 100))
    #expect(try LatencySummary([7]).p99 == 7)
    #expect(throws: EvaluationError.empty(what: "values")) { try LatencySummary([]) }
    #expect(throws: EvaluationError.notFinite(what: "values", index: 0)) {
      try percentiles([0.5], of: [.infinity])
    }
  }

  @Test("Average accuracy, forgetting and transfer are those worked out by hand")
  func forgetting() throws {
    let record = try IncrementalAccuracy(accuracies: [[0.9], [0.95, 0.8], [0.7, 0.9, 0.6]])
    #expect(isClose(record.finalAverage, 2.2 / 3))
    #expect(isClose(record.incrementalAverage, (0.9 + 0.875 + 2.2 / 3) / 3))
    // The first task fell from its best 0.95 to 0.7, the second rose from 0.8 to 0.9.
    #expect(isClose(record.forgettingByTask, [0.25, -0.1]))
    #expect(isClose(record.averageForgetting, 0.075))
    #expect(isClose(record.backwardTransfer, (-0.2 + 0.1) / 2))
    let single = try IncrementalAccuracy(accuracies: [[0.5]])
    #expect(single.averageForgetting == 0)
    #expect(throws: EvaluationError.empty(what: "tasks")) {
      try IncrementalAccuracy(accuracies: [])
    }
    #expect(
      throws: EvaluationError.outOfRange(what: "accuracies after task 0", index: 0, value: 2)
    ) { try IncrementalAccuracy(accuracies: [[2]]) }
  }
}
