internal import Evaluation
internal import Report

/// The changes between two speed reports.
///
/// A step changed if the interquartile ranges of its runs do not overlap; smaller changes need more
/// runs to distinguish from noise.
package struct SpeedComparison: Codable, Equatable, Sendable {
  /// A step in both reports.
  struct Change: Codable, Equatable, Sendable {
    /// The step's name.
    var name: String
    /// The median seconds per unit before.
    var before: Double
    /// The median seconds per unit now.
    var now: Double
    /// The speedup; above 1 is faster.
    var speedup: Double
  }

  /// The path of the earlier report.
  var baseline: String
  /// Steps that became faster or slower, by more than their spread, in the order of the report.
  var moved: [Change]
  /// Steps that moved less than their spread.
  var steady: [Change]
  /// Steps that cannot be compared, and why.
  var incomparable: [String]
  /// Steps that the earlier report does not have.
  var added: [String]
  /// Steps that only the earlier report has.
  var missing: [String]
  /// Other differences between the two, such as the machine.
  var remarks: [String]

  /// Compares `report` with `old`, which was read from `path`.
  package init(_ report: SpeedReport, with old: SpeedReport, path: String) {
    baseline = path
    (moved, steady, incomparable, added) = ([], [], [], [])
    for row in report.steps {
      guard let before = old.steps.first(where: { $0.name == row.name }) else {
        added.append(row.name)
        continue
      }
      guard before.threads == row.threads else {
        incomparable.append("\(row.name): threads \(before.threads), now \(row.threads)")
        continue
      }
      guard before.unit == row.unit else {
        incomparable.append("\(row.name): counted in \(before.unit), now in \(row.unit)")
        continue
      }
      let (then, now) = (before.perUnit, row.perUnit)
      let change = Change(
        name: row.name, before: then.median, now: now.median,
        speedup: then.median / max(now.median, 1e-12))
      if now.lower > then.upper || now.upper < then.lower {
        moved.append(change)
      } else {
        steady.append(change)
      }
    }
    let names = Set(report.steps.map(\.name))
    missing = old.steps.map(\.name).filter { !names.contains($0) }
    remarks = []
    func remark(_ what: String, _ before: some Equatable, _ now: some Equatable) {
      if "\(before)" != "\(now)" { remarks.append("\(what): \(before), now \(now)") }
    }
    remark("machine", old.machine, report.machine)
    remark("processors", old.processors, report.processors)
    remark("kernels", old.kernels ?? "auto", report.kernels ?? "auto")
    remark("OpenBLAS’s kernels", old.blasKernels ?? "unset", report.blasKernels ?? "unset")
    remark("model", old.model ?? "untrained", report.model ?? "untrained")
    remark("drawings", old.drawings ?? "synthetic", report.drawings ?? "synthetic")
    remark("seed", old.seed, report.seed)
    remark("build", old.build, report.build)
  }

  /// The comparison as text.
  var lines: [String] {
    var table = TextTable([
      ("moved", .left), ("before", .right), ("now", .right), ("", .left),
    ])
    for change in moved {
      let isFaster = change.speedup > 1
      let factor = isFaster ? change.speedup : 1 / max(change.speedup, 1e-12)
      table.add([
        change.name, shortTime(change.before), shortTime(change.now),
        ReportNumbers.decimal(factor, 2) + " times as " + (isFaster ? "fast" : "slow"),
      ])
    }
    var lines = ["against \(baseline):"]
    lines += moved.isEmpty ? ["no step changed by more than its spread"] : table.lines
    lines.append("\(counted(steady.count, "step")) within the spread")
    lines += incomparable.map { "not compared: \($0)" }
    if !added.isEmpty { lines.append("new: \(added.joined(separator: ", "))") }
    if !missing.isEmpty { lines.append("not measured now: \(missing.joined(separator: ", "))") }
    return lines + remarks.map { "different: \($0)" }
  }
}

extension SpeedReport.Row {
  /// Seconds per unit: the median and the quartiles.
  fileprivate var perUnit: (median: Double, lower: Double, upper: Double) {
    let units = Double(max(1, unitsPerRun))
    return (secondsPerRun.p50 / units, quartiles.lower / units, quartiles.upper / units)
  }
}
