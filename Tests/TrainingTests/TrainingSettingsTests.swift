import Datasets
import Ink
import Recognition
import Testing

@testable import Training

@Suite("Settings of a training")
struct TrainingSettingsTests {
  private func read(_ yaml: String, hasBase: Bool = false) throws -> TrainingSettings {
    try TrainingSettings(yaml: Array(yaml.utf8), path: "t.yaml", hasBase: hasBase)
  }

  @Test("The standard settings train the standard recipe")
  func standard() throws {
    let recipe = TrainingSettings(hasBase: false).embeddingRecipe(
      describedAs: EmbeddingRecipe.standard.augmentation, drawings: 20_000)
    #expect(recipe == EmbeddingRecipe.standard)
    #expect(try read("") == TrainingSettings(hasBase: false))
    #expect(try read("# nothing\n") == TrainingSettings(hasBase: false))
  }

  @Test(
    "Without a batch size, it is a power of two near the root of the number of drawings",
    arguments: [(1, 16), (360, 16), (600, 32), (2000, 32), (3000, 64), (9000, 128), (1 << 20, 128)])
  func batchSize(drawings: Int, expected: Int) throws {
    let recipe = TrainingSettings(hasBase: false).embeddingRecipe(
      describedAs: "", drawings: drawings)
    #expect(recipe.training.batchSize == expected)
    #expect(recipe.training.shardSize == max(16, expected / 2))
    let given = try read("training: {batchSize: 48, shardSize: 48}")
    let other = given.embeddingRecipe(describedAs: "", drawings: drawings)
    #expect(other.training.batchSize == 48 && other.training.shardSize == 48)
  }

  @Test("One setting is changed by its key, the rest stays")
  func assignment() throws {
    var settings = TrainingSettings(hasBase: false)
    for change in [
      "training.batchSize=32", "network.channels=[8, 16]", "view={sequence: {steps: 48}}",
      "head=knn", "training.learningRate=2e-3",
    ] {
      try settings.set(change, hasBase: false)
    }
    var expected = TrainingSettings(hasBase: false)
    (expected.training.batchSize, expected.training.learningRate) = (32, 2e-3)
    (expected.network.channels, expected.head) = ([8, 16], .knn)
    expected.view = .sequence(.init(steps: 48))
    #expect(settings == expected)
    try settings.set("training.batchSize=", hasBase: false)
    #expect(settings.training.batchSize == nil)
  }

