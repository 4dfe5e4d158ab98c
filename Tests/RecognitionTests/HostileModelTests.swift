import Files
import Foundation
import Ink
import NeuralNetwork
import TestTools
import Testing

@testable import Recognition

@Suite("Model files with a sound seal around unsound contents")
struct HostileModelTests {
  /// Why a model is refused in which the first bytes that are `old` are `new`, under a sound seal;
  /// nil where it is read.
  private func refusal(
    of recognizer: Recognizer, replacing old: [UInt8], with new: [UInt8]
  ) throws -> FileError? {
    let folder = try TemporaryFolder()
    let path = folder.file("m")
    try ModelFile.write(recognizer, to: path)
    #expect(try ModelFile.read(path).memory.priors == recognizer.memory.priors)
    try #require(try ModelFile.format.replace(old, with: new, in: path))
    do {
      _ = try ModelFile.read(path)
      return nil
    } catch let error as FileError {
      #expect(error.description.hasPrefix("cannot read \(path): "), "\(error)")
      return error
    }
  }

  /// The message of a model in which the text `old` is replaced by `new`, of the same length.
  private func message(
    _ head: HeadConfiguration = .classMeans, replacing old: String, with new: String
  ) async throws -> String {
    var recognizer = try Doodles.untaught(head)
    try await recognizer.update(with: Doodles.set(5))
    let text =
      try refusal(of: recognizer, replacing: Array(old.utf8), with: Array(new.utf8))?.description
      ?? "read"
    #expect(!text.contains("Error") && !text.contains("("), "a type's name in: \(text)")
    return text
  }

  @Test("A number of a sample's vector is at most 1", arguments: [1000, -1e30, .nan] as [Float])
  func length(factor: Float) async throws {
    var recognizer = try Doodles.untaught(.classMeans)
    try await recognizer.update(with: Doodles.set(1))
    let first = Array(recognizer.memory.vectors.prefix(recognizer.memory.dimension))
    let refusal = try refusal(
      of: recognizer, replacing: bytes(first), with: bytes(first.map { $0 * factor }))
    #expect(refusal?.reason == .malformed("a number of a sample's vector is beyond 1"))
  }

  /// A prior with numbers that are found again in the file.
  private static let prior = Result {
    let cells = Calibration.labelCounts.count * Calibration.shotCounts.count
    let quantiles = (0..<cells).flatMap { _ in (0...100).map { Float($0) } }
    return PLDAPrior(
      model: try TwoCovarianceModel(
        mean: [Float](repeating: 0.0625, count: 8),
        projection: (0..<16).map { Float($0) + 0.15625 }, betweenVariances: [3.375, 1.265625]),
      calibration: try Calibration(
        marginWeight: 0.1, evidence: quantiles, temperatures: (0..<cells).map { Float($0) + 2.6875 }
      ))
  }

  @Test(
    "A prior or calibration with invalid numbers is refused",
    arguments: [
      ([3.375, 1.265625], [3.375, -1.265625], "a number of its prior"),
      ([3.375, 1.265625], [.nan, 1.265625], "a number of its prior"),
      ([14.15625, 15.15625], [.infinity, 15.15625], "a number of its prior"),
      ([14.15625, 15.15625], [14.15625, 3e38], "a number of its prior"),
      ([0.0625, 0.0625, 0.0625], [0.0625, 3e38, 0.0625], "a number of its prior"),
      ([2.6875, 3.6875], [0, 3.6875], "temperatures"),
      ([2.6875, 3.6875], [1e-30, 3.6875], "temperatures"),
      ([2.6875, 3.6875], [2.6875, .nan], "temperatures"),
      ([55, 56, 57], [55, 12, 57], "quantiles"), ([55, 56, 57], [55, .nan, 57], "quantiles"),
      ([98, 99, 100], [98, 99, 3e38], "quantiles"),
    ] as [([Float], [Float], String)])
  func prior(old: [Float], new: [Float], complaint: String) throws {
    let recognizer = try Doodles.untaught(.twoCovariance, prior: try Self.prior.get())
    let error = try refusal(of: recognizer, replacing: bytes(old), with: bytes(new))
    #expect(error?.description.contains(complaint) == true, "\(String(describing: error))")
  }

