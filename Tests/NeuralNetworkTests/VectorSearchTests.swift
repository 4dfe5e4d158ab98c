import Numbers
import TestTools
import Testing

@testable import NeuralNetwork

/// The fast search beside one that looks at each product by itself.
@Suite("Search for the greatest products")
struct VectorSearchTests {
  private static func vectors(_ count: Int, _ dimension: Int, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<(count * dimension)).map { _ in Float(generator.normal()) }
  }

  /// All products of a query in double precision.
  private static func products(_ query: ArraySlice<Float>, _ vectors: [Float]) -> [Double] {
    stride(from: 0, to: vectors.count, by: query.count).map { start in
      zip(query, vectors[start...]).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
  }

  @Test("Each row's product with a vector is near the exact one, and the same alone")
  func rowProducts() {
    for level in VectorLevel.allCases where level <= .here {
      let products = RowProducts(level: level)
      #expect(products([1, 2, 3, 4].span, [10, 1].span) == [12, 34])
      for dimension in [1, 15, 16, 130] {
        let rows = Self.vectors(7, dimension, seed: 3)
        let vector = Self.vectors(1, dimension, seed: 4)
        let found = products(rows.span, vector.span)
        for (row, exact) in Self.products(vector[...], rows).enumerated() {
          #expect(abs(Double(found[row]) - exact) < 1e-4, "\(level), \(dimension) numbers")
          #expect(products(rows.span, row: row, vector.span) == found[row])
        }
        // Many vectors at once give the same bits as each alone.
        let many = Self.vectors(9, dimension, seed: 5)
        let each = (0..<9).flatMap {
          products(rows.span, many.span.extracting(($0 * dimension)..<(($0 + 1) * dimension)))
        }
        #expect(products(rows.span, vectors: many.span, dimension: dimension) == each)
      }
      #expect(products([Float]().span, [1].span).isEmpty)
    }
  }

  @Test("Rows with hand-picked products come in their order, the first of equal ones first")
  func byHand() {
    let vectors: [Float] = [1, 0, 0, 1, 1, 1, 0, 2, 1, 1]
    for backend in Backend.all {
      let found = VectorSearch(dimension: 2, backend: backend)([1, 1], among: vectors, count: 4)
      #expect(found.products == [2, 2, 2, 1], "\(backend)")
      #expect(found.rows == [2, 3, 4, 0], "\(backend)")
    }
  }

  @Test("Ranks that each have some of the rows find what one finds among all", arguments: 1...4)
  func ranks(_ count: Int) async throws {
    let search = VectorSearch(dimension: 16)
    for total in [0, 1, 3, 40] {
      // Each twice, so that equal products come from several ranks.
      let some = Self.vectors((total + 1) / 2, 16, seed: 1)
      let vectors = Array((some + some).prefix(total * 16))
      let queries = Self.vectors(10, 16, seed: 2)
      let alone = search(queries, among: vectors, count: 5)
      let found = try await ThreadRank.run(count) { ranks in
        let own = ranks.part(of: total)
        return try search(
          queries, among: Array(vectors[(own.lowerBound * 16)..<(own.upperBound * 16)]),
          of: total, sharedBy: ranks, count: 5)
      }
      #expect(found == Array(repeating: alone, count: count), "\(total) rows")
    }
  }

  @Test(
    "BLAS and every width of vectors find what a plain look at all products finds",
    arguments: [(1, 1), (3, 5), (16, 40), (17, 33), (30, 300), (128, 520)])
  func agreesWithPlain(dimension: Int, rows: Int) {
    let vectors = Self.vectors(rows, dimension, seed: 1)
    // Single queries, half a panel, a whole one, and several with a rest.
    for count in [1, 3, 9, 17, 33] {
      let queries = Self.vectors(count, dimension, seed: UInt64(2 + count))
      let all = (0..<count).map { query in
        Self.products(queries[(query * dimension)..<((query + 1) * dimension)], vectors)
      }
      for backend in Backend.all {
        let search = VectorSearch(dimension: dimension, backend: backend)
        let found = search(queries, among: vectors, count: 3)
        let kept = min(3, rows)
        #expect(found.count == kept)
        for query in 0..<count {
          let best = all[query].sorted(by: >).prefix(kept)
          let places = query * kept..<(query + 1) * kept
          for (place, product) in zip(places, best) {
            let (score, row) = (Double(found.products[place]), Int(found.rows[place]))
            #expect(abs(score - product) < 1e-4, "\(backend), \(count)")
            #expect(abs(all[query][row] - product) < 1e-4, "\(backend), \(count)")
          }
          #expect(Set(found.rows[places]).count == kept)
        }
      }
    }
  }

  @Test("Of equal rows the first is found, in every place of a block and of a panel")
  func ties() {
    let (dimension, rows) = (4, 53)
    let vectors = [Float](repeating: 0.5, count: dimension * rows)
    for count in [1, 20, 40] {
      let queries = [Float](repeating: 0.5, count: dimension * count)
      for backend in Backend.all {
        let found = VectorSearch(dimension: dimension, backend: backend)(
          queries, among: vectors, count: 5)
        #expect(found.rows == (0..<count).flatMap { _ in [0, 1, 2, 3, 4] as [Int32] })
        #expect(found.products.allSatisfy { $0 == 1 })
      }
    }
  }

  @Test("Any number of threads finds the same, to the bit", arguments: [1, 40], Backend.all)
  func threads(queries count: Int, backend: Backend) {
    let (dimension, rows) = (64, 10_000)
    // The same rows again and again, so that equal products meet when the parts are put together.
    let some = Self.vectors(rows, dimension, seed: 7)
    let vectors = Array(repeatElement(some, count: 8).joined())
    let queries = Self.vectors(count, dimension, seed: 8)
    let search = VectorSearch(dimension: dimension, backend: backend)
    let alone = search(queries, among: vectors, count: 4)
    #expect(vectors.count * count / VectorSearch.leastWork > 1)
    #expect(search(queries, among: vectors, count: 4, threads: 2) == alone)
    #expect(search(queries, among: vectors, count: 4, threads: 5) == alone)
    #expect(alone.rows.allSatisfy { $0 >= 0 })
    #expect(alone.rows[0] < rows)
    #expect(alone.rows[1] == alone.rows[0] + Int32(rows))
  }

  @Test("What is no number is never found, and nothing is found among nothing")
  func odd() {
    for backend in Backend.all {
      let search = VectorSearch(dimension: 2, backend: backend)
      let found = search([1, 0], among: [.nan, 0, 3, 0, -.infinity, 0], count: 3)
      #expect(found.rows == [1, -1, -1])
      #expect(search([1, 0], among: [], count: 3).rows.isEmpty)
      #expect(search([], among: [1, 0], count: 3).rows.isEmpty)
    }
  }
}
