internal import CKernels

/// The inner products of a matrix's rows with a vector; each depends only on its row and the
/// vector.
///
/// BLAS picks kernels by the size of the whole matrix, and they round differently. Use these where
/// results must be bit-identical however many samples are added at once.
public struct RowProducts: Sendable {
  private let loops: drawml_kernels

  /// Uses the selected kernels (`KernelChoice`).
  public init() { self.init(level: Backend.forUse.level) }

  /// Uses the kernels of a level that this processor supports.
  init(level: VectorLevel) { loops = level.loops }

  /// The product of every row.
  ///
  /// - Parameters:
  ///   - rows: Row-major, shape [_, dimension].
  ///   - vector: Shape [dimension], at least one number.
  /// - Returns: Shape [rows].
  /// - Complexity: O(rows · dimension).
  public func callAsFunction(
    _ rows: borrowing Span<Float>, _ vector: borrowing Span<Float>
  ) -> [Float] {
    let dimension = vector.count
    precondition(
      dimension >= 1 && rows.count % dimension == 0,
      "rows of \(dimension) numbers, got \(rows.count) numbers")
    let count = rows.count / dimension
    var products = [Float](repeating: 0, count: count)
    unsafe rows.withUnsafeBufferPointer { rows in
      unsafe vector.withUnsafeBufferPointer { vector in
        unsafe products.withUnsafeMutableBufferPointer { products in
          guard let row = rows.baseAddress, let number = vector.baseAddress,
            let product = products.baseAddress
          else { return }
          unsafe loops.row_products(row, count, dimension, number, product)
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
