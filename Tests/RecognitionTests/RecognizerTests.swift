import Files
import Foundation
import HDF5
import Ink
import Numbers
import TestTools
import Testing

@testable import Recognition

@Suite("Embedding")
struct EmbeddingTests {
  @Test("Vectors have length 1 and are the same alone, in company, and on any number of threads")
  func pure() async throws {
    let embedding = try Doodles.untaught().embedding
    let drawings = Doodles.set(40)
    let one = try await embedding.vectors(of: drawings, threads: 1)
    #expect(try await embedding.vectors(of: drawings, threads: 3) == one)
    for index in [0, 7, 63, 64, 159] {
      let vector = try embedding.vector(of: drawings[index])
      #expect(vector == Array(one[(index * 8)..<(index * 8 + 8)]))
      #expect(abs(vector.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
    }
  }

  @Test("A drawing without ink is refused by name")
  func empty() throws {
    let embedding = try Doodles.untaught().embedding
    #expect(throws: ModelError.drawing(id: "nothing", reason: "the drawing has no points")) {
      try embedding.vector(of: Drawing(id: "nothing", strokes: []))
    }
  }

  @Test("Pixels and network must fit")
  func mismatch() throws {
    let embedding = try Doodles.untaught().embedding
    #expect(throws: ModelError.self) {
      try Embedding(rasterizer: Rasterizer(), network: embedding.members[0].network)
    }
  }
}

@Suite("Recognizer")
struct RecognizerTests {
  @Test("G-005, US-005: trained on some drawings, it names others of the same kinds")
  func learns() async throws {
    let trainer = EmbeddingTrainer(Doodles.recipe)
    let outcome = try await trainer.fit(
      training: Doodles.set(24), validation: Doodles.set(6, seed: 2), seed: 5, threads: 2)
    var recognizer = Recognizer(
      embedding: outcome.embedding, head: .classMeans, provenance: Doodles.provenance())
    try await recognizer.update(with: Doodles.set(24))
    let asked = Doodles.set(15, seed: 3)
    let answers = try await recognizer.classify(asked)
    let right = zip(asked, answers).filter { $0.label == $1.decision.best?.label }
    #expect(right.count >= 57, "\(right.count) of 60")
    #expect(outcome.history.count == 6)
  }

  @Test("The same seed and drawings give the same bytes on one thread and two; another seed others")
  func repeatable() async throws {
    var recipe = Doodles.recipe
    recipe.training.epochs = 2
    let trainer = EmbeddingTrainer(recipe) { drawing, generator in
      AugmentedDrawing(drawing, strokeWidthFactor: generator.uniform(0.8...1.2))
    }
    func train(_ seed: UInt64, _ threads: Int) async throws -> Embedding {
      try await trainer.fit(
        training: Doodles.set(8), validation: [], seed: seed, threads: threads
      ).embedding
    }
    let first = try await train(1, 1)
    #expect(try await train(1, 2) == first)
    #expect(try await train(2, 1) != first)
  }