  @Test(
    "A wrong assignment is told as it was written",
    arguments: [
      ("training.batchSize", "write a key and a value, as in --set training.batchSize=32"),
      ("=3", "write a key and a value"), ("training..epochs=3", "write a key and a value"),
      ("training.epochs=0", "training.epochs is 0; it must be from 1 to"),
      ("training.batches=3", "training.batches is not a setting; --print-config without"),
      ("training=3", "training must be"), ("seed=[", "it is not YAML"), ("seed=*a", "has a “&” or"),
    ])
  func wrongAssignment(text: String, problem: String) throws {
    var settings = TrainingSettings(hasBase: false)
    let error = #expect(throws: ConfigurationError.self) {
      try settings.set(text, hasBase: false)
    }
    #expect(error?.path == "--set \(text)" && error?.problem.hasPrefix(problem) == true, "\(error)")
    #expect(settings == TrainingSettings(hasBase: false))
  }

  @Test("With a base, what makes a new embedding cannot be set; it is kept or trained further")
  func assignmentWithBase() throws {
    var settings = TrainingSettings(hasBase: true)
    #expect(!settings.trainsEmbedding(hasBase: true) && settings.training.epochs == 0)
    try settings.set("penalty=0.1", hasBase: true)
    #expect(settings.penalty == 0.1)
    try settings.set("training.epochs=3", hasBase: true)
    #expect(settings.trainsEmbedding(hasBase: true))
    let error = #expect(throws: ConfigurationError.self) {
      try settings.set("network.dimension=32", hasBase: true)
    }
    #expect(error?.problem.contains("which --base replaces") == true)
    let none = #expect(throws: ConfigurationError.self) {
      var settings = TrainingSettings(hasBase: false)
      try settings.set("training.epochs=0", hasBase: false)
    }
    #expect(none?.problem == "training.epochs is 0; it must be from 1 to 100000")
  }

  @Test("The balance goes into the head linear, chosen or standard")
  func balance() throws {
    var settings = try read("balance: 0.25")
    #expect(
      settings.head(standard: .linear(penalty: 9)) == .linear(penalty: 1e-3, balance: 0.25))
    #expect(settings.head(standard: .twoCovariance) == .twoCovariance)
    settings.head = .linear
    #expect(settings.head(standard: .twoCovariance) == .linear(penalty: 1e-3, balance: 0.25))
  }

  @Test("What is printed gives the same settings again, with and without a base")
  func roundTrip() throws {
    var settings = TrainingSettings(hasBase: false)
    #expect(try settings.yaml(hasBase: false).contains("  batchSize: null"))
    settings.seed = .max
    (settings.head, settings.neighbors, settings.uniform) = (.knn, 7, true)
    (settings.penalty, settings.refuse, settings.holdOut) = (1e-7, 0.05, 0.1 + 0.2)
    #expect(
      try read(settings.yaml(hasBase: true).joined(separator: "\n"), hasBase: true) == settings)
    settings.view = .sequence(.init(steps: 48))
    settings.network.channels = [8, 16]
    (settings.network.blocks, settings.network.kernels) = ([0, 2], [5, 3])
    (settings.training.learningRate, settings.training.gradientNormLimit) = (1.1e-5, 3.5)
    (settings.stream, settings.training.examplesPerEpoch) = (true, 1_000_000)
    settings.augmentation = .none
    #expect(try read(settings.yaml(hasBase: false).joined(separator: "\n")) == settings)
  }

  @Test("A file has any of the keys, in any form of YAML; the rest stays standard")
  func parts() throws {
    let settings = try read(
      """
      %YAML 1.1
      ---
      seed: 0x1f  # hexadecimal
      uniform: yes
      refuse: ~
      network: {"channels": [8, 16]}
      view:
        sequence:
          steps: 4_8
      training:
        epochs: 3
        learningRate: 2e-3
      """)
    var expected = TrainingSettings(hasBase: false)
    (expected.seed, expected.uniform) = (31, true)
    expected.network.channels = [8, 16]
    expected.view = .sequence(.init(steps: 48))
    (expected.training.epochs, expected.training.learningRate) = (3, 2e-3)
    #expect(settings == expected)
  }

  @Test(
    "What is unknown, of another kind or out of its range is told with its line",
    arguments: [
      ("seed: 1\ntraining:\n  # of\n  epochs: 0", 4, "training.epochs is 0; it must be from 1 to"),
      ("training:\n  epoch: 3", 2, "training.epoch is not a setting; --print-config without"),
      ("seed: \"3\"", 1, "seed must be a whole number"),
      ("\nseed: 1.5", 2, "seed is 1.5, which is not a whole number"),
      ("seed: !!str 3", 1, "seed must be a whole number"),
      ("seed:", 1, "seed must be a whole number, not null"),
      ("seed: 1:30", 1, "seed must be a whole number"),
      ("seed: 1:9223372036854775807", 1, "seed must be a whole number"),
      ("seed: 1:1:1:1:1:1:1:1:1:1:1:1", 1, "seed must be a whole number"),
      ("head: forest", 1, "head has the value “forest”, which this drawml does not know"),
      ("holdOut: .nan", 1, "holdOut must be a number"),
      ("balance: 2", 1, "balance is 2; it must be from 0 to 1"),
      ("penalty: -1", 1, "penalty is -1; it must be from 0 to"),
      ("refuse: 0.9", 1, "refuse is 0.9; it must be from 0 to 0.5"),
      ("network:\n  channels:\n  - 8\n  - 0\n  - 8", 4, "network.channels[1] is 0; it must be"),
      ("network:\n  channels: [8, 16]\n  blocks: [1]", 3, "network.blocks must have one number"),
      // Of what holds the key that the fault is about.
      ("view:\n  rasterizer:\n    width: 2", 2, "view.rasterizer.strokeWidth is 1.5; a 2 × 28"),
      ("view: 3", 1, "view must be an object"), ("- seed", 1, "must be keys with values"),
      ("a: 1\n? [b]\n: 2", 2, "has a key that is no text"),
      ("seed: 1\nseed: 2", 1, "it is not YAML: the key seed is there twice"),
      ("a: 1\n b: 2", 2, "it is not YAML: mapping values are not allowed in this context"),
      ("seed: 1\n--- \nseed: 2", 2, "it is not YAML: but found another document"),
      ("a: &x 1\nb: *x", 1, "has a “&” or “*”"), ("seed: 1\n# a & b", 2, "has a “&” or “*”"),
    ])
  func faults(yaml: String, line: Int, message: String) throws {
    let error = try #require(throws: ConfigurationError.self) { try read(yaml) }
    #expect(error.line == line, "\(error)")
    #expect(error.problem.hasPrefix(message), "\(error)")
    #expect("\(error)".hasPrefix("t.yaml, line \(line): "))
  }

  @Test("With a base, settings of a new embedding are refused")
  func base() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try read("seed: 3\nnetwork: {dimension: 8}", hasBase: true)
    }
    #expect(
      "\(error)"
        == "t.yaml, line 2: network is of a new embedding, which --base replaces: leave it "
        + "out")
    #expect(try read("seed: 3\nhead: knn", hasBase: true).head == .knn)
  }

  @Test(
    "Hostile files end in a sentence, soon",
    arguments: [
      String(repeating: "[", count: 65_536), String(repeating: "- ", count: 32_768),
      String(repeating: "{a: ", count: 16_384), String(repeating: "? ", count: 32_768),
      String(repeating: "a", count: 65_537), "seed: \u{7}", "a\0b", "\u{feff}",
      "!!binary x", "<<: {seed: 3}", String(repeating: "? [[[[a]]]]\n: b\n", count: 4000),
      "a: " + String(repeating: "'", count: 9999), String(repeating: "%", count: 9999),
    ])
  func hostile(yaml: String) {
    let settings = try? read(yaml)
    // A byte order mark alone is an empty file.
    #expect((settings == nil) == (yaml != "\u{feff}"))
    #expect(throws: (any Error).self) {
      try TrainingSettings(yaml: [0x61, 0x3a, 0xff, 0xfe], path: "t", hasBase: false)
    }
  }
}
