import Foundation
import Ink
import NeuralNetwork
import Numbers
import TestTools
import Testing

@testable import Recognition

@Suite("Embedding trainer")
struct EmbeddingTrainerTests {
  /// Doodles at random, every fourth without a label.
  private func examples(_ labels: [String] = ["circle", "line"]) -> TrainingExamples {
    TrainingExamples(classes: labels, count: 48, fingerprint: "doodles") { index, generator in
      let label = generator.integer(below: labels.count)
      let drawing = Doodles.drawing(labels[label], generator.integer(below: 30))
      let width = generator.uniform(0.8...1.2)
      return (AugmentedDrawing(drawing, strokeWidthFactor: width), index % 4 == 0 ? nil : label)
    }
  }

  private func recipe() -> EmbeddingRecipe {
    var recipe = Doodles.recipe
    recipe.view = .picture(
      Rasterizer(width: 12, height: 12, strokeWidth: 1.2, margin: 0.5, channels: .inkAndFlow))
    recipe.network.channels = [4, 6]
    recipe.network.blocks = [0, 1]
    recipe.network.pooling = .maxAndFlatten
    recipe.distillationWeight = 3
    recipe.training.shardSize = 8
    recipe.training.epochs = 4
    return recipe
  }

  private func teacher(side: Int = 12) throws -> Embedding {
    var generator = SeededGenerator(seed: 8)
    let network = try Network(
      .init(
        inputShape: [side, side, 1],
        layers: [
          .convolution(channels: 3), .relu, .maxPool(), .dense(features: 5), .l2Normalize(),
        ]),
      using: &generator)
    return try Embedding(
      rasterizer: Rasterizer(width: side, height: side, strokeWidth: 1.2, margin: 0.5),
      network: network)
  }

