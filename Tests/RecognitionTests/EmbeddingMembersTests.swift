import Ink
import NeuralNetwork
import Numbers
import TestTools
import Testing

@testable import Recognition

@Suite("Embeddings of several networks")
struct EmbeddingMembersTests {
  /// One that sees pixels and one that sees points, with random weights.
  static func members() throws -> [EmbeddingMember] {
    var generator = SeededGenerator(seed: 8)
    let sequence = StrokeSequence(steps: 12)
    return [
      try EmbeddingMember(
        view: Doodles.recipe.view,
        network: NetworkForTests.residual(Doodles.recipe, using: &generator)),
      try EmbeddingMember(
        view: .sequence(sequence),
        network: Network.residual(
          inputShape: sequence.shape, channels: [4, 6], blocks: [0, 1], kernels: [5, 3],
          pooling: .maxAndFlatten, embedding: 5, classes: 3, using: &generator
        ).dropLast(), weight: 0.75),
    ]
  }

  @Test("Its vector is those of its networks, of length 1 together")
  func joined() throws {
    let members = try Self.members()
    let both = try Embedding(members)
    #expect(both.dimension == 8 + 5)
    #expect(both.parameterCount == members.reduce(0) { $0 + $1.network.parameters.count })
    for drawing in Doodles.set(2) {
      // 1 and 0.75 over the length of both, 1.25; alone, a weight says nothing.
      let parts = try zip(members, [0.8, 0.6] as [Float]).flatMap { member, share in
        try Embedding([member]).vector(of: drawing).map { $0 * share }
      }
      let vector = try both.vector(of: drawing)
      #expect(vector.count == parts.count)
      for (a, b) in zip(vector, parts) { #expect(abs(a - b) < 1e-6) }
      #expect(abs(vector.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
    }
  }

  @Test("What it gives does not depend on who comes along, on threads or ranks")
  func exactness() async throws {
    let both = try Embedding(Self.members())
    let drawings = Doodles.set(20)
    let alone = try drawings.flatMap { try both.vector(of: $0) }
    for threads in [1, 3] {
      #expect(try await both.vectors(of: drawings, threads: threads) == alone)
    }
    // 140 in three blocks: the last of four ranks has none.
    let many = Doodles.set(140)
    let expected = try await both.vectors(of: many)
    for ranks in [2, 4] {
      let shared = try await ThreadRank.run(ranks) {
        try await both.vectors(of: many, threads: 1, sharedBy: $0)
      }
      #expect(shared == Array(repeating: expected, count: ranks), "\(ranks) ranks")
    }
    for count in [1, 15, 16, 17] {
      let some = try await both.vectors(of: Array(drawings.prefix(count)))
      #expect(some == Array(alone.prefix(count * both.dimension)), "the first \(count)")
    }
  }

  @Test("Members of the same network share its weights, to the bit, as long as one is in use")
  func sharing() async throws {
    weak var given: SharedNetwork?
    do {
      let member = try #require(try Self.members().first)
      func copy(_ change: (inout [Float]) -> Void) throws -> EmbeddingMember {
        var parameters = member.network.parameters
        change(&parameters)
        return try EmbeddingMember(
          view: member.view,
          network: Network(
            member.network.architecture, parameters: parameters,
            statistics: member.network.statistics),
          weight: 0.5)
      }
      let same = try copy { $0.reserveCapacity(2 * $0.count) }
      #expect(same.shared === member.shared && same != member, "their weights differ")
      let zero = try copy { $0[0] = 0 }
      let negative = try copy { $0[0] = -0.0 }
      #expect(zero.shared !== member.shared && zero.shared !== negative.shared)
      #expect(negative.network.parameters[0].sign == .minus)
      given = zero.shared
      #expect(given != nil)
    }
    // Other tests that look for a network hold each one while they compare it.
    for _ in 0..<500 where given != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(given == nil)
  }

  @Test("Members of the same network that are made at the same time share its weights")
  func sharingAtOnce() async throws {
    let network = try #require(try Self.members().first).network
    var parameters = network.parameters
    parameters[0] = 0.125
    let own = try Network(
      network.architecture, parameters: parameters, statistics: network.statistics)
    let shared = await withTaskGroup(of: SharedNetwork.self) { group in
      for _ in 0..<8 { group.addTask { SharedNetwork.of(own) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(shared.allSatisfy { $0 === shared[0] })
  }

  @Test("The order of points tells a stroke from the same one drawn backwards, pixels do not")
  func direction() throws {
    let members = try Self.members()
    let there = Doodles.drawing("line", 1)
    var back = there
    for index in back.strokes.indices { back.strokes[index].points.reverse() }
    let picture = try Embedding([members[0]])
    let strokes = try Embedding([members[1]])
    for (a, b) in zip(try picture.vector(of: there), try picture.vector(of: back)) {
      #expect(abs(a - b) < 1e-4)
    }
    #expect(try strokes.vector(of: there) != strokes.vector(of: back))
  }

  @Test("A model of two networks comes back from its file, and answers the same")
  func roundTrip() async throws {
    let folder = try TemporaryFolder()
    var recognizer = Recognizer(
      embedding: try Embedding(Self.members()), head: .classMeans, provenance: Doodles.provenance())
    try await recognizer.update(with: Doodles.set(4))
    let path = folder.file("two.drawml")
    try ModelFile.write(recognizer, to: path)
    let read = try ModelFile.read(path)
    #expect(read.embedding == recognizer.embedding)
    #expect(read.embedding.fingerprint == recognizer.embedding.fingerprint)
    #expect(try ModelFile.fingerprint(of: read) == ModelFile.fingerprint(of: recognizer))
    let drawing = Doodles.drawing("circle", 77)
    #expect(try read.classify(drawing) == recognizer.classify(drawing))
  }

  @Test("No network, one of another shape, and one of several without unit vectors are refused")
  func faults() throws {
    let members = try Self.members()
    #expect(throws: ModelError.malformed("it has no network")) { try Embedding([]) }
    #expect(throws: ModelError.self) {
      try EmbeddingMember(view: members[1].view, network: members[0].network)
    }
    for weight in [0, -1, .nan, .infinity] as [Float] {
      #expect(throws: ModelError.self) {
        try EmbeddingMember(view: members[0].view, network: members[0].network, weight: weight)
      }
    }
    let raw = try EmbeddingMember(
      view: members[0].view, network: members[0].network.dropLast())
    #expect(throws: Never.self) { try Embedding([raw]) }
    #expect(throws: ModelError.malformed("one of its networks gives no unit vectors")) {
      try Embedding([raw, members[1]])
    }
  }

  @Test("Networks that keep too much of a drawing together are refused, each alone is not")
  func memory() throws {
    let rasterizer = Rasterizer(width: 512, height: 512)
    let architecture = Network.Architecture(
      inputShape: rasterizer.shape, layers: [.globalAveragePool, .l2Normalize()])
    let member = try EmbeddingMember(
      view: .picture(rasterizer),
      network: Network(architecture, parameters: [], statistics: []))
    #expect(throws: Never.self) { try Embedding([member]) }
    let error = #expect(throws: ModelError.self) {
      try Embedding(Array(repeating: member, count: 21))
    }
    #expect("\(try #require(error))".contains("values of a drawing while they run"))
  }

