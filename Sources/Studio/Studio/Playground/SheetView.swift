internal import Ink

/// The mapping of a sheet into a window of another size: scaled to fit and centered.
struct SheetView: Equatable, Sendable {
  private let sheet: Drawing.Canvas
  /// Window units per sheet unit.
  private let scale: Double
  /// The position of the sheet's top left corner in the window.
  private let left: Double
  private let top: Double

  /// Fits a sheet into a window; both must have a positive area.
  init(of sheet: Drawing.Canvas, in window: Drawing.Canvas) {
    self.sheet = sheet
    scale = min(window.width / sheet.width, window.height / sheet.height)
    left = (window.width - sheet.width * scale) / 2
    top = (window.height - sheet.height * scale) / 2
  }

  /// Converts a point from window to sheet coordinates, clamped to the sheet.
  func place(_ point: Point) -> Point {
    var point = point
    point.x = max(0, min(sheet.width, (point.x - left) / scale))
    point.y = max(0, min(sheet.height, (point.y - top) / scale))
    return point
  }
}