  private func tasks() throws -> FewShotTasks {
    try #require(
      FewShotTasks(
        of: Doodles.set(8, seed: 3), count: 20, ways: 2, shots: 3, queries: 4, seed: 1))
  }

  @Test(
    "learns from a teacher and from few-shot tasks that it is only judged by, whatever the threads")
  func teaching() async throws {
    let tasks = try tasks()
    var outcomes: [EmbeddingTrainer.Outcome] = []
    for threads in [1, 2] {
      outcomes.append(
        try await EmbeddingTrainer(recipe(), teacher: try teacher()).fit(
          examples(), tasks: tasks, seed: 5, threads: threads))
    }
    #expect(outcomes[0].embedding == outcomes[1].embedding)
    #expect(outcomes[0].history == outcomes[1].history)
    let history = outcomes[0].history
    #expect(history.count == 4)
    #expect(history[3].targetCosine ?? 0 > history[0].targetCosine ?? 1)
    #expect(history.allSatisfy { $0.measured.map { (0...1).contains($0) } ?? false })
    #expect(outcomes[0].embedding.dimension == 8)
    #expect(outcomes[0].trained.labels == ["circle", "line"])
    #expect(outcomes[0].trained.vectors.count == 16)
    let accuracy = try await tasks.accuracy(of: outcomes[0].embedding, threads: 2)
    #expect(accuracy == history[3].measured)
    #expect(accuracy > 0.7)
  }

  @Test("Stopped and resumed gives the same embedding; a checkpoint of another teacher is refused")
  func resuming() async throws {
    struct Stop: Error {}
    let folder = try TemporaryFolder()
    let path = folder.file("checkpoint")
    let trainer = EmbeddingTrainer(recipe(), teacher: try teacher(side: 10))
    let tasks = try tasks()
    let whole = try await trainer.fit(examples(), tasks: tasks, seed: 5, threads: 2)
    #expect(whole.history.allSatisfy { $0.measured != nil && $0.targetCosine != nil })
    await #expect(throws: Stop.self) {
      try await trainer.fit(examples(), tasks: tasks, seed: 5, threads: 1) { event in
        guard case .checkpoint(let checkpoint) = event else { return }
        try checkpoint.write(to: path)
        if checkpoint.epoch == 1, checkpoint.step > 0 { throw Stop() }
      }
    }
    let checkpoint = try TrainingCheckpoint(reading: path)
    let resumed = try await trainer.fit(
      examples(), tasks: tasks, seed: 5, threads: 1, resumingFrom: checkpoint)
    #expect(resumed.embedding == whole.embedding)
    #expect(resumed.history == whole.history)
    await #expect(throws: NetworkError.self) {
      try await EmbeddingTrainer(recipe(), teacher: try teacher()).fit(
        examples(), seed: 5, threads: 1, resumingFrom: checkpoint)
    }
    await #expect(throws: NetworkError.self) {
      try await EmbeddingTrainer(recipe()).fit(
        examples(), seed: 5, threads: 1, resumingFrom: checkpoint)
    }
  }

  @Test("A teacher who can look at the student's ink says what it says of a picture of its own")
  func sharedPicture() throws {
    let examples = examples()
    let (own, teacher) = (recipe().view, try teacher())
    // The same pixels by another way: a margin that differs by less than shows.
    let apart = try Embedding(
      rasterizer: Rasterizer(
        width: 12, height: 12, strokeWidth: 1.2, margin: 0.5 + 1e-9),
      network: teacher.members[0].network)
    for index in 0..<20 {
      var vectors: [[Float]] = []
      for teacher in [teacher, apart] {
        let data = ViewedExamples(examples, own, teacher: teacher)
        #expect(data.targetSize == 5)
        var (pixels, target) = (
          [Float](repeating: 0, count: 12 * 12 * 4), [Float](repeating: 0, count: 5)
        )
        var input = pixels.mutableSpan
        var vector = target.mutableSpan
        var generator = SeededGenerator(seed: 1, stream: index)
        let label = try data.fill(&input, target: &vector, with: index, using: &generator)
        #expect((label == nil) == (index % 4 == 0))
        vectors.append(target)
      }
      for (a, b) in zip(vectors[0], vectors[1]) { #expect(abs(a - b) < 1e-4) }
      #expect(abs(vectors[0].reduce(0) { $0 + $1 * $1 } - 1) < 1e-4)
    }
  }

  @Test("Examples of one class or none cannot train")
  func nothingToLearn() async throws {
    await #expect(throws: ModelError.oneLabel("circle")) {
      try await EmbeddingTrainer(recipe()).fit(examples(["circle"]), seed: 1, threads: 1)
    }
    await #expect(throws: ModelError.noSamples) {
      try await EmbeddingTrainer(recipe()).fit(
        TrainingExamples(classes: ["a", "b"], count: 0, fingerprint: "") { _, _ in
          (AugmentedDrawing(Drawing(strokes: [])), nil)
        }, seed: 1, threads: 1)
    }
    #expect(
      FewShotTasks(of: Doodles.set(3), count: 5, ways: 5, shots: 2, seed: 1) == nil,
      "there are four labels")
    #expect(FewShotTasks(of: Doodles.set(3), count: 5, ways: 4, shots: 3, seed: 1) == nil)
  }

  @Test("A recipe from before stages, poolings and teachers means what it meant")
  func oldRecipe() throws {
    let old = """
      {"augmentation":"none","averagingDecay":0.5,"batchSize":16,"channels":[6,8],"checkpointInterval":2,
      "dimension":8,"epochs":6,"labelSmoothing":0,"learningRate":0.5,
      "rasterizer":{"width":12,"height":12,"strokeWidth":1.5,"margin":0.5},"warmUpEpochs":1,"weightDecay":0}
      """
    let recipe = try JSONDecoder().decode(EmbeddingRecipe.self, from: Data(old.utf8))
    #expect(recipe.network.blocks == nil)
    #expect(recipe.network.pooling == .mean)
    #expect(recipe.training.shardSize == 64)
    #expect(recipe.teacher == nil)
    #expect(recipe.distillationWeight == 0)
    #expect(recipe.view.shape == [12, 12, 1])
    #expect(recipe.network.kernels == nil)
    let again = try JSONDecoder().decode(
      EmbeddingRecipe.self, from: try JSONEncoder().encode(self.recipe()))
    #expect(again == self.recipe())
  }
}
