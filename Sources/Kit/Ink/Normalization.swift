extension Drawing {
  /// The drawing moved and scaled into the square 0...`side`: aspect ratio kept, centered, as large
  /// as fits.
  ///
  /// A drawing whose points coincide goes to the center; a straight horizontal or vertical line
  /// runs through it. Times stay; the canvas becomes the square. Any finite `Double` coordinates
  /// work.
  ///
  /// - Throws: `InkError.emptyDrawing`, or `.invalidNumber` for a coordinate that is not finite.
  public func normalized(side: Double = 1) throws(InkError) -> Drawing {
    precondition(side > 0 && side.isFinite, "the side must be positive, got \(side)")
    let fit = try DrawingFit(self, width: side, height: side, inset: 0)
    var result = self
    result.canvas = Canvas(width: side, height: side)
    for index in strokes.indices {
      result.strokes[index].points = strokes[index].points.map { point in
        let place = fit(point)
        return Point(x: place.x, y: place.y, t: point.t)
      }
    }
    return result
  }
}
