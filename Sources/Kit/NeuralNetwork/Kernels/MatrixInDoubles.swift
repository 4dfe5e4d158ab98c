internal import CLibrary
internal import COpenBLAS

extension Matrix {
  /// The natural logarithm of the absolute determinant of a square matrix, by LAPACK's `dgetrf`.
  ///
  /// - Parameters:
  ///   - matrix: Row-major, shape [order, order].
  ///   - order: The number of rows and columns, at least 1.
  /// - Returns: log |det matrix|; nil if the matrix is singular.
  /// - Complexity: O(order³).
  public static func logDeterminant(of matrix: [Float], order: Int) -> Double? {
    precondition(
      order >= 1 && matrix.count == order * order,
      "a matrix of \(order) × \(order) expected, got \(matrix.count) numbers")
    _ = BLAS.singleThreaded
    var factors = matrix.map { Double($0) }
    var pivots = [Int32](repeating: 0, count: order)
    // Column-major order transposes the matrix, which keeps the determinant.
    let info = unsafe LAPACKE_dgetrf(
      LAPACK_COL_MAJOR, Int32(order), Int32(order), &factors, Int32(order), &pivots)
    guard info == 0 else { return nil }
    var sum = 0.0
    for index in 0..<order {
      let value = abs(factors[index * order + index])
      guard value > 1e-30 else { return nil }
      sum += log(value)
    }
    return sum
  }

  /// rowsᵀ · rows in double precision.
  ///
  /// - Parameters:
  ///   - rows: Row-major, shape [_, columns].
  ///   - columns: The length of a row, at least 1.
  /// - Returns: A symmetric matrix, shape [columns, columns].
  public static func gram(_ rows: [Double], columns: Int) -> [Double] {
    precondition(
      columns >= 1 && rows.count % columns == 0,
      "rows of \(columns) numbers expected, got \(rows.count) numbers")
    var result = [Double](repeating: 0, count: columns * columns)
    guard !rows.isEmpty else { return result }
    _ = BLAS.singleThreaded
    unsafe cblas_dsyrk(
      CblasRowMajor, CblasLower, CblasTrans, blasint(columns), blasint(rows.count / columns), 1,
      rows, blasint(columns), 0, &result, blasint(columns))
    for row in 0..<columns {
      for column in 0..<row { result[column * columns + row] = result[row * columns + column] }
    }
    return result
  }
}