  @Test("A network that sees points learns from drawings, with a teacher that sees pixels")
  func training() async throws {
    var recipe = Doodles.recipe
    recipe.view = .sequence(StrokeSequence(steps: 16))
    recipe.network.channels = [8, 8]
    recipe.network.blocks = [0, 1]
    recipe.network.kernels = [5, 3]
    recipe.network.pooling = .maxAndFlatten
    recipe.distillationWeight = 1
    recipe.training.epochs = 12
    let teacher = try Embedding([Self.members()[0]])
    let outcome = try await EmbeddingTrainer(recipe, teacher: teacher).fit(
      training: Doodles.set(24), validation: Doodles.set(12, seed: 2), seed: 1, threads: 1)
    #expect(outcome.embedding.members[0].view == recipe.view)
    #expect(try #require(outcome.history.last?.validationAccuracy) > 0.8)
    #expect(try #require(outcome.history.last).trainingLoss < outcome.history[0].trainingLoss / 2)
  }

  @Test("Class vectors of several trainings are joined label by label")
  func classVectors() throws {
    let joined = ClassVectors(
      joining: [
        ClassVectors(labels: ["a", "b"], vectors: [1, 0, 0, 1]),
        ClassVectors(labels: ["a", "b"], vectors: [0.6, 0.8, 0.8, 0.6]),
      ], for: try Embedding(Self.members()))
    #expect(joined.labels == ["a", "b"])
    let shares: [Float] = [0.8, 0.6]
    #expect(
      joined.vector(of: "b").map(Array.init)
        == [0, shares[0], 0.8 * shares[1], 0.6 * shares[1]])
  }
}
