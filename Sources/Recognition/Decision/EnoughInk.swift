public import Ink

extension Drawing {
  /// Less of the canvas's smaller side than this is a slip of the pen.
  static let leastExtent = 0.015

  /// Whether there is enough ink to be a drawing of something: points that are numbers, not all in
  /// one place, and not in hardly any of the canvas. A straight line is enough.
  public var hasEnoughInk: Bool {
    guard let box = boundingBox,
      strokes.allSatisfy({ $0.points.allSatisfy { $0.x.isFinite && $0.y.isFinite } })
    else { return false }
    let extent = max(box.width, box.height)
    // What rounding leaves of one place far from the origin is no extent.
    let rounding =
      max(abs(box.x), abs(box.y), abs(box.x + box.width), abs(box.y + box.height)) * 1e-9
    guard extent > rounding, extent.isFinite else { return false }
    guard let canvas, canvas.width > 0, canvas.height > 0 else { return true }
    return extent >= Self.leastExtent * min(canvas.width, canvas.height)
  }
}