  @Test(
    "Priors that are several must have names of their own and all their directions",
    arguments: [
      (Array("northsouth".utf8), Array("northnorth".utf8), "names are invalid"),
      (bytes([4.6875, 5.71875]), bytes([0, 0]), "not all different"),
      (bytes([4.6875, 5.71875]), bytes([.nan, 5.71875]), "a number of its prior"),
    ])
  func priors(old: [UInt8], new: [UInt8], complaint: String) throws {
    func prior(_ name: String) throws -> PLDAPrior {
      PLDAPrior(
        named: name,
        model: try TwoCovarianceModel(
          mean: [Float](repeating: 0, count: 8),
          projection: (0..<56).map { $0 % 9 == 0 ? 1 : 0 },
          betweenVariances: [Float](repeating: 2, count: 7),
          rest: [0, 0, 0, 0, 0, 0, 4.6875, 5.71875]))
    }
    let recognizer = Recognizer(
      embedding: try Doodles.untaught().embedding, priors: try ["north", "south"].map(prior),
      head: .twoCovariance, provenance: Doodles.provenance())
    let error = try refusal(of: recognizer, replacing: old, with: new)
    #expect(error?.description.contains(complaint) == true, "\(String(describing: error))")
  }

  @Test(
    "A head whose scores would overflow is refused",
    arguments: [(.linear(penalty: 10), "weights", -3e38), (.classMeans, "means", 3e38)]
      as [(HeadConfiguration, String, Float)])
  func headNumbers(head: HeadConfiguration, name: String, value: Float) async throws {
    var recognizer = try Doodles.untaught(head)
    try await recognizer.update(with: Doodles.set(5))
    let numbers = try #require(recognizer.head.learned[name]).values
    #expect(
      try reason(recognizer, replacing: numbers, with: value)
        == .malformed("a number of its head's \(name) is invalid"))
  }

  @Test("A trained label's vector beyond 1, which would spoil what is taught later, is refused")
  func trainedVectors() throws {
    let untaught = try Doodles.untaught()
    let vectors = (0..<16).map { Float($0) / 64 + 0.015625 }
    let recognizer = Recognizer(
      embedding: untaught.embedding, trained: ClassVectors(labels: ["a", "b"], vectors: vectors),
      head: .linear(penalty: 10), provenance: Doodles.provenance())
    for value in [3e38, -2, .nan] as [Float] {
      #expect(
        try reason(recognizer, replacing: vectors, with: value)
          == .malformed("a number of a trained label's vector is beyond 1"))
    }
  }

  /// Why a model is refused in which all of `numbers` are `value`, under a sound seal.
  private func reason(
    _ recognizer: Recognizer, replacing numbers: [Float], with value: Float
  ) throws -> FileError.Reason? {
    try refusal(
      of: recognizer, replacing: bytes(numbers), with: bytes(numbers.map { _ in value }))?.reason
  }

  @Test(
    "An embedding that gives no unit vector is named as the fault, not the drawing",
    arguments: [3e38, 1e9] as [Float])
  func noUnitVector(weight: Float) throws {
    let view = Doodles.recipe.view
    let network = try Network(
      .init(
        inputShape: view.shape, layers: [.globalAveragePool, .dense(features: 2, bias: false)]),
      parameters: [Float](repeating: weight, count: 2 * (view.shape.last ?? 1)), statistics: [])
    let embedding = try Embedding([EmbeddingMember(view: view, network: network)])
    let error = #expect(throws: ModelError.self) {
      try embedding.vector(of: Doodles.drawing("line", 0))
    }
    #expect(
      error?.description.hasSuffix(
        "the model's embedding gives it no unit vector; the model is broken, train it again")
        == true)
  }

  @Test("A refusal rate beyond the dial is refused with its place")
  func refusalRate() async throws {
    #expect(
      try await message(replacing: "\"refusalRate\":0.1", with: "\"refusalRate\":9.1")
        .contains("policy.refusalRate"))
  }

  @Test("A head that asks for no neighbors or has a negative penalty is refused")
  func head() async throws {
    let neighbors = HeadConfiguration.nearestNeighbors(count: 5, weights: .uniform)
    #expect(
      try await message(neighbors, replacing: "\"count\":5", with: "\"count\":0")
        .hasSuffix("its head asks for 0 neighbors"))
    #expect(
      try await message(.linear(penalty: 10), replacing: "\"penalty\":10", with: "\"penalty\":-1")
        .hasSuffix("its head has the penalty -1.0"))
  }

  @Test("An architecture that does not fit, or has a layer of no known kind, is refused")
  func architecture() async throws {
    #expect(
      try await message(replacing: "\"kind\":\"relu\"", with: "\"kind\":\"rely\"")
        .contains("a layer of kind \"rely\""))
    #expect(
      try await message(replacing: "\"inputShape\":[12,12,1]", with: "\"inputShape\":[12,-2,1]")
        .contains("cannot take"))
    #expect(
      try await message(replacing: "\"features\":8", with: "\"features\":9") != "read")
  }

  @Test("A description of another form is refused with the place, not with a type's name")
  func description() async throws {
    #expect(
      try await message(replacing: "\"kernel\":3", with: "\"kernel\":{")
        .contains("its description"))
    #expect(
      try await message(replacing: "\"features\":8", with: "\"features\":\"").contains(
        "description")
    )
    #expect(
      try await message(replacing: "\"strokeWidth\":1.2", with: "\"strokeWidth\":-12")
        .contains("in its description members[0].view.rasterizer.strokeWidth"))
  }

  @Test("A network's weight beside others that is invalid, or makes vectors vanish, is refused")
  func memberWeight() async throws {
    #expect(
      try await message(replacing: "\"weight\":1}", with: "\"weight\":0}")
        .contains("one of its networks has the weight 0.0"))
    let member = try Doodles.untaught().embedding.members[0]
    #expect(throws: ModelError.self) {
      try EmbeddingMember(view: member.view, network: member.network, weight: 1e-30)
    }
  }

  @Test("A network whose variance is below 0 or whose numbers overflow makes no embedding")
  func unsoundNumbers() throws {
    let network = try Doodles.untaught().embedding.members[0].network
    for (scale, variance) in [(1, -1), (3e38, 0)] as [(Float, Float)] {
      let unsound = try Network(
        network.architecture, parameters: network.parameters.map { $0 == 1 ? scale : $0 },
        statistics: network.statistics.map { $0 == 1 ? variance : $0 })
      #expect(throws: ModelError.self) {
        try EmbeddingMember(view: Doodles.recipe.view, network: unsound)
      }
    }
  }

  @Test(
    "A name with a zero byte, which text in HDF5 cannot hold, leaves the old model in its place")
  func zeroByte() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("m")
    var recognizer = try Doodles.untaught()
    try await recognizer.update(with: Doodles.set(3))
    try ModelFile.write(recognizer, to: path)
    let before = try AtomicFile.read(path)
    var drawing = Doodles.drawing("line", 50)
    drawing.id = "a\0b"
    try await recognizer.update(with: [drawing])
    let error = #expect(throws: FileError.self) { try ModelFile.write(recognizer, to: path) }
    #expect(error?.path == path)
    #expect(try AtomicFile.read(path) == before)
  }
}

