internal import COpenBLAS

/// The solutions of a x = λ b x for symmetric `a` and symmetric positive definite `b`, by LAPACK's
/// `dsygvd`.
public struct SymmetricEigenvectors: Sendable, Equatable {
  /// The eigenvalues λ in descending order, shape [order].
  public let values: [Double]
  /// One eigenvector x per row, in the order of `values`, row-major, shape [order, order].
  ///
  /// xᵀ b x is 1 for each and 0 for two different ones; the component of greatest magnitude is
  /// positive.
  public let vectors: [Double]

  /// Solves a x = λ b x.
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
    for row in (0..<order).reversed() {
      let vector = a[(row * order)..<((row + 1) * order)]
      let greatest = vector.max { abs($0) < abs($1) } ?? 0
      vectors += greatest < 0 ? vector.map { -$0 } : Array(vector)
    }
    self.values = values.reversed()
    self.vectors = vectors
  }
}
