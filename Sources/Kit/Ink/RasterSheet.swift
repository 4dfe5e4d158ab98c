extension Raster {
  /// Arranges rasters of equal size in rows, as a contact sheet.
  ///
  /// - Parameters:
  ///   - rasters: At least one; all of the same size.
  ///   - columns: The number of rasters per row, at least 1.
  public init(sheetOf rasters: [Raster], columns: Int) {
    precondition(columns >= 1, "a sheet needs at least one column, got \(columns)")
    guard let first = rasters.first else {
      preconditionFailure("a sheet needs at least one raster")
    }
    let columns = min(columns, rasters.count)
    let rows = (rasters.count + columns - 1) / columns
    self.init(width: first.width * columns, height: first.height * rows)
    for (index, raster) in rasters.enumerated() {
      precondition(
        raster.width == first.width && raster.height == first.height,
        "raster \(index) is \(raster.width) × \(raster.height), "
          + "the first \(first.width) × \(first.height)")
      let (left, top) = (index % columns * first.width, index / columns * first.height)
      for row in 0..<first.height {
        let target = (top + row) * width + left
        values.replaceSubrange(
          target..<(target + first.width),
          with: raster.values[(row * first.width)..<((row + 1) * first.width)])
      }
    }
  }

  /// The same picture with every pixel as a square of `factor` × `factor`.
  public func enlarged(_ factor: Int) -> Raster {
    precondition(factor >= 1, "a raster is enlarged at least once, got \(factor)")
    guard factor > 1 else { return self }
    var large = Raster(width: width * factor, height: height * factor)
    for row in 0..<large.height {
      for column in 0..<large.width {
        large.values[row * large.width + column] = values[row / factor * width + column / factor]
      }
    }
    return large
  }
}
