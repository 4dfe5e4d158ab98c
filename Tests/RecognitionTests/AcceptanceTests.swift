import Numbers
import Testing

@testable import Recognition

/// The share of drawings of taught labels that is refused is the one asked for.
@Suite("Acceptance")
struct AcceptanceTests {
  /// A world like a real embedding's: a few strong directions and many weak ones.
  static let world = GaussianWorld(between: (0..<8).map { 12 / Double(1 + $0) }, seed: 11)
  static let prior = Task {
    try world.prior(calibrating: 2000, perCalibrating: 7, questions: 6000, seed: 21)
  }

  /// Teaches tasks of new labels and asks for drawings of them.
  ///
  /// - Returns: The typicalities of all answers.
  private func typicalities(
    labels: Int, shots: Int, tasks: Int, prior: PLDAPrior, seed: UInt64
  ) -> [Double] {
    var generator = SeededGenerator(seed: seed, stream: labels, shots)
    let (world, dimension) = (Self.world, Self.world.dimension)
    var result: [Double] = []
    for _ in 0..<tasks {
      let drawn = world.draw(labels: labels, perLabel: shots + 1, using: &generator)
      func rows(_ taught: Bool) -> [Int] {
        drawn.classes.indices.filter { ($0 % (shots + 1) < shots) == taught }
      }
      func row(_ index: Int) -> [Float] {
        Array(drawn.vectors[(index * dimension)..<((index + 1) * dimension)])
      }
      var memory = SampleMemory(dimension: dimension, prior: prior)
      memory.insert(
        rows(true).map {
          TaughtSample(id: "\($0)", label: "\(drawn.classes[$0])", digest: "\($0)")
        }, vectors: rows(true).flatMap(row))
      let acceptance = Acceptance(of: memory)
      for query in rows(false) {
        guard let best = BestScore(memory.scores(of: row(query))) else { continue }
        result.append(Double(acceptance.typicality(of: best)))
      }
    }
    return result
  }

  @Test(
    "G-012: the dial holds on new labels, from one label and one drawing on",
    arguments: [(1, 1), (1, 5), (2, 1), (2, 5), (10, 1), (10, 5)])
  func coverage(labels: Int, shots: Int) async throws {
    let found = typicalities(
      labels: labels, shots: shots, tasks: max(400, 4000 / labels),
      prior: try await Self.prior.value, seed: 100)
    for rate in [0.02, 0.05, 0.1, 0.2] {
      let refused = Double(found.count { $0 < rate }) / Double(found.count)
      #expect(abs(refused - rate) < 0.02, "\(labels) labels, \(shots) shots, seed 100")
    }
  }
}
