internal import Ink

/// A sheet as a window of another size shows it: as large as it fits, in the middle.
struct SheetView: Equatable, Sendable {
  private let sheet: Drawing.Canvas
  /// How many units of the window one of the sheet is.
  private let scale: Double
  /// Where the sheet's top left corner is in the window.
  private let left: Double
  private let top: Double

  /// A sheet in a window; both have an area.
  init(of sheet: Drawing.Canvas, in window: Drawing.Canvas) {
    self.sheet = sheet
    scale = min(window.width / sheet.width, window.height / sheet.height)
    left = (window.width - sheet.width * scale) / 2
    top = (window.height - sheet.height * scale) / 2
  }

  /// A point of the window on the sheet: what lies beside the sheet comes to its edge, so that
  /// nothing lies outside.
  func place(_ point: Point) -> Point {
    var point = point
    point.x = max(0, min(sheet.width, (point.x - left) / scale))
    point.y = max(0, min(sheet.height, (point.y - top) / scale))
    return point
  }
}
