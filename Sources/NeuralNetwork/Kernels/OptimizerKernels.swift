internal import CKernels

// Loops over all parameters: rules of optimisers and running averages.
extension Kernels {
  static func zero(_ values: inout [Float]) {
    unsafe values.withUnsafeMutableBufferPointer { unsafe $0.update(repeating: 0) }
  }

  static func scale(
    _ values: inout [Float], by factor: Float, level: VectorLevel = .here
  ) {
    unsafe values.withUnsafeMutableBufferPointer { buffer in
      if level > .plain, let base = buffer.baseAddress {
        unsafe drawml_train_scale(level.rawValue, base, buffer.count, factor)
        return
      }
      for i in 0..<buffer.count { unsafe buffer[i] *= factor }
    }
  }

  /// average += share · (values - average).
  static func average(
    _ average: inout [Float], with values: [Float], share: Float, level: VectorLevel = .here
  ) {
    let count = average.count
    unsafe map(values, count, &average, count) { x, y in
      if level > .plain {
        unsafe drawml_train_average(level.rawValue, y, x, count, share)
        return
      }
      for i in 0..<count { unsafe y[i] += share * (x[i] - y[i]) }
    }
  }

  static func stepSGD(
    _ parameters: inout [Float], _ gradient: [Float], _ momenta: inout [Float],
    in range: Range<Int>, rate: Float, momentum: Float, nesterov: Bool, decay: Float,
    level: VectorLevel = .here
  ) {
    precondition(momenta.count >= range.upperBound, "a momentum for each parameter")
    let start = range.lowerBound
    unsafe momenta.withUnsafeMutableBufferPointer { buffer in
      guard let m = unsafe buffer.baseAddress.map({ unsafe $0 + start }) else { return }
      unsafe map(gradient, from: start, range.count, &parameters, at: start, range.count) { g, p in
        if level > .plain {
          unsafe drawml_train_step_sgd(
            level.rawValue, p, g, m, range.count, rate, momentum, nesterov ? 1 : 0, decay)
          return
        }
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
    root: Float, epsilon: Float, keep: Float, level: VectorLevel = .here
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
          if level > .plain {
            unsafe drawml_train_step_adam(
              level.rawValue, p, g, m, v, range.count, rate, beta1, beta2, root, epsilon, keep)
            return
          }
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