  @Test("Training needs two labels, and a label on every drawing")
  func unsuitable() async throws {
    let trainer = EmbeddingTrainer(Doodles.recipe)
    await #expect(throws: ModelError.oneLabel("line")) {
      try await trainer.fit(
        training: Doodles.set(4, labels: ["line"]), validation: [], seed: 1, threads: 1)
    }
    await #expect(throws: ModelError.noSamples) {
      try await trainer.fit(training: [], validation: [], seed: 1, threads: 1)
    }
    let nameless =
      Doodles.set(2) + [Drawing(id: "whose?", strokes: Doodles.drawing("line", 1).strokes)]
    await #expect(throws: ModelError.missingLabel(id: "whose?")) {
      try await trainer.fit(training: nameless, validation: [], seed: 1, threads: 1)
    }
  }

  @Test("More labels than a model can have are refused before any drawing is looked at")
  func manyLabels() async throws {
    var recognizer = try Doodles.untaught()
    let strokes = Doodles.drawing("line", 1).strokes
    let before = try await recognizer.update(with: Doodles.set(2))
    // Without points they would be refused, too, but later.
    let many = (0..<4097).map { Drawing(id: "\($0)", label: "\($0)", strokes: []) }
    let error = ModelError.tooManyLabels(4097 + before.newLabels.count, limit: 4096)
    await #expect(throws: error) { try await recognizer.update(with: many) }
    #expect("\(error)".contains("4,096") && recognizer.labels == before.newLabels)
    try await recognizer.update(with: [Drawing(id: "a", label: "another", strokes: strokes)])
  }

  @Test(
    "G-005: five drawings of a new label are recognized at once, and nothing else changes place")
  func update() async throws {
    var recognizer = try Doodles.untaught()
    try await recognizer.update(with: Doodles.set(5, labels: ["circle", "line"]))
    let update = try await recognizer.update(with: Doodles.set(5, labels: ["cross"]))
    #expect(update == Recognizer.Update(added: 5, repeated: 0, relabeled: 0, newLabels: ["cross"]))
    #expect(recognizer.labels == ["circle", "cross", "line"])
    let answer = try recognizer.classify(Doodles.drawing("cross", 0, seed: 9))
    #expect(answer.decision.best?.label == "cross")
    let again = try await recognizer.update(with: Doodles.set(5, labels: ["cross"]))
    #expect(again == Recognizer.Update(added: 0, repeated: 5, relabeled: 0, newLabels: []))
    // The same drawings, one of them under another label.
    var corrected = Doodles.set(5, labels: ["cross"])
    corrected[0].label = "line"
    let correction = try await recognizer.update(with: corrected)
    #expect(correction == Recognizer.Update(added: 0, repeated: 4, relabeled: 1, newLabels: []))
  }

  @Test("An emoji with and without its variation selector is one label")
  func oneEmoji() async throws {
    let (bare, full) = ("\u{2764}", "\u{2764}\u{fe0f}")
    func drawing(_ label: String, _ number: Int) -> Drawing {
      var drawing = Doodles.drawing("circle", number)
      drawing.label = label
      return drawing
    }
    var recognizer = try Doodles.untaught()
    try await recognizer.update(with: [drawing(full, 1), drawing(bare, 2)])
    #expect(recognizer.labels.map { Array($0.utf8) } == [Array(full.utf8)])
    // A model of an older program keeps its spelling.
    var old = try Doodles.untaught()
    let taught = Doodles.drawing("circle", 3)
    old.update(
      with: [TaughtSample(id: "old", label: bare, digest: taught.digest)],
      vectors: try old.embedding.vector(of: taught))
    try await old.update(with: [drawing(full, 4)])
    #expect(old.labels.map { Array($0.utf8) } == [Array(bare.utf8)])
    #expect(try old.forget(label: full).count == 2)
  }

  @Test(
    "Forgetting a label or a sample gives the bytes of a model never taught it",
    arguments: HeadTests.all)
  func forgets(head: HeadConfiguration) async throws {
    let folder = try TemporaryFolder()
    func bytes(_ recognizer: Recognizer, _ name: String) throws -> [UInt8] {
      try ModelFile.write(recognizer, to: folder.file(name))
      return try AtomicFile.read(folder.file(name))
    }
    var innocent = try Doodles.untaught(head)
    try await innocent.update(with: Doodles.set(6, labels: ["circle", "line", "zigzag"]))
    var forgetful = innocent
    try await forgetful.update(with: Doodles.set(5, labels: ["cross"]))
    #expect(try bytes(forgetful, "a") != bytes(innocent, "b"))
    #expect(try forgetful.forget(label: "cross").count == 5)
    #expect(try bytes(forgetful, "a") == bytes(innocent, "b"))

    let extra = Doodles.drawing("line", 77)
    try await forgetful.update(with: [extra])
    try forgetful.forget(sample: extra.id)
    #expect(try bytes(forgetful, "a") == bytes(innocent, "b"))
  }

  @Test("Of samples with one id, forget takes the one whose ink is named")
  func forgetsOneOfTwo() async throws {
    var recognizer = try Doodles.untaught()
    try await recognizer.update(with: Doodles.set(3))
    let before = recognizer.memory
    var (first, second) = (Doodles.drawing("line", 77), Doodles.drawing("line", 78))
    (first.id, second.id) = ("twin", "twin")
    try await recognizer.update(with: [first, second])
    let twins = recognizer.memory.samples.filter { $0.id == "twin" }
    #expect(twins.count == 2)
    #expect(throws: ModelError.severalSamples(id: "twin", twins)) {
      try recognizer.forget(sample: "twin")
    }
    #expect(try recognizer.forget(sample: first.digest).map(\.digest) == [first.digest])
    #expect(try recognizer.forget(sample: "twin").map(\.digest) == [second.digest])
    #expect(recognizer.memory == before)
  }

  @Test("Forgetting what is not there says so and changes nothing")
  func forgetsNothing() async throws {
    var recognizer = try Doodles.untaught()
    try await recognizer.update(with: Doodles.set(3))
    let before = recognizer.memory
    #expect(throws: ModelError.unknownLabel("dragon", known: Doodles.labels)) {
      try recognizer.forget(label: "dragon")
    }
    #expect(throws: ModelError.unknownSample("x")) { try recognizer.forget(sample: "x") }
    #expect(recognizer.memory == before)
  }

  @Test("A failed update changes nothing")
  func failedUpdate() async throws {
    var recognizer = try Doodles.untaught()
    try await recognizer.update(with: Doodles.set(3))
    let before = recognizer.memory
    let bad = Doodles.set(2) + [Drawing(id: "empty", label: "void", strokes: [])]
    do {
      try await recognizer.update(with: bad)
      Issue.record("the drawing without ink was taught")
    } catch let error as ModelError {
      #expect(error == .drawing(id: "empty", reason: "the drawing has no points"))
    }
    #expect(recognizer.memory == before)
  }

  @Test("A model that was taught nothing recognizes nothing")
  func untaught() throws {
    let answer = try Doodles.untaught().classify(Doodles.drawing("line", 0))
    #expect(answer.decision == .unrecognized(best: nil, because: .nothingTaught))
    #expect(answer.candidates.isEmpty)
  }

  @Test("F-006: the answer says where the drawing is, and lists as many candidates as asked for")
  func answer() async throws {
    var recognizer = try Doodles.untaught()
    try await recognizer.update(with: Doodles.set(4))
    let drawing = Drawing(
      id: "d", strokes: [Stroke([Point(x: 10, y: -5), Point(x: 30, y: 15)])])
    let answer = try recognizer.classify(drawing, candidates: 3, neighbors: 2)
    #expect(answer.boundingBox == BoundingBox(x: 10, y: -5, width: 20, height: 20))
    #expect(answer.candidates.count == 3)
    #expect(
      answer.candidates.map(\.confidence) == answer.candidates.map(\.confidence).sorted(by: >))
    #expect(answer.neighbors.count == 2)
    #expect(answer.neighbors[0].distance <= answer.neighbors[1].distance)
    #expect(try recognizer.classify(drawing).neighbors.isEmpty, "unless they are asked for")
  }
}

