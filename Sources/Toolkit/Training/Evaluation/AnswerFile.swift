internal import Datasets
internal import Files
internal import JSON
internal import Recognition
internal import Text

/// The models' answers to each drawing, as a file for other programs: one row per answer, ordered
/// by model.
///
/// JSON Lines has the texts as they are; in CSV, none is a formula (`CSVText.field`).
package struct AnswerFile: Sendable {
  /// The form of the file.
  package enum Format: Sendable {
    case csv
    case jsonLines

    /// The format by a name's ending; JSON Lines for a terminal or a pipe without one, nil for
    /// other names.
    package init?(path: String) {
      let name = path.lowercased()
      if name.hasSuffix(".csv") {
        self = .csv
      } else if name.hasSuffix(".jsonl") || AtomicFile.isDevice(path) {
        self = .jsonLines
      } else {
        return nil
      }
    }
  }

  /// Which model answered.
  enum Judge: Sendable {
    /// The one in the file of this path.
    case model(String)
    /// The one that was taught all folds but this one, counted from 1.
    case fold(Int)
  }

  /// The models with their answers.
  var answers: [(judge: Judge, records: [EvaluationRecord])]

  /// Writes the rows, in CSV below a header.
  ///
  /// - Throws: `FileError`; the file at `path` is then unchanged.
  package func write(to path: String, as format: Format) throws {
    var file = try PendingFile(path: path)
    for (index, (judge, records)) in answers.enumerated() {
      if format == .csv, index == 0 { try file.append(CSVText.row(Row.columns(judge)).utf8) }
      for record in records {
        let row = Row(judge, record)
        try file.append((format == .csv ? CSVText.row(row.fields) : row.jsonLine()).utf8)
      }
    }
    try file.finish()
  }
}

extension AnswerFile {
  /// One model's answer to one drawing. Its JSON keys are the properties' names and stay as they
  /// are; the words are those of `drawml classify --format json`.
  struct Row: Encodable {
    /// The number of best labels.
    static let candidateCount = 5

    /// The path of the model; nil in a cross-validation.
    var model: String?
    /// The fold of the drawing, from 1, in a cross-validation.
    var fold: Int?
    var id: String
    /// The file as it was given, and the line on which the drawing begins, if it has lines.
    @OrNull var file: String?
    @OrNull var line: Int?
    var truth: String
    /// The best label, whether or not it was recognized.
    @OrNull var answer: String?
    var isRight: Bool
    var confidence: Double
    var decision: String
    /// Why it was refused.
    @OrNull var reason: String?
    /// The best labels, the answer first.
    var candidates: [Candidate]

    init(_ judge: Judge, _ record: EvaluationRecord) {
      switch judge {
      case .model(let path): model = path
      case .fold(let number): fold = number
      }
      id = record.id
      file = record.origin?.path
      line = record.origin?.line
      truth = record.truth
      isRight = record.isRight
      confidence = record.confidence
      decision = record.recognized ? "recognized" : "unrecognized"
      reason = record.refusal?.name
      candidates = record.candidates.prefix(Self.candidateCount)
        .map { Candidate(label: $0.label, confidence: $0.confidence) }
      answer = candidates.first?.label
    }

    /// The names of the columns in CSV.
    static func columns(_ judge: Judge) -> [String] {
      let first = if case .fold = judge { "fold" } else { "model" }
      return [
        first, "id", "file", "line", "truth", "answer", "isRight", "confidence", "decision",
        "reason",
      ] + (2...candidateCount).flatMap { ["answer\($0)", "confidence\($0)"] }
    }

    /// The row in CSV: what is null is empty.
    var fields: [String] {
      let others = (1..<Self.candidateCount).flatMap { place -> [String] in
        guard place < candidates.count else { return ["", ""] }
        return [CSVText.field(candidates[place].label), "\(candidates[place].confidence)"]
      }
      return [
        fold.map(String.init) ?? CSVText.field(model ?? ""), CSVText.field(id),
        CSVText.field(file ?? ""), line.map(String.init) ?? "", CSVText.field(truth),
        CSVText.field(answer ?? ""), "\(isRight)", "\(confidence)", decision, reason ?? "",
      ] + others
    }

    /// The row in JSON Lines. Separators of lines that JSON allows in texts are escaped, since some
    /// readers split at them.
    func jsonLine() throws -> String { try jsonText(self).visibleJSON + "\n" }
  }
}
