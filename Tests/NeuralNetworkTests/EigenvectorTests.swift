import Numbers
import Testing

@testable import NeuralNetwork

@Suite("Symmetric eigenvectors")
struct EigenvectorTests {
  @Test("A problem worked out by hand")
  func literal() throws {
    // [2 1; 1 2] has the eigenvalues 3 and 1 along (1, 1) and (1, −1).
    let found = try SymmetricEigenvectors(of: [2, 1, 1, 2], relativeTo: [1, 0, 0, 1], order: 2)
    let half = 0.5.squareRoot()
    #expect(zip(found.values, [3, 1]).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(
      zip(found.vectors.map(abs), [half, half, half, half]).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(abs(found.vectors[0] - half) < 1e-12 && abs(found.vectors[1] - half) < 1e-12)
    #expect(found.vectors[2] * found.vectors[3] < 0)
    // Relative to diag(4, 1): 8 / 4 along (1/2, 0), 1 along (0, 1).
    let relative = try SymmetricEigenvectors(of: [8, 0, 0, 1], relativeTo: [4, 0, 0, 1], order: 2)
    #expect(zip(relative.values, [2, 1]).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(zip(relative.vectors, [0.5, 0, 0, 1]).allSatisfy { abs($0 - $1) < 1e-12 })
  }

  @Test("xᵀ b x is the identity and xᵀ a x holds the eigenvalues", arguments: [1, 2, 7, 20])
  func random(order: Int) throws {
    var generator = SeededGenerator(seed: UInt64(order))
    func matrix(rows: Int) -> [Double] {
      Matrix.gram((0..<(rows * order)).map { _ in generator.normal() }, columns: order)
    }
    let (a, b) = (matrix(rows: order), matrix(rows: 3 * order))
    let found = try SymmetricEigenvectors(of: a, relativeTo: b, order: order)
    #expect(found.values == found.values.sorted(by: >))
    func product(_ m: [Double], _ i: Int, _ j: Int) -> Double {
      var sum = 0.0
      for r in 0..<order {
        for c in 0..<order {
          sum += found.vectors[i * order + r] * m[r * order + c] * found.vectors[j * order + c]
        }
      }
      return sum
    }
    for i in 0..<order {
      for j in 0..<order {
        #expect(abs(product(b, i, j) - (i == j ? 1 : 0)) < 1e-9)
        #expect(abs(product(a, i, j) - (i == j ? found.values[i] : 0)) < 1e-9)
      }
    }
  }

  @Test("A diagonal matrix has the solutions of any other", arguments: [1, 2, 7, 60])
  func diagonal(order: Int) throws {
    var generator = SeededGenerator(seed: UInt64(order))
    let b = Matrix.gram((0..<(2 * order * order)).map { _ in generator.normal() }, columns: order)
    let diagonal = (0..<order).map { 20 / Double(1 + $0 * $0) }
    var a = [Double](repeating: 0, count: order * order)
    for k in 0..<order { a[k * order + k] = diagonal[k] }
    let found = try SymmetricEigenvectors(ofDiagonal: diagonal, relativeTo: b)
    let plain = try SymmetricEigenvectors(of: a, relativeTo: b, order: order)
    #expect(zip(found.values, plain.values).allSatisfy { abs($0 / $1 - 1) < 1e-9 })
    #expect(zip(found.vectors, plain.vectors).allSatisfy { abs($0 - $1) < 1e-8 })
  }

  @Test("What has no solution is refused")
  func unsolvable() {
    #expect(throws: NetworkError.self) {
      try SymmetricEigenvectors(of: [1, 0, 0, 1], relativeTo: [1, 2, 2, 1], order: 2)
    }
    #expect(throws: NetworkError.self) {
      try SymmetricEigenvectors(of: [.nan, 0, 0, 1], relativeTo: [1, 0, 0, 1], order: 2)
    }
    for b in [[1, 2, 2, 1], [1, .nan, .nan, 1], [1, 1, 1, 1 - 1e-9]] {
      #expect(throws: NetworkError.self) {
        try SymmetricEigenvectors(ofDiagonal: [1, 1], relativeTo: b)
      }
    }
  }

  @Test("A gram matrix is that of plain sums")
  func gram() {
    #expect(Matrix.gram([1, 2, 3, 4, 5, 6], columns: 2) == [35, 44, 44, 56])
    #expect(Matrix.gram([], columns: 2) == [0, 0, 0, 0])
  }
}
