import Files
import Foundation
import HDF5
import Ink
import NeuralNetwork
import Numbers
import TestTools
import Testing

@testable import Recognition

@Suite("Adapting to the user's samples")
struct AdaptationTests {
  /// Labels as the base knows them, and drawings that spread otherwise: wider along some
  /// directions, narrower along others.
  struct User: CustomTestStringConvertible {
    let spread: [Double]
    let world = AcceptanceTests.world
    var testDescription: String { "spread \(spread)" }

    /// As the base says.
    static let usual = User(spread: [Double](repeating: 1, count: 8))
    /// Hardly alike in the directions by which labels differ most, very alike in others.
    static let own = User(spread: [3, 3, 1, 1, 0.3, 0.3, 0.3, 0.3])

    /// Vectors of new labels, `perLabel` of each, row by row.
    func draw(
      labels: Int, perLabel: Int, using generator: inout SeededGenerator
    ) -> [[Float]] {
      (0..<labels).flatMap { _ in
        let center = world.between.map { generator.normal(deviation: $0.squareRoot()) }
        return (0..<perLabel).map { _ in
          let x = center.indices.map { center[$0] + generator.normal(deviation: spread[$0]) }
          return world.vector(at: x)
        }
      }
    }
  }

  private static let recipe: EmbeddingRecipe = {
    var recipe = Doodles.recipe
    recipe.network.dimension = AcceptanceTests.world.dimension
    return recipe
  }()

  /// Taught `shots` drawings of `labels` labels; and `asked` others of each.
  private func taught(
    _ user: User, labels: Int = 6, shots: Int = 20, asked: Int = 1, seed: UInt64
  ) async throws -> (recognizer: Recognizer, queries: [[Float]]) {
    var generator = SeededGenerator(seed: seed)
    let network = try NetworkForTests.residual(Self.recipe, using: &generator)
    var recognizer = Recognizer(
      embedding: try Embedding([EmbeddingMember(view: Self.recipe.view, network: network)]),
      prior: try await AcceptanceTests.prior.value, head: .twoCovariance,
      provenance: Doodles.provenance())
    let drawn = user.draw(labels: labels, perLabel: shots + asked, using: &generator)
    let isTaught = { $0 % (shots + asked) < shots }
    let rows = drawn.indices.filter(isTaught)
    recognizer.update(
      with: rows.map { Self.sample($0, label: $0 / (shots + asked)) },
      vectors: rows.flatMap { drawn[$0] })
    return (recognizer, drawn.indices.filter { !isTaught($0) }.map { drawn[$0] })
  }

  private static func sample(_ number: Int, label: Int) -> TaughtSample {
    TaughtSample(
      id: "\(number)", label: "label \(label)",
      digest: String(Fingerprint.sha256(Array("\(number)".utf8)).prefix(16)))
  }

  private func bytes(_ recognizer: Recognizer) throws -> String {
    try ModelFile.fingerprint(of: recognizer)
  }

  // MARK: The estimate

  @Test("The covariance by hand: one direction, three drawings of a label and two of another")
  func byHand() throws {
    // W = (4 · 1 + 2 + 0.5) / (4 + 3) = 6.5 / 7; ψ = 3 · 7 / 6.5; a coordinate is √(7 / 6.5) times
    // the old.
    let model = try TwoCovarianceModel(mean: [1], projection: [2], betweenVariances: [3])
    let samples = ScatterSums(
      of: [0, 1, 2, 5, 6, 9], labels: [0, 0, 0, 1, 1, 2], among: 3, directions: 1)
    let adapted = try model.adapted(to: samples, priorWeight: 4)
    #expect(abs(adapted.betweenVariances[0] - 3.230_769) < 1e-5)
    #expect(abs(adapted.project([2])[0] - 2 * 1.037_749) < 1e-5)
    #expect(adapted.mean == [1])
  }

