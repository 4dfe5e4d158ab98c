internal import COpenBLAS

/// Matrix products by OpenBLAS in single precision; eigenvectors are in `SymmetricEigenvectors`.
enum BLAS {
  /// A row-major matrix in a buffer.
  struct Operand {
    let values: [Float]
    let start: Int
    /// The length of a stored row.
    let columns: Int
    let transposed: Bool

    init(_ values: [Float], at start: Int = 0, columns: Int, transposed: Bool = false) {
      self.values = values
      self.start = start
      self.columns = columns
      self.transposed = transposed
    }
  }

  /// Training shards already use all cores. Threads in OpenBLAS would compete with them and make
  /// results depend on their number.
  static let singleThreaded: Void = {
    // Setting it starts threads again that the program has stopped.
    if openblas_get_num_threads() != 1 { openblas_set_num_threads(1) }
  }()

  /// c = scale · a · b, or c += scale · a · b when `adding`; a is [m, k] and b is [k, n] after
  /// their transposition, c is [m, n] from `start`.
  static func multiply(
    _ a: Operand, _ b: Operand, m: Int, n: Int, k: Int, scale: Float = 1, adding: Bool,
    into c: inout [Float], at start: Int = 0
  ) {
    check(a.values.count - a.start, a.columns, a.transposed, m, k)
    check(b.values.count - b.start, b.columns, b.transposed, k, n)
    precondition(start >= 0 && c.count - start >= m * n, "a product of \(m) × \(n) does not fit")
    unsafe a.values.withUnsafeBufferPointer { a0 in
      unsafe b.values.withUnsafeBufferPointer { b0 in
        unsafe c.withUnsafeMutableBufferPointer { c0 in
          guard let a1 = a0.baseAddress, let b1 = b0.baseAddress, let c1 = c0.baseAddress else {
            return
          }
          unsafe multiply(
            a1 + a.start, a.columns, a.transposed, b1 + b.start, b.columns, b.transposed, m: m,
            n: n, k: k, scale: scale, adding: adding, into: c1 + start)
        }
      }
    }
  }

  /// The same with pointers, which must be valid for the shapes.
  static func multiply(
    _ a: UnsafePointer<Float>, _ aColumns: Int, _ aTransposed: Bool,
    _ b: UnsafePointer<Float>, _ bColumns: Int, _ bTransposed: Bool, m: Int, n: Int, k: Int,
    scale: Float = 1, adding: Bool, into c: UnsafeMutablePointer<Float>
  ) {
    guard m > 0, n > 0, k > 0 else { return }
    _ = singleThreaded
    unsafe cblas_sgemm(
      CblasRowMajor, aTransposed ? CblasTrans : CblasNoTrans,
      bTransposed ? CblasTrans : CblasNoTrans, blasint(m), blasint(n), blasint(k), scale, a,
      blasint(aColumns), b, blasint(bColumns), adding ? 1 : 0, c, blasint(n))
  }

  private static func check(
    _ available: Int, _ columns: Int, _ transposed: Bool, _ rows: Int, _ inner: Int
  ) {
    let (height, width) = transposed ? (inner, rows) : (rows, inner)
    precondition(
      width <= columns && available >= (height - 1) * columns + width,
      "a matrix of \(height) × \(width) needs more values than there are")
  }
}

/// Products of row-major matrices, for other modules: neighbor search and linear heads.
public enum Matrix {
  /// c = a · b.
  ///
  /// - Parameters:
  ///   - a: Shape [m, k], or [k, m] when `transposeA`.
  ///   - b: Shape [k, n], or [n, k] when `transposeB`.
  ///   - transposeA: Whether `a` is stored with its axes exchanged.
  ///   - transposeB: Whether `b` is stored with its axes exchanged.
  ///   - c: Shape [m, n]; overwritten.
  ///   - m: Rows of the product.
  ///   - n: Columns of the product.
  ///   - k: The length of the sums.
  public static func product(
    _ a: Span<Float>, _ b: Span<Float>, transposeA: Bool = false, transposeB: Bool = false,
    into c: inout MutableSpan<Float>, m: Int, n: Int, k: Int
  ) {
    precondition(m >= 0 && n >= 0 && k >= 0, "a product of \(m) × \(k) and \(k) × \(n)")
    precondition(a.count >= m * k, "a product needs \(m) × \(k) values on the left, got \(a.count)")
    precondition(
      b.count >= k * n, "a product needs \(k) × \(n) values on the right, got \(b.count)")
    precondition(
      c.count >= m * n, "a product gives \(m) × \(n) values, there is room for \(c.count)")
    if k == 0 {
      for index in 0..<(m * n) { c[index] = 0 }
      return
    }
    unsafe a.withUnsafeBufferPointer { a0 in
      unsafe b.withUnsafeBufferPointer { b0 in
        unsafe c.withUnsafeMutableBufferPointer { c0 in
          guard let a1 = a0.baseAddress, let b1 = b0.baseAddress, let c1 = c0.baseAddress else {
            return
          }
          unsafe BLAS.multiply(
            a1, transposeA ? m : k, transposeA, b1, transposeB ? k : n, transposeB, m: m, n: n,
            k: k, adding: false, into: c1)
        }
      }
    }
  }
}
