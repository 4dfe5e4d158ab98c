internal import NeuralNetwork

/// a · bᵀ for row-major `a` [m, columns] and `b` [n, columns], on BLAS: shape [m, n].
func productWithTransposed(_ a: [Float], _ b: [Float], columns: Int) -> [Float] {
  let (m, n) = (a.count / max(1, columns), b.count / max(1, columns))
  var result = [Float](repeating: 0, count: m * n)
  var span = result.mutableSpan
  Matrix.product(a.span, b.span, transposeB: true, into: &span, m: m, n: n, k: columns)
  return result
}

/// aᵀ · b for row-major `a` [rows, m] and `b` [rows, n], on BLAS: shape [m, n].
func productOfTransposed(_ a: [Float], _ b: [Float], rows: Int) -> [Float] {
  let (m, n) = (a.count / max(1, rows), b.count / max(1, rows))
  var result = [Float](repeating: 0, count: m * n)
  var span = result.mutableSpan
  Matrix.product(a.span, b.span, transposeA: true, into: &span, m: m, n: n, k: rows)
  return result
}