private func bytes(_ values: [Float]) -> [UInt8] {
  values.flatMap { value in
    (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
  }
}

@Suite("Exactness at the edges")
struct ExactnessTests {
  private func bytes(_ recognizer: Recognizer) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try ModelFile.write(recognizer, to: folder.file("m"))
    return try AtomicFile.read(folder.file("m"))
  }

  @Test(
    "A model that forgot all is the same as one that was taught nothing", arguments: HeadTests.all)
  func emptied(head: HeadConfiguration) async throws {
    let untaught = try Doodles.untaught(head)
    var emptied = untaught
    try await emptied.update(with: Doodles.set(8))
    for label in emptied.labels { try emptied.forget(label: label) }
    #expect(try bytes(emptied) == bytes(untaught))
    // Read back in between too.
    let folder = try TemporaryFolder()
    try await emptied.update(with: Doodles.set(2, labels: ["line"]))
    try ModelFile.write(emptied, to: folder.file("m"))
    var copy = try ModelFile.read(folder.file("m"))
    try copy.forget(label: "line")
    #expect(try bytes(copy) == bytes(untaught))
    #expect(
      try copy.classify(Doodles.drawing("line", 0)).decision
        == .unrecognized(best: nil, because: .nothingTaught))
  }

  @Test("Teaching again what the weights were fitted to changes nothing")
  func fittedAgain() async throws {
    let drawings = Doodles.set(20)
    var recognizer = try Doodles.untaught(fittedTo: Array(drawings.prefix(40)))
    try await recognizer.update(with: drawings)
    let before = try bytes(recognizer)
    try await recognizer.update(with: drawings)
    #expect(try bytes(recognizer) == before)
    #expect(recognizer.memory.wasFitted.count { $0 } == 40)
    // Also after it was forgotten in between.
    try recognizer.forget(label: "circle")
    try await recognizer.update(with: drawings)
    #expect(try bytes(recognizer) == before)
    // Under another label it is new to the weights; under another id it is not.
    var copy = drawings[0]
    copy.id = "copy"
    var corrected = drawings[1]
    corrected.label = "line"
    try await recognizer.update(with: [copy, corrected])
    let fitted = Dictionary(
      uniqueKeysWithValues: zip(
        recognizer.memory.samples.map(\.id), recognizer.memory.wasFitted))
    #expect(fitted["copy"] == true)
    #expect(fitted[corrected.id] == false)
    #expect(fitted[drawings[0].id] == true)
  }

  @Test("Labels in another Unicode normal form are the same label, to the byte")
  func normalForm() async throws {
    func taught(_ label: String) async throws -> Recognizer {
      var recognizer = try Doodles.untaught()
      var drawing = Doodles.drawing("line", 0)
      drawing.label = label
      try await recognizer.update(with: [drawing])
      return recognizer
    }
    #expect(try await bytes(taught("e\u{301}")) == bytes(taught("\u{e9}")))
  }

  @Test("The same ink under two ids is no evidence of how alike drawings of a label are")
  func copies() throws {
    let side = Float(0.75).squareRoot()
    var memory = SampleMemory(dimension: 2)
    func sample(_ id: String, _ label: String, _ digest: String) -> TaughtSample {
      TaughtSample(id: id, label: label, digest: digest)
    }
    memory.insert(
      [sample("1", "a", "x"), sample("2", "a", "x"), sample("3", "a", "y"), sample("4", "b", "x")],
      vectors: [1, 0, 1, 0, 0.5, side, 1, 0])
    // Two drawings of a: each is left out with all its copies. Of b's one drawing nothing is left.
    let answers = memory.leftOut.answers()
    #expect(answers.count == 2)
    var plain = SampleMemory(dimension: 2)
    plain.insert([sample("3", "a", "y"), sample("4", "b", "x")], vectors: [0.5, side, 1, 0])
    let own = plain.scores(of: [1, 0])
    let row = try #require(memory.leftOut.byLabel[0].first)
    #expect(zip(row.scores, own).allSatisfy { abs($0 - $1) < 1e-5 })
    memory.remove { $0.id == "3" }
    #expect(memory.leftOut.answers().isEmpty)
    memory.insert([sample("3", "a", "y")], vectors: [0.5, side])
    #expect(memory.leftOut.answers() == answers)
  }

  @Test("However many neighbors vote alike, no vote is negative")
  func manyNeighbors() {
    let count = 12_000
    let samples = (0..<count).map { row in
      TaughtSample(id: "\(row)", label: row < 6000 ? "a" : "b", digest: "\(row)")
    }
    let angles = (0..<count).map { .pi * (1 - Float($0) / Float(count)) }
    var memory = SampleMemory(dimension: 2)
    memory.insert(
      samples, vectors: angles.flatMap { [Float(cos(Double($0))), Float(sin(Double($0)))] })
    let confidences = NearestNeighbors(count: count, weights: .uniform)
      .confidences(for: [1, 0], in: memory)
    #expect(confidences.allSatisfy { $0 >= 0.49 && $0 <= 0.51 }, "\(confidences)")
    // The nearer half is "b".
    #expect(confidences[1] > confidences[0])
  }

  @Test("A checkpoint of a training on other pixels is refused")
  func otherPixels() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("checkpoint")
    let drawings = Doodles.set(8)
    var recipe = Doodles.recipe
    recipe.training.epochs = 1
    _ = try await EmbeddingTrainer(recipe).fit(
      training: drawings, validation: [], seed: 1, threads: 1
    ) { event in
      if case .checkpoint(let checkpoint) = event { try checkpoint.write(to: path) }
    }
    let checkpoint = try TrainingCheckpoint(reading: path)
    var (wider, augmented) = (recipe, recipe)
    wider.view = .picture(Rasterizer(width: 12, height: 12, strokeWidth: 2, margin: 0.5))
    augmented.augmentation = "all upside down"
    for other in [wider, augmented] {
      await #expect(throws: NetworkError.self) {
        try await EmbeddingTrainer(other).fit(
          training: drawings, validation: [], seed: 1, threads: 1, resumingFrom: checkpoint)
      }
    }
    _ = try await EmbeddingTrainer(recipe).fit(
      training: drawings, validation: [], seed: 1, threads: 1, resumingFrom: checkpoint)
  }
}
