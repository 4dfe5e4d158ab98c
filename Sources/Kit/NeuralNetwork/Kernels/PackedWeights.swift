internal import CKernels

/// Weights in the order in which the kernels read them: in panels of two vectors of output
/// channels, or for BLAS in one panel.
struct PackedWeights: Sendable {
  /// The offsets of the weights and the bias of one product.
  struct Offsets: Sendable {
    let weights: Int
    let bias: Int
  }

  let backend: Backend
  private(set) var values: [Float] = []

  /// Creates empty storage with capacity for `count` parameters.
  init(for backend: Backend, reserving count: Int) {
    self.backend = backend
    // Unused capacity costs nothing; reallocation does.
    values.reserveCapacity(5 * count)
  }

  /// Packs vertically stacked matrices with a column per channel, and the sum of the biases.
  ///
  /// - Parameters:
  ///   - matrices: Row-major [values, channels].
  ///   - biases: Each [channels]; may be empty.
  ///   - channels: The number of output channels; the last panel is padded with zeros.
  /// - Returns: The offsets of the first panel and of the bias.
  mutating func pack(
    _ matrices: [ArraySlice<Float>], biases: [ArraySlice<Float>], channels: Int
  ) -> Offsets {
    let rows = matrices.reduce(0) { $0 + $1.count } / channels
    let start = appendPanels(rows, channels)
    var row = 0
    for matrix in matrices {
      let count = matrix.count / channels
      add(matrix, times: 1, channels: channels, to: start, row: row, of: rows, count: count)
      row += count
    }
    return Offsets(weights: start, bias: append(biases, channels))
  }

  /// Packs the weights of a Winograd convolution, point by point.
  ///
  /// - Parameters:
  ///   - kernel: Shape [kernel rows, kernel columns, inputs, channels].
  ///   - bias: Shape [channels], or nil.
  ///   - tiling: The sizes, and the factors that give the weights at a point.
  /// - Returns: The offsets of the first point's first panel and of the bias.
  mutating func pack(
    _ kernel: ArraySlice<Float>, bias: ArraySlice<Float>, for tiling: WinogradTiling
  ) -> Offsets {
    let first = values.count
    let (rows, channels) = (tiling.inputs, tiling.channels)
    for factors in tiling.factors {
      let start = appendPanels(rows, channels)
      for (tap, factor) in factors.enumerated() where factor != 0 {
        let matrix = kernel.dropFirst(tap * rows * channels).prefix(rows * channels)
        add(matrix, times: factor, channels: channels, to: start, row: 0, of: rows, count: rows)
      }
    }
    return Offsets(weights: first, bias: append([bias], channels))
  }

  /// Appends values unchanged and returns their offset.
  mutating func append(_ coefficients: [Float]) -> Int {
    values += coefficients
    return values.count - coefficients.count
  }

  /// The number of output channels per panel, for `channels` in all.
  private func panel(_ channels: Int) -> Int {
    switch backend {
    case .blas: channels
    case .vector(let level): level.loops.panel
    }
  }

  /// Appends panels of zeros and returns their offset.
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

  /// Adds a matrix times `factor` to `count` rows, from `row` on, of the panels at `start`, which
  /// have `rows` rows.
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
