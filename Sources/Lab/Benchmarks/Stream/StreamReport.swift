internal import Foundation
internal import Report
internal import Text
internal import Training

/// The results of the stream benchmark.
package struct StreamReport: Codable, Equatable, Sendable {
  /// A number of consecutive drawings.
  package struct Interval: Codable, Equatable, Sendable {
    /// The drawings done at its end.
    var drawings: Int
    /// Drawings per second that all threads together read and draw.
    var readAndDrawn: Double
    /// The same by processor time.
    var readAndDrawnOfProcessorTime: Double
    /// Drawings per second, including making their lines.
    var allIncluded: Double
    /// The peak memory in the interval.
    var peakMemoryBytes: Int
  }

  /// Processor microseconds per drawing.
  struct Parts: Codable, Equatable, Sendable {
    /// To augment a drawing and write its line, which a stored data set does not need.
    var making: Double
    /// From the line's bytes to strokes.
    var reading: Double
    /// From strokes to pixels.
    var drawing: Double
  }

  /// The version of drawml that ran.
  var drawmlVersion = Version.text
  /// When it began, such as "2026-01-31T12:00:00Z".
  var date: String
  /// The processor's name.
  var machine = Resources.processorName
  /// How many processors there are.
  var processors = Resources.processorCount
  /// How many processes waited for a processor, on average over the last minute, when it began.
  var loadAverage = Resources.loadAverage
  /// The number of threads.
  var threads: Int
  /// The seed of all randomness.
  var seed: UInt64
  /// The number of drawings that were augmented; 0 for a set that was read.
  var pool: Int
  /// How many drawings were made or read.
  var drawings: Int
  /// How many points they have.
  var points = 0
  /// The total length of their lines; 0 for a set that was read.
  var bytes = 0
  /// The ink of every block's first drawing, in pixels: the same for the same seed, independent of
  /// the threads.
  var inkOfChecked = 0.0
  /// From start to end.
  var seconds = 0.0
  /// See `Interval`.
  var readAndDrawn = 0.0
  var readAndDrawnOfProcessorTime = 0.0
  var allIncluded = 0.0
  var microsecondsOfProcessor = Parts(making: 0, reading: 0, drawing: 0)
  /// In order.
  var intervals: [Interval] = []

  init(_ benchmark: StreamBenchmark) {
    date = Date.now.formatted(.iso8601)
    (threads, seed) = (benchmark.threads, benchmark.seed)
    (pool, drawings) = (benchmark.pool.count, benchmark.count)
  }
}

extension StreamReport.Interval {
  /// The column heads above lines of `text`.
  package static let heads =
    "  drawings   read and drawn   of processor time   all included   peak memory"

  /// A line of the table.
  package var text: String {
    func column(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    func rate(_ value: Double) -> String { grouped(Int(value)) + "/s" }
    return column(grouped(drawings), 10) + column(rate(readAndDrawn), 17)
      + column(rate(readAndDrawnOfProcessorTime), 20) + column(rate(allIncluded), 15)
      + column(megabytes(peakMemoryBytes), 14)
  }
}

extension StreamReport {
  /// A few lines for people.
  package var lines: [String] {
    let rates = intervals.map(\.readAndDrawn)
    let memory = intervals.map(\.peakMemoryBytes)
    func at(_ place: Int) -> String {
      memory.indices.contains(place) ? megabytes(memory[place]) : "-"
    }
    let parts = microsecondsOfProcessor
    let whole = 50_000_000.0
    let origin =
      pool == 0
      ? "read, \(grouped(points)) points"
      : "made of \(grouped(pool)), \(grouped(points)) points, \(megabytes(bytes)) of lines"
    return [
      "\(grouped(drawings)) drawings \(origin), on \(counted(threads, "thread")) in "
        + duration(seconds),
      "  read and drawn: \(grouped(Int(readAndDrawn))) drawings a second "
        + "(\(grouped(Int(rates.min() ?? 0))) to \(grouped(Int(rates.max() ?? 0))) by interval); "
        + "of processor time \(grouped(Int(readAndDrawnOfProcessorTime)))",
      "  \(pool == 0 ? "all in all" : "with the making of their lines"): \(grouped(Int(allIncluded))) drawings a second",
      "  a drawing on one processor: read \(microseconds(parts.reading)), "
        + "draw \(microseconds(parts.drawing)), make \(microseconds(parts.making))",
      "  peak memory: \(at(0)) at the beginning, \(at(memory.count / 2)) in the middle, "
        + "\(at(memory.count - 1)) at the end",
      "  at this rate 50 million drawings take \(duration(whole / max(readAndDrawn, 1e-9))) "
        + "to read and draw",
      "  seed \(seed), ink of each block's first drawing "
        + "\(String(format: "%.3f", inkOfChecked)) pixels",
    ]
  }

  private func microseconds(_ value: Double) -> String { String(format: "%.2f µs", value) }
}