  @Test("The adapted model's coordinates make the posterior covariance the identity")
  func whitens() async throws {
    let model = try await AcceptanceTests.prior.value.model
    var generator = SeededGenerator(seed: 4)
    let groups = User.own.draw(labels: 5, perLabel: 8, using: &generator).map { model.project($0) }
    let byLabel = (0..<5).map { Array(groups[($0 * 8)..<($0 * 8 + 8)]) }
    let samples = ScatterSums(
      of: groups.flatMap(\.self), labels: (0..<40).map { $0 / 8 }, among: 5,
      directions: model.directions)
    let adapted = try model.adapted(to: samples, priorWeight: 50)
    // The posterior covariance in the old coordinates, written out.
    let count = model.directions
    var within = [Double](repeating: 0, count: count * count)
    for group in byLabel {
      let mean = (0..<count).map { k in group.reduce(0) { $0 + Double($1[k]) } / 8 }
      for x in group {
        for i in 0..<count {
          for j in 0..<count {
            within[i * count + j] += (Double(x[i]) - mean[i]) * (Double(x[j]) - mean[j]) / 85
          }
        }
      }
    }
    for k in 0..<count { within[k * count + k] += 50.0 / 85 }
    // Both maps are affine: adapted = T · old. T from the images of the axes of the world of
    // vectors.
    let probes = (0..<40).map { _ in (0..<count).map { _ in Float(generator.normal()) } }
    for (a, b) in zip(probes, probes.dropFirst()) {
      // (T a) · (T b) = aᵀ W⁻¹ b, so for a = W c: (T W c) · (T b) = c · b.
      let wa = (0..<count).map { i in
        Float((0..<count).reduce(0.0) { $0 + within[i * count + $1] * Double(a[$1]) })
      }
      let left = try turned(wa, model, adapted)
      let right = try turned(b, model, adapted)
      let product = zip(left, right).reduce(0) { $0 + $1.0 * $1.1 }
      let expected = zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
      #expect(abs(product - expected) < 1e-2 * max(1, abs(expected)))
    }
  }