@Suite("Model file")
struct ModelFileTests {
  private func taught(_ head: HeadConfiguration = .linear(penalty: 1e-3)) async throws -> Recognizer
  {
    var recognizer = try Doodles.untaught(head, fittedTo: Doodles.set(2))
    try await recognizer.update(with: Doodles.set(5))
    return recognizer
  }

  @Test("A model read back answers the same and writes the same bytes", arguments: HeadTests.all)
  func roundTrip(head: HeadConfiguration) async throws {
    let folder = try TemporaryFolder()
    let recognizer = try await taught(head)
    try ModelFile.write(recognizer, to: folder.file("a"))
    let copy = try ModelFile.read(folder.file("a"))
    try ModelFile.write(copy, to: folder.file("b"))
    #expect(try AtomicFile.read(folder.file("a")) == AtomicFile.read(folder.file("b")))
    let url = URL(fileURLWithPath: folder.file("c ä.drawml"))
    try Recognizer(contentsOf: URL(fileURLWithPath: folder.file("a"))).write(to: url)
    #expect(try AtomicFile.read(url.path) == AtomicFile.read(folder.file("a")))
    #expect(copy.memory == recognizer.memory)
    #expect(copy.policy == recognizer.policy)
    #expect(copy.embedding == recognizer.embedding)
    for drawing in Doodles.set(2, seed: 8) {
      #expect(try copy.classify(drawing) == recognizer.classify(drawing))
    }
  }

