/// Unchecked loops over buffers; each entry point checks lengths once.
///
/// Only this folder of the module uses pointers. Training runs layers one by one on plain arrays
/// (`Kernels`, `TrainingKernels`); inference runs a plan on padded frames (`ForwardKernels`).
/// `PreparedNetworkTests` compares both.
enum Kernels {
  /// Calls `body` with pointers to an input and an output buffer.
  @inline(__always)
  static func map(
    _ input: [Float], from start: Int = 0, _ inputCount: Int, _ output: inout [Float],
    at outputStart: Int = 0, _ outputCount: Int,
    _ body: (UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) {
    precondition(
      start >= 0 && input.count - start >= inputCount, "\(inputCount) values to read")
    precondition(
      outputStart >= 0 && output.count - outputStart >= outputCount, "\(outputCount) to write")
    guard inputCount > 0, outputCount > 0 else { return }
    unsafe input.withUnsafeBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { target in
        guard let from = source.baseAddress, let to = target.baseAddress else {
          preconditionFailure("values without a place")
        }
        unsafe body(from + start, to + outputStart)
      }
    }
  }

  /// Calls `body` with a pointer to `count` values from `start` on.
  @inline(__always)
  static func read(
    _ values: [Float], from start: Int = 0, _ count: Int,
    _ body: (UnsafePointer<Float>) -> Void
  ) {
    precondition(start >= 0 && values.count - start >= count, "\(count) values to read")
    unsafe values.withUnsafeBufferPointer {
      guard let base = $0.baseAddress else { preconditionFailure("values without a place") }
      unsafe body(base + start)
    }
  }

  /// The same for optional values.
  @inline(__always)
  static func read(_ values: [Float]?, _ count: Int, _ body: (UnsafePointer<Float>?) -> Void) {
    guard let values else { return body(nil) }
    unsafe read(values, from: 0, count) { unsafe body($0) }
  }

  @inline(__always)
  static func write(
    _ values: inout [Float], at start: Int = 0, _ count: Int,
    _ body: (UnsafeMutablePointer<Float>) -> Void
  ) {
    precondition(start >= 0 && values.count - start >= count, "\(count) values to write")
    unsafe values.withUnsafeMutableBufferPointer {
      guard let base = $0.baseAddress else { preconditionFailure("values without a place") }
      unsafe body(base + start)
    }
  }

  // MARK: Any shape

  static func copy(
    _ input: [Float], count: Int, into output: inout [Float], at start: Int = 0
  ) {
    unsafe map(input, count, &output, at: start, count) { x, y in
      unsafe y.update(from: x, count: count)
    }
  }

  static func dot(_ one: [Float], _ other: [Float], count: Int) -> Float {
    precondition(one.count >= count && other.count >= count, "\(count) values to multiply")
    var sum = 0.0
    for i in 0..<count { sum += Double(one[i]) * Double(other[i]) }
    return Float(sum)
  }

  // MARK: Rows and columns

  /// Copies `width` columns of each of `rows` rows, from one matrix to another.
  static func copyColumns(
    _ input: [Float], columns: Int, from start: Int, into output: inout [Float],
    columns outputColumns: Int, at outputStart: Int, width: Int, rows: Int
  ) {
    precondition(
      start >= 0 && start + width <= columns && outputStart >= 0
        && outputStart + width <= outputColumns, "\(width) columns to copy")
    unsafe map(input, rows * columns, &output, rows * outputColumns) { x, y in
      for row in 0..<rows {
        unsafe (y + row * outputColumns + outputStart).update(
          from: x + row * columns + start, count: width)
      }
    }
  }

  /// Multiplies each column of the matrix in `values` from `start` on by its factor.
  static func scaleColumns(_ values: inout [Float], from start: Int, by factors: [Float]) {
    precondition((values.count - start) % factors.count == 0)
    var span = values.mutableSpan
    let factors = factors.span
    for row in stride(from: start, to: span.count, by: factors.count) {
      for column in factors.indices { span[row + column] *= factors[column] }
    }
  }

  /// Writes the row at `start` into each of `rows` rows.
  static func repeatRow(
    _ values: [Float], at start: Int, columns: Int, rows: Int, into output: inout [Float]
  ) {
    unsafe map(values, from: start, columns, &output, rows * columns) { x, y in
      for row in 0..<rows { unsafe (y + row * columns).update(from: x, count: columns) }
    }
  }

  /// The mean over `rows` of each column, example by example.
  static func means(
    _ input: [Float], count: Int, rows: Int, columns: Int, into output: inout [Float]
  ) {
    unsafe map(input, count * rows * columns, &output, count * columns) { x, y in
      let share = 1 / Float(rows)
      for example in 0..<count {
        let target = unsafe y + example * columns
        for column in 0..<columns { unsafe target[column] = 0 }
        for row in 0..<rows {
          let values = unsafe x + (example * rows + row) * columns
          for column in 0..<columns { unsafe target[column] += values[column] }
        }
        for column in 0..<columns { unsafe target[column] *= share }
      }
    }
  }

  static func spreadMeans(
    _ gradient: [Float], count: Int, rows: Int, columns: Int, into output: inout [Float]
  ) {
    unsafe map(gradient, count * columns, &output, count * rows * columns) { x, y in
      let share = 1 / Float(rows)
      for example in 0..<count {
        let values = unsafe x + example * columns
        for row in 0..<rows {
          let target = unsafe y + (example * rows + row) * columns
          for column in 0..<columns { unsafe target[column] = values[column] * share }
        }
      }
    }
  }

  /// Divides rows by their norms, and stores the norms.
  static func normalizeRows(
    _ input: [Float], at start: Int = 0, rows: Int, columns: Int, epsilon: Float,
    into output: inout [Float], norms: inout [Float]
  ) {
    precondition(norms.count >= rows, "\(rows) norms to write")
    unsafe map(input, from: start, rows * columns, &output, rows * columns) { x, y in
      for row in 0..<rows {
        let (values, target) = unsafe (x + row * columns, y + row * columns)
        var sum = 0.0
        for column in 0..<columns {
          let value = unsafe Double(values[column])
          sum += value * value
        }
        norms[row] = Float(sum.squareRoot())
        let factor = 1 / max(norms[row], epsilon)
        for column in 0..<columns { unsafe target[column] = values[column] * factor }
      }
    }
  }

  /// Converts the gradient with respect to unit rows u = x / |x| into that with respect to x: (g -
  /// u (u · g)) / |x|.
  static func denormalizeGradient(
    _ gradient: inout [Float], unit: [Float], norms: [Float], rows: Int, columns: Int,
    epsilon: Float
  ) {
    precondition(norms.count >= rows, "\(rows) norms to read")
    unsafe map(unit, rows * columns, &gradient, rows * columns) { u, g in
      for row in 0..<rows {
        let (values, target) = unsafe (u + row * columns, g + row * columns)
        // Below epsilon the divisor is constant, so nothing is projected out.
        guard norms[row] > epsilon else {
          for column in 0..<columns { unsafe target[column] /= epsilon }
          continue
        }
        var along: Double = 0
        for column in 0..<columns {
          unsafe along += Double(values[column]) * Double(target[column])
        }
        let (part, factor) = (Float(along), 1 / norms[row])
        for column in 0..<columns {
          unsafe target[column] = (target[column] - values[column] * part) * factor
        }
      }
    }
  }
}
