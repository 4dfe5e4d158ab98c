internal import COpenBLAS

/// The solutions of a x = λ b x for symmetric `a` and symmetric positive definite `b`, by LAPACK.
public struct SymmetricEigenvectors: Sendable, Equatable {
  /// The eigenvalues λ in descending order, shape [order].
  public let values: [Double]
  /// One eigenvector x per row, in the order of `values`, row-major, shape [order, order].
  ///
  /// xᵀ b x is 1 for each and 0 for two different ones; the component of greatest magnitude is
  /// positive.
  public let vectors: [Double]

  /// Solves a x = λ b x by `dsygvd`.
  ///
  /// - Parameters:
  ///   - a: Symmetric, shape [order, order]; only one triangle is read.
  ///   - b: Symmetric and positive definite, shape [order, order].
  ///   - order: The number of rows and columns, at least 1.
  /// - Throws: `NetworkError.noEigenvectors` when `b` is not positive definite or a number is not
  ///   finite.
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
    // Column-major, which is equivalent for symmetric matrices, so the eigenvectors are returned as
    // rows.
    let info = unsafe LAPACKE_dsygvd(
      LAPACK_COL_MAJOR, 1, CChar(UInt8(ascii: "V")), CChar(UInt8(ascii: "L")), Int32(order), &a,
      Int32(order), &b, Int32(order), &values)
    guard info == 0 else {
      throw .noEigenvectors(
        info > order ? "the second matrix is not positive definite" : "LAPACK gives up (\(info))")
    }
    var vectors: [Double] = []
    vectors.reserveCapacity(order * order)
    for row in (0..<order).reversed() { vectors += a[(row * order)..<((row + 1) * order)] }
    self.init(values: values.reversed(), vectors)
  }

  /// Solves a x = λ b x for a diagonal `a` by `dsyevd`, in two thirds of the time.
  ///
  /// - Parameters:
  ///   - diagonal: The diagonal of a, each > 0, shape [order], at least one number.
  ///   - b: Symmetric and positive definite, shape [order, order].
  /// - Throws: `NetworkError.noEigenvectors` when `b` is not positive definite or a number is not
  ///   finite.
  public init(ofDiagonal diagonal: [Double], relativeTo b: [Double]) throws(NetworkError) {
    let order = diagonal.count
    precondition(
      order >= 1 && b.count == order * order,
      "a matrix of \(order) × \(order) expected, got \(b.count) numbers")
    precondition(diagonal.allSatisfy { $0 > 0 }, "a number of the diagonal is not above 0")
    guard diagonal.allSatisfy(\.isFinite), b.allSatisfy(\.isFinite) else {
      throw .noEigenvectors("a number of the matrices is not finite")
    }
    _ = BLAS.singleThreaded
    // With r = a^(-1/2), the eigenvectors y of r b r have the eigenvalues 1 / λ, and x = √λ r y.
    let roots = diagonal.map { 1 / $0.squareRoot() }
    var vectors = b
    for row in 0..<order {
      for column in 0..<order { vectors[row * order + column] *= roots[row] * roots[column] }
    }
    var inverses = [Double](repeating: 0, count: order)
    let info = unsafe LAPACKE_dsyevd(
      LAPACK_COL_MAJOR, CChar(UInt8(ascii: "V")), CChar(UInt8(ascii: "L")), Int32(order),
      &vectors, Int32(order), &inverses)
    guard info == 0 else { throw .noEigenvectors("LAPACK gives up (\(info))") }
    // In ascending order.
    guard inverses[0] > 0 else {
      throw .noEigenvectors("the second matrix is not positive definite")
    }
    let values = inverses.map { 1 / $0 }
    for row in 0..<order {
      let length = values[row].squareRoot()
      for column in 0..<order { vectors[row * order + column] *= roots[column] * length }
    }
    self.init(values: values, vectors)
  }

  /// The solutions, each with the sign that makes its component of greatest magnitude positive.
  private init(values: [Double], _ vectors: [Double]) {
    let order = values.count
    var vectors = vectors
    for start in stride(from: 0, to: order * order, by: order) {
      var greatest = 0.0
      for index in start..<(start + order) where abs(vectors[index]) > abs(greatest) {
        greatest = vectors[index]
      }
      guard greatest < 0 else { continue }
      for index in start..<(start + order) { vectors[index] = -vectors[index] }
    }
    self.values = values
    self.vectors = vectors
  }
}
