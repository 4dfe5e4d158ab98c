/// Plain loops in double precision, written for reading, that the fast paths must agree with.
enum Reference {
  /// Input [count, height, width, inputs], weights [rows, kernel, inputs, outputs].
  static func convolution(
    _ input: [Float], count: Int, height: Int, width: Int, inputs: Int, _ weights: [Float],
    _ bias: [Float], rows: Int, kernel: Int, outputs: Int
  ) -> [Float] {
    var result: [Float] = []
    for example in 0..<count {
      for y in 0..<height {
        for x in 0..<width {
          for output in 0..<outputs {
            var sum = Double(bias[output])
            for dy in 0..<rows {
              for dx in 0..<kernel {
                let (row, column) = (y + dy - rows / 2, x + dx - kernel / 2)
                guard row >= 0, row < height, column >= 0, column < width else { continue }
                for channel in 0..<inputs {
                  let value = input[((example * height + row) * width + column) * inputs + channel]
                  let weight = weights[
                    ((dy * kernel + dx) * inputs + channel) * outputs + output]
                  sum += Double(value) * Double(weight)
                }
              }
            }
            result.append(Float(sum))
          }
        }
      }
    }
    return result
  }

  /// The maxima of windows of `rows` × 2 pixels of [count, height, width, channels], and what gives
  /// each gradient to the first pixel of its window that has the maximum.
  static func maxima(
    _ input: [Float], count: Int, height: Int, width: Int, channels: Int, rows: Int,
    gradient: [Float]
  ) -> (values: [Float], gradient: [Float]) {
    var (values, spread) = ([Float](), [Float](repeating: 0, count: input.count))
    for example in 0..<count {
      for y in 0..<(height / rows) {
        for x in 0..<(width / 2) {
          for channel in 0..<channels {
            var best: Int?
            for row in 0..<rows {
              for column in 0..<2 {
                let pixel = (example * height + y * rows + row) * width + x * 2 + column
                let place = pixel * channels + channel
                if best.map({ input[place] > input[$0] }) ?? true { best = place }
              }
            }
            guard let best else { continue }
            spread[best] = gradient[values.count]
            values.append(input[best])
          }
        }
      }
    }
    return (values, spread)
  }

  /// Mean 0 and variance 1 for each column, then scale and shift.
  static func normalized(
    _ input: [Float], columns: Int, scale: [Float], shift: [Float], epsilon: Double
  ) -> (values: [Float], means: [Float], populationVariances: [Float]) {
    let rows = input.count / columns
    var (values, means, variances) = (input, [Float](), [Float]())
    for column in 0..<columns {
      let all = (0..<rows).map { Double(input[$0 * columns + column]) }
      let mean = all.reduce(0, +) / Double(rows)
      let squares = all.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let deviation = (squares / Double(rows) + epsilon).squareRoot()
      for row in 0..<rows {
        values[row * columns + column] =
          Float((all[row] - mean) / deviation) * scale[column] + shift[column]
      }
      means.append(Float(mean))
      variances.append(Float(squares / Double(rows - 1)))
    }
    return (values, means, variances)
  }

  /// a [m, k] · b [k, n] after transposition of what is stored the other way.
  static func product(
    _ a: [Float], _ b: [Float], transposeA: Bool, transposeB: Bool, m: Int, n: Int, k: Int
  ) -> [Float] {
    (0..<(m * n)).map { index in
      let (row, column) = (index / n, index % n)
      return Float(
        (0..<k).reduce(0.0) { sum, i in
          let left = transposeA ? a[i * m + row] : a[row * k + i]
          let right = transposeB ? b[column * k + i] : b[i * n + column]
          return sum + Double(left) * Double(right)
        })
    }
  }
}
