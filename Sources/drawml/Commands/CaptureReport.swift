internal import Capture
internal import Ink
internal import JSON
internal import Report

/// What `capture drawings` found in a photo.
struct CaptureReport: Encodable {
  /// A box with ink that is no drawing.
  struct Unreadable: Encodable {
    var row: Int
    var box: Int
    var label: String
    var problem: String
  }

  /// The photo's file.
  var photo: String
  /// The number of drawings.
  var drawings: Int
  /// The worksheet's page and their number; null without a worksheet.
  @OrNull var page: Int?
  @OrNull var pages: Int?
  /// The labels of a worksheet's rows, or those that the model gave, each once.
  var labels: [String]
  /// The numbers of boxes without ink, and those with ink that is no drawing.
  var empty: Int
  var unreadable: [Unreadable]
  /// The quarter turns, clockwise, that make the photo upright.
  var quarterTurns: Int
  /// The sureness that the photo shows a sheet of paper; null where none was found, and for a
  /// worksheet.
  @OrNull var confidence: Double?

  /// Of a worksheet.
  init(_ photo: String, _ sheet: CapturedSheet) {
    (self.photo, labels, quarterTurns) = (photo, sheet.page.labels, sheet.quarterTurns)
    (page, pages) = (sheet.page.number, sheet.page.count)
    drawings = sheet.drawings(named: photo).count
    empty = sheet.boxes.count { $0.content == .empty }
    unreadable = sheet.boxes.compactMap { box in
      guard case .unreadable(let error) = box.content else { return nil }
      return Unreadable(
        row: box.row + 1, box: box.column + 1, label: box.label, problem: "\(error)")
    }
  }

  /// Of any paper.
  init(_ photo: String, _ page: FreePage, _ drawings: [Drawing]) {
    (self.photo, self.drawings, confidence) = (photo, drawings.count, page.page?.confidence)
    labels = Set(drawings.compactMap(\.label)).sorted()
    (empty, unreadable, quarterTurns) = (0, [], 0)
  }

  /// For people.
  var lines: [String] {
    let found = "\(photo): \(counted(drawings, "drawing"))"
    guard let page, let pages else {
      return [
        found + (labels.isEmpty ? "" : ", known: \(labels.joined(separator: " "))")
          + (confidence == nil ? "; no sheet's edges were found, so all of the photo was read" : "")
      ]
    }
    let turned =
      quarterTurns == 0 ? "" : quarterTurns == 2 ? "; it is upside down" : "; it lies on its side"
    return ["\(found), \(empty) empty, page \(page) of \(pages)\(turned)"]
      + unreadable.map { "  row \($0.row) (\($0.label)), box \($0.box): \($0.problem)" }
  }
}
