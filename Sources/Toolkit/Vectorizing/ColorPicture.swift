public import Pictures

/// A picture in colors, possibly with transparency.
public struct ColorPicture: Hashable, Sendable {
  /// Columns, at least 1.
  public let width: Int
  /// Rows, at least 1.
  public let height: Int
  /// Red, green, blue and opacity (not premultiplied), row-major, shape [height, width, 4].
  public let values: [UInt8]

  /// The picture in a PNG file's `bytes`; `memory` as in `PNG.decode`.
  ///
  /// - Throws: `PNG.Failure` when it is not a PNG file, is damaged or is too large.
  public init(png bytes: [UInt8], memory: Int = PNG.memory) throws {
    (values, width, height) = try PNG.decode(bytes, as: .rgba, memory: memory)
  }

  /// The picture in a JPEG file's `bytes`, upright as its Exif orientation says.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - side: The picture may be reduced to any larger side from this on, in pixels.
  ///   - memory: As in `JPEG.decode`.
  /// - Throws: `JPEG.Failure` when it is not a JPEG file, is damaged or is too large.
  public init(
    jpeg bytes: [UInt8], reducedTo side: Int = .max, memory: Int = PNG.memory
  ) throws(JPEG.Failure) {
    (values, width, height) = try JPEG.decode(bytes, as: .rgba, reducedTo: side, memory: memory)
  }

  /// A picture of `values`: red, green, blue and opacity, row-major, shape [height, width, 4].
  public init(width: Int, height: Int, values: [UInt8]) {
    precondition(
      values.count == width * height * 4,
      "a \(width) × \(height) picture needs \(width * height * 4) values, got \(values.count)")
    (self.width, self.height, self.values) = (width, height, values)
  }

  /// The picture reduced to at most `side` rows and columns by area averages, in which a pixel's
  /// color counts by its opacity.
  public func reduced(toSide side: Int) -> ColorPicture {
    guard max(width, height) > side else { return self }
    let (across, down) = Resampling.reducing(width, height, toSide: side)
    var result: [UInt8] = []
    result.reserveCapacity(across.taps.count * down.taps.count * 4)
    // Of one row of the result, for each column: the colors times their opacities, and these.
    var sums = [SIMD4<Float>](repeating: .zero, count: width)
    for taps in down.taps {
      for column in sums.indices { sums[column] = .zero }
      for tap in taps {
        var pixel = tap.index * width * 4
        for column in sums.indices {
          let color = SIMD4(
            Float(values[pixel]), Float(values[pixel + 1]), Float(values[pixel + 2]), 1)
          sums[column] += tap.weight * Float(values[pixel + 3]) * color
          pixel += 4
        }
      }
      for taps in across.taps {
        var sum = SIMD4<Float>.zero
        for tap in taps { sum += tap.weight * sums[tap.index] }
        var color = sum.w > 0 ? sum / sum.w : .zero
        color.w = sum.w
        for channel in 0..<4 {
          result.append(UInt8(max(0, min(255, color[channel])).rounded()))
        }
      }
    }
    return ColorPicture(width: across.taps.count, height: down.taps.count, values: result)
  }
}
