internal import Evaluation
internal import Report
internal import Support

/// What the benchmark of speed measured.
package struct SpeedReport: Codable, Equatable, Sendable {
  /// Where the middle half of some runs lies.
  struct Quartiles: Codable, Equatable, Sendable {
    /// A quarter of the runs is faster.
    var lower: Double
    /// A quarter of the runs is slower.
    var upper: Double
  }

  /// What was measured of one step.
  struct Row: Codable, Equatable, Sendable {
    /// What names the step.
    var name: String
    /// What it does.
    var title: String
    /// What is counted.
    var unit: String
    /// How many units a run does.
    var unitsPerRun: Int
    /// How many threads worked.
    var threads: Int
    /// How long a run takes.
    var secondsPerRun: LatencySummary
    /// Where the middle half of the runs lies, in seconds a run.
    var quartiles: Quartiles
    /// Units a second, by the median.
    var unitsPerSecond: Double
    /// Megabytes a second, by the median, where bytes are read.
    var megabytesPerSecond: Double?
    /// Thousand million floating-point operations a second, by the median, where they are known.
    var gigaflops: Double?
    /// The most memory that the process held since the step began to make its inputs, in bytes.
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
  /// "release", or "debug", whose times say nothing.
  var build: String
  /// When it ran, such as "2026-01-31T12:00:00Z".
  var date: String
  /// The processor's name.
  var machine: String
  /// How many processors there are.
  var processors: Int
  /// The kernels that OpenBLAS was told to take; nil where the choice was its own.
  var blasKernels: String?
  /// How many processes waited for a processor, on average over the last minute, when it began.
  var loadAverage: Double
  /// How many threads the steps were allowed that use several.
  var threads: Int
  /// Timed runs of each step.
  var repeats: Int
  /// Runs before those.
  var warmUps: Int
  /// What multiplied, "auto", "vector" or "blas", but for the rows of BLAS; nil in older reports.
  var kernels: String?
  /// Where the inputs come from.
  var seed: UInt64
  /// The model whose embedding ran; nil for an untrained one of the standard recipe.
  var model: String?
  /// The drawings that were read; nil for synthetic ones.
  var drawings: String?
  /// The most memory that the process ever held, in bytes.
  var peakMemoryBytes: Int
  /// The steps.
  var steps: [Row]
  /// What moved since an earlier report, where one was given.
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
      OpenBLAS with \(blasKernels.map { "\($0) kernels" } ?? "kernels of its own choice")
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
