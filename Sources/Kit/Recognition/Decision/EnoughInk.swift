public import Ink

extension Drawing {
  /// The minimum extent of a drawing, as a share of the canvas's smaller side; less is a slip of
  /// the pen.
  static let leastExtent = 0.015

  /// Whether there is enough ink to classify: finite coordinates, points that do not all coincide,
  /// and an extent of at least 1.5 % of the smaller side of the canvas, if there is one. A straight
  /// line is enough.
  public var hasEnoughInk: Bool {
    guard let box = boundingBox,
      strokes.allSatisfy({ $0.points.allSatisfy { $0.x.isFinite && $0.y.isFinite } })
    else { return false }
    let extent = max(box.width, box.height)
    // Far from the origin, rounding errors give coincident points an extent.
    let rounding =
      max(abs(box.x), abs(box.y), abs(box.x + box.width), abs(box.y + box.height)) * 1e-9
    guard extent > rounding, extent.isFinite else { return false }
    guard let canvas, canvas.width > 0, canvas.height > 0 else { return true }
    return extent >= Self.leastExtent * min(canvas.width, canvas.height)
  }
}
