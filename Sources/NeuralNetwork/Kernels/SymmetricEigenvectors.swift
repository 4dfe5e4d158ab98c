internal import COpenBLAS
internal import Glibc

/// The solutions of a x = λ b x for symmetric `a` and symmetric positive definite `b`, by LAPACK's `dsygvd`.
public struct SymmetricEigenvectors: Sendable, Equatable {
  /// The eigenvalues λ in descending order, shape [order].
  public let values: [Double]
  /// One eigenvector x a row in the order of `values`, row-major, shape [order, order].
  ///
  /// xᵀ b x is 1 for each and 0 for two different ones; the component of greatest magnitude is positive.
  public let vectors: [Double]

  /// Solves a x = λ b x.
  ///
  /// - Parameters:
  ///   - a: Symmetric, shape [order, order]; only one half is looked at.
  ///   - b: Symmetric and positive definite, shape [order, order].
  ///   - order: The number of rows and columns, at least 1.
  /// - Throws: `NetworkError.noEigenvectors` when `b` is not positive definite or a number is not finite.
  public init(of a: [Double], relativeTo b: [Double], order: Int) throws(NetworkError) {
    precondition(
      order >= 1 && a.count == order * order && b.count == order * order,
      "two matrices of \(order) × \(order) expected, got \(a.count) and \(b.count) numbers")
    guard a.allSatisfy(\.isFinite), b.allSatisfy(\.isFinite) else {
      throw .noEigenvectors("a number of the matrices is not finite")
    }
    _ = BLAS.singleThreaded
    var (a, b) = (a, b)
    var values = [Double](repeating: 0, count: order)
    // Column-major, which for symmetric matrices is the same: the eigenvectors then come out as rows.
    var (work, integers) = ([0.0], [Int32(0)])
    var info = unsafe drawml_dsygvd(Int32(order), &a, &b, &values, &work, -1, &integers, -1)
    if info == 0 {
      work = [Double](repeating: 0, count: Int(work[0]))
      integers = [Int32](repeating: 0, count: Int(integers[0]))
      info = unsafe drawml_dsygvd(
        Int32(order), &a, &b, &values, &work, Int32(work.count), &integers, Int32(integers.count))
    }
    guard info == 0 else {
      throw .noEigenvectors(
        info > order ? "the second matrix is not positive definite" : "LAPACK gives up (\(info))")
    }
    var vectors: [Double] = []
    vectors.reserveCapacity(order * order)
    for row in (0..<order).reversed() {
      let vector = a[(row * order)..<((row + 1) * order)]
      let greatest = vector.max { abs($0) < abs($1) } ?? 0
      vectors += greatest < 0 ? vector.map { -$0 } : Array(vector)
    }
    self.values = values.reversed()
    self.vectors = vectors
  }
}

extension Matrix {
  /// The natural logarithm of a square matrix's determinant, without its sign, by LAPACK's `dgetrf`.
  ///
  /// - Parameters:
  ///   - matrix: Row-major, shape [order, order].
  ///   - order: How many rows and columns there are, at least 1.
  /// - Returns: log |det matrix|; nil where the matrix cannot be inverted.
  /// - Complexity: O(order³).
  public static func logDeterminant(of matrix: [Float], order: Int) -> Double? {
    precondition(
      order >= 1 && matrix.count == order * order,
      "a matrix of \(order) × \(order) expected, got \(matrix.count) numbers")
    _ = BLAS.singleThreaded
    var factors = matrix.map { Double($0) }
    var pivots = [Int32](repeating: 0, count: order)
    let info = unsafe drawml_dgetrf(Int32(order), &factors, &pivots)
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
