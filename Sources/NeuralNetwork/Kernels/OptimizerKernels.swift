// Loops over all parameters: rules of optimisers and running averages.
extension Kernels {
  static func zero(_ values: inout [Float]) {
    unsafe values.withUnsafeMutableBufferPointer { unsafe $0.update(repeating: 0) }
  }

  static func scale(_ values: inout [Float], by factor: Float) {
    unsafe values.withUnsafeMutableBufferPointer { buffer in
      for i in 0..<buffer.count { unsafe buffer[i] *= factor }
    }
  }

  /// average += share · (values - average).
  static func average(_ average: inout [Float], with values: [Float], share: Float) {
    let count = average.count
    unsafe map(values, count, &average, count) { x, y in
      for i in 0..<count { unsafe y[i] += share * (x[i] - y[i]) }
    }
  }

  static func stepSGD(
    _ parameters: inout [Float], _ gradient: [Float], _ momenta: inout [Float],
    in range: Range<Int>, rate: Float, momentum: Float, nesterov: Bool, decay: Float
  ) {
    precondition(momenta.count >= range.upperBound, "a momentum for each parameter")
    let start = range.lowerBound
    unsafe momenta.withUnsafeMutableBufferPointer { buffer in
      guard let m = unsafe buffer.baseAddress.map({ unsafe $0 + start }) else { return }
      unsafe map(gradient, from: start, range.count, &parameters, at: start, range.count) { g, p in
        for i in 0..<range.count {
          let slope = unsafe g[i] + decay * p[i]
          unsafe m[i] = momentum * m[i] + slope
          unsafe p[i] -= rate * (nesterov ? slope + momentum * m[i] : m[i])
        }
      }
    }
  }

  static func stepAdam(
    _ parameters: inout [Float], _ gradient: [Float], _ first: inout [Float],
    _ second: inout [Float], in range: Range<Int>, rate: Float, beta1: Float, beta2: Float,
    root: Float, epsilon: Float, keep: Float
  ) {
    precondition(
      min(first.count, second.count) >= range.upperBound, "two moments for each parameter")
    let start = range.lowerBound
    unsafe first.withUnsafeMutableBufferPointer { firsts in
      unsafe second.withUnsafeMutableBufferPointer { seconds in
        guard let m = unsafe firsts.baseAddress.map({ unsafe $0 + start }),
          let v = unsafe seconds.baseAddress.map({ unsafe $0 + start })
        else { return }
        unsafe map(
          gradient, from: start, range.count, &parameters, at: start, range.count
        ) { g, p in
          for i in 0..<range.count {
            let slope = unsafe g[i]
            unsafe m[i] += (1 - beta1) * (slope - m[i])
            unsafe v[i] = beta2 * v[i] + (1 - beta2) * slope * slope
            unsafe p[i] = p[i] * keep - rate * m[i] / (v[i].squareRoot() * root + epsilon)
          }
        }
      }
    }
  }
}
