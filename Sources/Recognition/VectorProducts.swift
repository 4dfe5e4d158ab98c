/// Products of rows of float matrices whose result depends on the two rows alone.
///
/// BLAS picks kernels by the size of the whole matrix, and each rounds in its own way. What must
/// come out the same, byte for byte, however many samples are taught at once uses these instead.
enum VectorProducts {
  /// The inner product of row `a` of `left` and row `b` of `right`, both of shape [_, dimension].
  ///
  /// - Complexity: O(dimension).
  static func dot(
    _ left: borrowing Span<Float>, row a: Int, _ right: borrowing Span<Float>, row b: Int,
    dimension: Int
  ) -> Float {
    precondition(
      (a + 1) * dimension <= left.count && (b + 1) * dimension <= right.count,
      "row \(a) of \(left.count / dimension) or row \(b) of \(right.count / dimension)")
    return unsafe left.withUnsafeBufferPointer { left in
      unsafe right.withUnsafeBufferPointer { right in
        let x = UnsafeRawBufferPointer(left).baseAddress
        let y = UnsafeRawBufferPointer(right).baseAddress
        guard let x = unsafe x, let y = unsafe y else { return 0 }
        let (xs, ys) = unsafe (x + a * dimension * 4, y + b * dimension * 4)
        var lanes = SIMD16<Float>.zero
        let whole = dimension / 16 * 16
        for k in stride(from: 0, to: whole, by: 16) {
          let p = unsafe xs.loadUnaligned(fromByteOffset: k * 4, as: SIMD16<Float>.self)
          let q = unsafe ys.loadUnaligned(fromByteOffset: k * 4, as: SIMD16<Float>.self)
          lanes += p * q
        }
        var sum = lanes.sum()
        for k in whole..<dimension {
          let p = unsafe xs.loadUnaligned(fromByteOffset: k * 4, as: Float.self)
          let q = unsafe ys.loadUnaligned(fromByteOffset: k * 4, as: Float.self)
          sum += p * q
        }
        return sum
      }
    }
  }
}
