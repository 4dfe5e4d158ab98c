internal import Datasets
internal import JSON
internal import Report
internal import Text

/// Drawings that models which were not taught them recognize as another label: their own one may be
/// wrong. Its JSON keys are the properties' names and stay as they are.
package struct LabelDoubts: Encodable, Equatable, Sendable {
  /// A drawing.
  package struct Doubt: Encodable, Equatable, Sendable {
    var id: String
    /// The file as it was given, and the line on which the drawing begins, if it has lines.
    @OrNull var file: String?
    @OrNull var line: Int?
    var label: String
    /// What it was recognized as, and how surely, in 0...1.
    var looksLike: String
    var confidence: Double
  }

  /// How many drawings were judged.
  package var judged: Int
  /// The surest first.
  package private(set) var doubts: [Doubt]

  /// The doubts among answers to drawings.
  init(_ records: [EvaluationRecord]) {
    judged = records.count
    doubts = Self.doubtful(records).map { index in
      let record = records[index]
      return Doubt(
        id: record.id, file: record.origin?.path, line: record.origin?.line, label: record.truth,
        looksLike: record.label, confidence: record.confidence)
    }
  }

  /// The indices of records of drawings that were recognized as another label, the surest first.
  static func doubtful(_ records: [EvaluationRecord]) -> [Int] {
    records.indices.filter { records[$0].recognized && !records[$0].isRight }
      .sorted { (records[$1].confidence, $0) < (records[$0].confidence, $1) }
  }

  /// The doubts for people: the surest `rows` of them.
  ///
  /// - Parameters:
  ///   - rows: How many to list at most.
  ///   - more: What to do to see the others.
  /// - Returns: A line of numbers, and one a drawing.
  package func lines(rows: Int, more: String) -> [String] {
    guard judged > 0 else { return [] }
    guard !doubts.isEmpty else {
      return ["none of \(counted(judged, "drawing")) looks like another label than its own"]
    }
    let count = doubts.count
    var lines = [
      "\(grouped(count)) of \(counted(judged, "drawing")) \(count == 1 ? "looks" : "look") like "
        + "another label: look at \(count == 1 ? "it" : "them")"
    ]
    lines += doubts.prefix(rows).map { doubt in
      let place = doubt.file.map { file in
        ", " + (doubt.line.map { "\(file):\($0)" } ?? file)
      }
      return "  \(doubt.id) (\(doubt.label)) looks like \(doubt.looksLike), "
        + "\(ReportNumbers.percent(doubt.confidence)) sure\(place ?? "")"
    }
    if count > rows { lines.append("  and \(grouped(count - rows)) more: \(more)") }
    return lines
  }
}
