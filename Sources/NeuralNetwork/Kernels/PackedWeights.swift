internal import CKernels

/// Weights in the order in which the processor reads them: in panels of as many output channels as
/// two of its vectors hold, or for BLAS in one panel.
struct PackedWeights: Sendable {
  /// Where the weights of one product begin, and its bias.
  struct Place: Sendable {
    let weights: Int
    let bias: Int
  }

  let backend: Backend
  private(set) var values: [Float] = []

  /// No weights yet, and room for those of so many parameters.
  init(for backend: Backend, reserving count: Int) {
    self.backend = backend
    // Room that is not used costs nothing; moving to a larger one does.
    values.reserveCapacity(5 * count)
  }

  /// Packs matrices of as many columns as there are channels, one below the other, and the sum of
  /// the biases.
  ///
  /// - Parameters:
  ///   - matrices: Row-major [values, channels].
  ///   - biases: Each [channels], or nothing.
  ///   - channels: The number of output channels; the last panel is filled up with zeros.
  /// - Returns: Where the first panel begins, and the bias.
  mutating func pack(
    _ matrices: [ArraySlice<Float>], biases: [ArraySlice<Float>], channels: Int
  ) -> Place {
    let rows = matrices.reduce(0) { $0 + $1.count } / channels
    let start = appendPanels(rows, channels)
    var row = 0
    for matrix in matrices {
      let count = matrix.count / channels
      add(matrix, times: 1, channels: channels, to: start, row: row, of: rows, count: count)
      row += count
    }
    return Place(weights: start, bias: append(biases, channels))
  }

  /// Packs the weights of a convolution in tiles, point by point.
  ///
  /// - Parameters:
  ///   - kernel: Shape [kernel rows, kernel columns, inputs, channels].
  ///   - bias: Shape [channels], or nothing.
  ///   - tiling: The sizes, and how the weights at a point follow from the kernel.
  /// - Returns: Where the first panel of the first point begins, and the bias.
  mutating func pack(
    _ kernel: ArraySlice<Float>, bias: ArraySlice<Float>, for tiling: WinogradTiling
  ) -> Place {
    let first = values.count
    let (rows, channels) = (tiling.inputs, tiling.channels)
    for factors in tiling.factors {
      let start = appendPanels(rows, channels)
      for (tap, factor) in factors.enumerated() where factor != 0 {
        let matrix = kernel.dropFirst(tap * rows * channels).prefix(rows * channels)
        add(matrix, times: factor, channels: channels, to: start, row: 0, of: rows, count: rows)
      }
    }
    return Place(weights: first, bias: append([bias], channels))
  }

  /// Appends values as they are and returns where they begin.
  mutating func append(_ coefficients: [Float]) -> Int {
    values += coefficients
    return values.count - coefficients.count
  }

  /// The output channels of a panel, of so many in all.
  private func panel(_ channels: Int) -> Int {
    switch backend {
    case .blas: channels
    case .vector(let level): level.loops.panel
    }
  }

  /// Appends panels of zeros and returns where they begin.
  private mutating func appendPanels(_ rows: Int, _ channels: Int) -> Int {
    let panel = panel(channels)
    let panels = (channels + panel - 1) / panel
    values.append(contentsOf: repeatElement(0, count: panels * panel * rows))
    return values.count - panels * panel * rows
  }

  private mutating func append(_ biases: [ArraySlice<Float>], _ channels: Int) -> Int {
    let start = appendPanels(1, channels)
    for bias in biases {
      for (channel, value) in bias.enumerated() { values[start + channel] += value }
    }
    return start
  }

  /// Adds a matrix to `count` rows, from `row`, of the panels that begin at `start` and have so
  /// many rows.
  private mutating func add(
    _ matrix: ArraySlice<Float>, times factor: Float, channels: Int, to start: Int, row: Int,
    of rows: Int, count: Int
  ) {
    let panel = panel(channels)
    for channel in stride(from: 0, to: channels, by: panel) {
      Kernels.addColumns(
        matrix, from: channel, columns: channels, times: factor, into: &values,
        at: start + channel * rows + row * panel, columns: panel,
        width: min(panel, channels - channel), rows: count)
    }
  }
}

extension Kernels {
  /// Adds `factor` times `width` columns of a matrix to rows of another length.
  fileprivate static func addColumns(
    _ matrix: ArraySlice<Float>, from column: Int, columns: Int, times factor: Float,
    into target: inout [Float], at start: Int, columns targetColumns: Int, width: Int, rows: Int
  ) {
    precondition(
      column + width <= columns && matrix.count >= rows * columns && width <= targetColumns
        && start + rows * targetColumns <= target.count, "\(rows) rows of \(width) to add")
    unsafe matrix.withUnsafeBufferPointer { source in
      unsafe target.withUnsafeMutableBufferPointer { buffer in
        guard let from = source.baseAddress, let to = buffer.baseAddress else { return }
        for row in 0..<rows {
          let x = unsafe from + row * columns + column
          let y = unsafe to + start + row * targetColumns
          for index in 0..<width { unsafe y[index] += factor * x[index] }
        }
      }
    }
  }
}
