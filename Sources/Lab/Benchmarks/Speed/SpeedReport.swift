internal import Evaluation
internal import Report
internal import Text

/// The results of the speed benchmark.
package struct SpeedReport: Codable, Equatable, Sendable {
  /// The lower and upper quartile of some runs.
  struct Quartiles: Codable, Equatable, Sendable {
    /// A quarter of the runs is faster.
    var lower: Double
    /// A quarter of the runs is slower.
    var upper: Double
  }

  /// The measurements of one step.
  struct Row: Codable, Equatable, Sendable {
    /// The step's name.
    var name: String
    /// What it does.
    var title: String
    /// The unit that is counted.
    var unit: String
    /// The number of units per run.
    var unitsPerRun: Int
    /// The number of threads.
    var threads: Int
    /// The latency of a run.
    var secondsPerRun: LatencySummary
    /// The quartiles of the runs, in seconds per run.
    var quartiles: Quartiles
    /// Units per second, by the median.
    var unitsPerSecond: Double
    /// Megabytes per second, by the median; nil if the step reads no bytes.
    var megabytesPerSecond: Double?
    /// Gigaflops, by the median; nil if the number of operations is unknown.
    var gigaflops: Double?
    /// The peak memory of the process since the step began to make its inputs, in bytes.
    var peakMemoryBytes: Int

    /// The row of a step whose runs took `seconds`.
    init(_ step: SpeedStep, _ prepared: PreparedStep, seconds: [Double], peakMemoryBytes: Int)
      throws
    {
      (name, title, unit) = (step.name, step.title, step.unit)
      (unitsPerRun, threads) = (prepared.count, step.threads)
      secondsPerRun = try LatencySummary(seconds)
      let values = try percentiles([0.25, 0.75], of: seconds)
      quartiles = Quartiles(lower: values[0], upper: values[1])
      let median = max(secondsPerRun.p50, 1e-9)
      unitsPerSecond = Double(prepared.count) / median
      megabytesPerSecond = prepared.bytes.map { Double($0) / median / 1e6 }
      gigaflops = prepared.operations.map { $0 / median / 1e9 }
      self.peakMemoryBytes = peakMemoryBytes
    }
  }

  /// The version of drawml that ran.
  var drawmlVersion: String
  /// The version of Swift that built it.
  var swiftVersion: String
  /// "release", or "debug", whose times are meaningless.
  var build: String
  /// When it ran, such as "2026-01-31T12:00:00Z".
  var date: String
  /// The processor's name.
  var machine: String
  /// How many processors there are.
  var processors: Int
  /// The kernels that were set for OpenBLAS; nil for its own choice.
  var blasKernels: String?
  /// How many processes waited for a processor, on average over the last minute, when it began.
  var loadAverage: Double
  /// The number of threads for multithreaded steps.
  var threads: Int
  /// Timed runs of each step.
  var repeats: Int
  /// Warm-up runs before the timed ones.
  var warmUps: Int
  /// The kernels for products, "auto", "vector" or "blas", except in the BLAS rows; nil in older
  /// reports.
  var kernels: String?
  /// The seed of the inputs.
  var seed: UInt64
  /// The model whose embedding ran; nil for an untrained one of the standard recipe.
  var model: String?
  /// The drawings that were read; nil for synthetic ones.
  var drawings: String?
  /// The peak memory of the process, in bytes.
  var peakMemoryBytes: Int
  /// The steps.
  var steps: [Row]
  /// The changes since an earlier report, if one was given.
  package var comparison: SpeedComparison?
}

extension SpeedReport {
  /// A table for people.
  package var lines: [String] {
    var table = TextTable([
      ("step", .left), ("threads", .right), ("median a unit", .right), ("middle half", .right),
      ("a second", .right), ("rate", .right), ("peak memory", .right), ("", .left),
    ])
    for row in steps {
      let units = Double(row.unitsPerRun)
      let rate =
        row.gigaflops.map { ReportNumbers.decimal($0, 1) + " GFLOP/s" }
        ?? row.megabytesPerSecond.map { ReportNumbers.decimal($0, 1) + " MB/s" } ?? ""
      table.add([
        row.name, "\(row.threads)", shortTime(row.secondsPerRun.p50 / units),
        shortTime(row.quartiles.lower / units) + " to " + shortTime(row.quartiles.upper / units),
        Self.perSecond(row.unitsPerSecond) + " " + row.unit,
        rate, megabytes(row.peakMemoryBytes), row.title,
      ])
    }
    let source = [
      model.map { "model \($0)" } ?? "an untrained model", drawings ?? "synthetic drawings",
    ]
    let facts = [
      """
      \(machine), \(counted(processors, "processor")), load \
      \(ReportNumbers.decimal(loadAverage, 2)); \
      OpenBLAS with \(blasKernels.map { "\($0) kernels" } ?? "its default kernels")
      """,
      """
      \(source.joined(separator: ", ")), seed \(seed); \(counted(repeats, "run")) a step after \
      \(warmUps) to warm up; drawml \(drawmlVersion) (Swift \(swiftVersion), \(build)), \(date)
      """,
      "most memory at once: \(megabytes(peakMemoryBytes))",
    ]
    let moved = comparison.map { [""] + $0.lines } ?? []
    return table.lines + [""] + facts + moved
  }

  private static func perSecond(_ value: Double) -> String {
    value >= 100 ? grouped(Int(value.rounded())) : ReportNumbers.decimal(value, value >= 10 ? 1 : 2)
  }
}