  @Test("A model with a prior reads back the same, and so does its policy")
  func prior() async throws {
    let folder = try TemporaryFolder()
    let embedding = try Doodles.untaught().embedding
    let prior = try await PLDAPrior(
      of: embedding, base: Doodles.set(6, seed: 4), fresh: Doodles.set(5, seed: 5), seed: 1)
    #expect(prior.calibration != nil)
    var recognizer = try Doodles.untaught(
      .twoCovariance, prior: prior, fittedTo: Doodles.set(3))
    recognizer.policy = DecisionPolicy(refusalRate: 0.125)
    try await recognizer.update(with: Doodles.set(4))
    try ModelFile.write(recognizer, to: folder.file("a"))
    let copy = try ModelFile.read(folder.file("a"))
    #expect(copy.memory == recognizer.memory)
    #expect(copy.policy == recognizer.policy)
    for drawing in Doodles.set(3, seed: 8) {
      #expect(try copy.classify(drawing) == recognizer.classify(drawing))
    }
    // Without drawings that trained nothing there is a prior but no calibration.
    let plain = try await PLDAPrior(
      of: embedding, base: Doodles.set(6, seed: 4), fresh: [], seed: 1)
    #expect(plain.calibration == nil)
    await #expect(throws: ModelError.self) {
      try await PLDAPrior(of: embedding, base: Doodles.set(1), fresh: [], seed: 1)
    }
  }

  @Test("A model that was taught nothing can be kept too")
  func empty() throws {
    let folder = try TemporaryFolder()
    try ModelFile.write(Doodles.untaught(), to: folder.file("a"))
    #expect(try ModelFile.read(folder.file("a")).labels.isEmpty)
  }

  @Test("Labels and ids of any script survive")
  func unicode() async throws {
    let folder = try TemporaryFolder()
    var recognizer = try Doodles.untaught()
    var drawings = Doodles.set(2)
    for (index, label) in ["❤️", "❤️", "é", "é", "👨‍👩‍👧", "👨‍👩‍👧", "Ω ß", "Ω ß"].enumerated() {
      drawings[index].label = label
    }
    try await recognizer.update(with: drawings)
    try ModelFile.write(recognizer, to: folder.file("a"))
    #expect(try Set(ModelFile.read(folder.file("a")).labels) == ["❤️", "é", "👨‍👩‍👧", "Ω ß"])
  }

  @Test("Text, truncated, changed and newer files are told apart by name")
  func damaged() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("m")
    try ModelFile.write(try await taught(), to: path)
    let sound = try AtomicFile.read(path)
    func message(_ bytes: [UInt8]) throws -> String {
      try AtomicFile.write(bytes, to: path)
      do {
        _ = try ModelFile.read(path)
        return "read"
      } catch { return "\(error)" }
    }
    #expect(try message(Array("hello\n".utf8)).contains("is not a DrawML model"))
    #expect(try message(Array(sound.prefix(3000))).contains("is truncated"))
    var changed = sound
    changed[sound.count / 2] ^= 0x10
    #expect(try message(changed).contains("checksum"))
    let payload = Array(sound.dropFirst(SealedFile.headerLength))
    #expect(
      try message(SealedFile(kind: "DrawML model", version: 99).seal(payload))
        .contains("format version 99"))
    // A sound seal around something else is no model either.
    #expect(
      try message(ModelFile.format.seal(Array("nothing".utf8))).hasPrefix("cannot read \(path)"))
    #expect(try message(sound) == "read")
  }
}