  /// The difference x, in the coordinates of `old`, in those of `new`.
  private func turned(
    _ x: [Float], _ old: TwoCovarianceModel, _ new: TwoCovarianceModel
  ) throws -> [Float] {
    // The vector v with old.projection · v = x, by least squares on a square matrix: its
    // eigenvectors serve.
    let count = old.directions
    let matrix = old.projection.map { Double($0) }
    var system = (0..<count).map { row in
      (0..<count).map { matrix[row * count + $0] } + [Double(x[row])]
    }
    for pivot in 0..<count {
      let best = try #require(
        (pivot..<count).max { abs(system[$0][pivot]) < abs(system[$1][pivot]) })
      system.swapAt(pivot, best)
      for row in 0..<count where row != pivot {
        let factor = system[row][pivot] / system[pivot][pivot]
        for k in pivot...count { system[row][k] -= factor * system[pivot][k] }
      }
    }
    let v = (0..<count).map { system[$0][count] / system[$0][$0] }
    return (0..<new.directions).map { row in
      Float((0..<count).reduce(0.0) { $0 + Double(new.projection[row * count + $1]) * v[$1] })
    }
  }

  // MARK: Whether it is accepted

  @Test("F-004: a user whose drawings spread otherwise gains, on drawings that were not taught")
  func gains() async throws {
    var (before, after, accepted) = (0, 0, 0)
    for seed in 1...12 as ClosedRange<UInt64> {
      var (recognizer, queries) = try await taught(.own, asked: 20, seed: seed)
      func right() -> Int {
        recognizer.answers(to: queries.flatMap { $0 }).enumerated().count {
          $1.candidates[0].label == "label \($0 / 20)"
        }
      }
      before += right()
      let report = try recognizer.adapt()
      accepted += report.outcome == .accepted ? 1 : 0
      #expect((recognizer.memory.adaptation != nil) == (report.outcome == .accepted))
      after += right()
    }
    #expect(accepted >= 9, "\(accepted) of 12")
    #expect(after > before + 12 * 120 / 100, "\(before) right before, \(after) after, of 1440")
  }

  @Test("Where all samples are told apart, a gain that nobody would notice is none")
  func nothingToGain() async throws {
    let alike = User(spread: [Double](repeating: 0.01, count: 8))
    var refused = 0
    for seed in 1...12 as ClosedRange<UInt64> {
      var (recognizer, _) = try await taught(alike, labels: 4, shots: 5, seed: seed)
      let report = try recognizer.adapt()
      #expect(report.changes.allSatisfy { $0.rightBefore == $0.count })
      let gain = try #require(report.logLossBefore) - (try #require(report.logLossAfter))
      #expect(report.outcome == .noGain || gain >= 1e-3, "\(gain)")
      if gain > 0, gain < 1e-3 {
        #expect(report.outcome == .noGain)
        refused += 1
      }
    }
    #expect(refused > 0, "no trial had a gain too small to notice")
  }

  @Test("An adapted model is no surer of wrong answers: its log loss on new drawings falls")
  func confidences() async throws {
    var (before, after, accepted) = (0.0, 0.0, 0)
    for seed in 21...30 as ClosedRange<UInt64> {
      var (recognizer, queries) = try await taught(.own, asked: 20, seed: seed)
      func loss() -> Double {
        let all = recognizer.head.confidences(
          for: queries.flatMap { $0 }, in: recognizer.memory)
        return queries.indices.reduce(0) {
          $0 - log(Double(max(1e-12, all[$1 * 6 + $1 / 20])))
        } / Double(queries.count)
      }
      let plain = loss()
      guard try recognizer.adapt().outcome == .accepted else { continue }
      (before, after, accepted) = (before + plain, after + loss(), accepted + 1)
    }
    #expect(accepted >= 5, "\(accepted) of 10")
    #expect(after < before, "\(after) instead of \(before)")
  }

  @Test(
    "It is kept only if no fewer left-out samples are right and their log loss falls",
    arguments: 1...6)
  func keepsOnlyGains(seed: UInt64) async throws {
    for user in [User.usual, .own] {
      var (recognizer, _) = try await taught(user, labels: 5, shots: 6, seed: seed)
      let unadapted = recognizer
      let report = try recognizer.adapt()
      let (before, after) = (
        report.changes.reduce(0) { $0 + $1.rightBefore },
        report.changes.reduce(0) { $0 + $1.rightAfter }
      )
      #expect(report.changes.map(\.label) == recognizer.labels)
      #expect(report.changes.allSatisfy { $0.count == 6 })
      switch report.outcome {
      case .accepted:
        #expect(after >= before)
        #expect(try #require(report.logLossAfter) < (try #require(report.logLossBefore)))
        #expect(recognizer.memory.adaptation?.priorWeight == report.priorWeight)
      case .noGain: #expect(try bytes(recognizer) == bytes(unadapted))
      default: Issue.record("\(report.outcome)")
      }
    }
  }

  @Test("What the report counts is what models without the sample, and its part, answer")
  func leftOut() async throws {
    var (recognizer, _) = try await taught(.own, labels: 4, shots: 8, seed: 3)
    let report = try recognizer.adapt()
    var (before, after) = ([Int](repeating: 0, count: 4), [Int](repeating: 0, count: 4))
    let weight = try #require(report.priorWeight)
    let samples = Set(recognizer.memory.samples)
    let inks = samples.map(\.digest).sorted()
    for (row, sample) in recognizer.memory.samples.enumerated() {
      var without = recognizer.untaught()
      let rest = recognizer.memory.samples.indices.filter { $0 != row }
      without.update(
        with: rest.map { recognizer.memory.samples[$0] },
        vectors: rest.flatMap { Array(recognizer.memory.vector($0)) })
      let vector = Array(recognizer.memory.vector(row))
      let label = try #require(recognizer.labels.firstIndex(of: sample.label))
      if without.answers(to: vector)[0].candidates[0].label == sample.label { before[label] += 1 }
      let part = (try #require(inks.firstIndex(of: sample.digest))) % 5
      let others = samples.filter { inks.firstIndex(of: $0.digest).map { $0 % 5 } != part }
      try without.adapt(
        to: Adaptation(priorWeight: weight, samples: others))
      if without.answers(to: vector)[0].candidates[0].label == sample.label { after[label] += 1 }
    }
    #expect(report.changes.map(\.rightBefore) == before)
    #expect(report.changes.map(\.rightAfter) == after)
  }

  @Test("Where nothing can be adapted, the report says why and the model stays")
  func reasons() async throws {
    func outcome(_ recognizer: Recognizer) throws -> AdaptationReport.Outcome {
      var copy = recognizer
      let report = try copy.adapt()
      #expect(try bytes(copy) == bytes(recognizer))
      #expect(report.changes.isEmpty && report.logLossBefore == nil)
      return report.outcome
    }
    var (recognizer, _) = try await taught(.own, labels: 1, shots: 20, seed: 1)
    #expect(try outcome(recognizer) == .tooFewSamples)
    #expect(try outcome(recognizer.untaught()) == .tooFewSamples)
    (recognizer, _) = try await taught(.own, labels: 9, shots: 1, seed: 1)
    #expect(try outcome(recognizer) == .tooFewSamples)
    for head in HeadTests.all where head != .twoCovariance {
      recognizer.replaceHead(with: head)
      #expect(try outcome(recognizer) == .otherHead)
    }
    var plain = try Doodles.untaught(.twoCovariance)
    try await plain.update(with: Doodles.set(4))
    #expect(try outcome(plain) == .noPrior)
  }

  @Test("Samples that trained the embedding lie too close together to adapt to")
  func fitted() async throws {
    let world = GaussianWorld(between: (0..<8).map { 12 / Double(1 + $0) }, seed: 1)
    let prior = PLDAPrior(
      model: try world.prior(labels: 40, calibrating: 10, questions: 20, seed: 1).model)
    let drawings = Doodles.set(6)
    var recognizer = try Doodles.untaught(
      .twoCovariance, prior: prior, fittedTo: Array(drawings))
    try await recognizer.update(with: drawings)
    #expect(try recognizer.adapt().outcome == .tooFewSamples)
  }

  // MARK: Short cuts

  @Test("Sums of parts give the scatter of all, and of all but a part", arguments: 1...4)
  func scatter(seed: UInt64) {
    let (labels, directions, parts) = (4, 6, 3)
    var generator = SeededGenerator(seed: seed)
    var samples: [(x: [Float], label: Int, part: Int)] = []
    for label in 0..<labels {
      // Labels of 1, 4, 7 and 10 samples, far from the origin.
      for _ in 0...(3 * label) {
        let x = (0..<directions).map { Float(20 * label + $0) + Float(generator.normal()) }
        samples.append((x, label, generator.integer(below: parts)))
      }
    }
    for left in [nil, 0, 1, 2] {
      var sums = ScatterSums(labels: labels, directions: directions)
      for part in 0..<parts where part != left {
        let chosen = samples.filter { $0.part == part }
        sums += ScatterSums(
          of: chosen.flatMap(\.x), labels: chosen.map(\.label), among: labels,
          directions: directions)
      }
      let rest = samples.filter { $0.part != left }
      var (plain, freedom) = ([Double](repeating: 0, count: directions * directions), 0)
      for label in 0..<labels {
        let group = rest.filter { $0.label == label }.map { $0.x.map { Double($0) } }
        freedom += max(0, group.count - 1)
        let mean = (0..<directions).map { k in
          group.reduce(0) { $0 + $1[k] } / Double(group.count)
        }
        for x in group {
          for i in 0..<directions {
            for j in 0..<directions {
              plain[i * directions + j] += (x[i] - mean[i]) * (x[j] - mean[j])
            }
          }
        }
      }
      #expect(sums.degreesOfFreedom == Double(freedom))
      #expect(zip(sums.scatter, plain).allSatisfy { abs($0 - $1) < 1e-9 })
    }
  }

  @Test("A memory restored from a file's samples is one that was taught and adapted")
  func restored() async throws {
    let memory = try await adapted(seed: 1).memory
    let adaptation = try #require(memory.adaptation)
    for adaptation in [nil, adaptation] {
      var plain = memory.emptied()
      plain.insert(memory.samples, vectors: memory.vectors)
      try plain.adapt(adaptation)
      var restored = memory.emptied()
      try restored.restore(memory.samples, vectors: memory.vectors, adaptation: adaptation)
      #expect(restored == plain)
    }
    var restored = memory.emptied()
    var samples = memory.samples
    samples.swapAt(3, 4)
    #expect(throws: ModelError.malformed("its samples are not in order")) {
      try restored.restore(samples, vectors: memory.vectors, adaptation: nil)
    }
    let few = Adaptation(priorWeight: 300, samples: Set(samples.prefix(1)))
    #expect(throws: ModelError.self) {
      try restored.restore(memory.samples, vectors: memory.vectors, adaptation: few)
    }
    #expect(restored == memory.emptied())
  }

  @Test("Labels that it was not adapted to do not change the adapted models, to the bit")
  func otherLabels() async throws {
    let before = try await adapted(seed: 2)
    var recognizer = before
    // Among the others, and more of them than a matrix product takes at once.
    let (count, vector) = (900, Array(before.memory.vector(0)))
    recognizer.update(
      with: (0..<count).map {
        TaughtSample(id: "\($0)", label: "label \($0 % 5)-\($0)", digest: "other \($0)")
      }, vectors: (0..<count).flatMap { _ in vector })
    let adaptation = try #require(recognizer.memory.adaptation)
    let model = try #require(recognizer.memory.prior?.model)
    #expect(
      try AdaptedModels(adaptation, in: recognizer.memory, model: model)
        == before.memory.adaptedModels)
  }

  @Test("Samples left out together get the scores of each alone")
  func together() async throws {
    var recognizer = try await adapted(seed: 4)
    let (first, last) = (recognizer.memory.samples[0], recognizer.memory.samples[9])
    // A copy, a label of one ink, and samples that it did not adapt to.
    recognizer.update(
      with: [
        TaughtSample(id: "copy", label: first.label, digest: first.digest),
        TaughtSample(id: "a", label: "one", digest: "0"),
        TaughtSample(id: "b", label: "one", digest: "0"),
        TaughtSample(id: "c", label: last.label, digest: "1"),
      ],
      vectors: [0, 1, 2, 9].flatMap { Array(recognizer.memory.vector($0)) })
    let memory = recognizer.memory
    let labels = Array(memory.labels.indices)
    let all = LeaveOneOutScores.rows(of: labels, in: memory) { $0 % 7 != 2 }
    #expect(all.map(\.isEmpty) == labels.map { memory.labels[$0] == "one" })
    for label in labels {
      #expect(LeaveOneOutScores.rows(of: [label], in: memory) { $0 % 7 != 2 } == [all[label]])
      for row in all[label] {
        let scores = memory.scores(leavingOutPart: row.part)
        var plain = scores.scores(of: row.x)
        plain[label] = row.own
        #expect(row.scores == plain)
        #expect(
          memory.rows(ofLabel: label).contains { number in
            scores.model.project(Array(memory.vector(number))) == row.x
          })
      }
    }
  }

  // MARK: Exactness

  /// An adapted recognizer, whatever its own samples say of the gain.
  private func adapted(seed: UInt64) async throws -> Recognizer {
    var (recognizer, _) = try await taught(.own, labels: 5, shots: 6, seed: seed)
    let weight = Adaptation.priorWeights[Int(seed) % Adaptation.priorWeights.count]
    try recognizer.adapt(
      to: Adaptation(
        priorWeight: weight,
        samples: recognizer.memory.samplesToAdaptTo))
    return recognizer
  }

  @Test("Adapting twice gives the same bytes, and the order of teaching does not matter")
  func deterministic() async throws {
    let (recognizer, _) = try await taught(.own, seed: 5)
    var (once, other) = (recognizer, recognizer.untaught())
    for row in recognizer.memory.samples.indices.reversed() {
      other.update(
        with: [recognizer.memory.samples[row]], vectors: Array(recognizer.memory.vector(row)))
    }
    let report = try once.adapt()
    #expect(try other.adapt() == report)
    #expect(try bytes(other) == bytes(once))
    #expect(other.memory == once.memory)
    #expect(try once.adapt() == report, "an adapted model does not adapt to what it is")
    #expect(try bytes(other) == bytes(once))
  }

  @Test(
    "G-005: teaching and then forgetting leaves an adapted model's bytes and answers",
    arguments: 1...4)
  func teachAndForget(seed: UInt64) async throws {
    let before = try await adapted(seed: seed)
    var recognizer = before
    var generator = SeededGenerator(seed: seed)
    let new = User.own.draw(labels: 2, perLabel: 3, using: &generator)
    // Of a known label, of a new one, and of known ink under another name.
    let copied = try #require(before.memory.samples.first)
    recognizer.update(
      with: [
        TaughtSample(id: "n1", label: "label 1", digest: "0123"),
        TaughtSample(id: "n2", label: "new", digest: "4567"),
        TaughtSample(id: "0", label: "new", digest: "89ab"),
        TaughtSample(id: "!copy", label: copied.label, digest: copied.digest),
      ], vectors: new[0] + new[1] + new[2] + Array(before.memory.vector(0)))
    #expect(recognizer.memory.adaptation == before.memory.adaptation)
    #expect(recognizer.answers(to: new[0]) != before.answers(to: new[0]))
    try recognizer.forget(sample: "n1")
    try recognizer.forget(sample: "!copy")
    try recognizer.forget(label: "new")
    #expect(try bytes(recognizer) == bytes(before))
    #expect(recognizer.memory == before.memory)
    #expect(recognizer.answers(to: new[0]) == before.answers(to: new[0]))
  }

  @Test("A forgotten sample leaves nothing in the adaptation either")
  func forgetAdapted() async throws {
    var recognizer = try await adapted(seed: 2)
    var samples = recognizer.memory.samples
    let gone = samples.remove(at: 7)
    var never = recognizer.untaught()
    never.update(
      with: samples,
      vectors: recognizer.memory.samples.indices.filter { $0 != 7 }.flatMap {
        Array(recognizer.memory.vector($0))
      })
    let adaptation = try #require(recognizer.memory.adaptation)
    try never.adapt(
      to: Adaptation(
        priorWeight: adaptation.priorWeight,
        samples: Set(samples)))
    try recognizer.forget(sample: gone.id)
    #expect(recognizer.memory == never.memory)
    #expect(try bytes(recognizer) == bytes(never))
    // Until too few are left to tell how drawings of a label differ.
    for label in recognizer.labels.dropFirst() { try recognizer.forget(label: label) }
    #expect(recognizer.memory.adaptation == nil)
    #expect(
      recognizer.memory.scores.model == recognizer.memory.prior?.model, "as the base says")
  }

  @Test("A sample taught again under another label no longer counts for the first one's spread")
  func corrected() async throws {
    var recognizer = try await adapted(seed: 1)
    let old = recognizer.memory.samples[3]
    let vector = Array(recognizer.memory.vector(3))
    var corrected = old
    corrected.label = "label 4"
    recognizer.update(with: [corrected], vectors: vector)
    #expect(recognizer.memory.adaptation?.samples.contains(old) == false)
    #expect(recognizer.memory.adaptation?.samples.count == 29)
    // Taught again as it is, it changes nothing.
    let (before, first) = (recognizer, recognizer.memory.samples[0])
    recognizer.update(with: [first], vectors: Array(recognizer.memory.vector(0)))
    #expect(recognizer.memory == before.memory)
  }

  @Test("The model file keeps it: read back, it is the same and goes on the same")
  func file() async throws {
    let folder = try TemporaryFolder()
    var recognizer = try await adapted(seed: 3)
    try ModelFile.write(recognizer, to: folder.file("m"))
    var read = try ModelFile.read(folder.file("m"))
    #expect(read.memory == recognizer.memory)
    #expect(try bytes(read) == bytes(recognizer))
    let query = Array(recognizer.memory.vector(0))
    #expect(read.answers(to: query) == recognizer.answers(to: query))
    let id = recognizer.memory.samples[11].id
    try recognizer.forget(sample: id)
    try read.forget(sample: id)
    #expect(try bytes(read) == bytes(recognizer))
    #expect(read.untaught().memory.adaptation == nil)
  }

  @Test("A file whose adaptation is invalid is refused")
  func hostile() async throws {
    let folder = try TemporaryFolder()
    let recognizer = try await adapted(seed: 3)
    let weight = try #require(recognizer.memory.adaptation?.priorWeight)
    func littleEndian(_ values: [some FixedWidthInteger]) -> [UInt8] {
      values.flatMap { value in
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
    }
    func bits(_ value: Double) -> [UInt8] { littleEndian([value.bitPattern]) }
    func rows(_ values: [Int]) -> [UInt8] { littleEndian(values) }
    let (number, list) = ("the weight of its adaptation", "its adaptation and samples do not fit")
    for (old, new, complaint) in [
      (bits(weight), bits(0), number), (bits(weight), bits(-1), number),
      (bits(weight), bits(.nan), number), (bits(weight), bits(.infinity), number),
      (rows([3, 4, 5]), rows([3, 4, 4]), list), (rows([27, 28, 29]), rows([27, 28, 30]), list),
      (rows([0, 1, 2]), rows([-1, 1, 2]), list),
    ] {
      try ModelFile.write(recognizer, to: folder.file("m"))
      var payload = Array(try AtomicFile.read(folder.file("m")).dropFirst(SealedFile.headerLength))
      let start = try #require(payload.indices.last { payload[$0...].starts(with: old) })
      payload.replaceSubrange(start..<(start + new.count), with: new)
      try ModelFile.format.write(payload, to: folder.file("m"))
      let error = #expect(throws: FileError.self) { try ModelFile.read(folder.file("m")) }
      #expect(error?.description.contains(complaint) == true, "\(String(describing: error))")
    }
  }

  // MARK: Refusal

  @Test(
    "G-012: the dial holds after adapting, for usual users and for users of their own",
    arguments: [(User.usual, 5), (.usual, 20), (.own, 20)])
  func dial(user: User, shots: Int) async throws {
    var (typicalities, accepted) = ([Double](), 0)
    for seed in 1...80 as ClosedRange<UInt64> {
      var (recognizer, queries) = try await taught(
        user, labels: 5, shots: shots, asked: 6, seed: 1000 + seed)
      let report = try recognizer.adapt()
      accepted += report.outcome == .accepted ? 1 : 0
      typicalities += recognizer.answers(to: queries.flatMap { $0 }).compactMap {
        $0.evidence?.typicality
      }
    }
    for rate in [0.05, 0.1, 0.2] {
      let refused = Double(typicalities.count { $0 < rate }) / Double(typicalities.count)
      // The world's calibration knows 5 drawings a label at most: of 20, fewer are refused.
      #expect(
        (-0.045...0.03).contains(refused - rate),
        "\(user.spread), \(shots) shots: \(refused) for \(rate), \(accepted) of 80 adapted")
    }
  }
}
