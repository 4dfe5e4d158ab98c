import Recognition
import Testing

@testable import Training

@Suite("Plans of a sweep")
struct SweepPlanTests {
  private func plan(_ yaml: String, hasBase: Bool = false) throws -> SweepPlan {
    try SweepPlan(yaml: Array(yaml.utf8), path: "s.yaml", hasBase: hasBase)
  }

  @Test("Every combination is tried, the last key changing fastest, over the file's settings")
  func grid() throws {
    let plan = try plan(
      """
      training: {epochs: 3, batchSize: 64}
      vary:
        training.batchSize: [16, 32]
        seed: [1, 2]
      """)
    #expect(plan.keys == ["training.batchSize", "seed"])
    #expect(
      plan.trials.map { $0.assignments.map(\.value) } == [
        ["16", "1"], ["16", "2"], ["32", "1"], ["32", "2"],
      ])
    #expect(plan.trials.allSatisfy { $0.settings.training.epochs == 3 })
    #expect(plan.trials.map(\.settings.training.batchSize) == [16, 16, 32, 32])
    #expect(plan.trials.map(\.settings.seed) == [1, 2, 1, 2])
    #expect(plan.settings.training.batchSize == 64)
    #expect(plan.trials[3].options == "--set 'training.batchSize=32' --set 'seed=2'")
  }

  @Test("Random trials come from lists and ranges; more of them begin with the same ones")
  func random() throws {
    func trials(_ count: Int, seed: Int = 1) throws -> [[String]] {
      try plan(
        """
        seed: \(seed)
        trials: \(count)
        vary:
          training.learningRate: {from: 1e-4, to: 1e-2}
          network.channels: [[8], [8, 16]]
        """
      ).trials.map { $0.assignments.map(\.value) }
    }
    let some = try trials(40)
    #expect(Array(try trials(60).prefix(40)) == some)
    #expect(try trials(40, seed: 2) != some)
    let rates = some.compactMap { Double($0[0]) }
    #expect(rates.count == 40 && rates.allSatisfy { (1e-4...1e-2).contains($0) })
    // Half of them are below the geometric mean.
    #expect((10...30).contains(rates.count { $0 < 1e-3 }))
    #expect(Set(some.map { $0[1] }) == ["[8]", "[8,16]"])
    let whole = try plan("trials: 9\nvary: {training.batchSize: {from: 16, to: 128}}")
    #expect(whole.trials.allSatisfy { (16...128).contains($0.settings.training.batchSize ?? 0) })
    let narrow = try plan("trials: 3\nvary: {penalty: {from: 0.12345, to: 0.12346}}")
    #expect(narrow.trials.count == 3, "no value is rounded to outside of its range")
    let nested = #expect(throws: ConfigurationError.self) {
      try plan("vary: {training: {epochs: [1, 2]}}")
    }
    #expect(
      nested?.problem.hasSuffix("write a setting within it with a dot, as training.epochs") == true)
    let few = try plan("trials: 50\nvary: {seed: [1, 2]}")
    #expect(few.trials.count == 2, "no combination comes twice")
  }

  @Test(
    "What is wrong is told with its line",
    arguments: [
      ("seed: 1", nil, "vary must name settings"), ("vary: 3", 1, "vary must name settings"),
      ("vary: {}", 1, "vary must name settings"),
      ("vary:\n  seed: 1", 2, "vary.seed must be a list"),
      ("vary:\n  seed: []", 2, "vary.seed must be a list"),
      ("vary:\n  penalty: {from: 0, to: 1}", 2, "vary.penalty must be a list, or {from: …"),
      ("vary: {penalty: {from: 0.1, to: 1}}", 1, "vary.penalty has no list: say how many"),
      ("trials: 0\nvary: {seed: [1]}", 1, "trials must be a whole number from 1 to 1000"),
      ("trials: x\nvary: {seed: [1]}", 1, "trials must be a whole number"),
      ("vary: {seed: [1]}\ntrials: 1:1:1:1:1:1:1:1:1:1:1:1", 2, "trials must be a whole number"),
      ("vary:\n  penalty: {from: 1:1, to: 1:2}", 2, "vary.penalty must be a list, or {from: …"),
      ("vary:\n  penalty: {from: 2, to: 1}", 2, "vary.penalty must be a list, or {from: …"),
      ("vary: {seed: [1], !x seed: [2]}", 1, "vary.seed is there twice"),
      ("vary:\n  seed: [1]\n  seeds: [1]", 3, "vary: seeds is not a setting"),
      ("vary: {seeds: [1]}", 1, "vary: seeds is not a setting"),
      ("vary: {training.epochs: [1, 0]}", 1, "vary: training.epochs is 0; it must be from 1"),
      ("vary: {holdOut: [0.1]}", nil, "each fold is held out in turn"),
      ("epoch: 3\nvary: {seed: [1]}", 1, "epoch is not a setting"),
      ("vary: {seed: [1", nil, "it is not YAML"),
    ] as [(String, Int?, String)])
  func wrong(yaml: String, line: Int?, problem: String) throws {
    let error = #expect(throws: ConfigurationError.self) { try plan(yaml) }
    #expect(error?.problem.hasPrefix(problem) == true, "\(error?.description ?? "")")
    if problem != "it is not YAML" { #expect(error?.line == line) }
  }

  @Test("With a base, what makes a new embedding cannot vary")
  func base() throws {
    let plan = try plan("vary: {head: [plda, knn], neighbors: [1, 5]}", hasBase: true)
    #expect(plan.trials.count == 4)
    let error = #expect(throws: ConfigurationError.self) {
      try self.plan("vary: {network.dimension: [16, 32]}", hasBase: true)
    }
    #expect(error?.problem.contains("which --base replaces") == true)
  }

  @Test("A plan of too many combinations is refused before it is made")
  func many() throws {
    let list = "[" + (1...200).map(String.init).joined(separator: ",") + "]"
    let error = #expect(throws: ConfigurationError.self) {
      try plan("vary: {seed: \(list), neighbors: \(list)}")
    }
    #expect(error?.problem == "vary has more than 1000 combinations")
  }
}
