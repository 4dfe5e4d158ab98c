internal import CKernels

/// The inner products of a matrix's rows with vectors; each depends only on its row and its vector.
///
/// BLAS picks kernels by the size of the whole matrix, and they round differently. Use these where
/// results must be bit-identical however many samples are added at once.
public struct RowProducts: Sendable {
  private let loops: drawml_kernels

  /// Uses the selected kernels (`KernelChoice`).
  public init() { self.init(level: Backend.forUse.level) }

  /// Uses the kernels of a level that this processor supports.
  init(level: VectorLevel) { loops = level.loops }

  /// The product of every row with a vector.
  ///
  /// - Parameters:
  ///   - rows: Row-major, shape [rows, dimension].
  ///   - vector: Shape [dimension], at least one number.
  /// - Returns: Shape [rows].
  /// - Complexity: O(rows · dimension).
  public func callAsFunction(
    _ rows: borrowing Span<Float>, _ vector: borrowing Span<Float>
  ) -> [Float] { self(rows, vectors: vector, dimension: vector.count) }

  /// The product of every row with every vector: faster than one vector after the other.
  ///
  /// - Parameters:
  ///   - rows: Row-major, shape [rows, dimension].
  ///   - vectors: Row-major, shape [vectors, dimension].
  ///   - dimension: The length of a vector, at least 1.
  /// - Returns: Row-major, shape [vectors, rows].
  /// - Complexity: O(vectors · rows · dimension).
  public func callAsFunction(
    _ rows: borrowing Span<Float>, vectors: borrowing Span<Float>, dimension: Int
  ) -> [Float] {
    precondition(
      dimension >= 1 && rows.count % dimension == 0 && vectors.count % dimension == 0,
      "rows of \(dimension) numbers, got \(rows.count) and \(vectors.count) numbers")
    let (count, vectorCount) = (rows.count / dimension, vectors.count / dimension)
    var products = [Float](repeating: 0, count: count * vectorCount)
    unsafe rows.withUnsafeBufferPointer { rows in
      unsafe vectors.withUnsafeBufferPointer { vectors in
        unsafe products.withUnsafeMutableBufferPointer { products in
          guard let row = rows.baseAddress, let vector = vectors.baseAddress,
            let product = products.baseAddress
          else { return }
          unsafe loops.row_products(row, count, dimension, vector, vectorCount, product)
        }
      }
    }
    return products
  }

  /// The product of one row.
  public func callAsFunction(
    _ rows: borrowing Span<Float>, row: Int, _ vector: borrowing Span<Float>
  ) -> Float {
    self(rows.extracting((row * vector.count)..<((row + 1) * vector.count)), vector)[0]
  }
}
