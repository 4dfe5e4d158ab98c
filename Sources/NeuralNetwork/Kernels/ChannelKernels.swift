// Loops for batch normalisation: rows are pixels, columns are channels.
extension Kernels {
  /// Rows whose sums are taken in single precision before they go into the double ones.
  private static let block = 64

  /// The mean and the (biased) variance of each column.
  static func moments(
    _ input: [Float], rows: Int, columns: Int, into output: inout [Float], meanAt: Int,
    varianceAt: Int
  ) {
    precondition(min(meanAt, varianceAt) >= 0 && max(meanAt, varianceAt) + columns <= output.count)
    let (sums, squares) = columnSums(input, input, rows: rows, columns: columns)
    for column in 0..<columns {
      let mean = sums[column] / Double(rows)
      output[meanAt + column] = Float(mean)
      output[varianceAt + column] = Float(max(0, squares[column] / Double(rows) - mean * mean))
    }
  }

  /// The sums over rows of g and of g · x, for each column.
  static func gradientMoments(
    _ input: [Float], _ gradient: [Float], rows: Int, columns: Int, into output: inout [Float],
    sumAt: Int, productAt: Int
  ) {
    precondition(min(sumAt, productAt) >= 0 && max(sumAt, productAt) + columns <= output.count)
    let (sums, products) = columnSums(gradient, input, rows: rows, columns: columns)
    for column in 0..<columns {
      output[sumAt + column] = Float(sums[column])
      output[productAt + column] = Float(products[column])
    }
  }

  /// The sums over rows of g and of g · x, for each column.
  private static func columnSums(
    _ g: [Float], _ x: [Float], rows: Int, columns: Int
  ) -> (plain: [Double], products: [Double]) {
    precondition(min(g.count, x.count) >= rows * columns, "\(rows) × \(columns) values to sum")
    var plain = [Double](repeating: 0, count: columns)
    var products = plain
    unsafe g.withUnsafeBufferPointer { g0 in
      unsafe x.withUnsafeBufferPointer { x0 in
        guard let g1 = g0.baseAddress, let x1 = x0.baseAddress else { return }
        for start in stride(from: 0, to: rows, by: block) {
          let end = min(start + block, rows)
          var column = 0
          while column + 16 <= columns {
            var (sum, product) = (SIMD16<Float>(), SIMD16<Float>())
            for row in start..<end {
              let a = unsafe load16(g1 + row * columns + column)
              let b = unsafe load16(x1 + row * columns + column)
              sum += a
              product += a * b
            }
            for lane in 0..<16 {
              plain[column + lane] += Double(sum[lane])
              products[column + lane] += Double(product[lane])
            }
            column += 16
          }
          while column < columns {
            var (sum, product): (Float, Float) = (0, 0)
            for row in start..<end {
              let a = unsafe g1[row * columns + column]
              sum += a
              unsafe product += a * x1[row * columns + column]
            }
            plain[column] += Double(sum)
            products[column] += Double(product)
            column += 1
          }
        }
      }
    }
    return (plain, products)
  }

  /// output = input · scale + shift, column by column.
  static func scaleAndShift(
    _ input: [Float], rows: Int, columns: Int, coefficients: [Float], scaleAt: Int, shiftAt: Int,
    into output: inout [Float]
  ) {
    precondition(max(scaleAt, shiftAt) + columns <= coefficients.count)
    unsafe coefficients.withUnsafeBufferPointer { values in
      guard let base = values.baseAddress else { return }
      let (scale, shift) = unsafe (base + scaleAt, base + shiftAt)
      unsafe map(input, rows * columns, &output, rows * columns) { x, y in
        for row in 0..<rows {
          let (source, target) = unsafe (x + row * columns, y + row * columns)
          for column in 0..<columns {
            unsafe target[column] = source[column] * scale[column] + shift[column]
          }
        }
      }
    }
  }

  /// Multiplies each column of the matrix that fills `values` from `start` on with its factor.
  static func scaleColumns(_ values: inout [Float], from start: Int, by factors: [Float]) {
    precondition((values.count - start) % factors.count == 0)
    var span = values.mutableSpan
    let factors = factors.span
    for row in stride(from: start, to: span.count, by: factors.count) {
      for column in factors.indices { span[row + column] *= factors[column] }
    }
  }

  /// gradient = gradient · a + input · b + c, column by column; a, b and c follow each other.
  static func combine(
    _ gradient: inout [Float], _ input: [Float], rows: Int, columns: Int, coefficients: [Float],
    at start: Int
  ) {
    precondition(start + 3 * columns <= coefficients.count)
    unsafe coefficients.withUnsafeBufferPointer { values in
      guard let a = unsafe values.baseAddress.map({ unsafe $0 + start }) else { return }
      let (b, c) = unsafe (a + columns, a + 2 * columns)
      unsafe map(input, rows * columns, &gradient, rows * columns) { x, y in
        for row in 0..<rows {
          let (source, target) = unsafe (x + row * columns, y + row * columns)
          for column in 0..<columns {
            unsafe target[column] =
              target[column] * a[column] + source[column] * b[column] + c[column]
          }
        }
      }
    }
  }
}
