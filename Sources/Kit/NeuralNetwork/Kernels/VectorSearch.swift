internal import CKernels

/// Finds the rows of a matrix with the greatest inner products with queries: the nearest ones if
/// all are unit vectors.
///
/// The search is exhaustive. For few queries it multiplies row by row, limited by memory bandwidth;
/// for more it packs queries in panels and reads the rows in blocks that stay in the cache. Each
/// product is compared at once with the least one kept, so the matrix of all products is never
/// stored. The two methods sum in different orders: a query's products may differ by rounding
/// between few and many queries.
public struct VectorSearch: Sendable {
  /// The results of a search.
  public struct Found: Sendable, Equatable {
    /// The number of rows per query: the requested number, or all rows if there are fewer.
    public let count: Int
    /// The greatest products of each query, greatest first; shape [queries, count].
    public fileprivate(set) var products: [Float]
    /// Their rows; ties are ordered by row. -1 if a product is NaN or negative infinity.
    public fileprivate(set) var rows: [Int32]
  }

  /// More queries than this are packed in panels.
  static let fewQueries = 8
  /// The minimum multiplications per thread: below, threads cost more than they save.
  static let leastWork = 1 << 21

  private let dimension: Int
  private let backend: Backend

  /// A search among vectors of `dimension` numbers, at least 1.
  public init(dimension: Int) {
    self.init(dimension: dimension, backend: .forUse)
  }

  /// The same with a backend that this processor must support.
  init(dimension: Int, backend: Backend) {
    precondition(dimension >= 1, "vectors of \(dimension) numbers")
    precondition(backend.level <= .here, "this processor does not support vectors of that width")
    (self.dimension, self.backend) = (dimension, backend)
  }

  /// The number of rows per block: a quarter of the L2 cache of most processors.
  private var block: Int { max(12, 1 << 16 / dimension) }

  /// The `count` rows of `vectors` with the greatest products with each query.
  ///
  /// - Parameters:
  ///   - queries: Row-major, shape [queries, dimension].
  ///   - vectors: Row-major, shape [rows, dimension].
  ///   - count: The number of rows to keep per query, at least 1.
  ///   - threads: The maximum number of threads; the result is bit-identical.
  /// - Returns: The rows and their products.
  /// - Complexity: O(queries · rows · dimension), with memory for the queries and the results.
  public func callAsFunction(
    _ queries: [Float], among vectors: [Float], count: Int, threads: Int = 1
  ) -> Found {
    precondition(count >= 1, "at least one row is kept, got \(count)")
    precondition(
      queries.count % dimension == 0 && vectors.count % dimension == 0,
      "vectors of \(dimension) numbers, got \(queries.count) and \(vectors.count) numbers")
    let (rows, total) = (vectors.count / dimension, queries.count / dimension)
    precondition(rows <= Int(Int32.max), "\(rows) rows")
    let kept = min(count, rows)
    guard kept > 0, total > 0 else { return Found(count: kept, products: [], rows: []) }
    let panels = total > Self.fewQueries && backend != .blas ? packed(queries) : []
    let parts = max(1, min(threads, rows, vectors.count * total / Self.leastWork))
    @Sendable func part(_ number: Int) -> Found {
      if backend == .blas {
        // Whole blocks, so that the product sizes do not depend on the number of threads.
        let blocks = (rows + block - 1) / block
        return multiply(
          queries, among: vectors,
          rows: (blocks * number / parts * block)..<min(
            rows, blocks * (number + 1) / parts * block), kept: kept)
      }
      return search(
        panels.isEmpty ? queries : panels, isPacked: !panels.isEmpty, queries: total,
        among: vectors, rows: (rows * number / parts)..<(rows * (number + 1) / parts), kept: kept)
    }
    guard parts > 1 else { return part(0) }
    return Self.merged(concurrentMap(parts, part))
  }

  /// The same among the rows of all ranks, of which each has a part.
  ///
  /// - Parameters:
  ///   - queries: The same on all ranks, row-major, shape [queries, dimension].
  ///   - own: The rows `ranks.part(of: total)`.
  ///   - total: The number of rows of all ranks.
  ///   - ranks: The processes that search.
  ///   - count: The number of rows to keep per query, at least 1.
  ///   - threads: The maximum number of threads of each rank.
  /// - Returns: On all ranks the rows and their products: those of one process, with BLAS up to
  ///   rounding.
  /// - Throws: When a rank is lost, and `CancellationError`.
  package func callAsFunction(
    _ queries: [Float], among own: [Float], of total: Int, sharedBy ranks: any Ranks, count: Int,
    threads: Int = 1
  ) throws -> Found {
    let part = ranks.part(of: total)
    precondition(own.count == part.count * dimension, "\(part.count) rows, \(own.count) numbers")
    precondition(total <= Int(Int32.max), "\(total) rows")
    let found = self(queries, among: own, count: count, threads: threads)
    let kept = min(count, total)
    // As many of each query on every rank.
    let missing = Array(repeating: Hit(product: -.infinity, row: -1), count: kept - found.count)
    let hits = (0..<(queries.count / dimension)).flatMap { query in
      (0..<found.count).map { place in
        let (product, row) = (
          found.products[query * found.count + place], found.rows[query * found.count + place]
        )
        return Hit(product: product, row: row < 0 ? row : row + Int32(part.lowerBound))
      } + missing
    }
    let all = try ranks.allGather(hits)
    guard !hits.isEmpty else { return Found(count: kept, products: [], rows: []) }
    return Self.merged(
      stride(from: 0, to: all.count, by: hits.count).map { start in
        let hits = all[start..<(start + hits.count)]
        return Found(count: kept, products: hits.map(\.product), rows: hits.map(\.row))
      })
  }

