internal import CKernels

/// Weights in the order in which the processor reads them: in panels of as many output channels as two of its vectors
/// hold.
struct PackedWeights: Sendable {
  /// Where the weights of one product begin, and its bias.
  struct Place: Sendable {
    let weights: Int
    let bias: Int
  }

  let level: VectorLevel
  /// The output channels of a panel.
  let panel: Int
  private(set) var values: [Float] = []

  init(for level: VectorLevel, reserving count: Int = 0) {
    self.level = level
    panel = drawml_panel(level.rawValue)
    values.reserveCapacity(count + count / 8)
  }

  /// Packs matrices that stand one below the other, and the sum of the biases.
  ///
  /// - Parameters:
  ///   - first: Row-major [values under a kernel, channels].
  ///   - second: The same, or nothing.
  ///   - biases: Each [channels], or nothing.
  ///   - channels: The number of output channels; the last panel is filled up with zeros.
  mutating func pack(
    _ first: ArraySlice<Float>, _ second: ArraySlice<Float>, biases: [ArraySlice<Float>],
    channels: Int
  ) -> Place {
    let start = values.count
    let panels = (channels + panel - 1) / panel
    let (firstRows, secondRows) = (first.count / channels, second.count / channels)
    let rows = firstRows + secondRows
    values.append(contentsOf: repeatElement(0, count: panels * (rows + 1) * panel))
    for number in 0..<panels {
      let channel = number * panel
      let width = min(panel, channels - channel)
      let target = start + number * rows * panel
      Kernels.copyColumns(
        first, columns: channels, from: channel, into: &values, columns: panel, at: target,
        width: width, rows: firstRows)
      Kernels.copyColumns(
        second, columns: channels, from: channel, into: &values, columns: panel,
        at: target + firstRows * panel, width: width, rows: secondRows)
    }
    let bias = start + panels * rows * panel
    for part in biases {
      for (channel, value) in part.enumerated() { values[bias + channel] += value }
    }
    return Place(weights: start, bias: bias)
  }

  /// Appends values as they are and returns where they begin.
  mutating func append(_ coefficients: [Float]) -> Int {
    values += coefficients
    return values.count - coefficients.count
  }
}

extension Kernels {
  /// Copies `width` columns of each row of a matrix into rows of another length.
  fileprivate static func copyColumns(
    _ matrix: ArraySlice<Float>, columns: Int, from column: Int, into target: inout [Float],
    columns targetColumns: Int, at start: Int, width: Int, rows: Int
  ) {
    guard rows > 0 else { return }
    precondition(
      column + width <= columns && matrix.count >= rows * columns && width <= targetColumns
        && start + rows * targetColumns <= target.count, "\(rows) rows of \(width) to copy")
    unsafe matrix.withUnsafeBufferPointer { source in
      unsafe target.withUnsafeMutableBufferPointer { buffer in
        guard let from = source.baseAddress, let to = buffer.baseAddress else { return }
        for row in 0..<rows {
          unsafe (to + start + row * targetColumns).update(
            from: from + row * columns + column, count: width)
        }
      }
    }
  }
}
