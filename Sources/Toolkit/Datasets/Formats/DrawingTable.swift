internal import Files
internal import Ink

/// Reads a table with a drawing a row, as Kaggle has Quick, Draw!: `drawing` (or `strokes`) holds
/// strokes as JSON, in the forms of stroke JSON, `key_id` (or `id`) the name, `word` (or `label`)
/// what was drawn, and `recognized` whether the game guessed it; others are skipped.
///
/// Source: "Quick, Draw! Doodle Recognition Challenge", Kaggle, 2018.
struct DrawingTable {
  private let drawing: Int
  private let id: Int?
  private let label: Int?
  private let recognized: Int?

  /// Nil for a table without a column of drawings.
  init?(_ names: [String]) {
    func index(_ choices: String...) -> Int? {
      choices.lazy.compactMap(names.firstIndex).first
    }
    guard let drawing = index("drawing", "strokes") else { return nil }
    self.drawing = drawing
    id = index("key_id", "id")
    label = index("word", "label")
    recognized = index("recognized")
  }

  /// The drawings of the rows behind the header; ids that they do not give are the name of `path`
  /// with the line.
  func drawings(_ rows: inout TableRows, path: String) throws(FileError) -> [Drawing] {
    var found: [Drawing] = []
    while let row = try rows.next() {
      do throws(FormatFault) {
        found.append(try drawing(row, DatasetFormat.id(of: rows.line, in: path)))
      } catch { throw rows.fault(error.description) }
    }
    guard !found.isEmpty else { throw FileError(reading: path, "it has no rows of drawings") }
    return found
  }

  private func drawing(_ row: [String], _ place: String) throws(FormatFault) -> Drawing {
    guard row.indices.contains(drawing) else {
      throw FormatFault("it has \(row.count) values and no drawing")
    }
    func value(_ column: Int?) -> String? {
      column.flatMap { row.indices.contains($0) ? row[$0] : nil }
    }
    do throws(InkError) {
      var found = try StrokeJSON.parse(Array("{\"drawing\":\(row[drawing])}".utf8))
      let name = value(id)?.trimmed ?? ""
      try found.setNames(id: name.isEmpty ? place : name, label: value(label))
      switch value(recognized)?.trimmed.lowercased() {
      case "true", "1": found.wasGuessed = true
      case "false", "0": found.wasGuessed = false
      default: break
      }
      return found
    } catch { throw FormatFault("its drawing: \(error)") }
  }
}