  /// A row and its product with a query.
  private struct Hit: BitwiseCopyable {
    var product: Float
    var row: Int32
  }

  /// The queries interleaved in panels, shape [panels, dimension, lanes], padded with 0.
  private func packed(_ queries: [Float]) -> [Float] {
    let (total, lanes) = (queries.count / dimension, Int(drawml_search_lanes))
    var panels = [Float](repeating: 0, count: (total + lanes - 1) / lanes * lanes * dimension)
    var target = panels.mutableSpan
    for query in 0..<total {
      let start = query / lanes * lanes * dimension + query % lanes
      for index in 0..<dimension {
        target[start + index * lanes] = queries[query * dimension + index]
      }
    }
    return panels
  }

  /// Searches a range of rows by BLAS.
  private func multiply(
    _ queries: [Float], among vectors: [Float], rows: Range<Int>, kept: Int
  ) -> Found {
    let total = queries.count / dimension
    var found = Found(
      count: kept, products: [Float](repeating: -.infinity, count: total * kept),
      rows: [Int32](repeating: -1, count: total * kept))
    var products = [Float](repeating: 0, count: total * block)
    for start in stride(from: rows.lowerBound, to: rows.upperBound, by: block) {
      let count = min(block, rows.upperBound - start)
      BLAS.multiply(
        .init(queries, columns: dimension),
        .init(vectors, at: start * dimension, columns: dimension, transposed: true),
        m: total, n: count, k: dimension, adding: false, into: &products)
      for query in 0..<total {
        let (first, last) = (query * kept, (query + 1) * kept - 1)
        for row in 0..<count where products[query * count + row] > found.products[last] {
          var place = last
          let product = products[query * count + row]
          while place > first, product > found.products[place - 1] {
            found.products[place] = found.products[place - 1]
            found.rows[place] = found.rows[place - 1]
            place -= 1
          }
          (found.products[place], found.rows[place]) = (product, Int32(start + row))
        }
      }
    }
    return found
  }

  /// Searches a range of rows.
  private func search(
    _ queries: [Float], isPacked: Bool, queries total: Int, among vectors: [Float],
    rows: Range<Int>, kept: Int
  ) -> Found {
    let lanes = Int(drawml_search_lanes)
    var found = Found(
      count: kept, products: [Float](repeating: -.infinity, count: total * kept),
      rows: [Int32](repeating: -1, count: total * kept))
    // Infinity for the padding after the last query, so that its products are never kept.
    var least = [Float](repeating: .infinity, count: (total + lanes - 1) / lanes * lanes)
    for query in 0..<total { least[query] = -.infinity }
    let loops = backend.loops
    unsafe queries.withUnsafeBufferPointer { queries in
      unsafe vectors.withUnsafeBufferPointer { vectors in
        unsafe found.products.withUnsafeMutableBufferPointer { products in
          unsafe found.rows.withUnsafeMutableBufferPointer { places in
            unsafe least.withUnsafeMutableBufferPointer { least in
              guard let query = queries.baseAddress, let vector = vectors.baseAddress,
                let product = products.baseAddress, let place = places.baseAddress,
                let bound = least.baseAddress
              else { return }
              for start in stride(from: rows.lowerBound, to: rows.upperBound, by: block) {
                let count = min(block, rows.upperBound - start)
                let sample = unsafe vector + start * dimension
                for first in stride(from: 0, to: total, by: isPacked ? lanes : 1) {
                  let (list, row) = unsafe (product + first * kept, place + first * kept)
                  if isPacked {
                    unsafe loops.search_panel(
                      sample, count, start, dimension, query + first * dimension,
                      min(lanes, total - first), kept, bound + first, list, row)
                  } else {
                    unsafe loops.search_one(
                      sample, count, start, dimension, query + first * dimension, kept, list, row)
                  }
                }
              }
            }
          }
        }
      }
    }
    return found
  }

  /// The best results of searches of row ranges, in ascending order of the ranges.
  private static func merged(_ parts: [Found]) -> Found {
    guard var result = parts.first else { preconditionFailure("nothing to merge") }
    let kept = result.count
    for part in parts.dropFirst() {
      for start in stride(from: 0, to: result.products.count, by: kept) {
        let (products, rows) = (
          Array(result.products[start..<(start + kept)]), Array(result.rows[start..<(start + kept)])
        )
        var (first, second) = (0, start)
        for place in start..<(start + kept) {
          // Ties are ordered by row, so the earlier part's comes first.
          let isSecond = part.products[second] > products[first]
          result.products[place] = isSecond ? part.products[second] : products[first]
          result.rows[place] = isSecond ? part.rows[second] : rows[first]
          if isSecond { second += 1 } else { first += 1 }
        }
      }
    }
    return result
  }
}
