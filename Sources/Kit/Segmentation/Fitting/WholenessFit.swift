internal import CLibrary
internal import Ink
internal import NeuralNetwork
internal import Numbers

/// Trains the network of a `WholenessModel`.
struct WholenessFit: Sendable {
  /// The number of epochs.
  var epochs = 5
  /// Channels of the convolutions; each is followed by 2 × 2 max pooling.
  var channels = [16, 32, 64]
  /// Units of the hidden dense layer.
  var units = 48
  /// The dropout rate of inputs and hidden units in training.
  var dropout: Float = 0.2
  var threads = 1
  let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  /// A network trained to tell whole shapes from all else.
  ///
  /// - Throws: `NetworkError`, `CancellationError`.
  func callAsFunction(
    _ examples: GroupExamples, note: @Sendable (String) -> Void
  ) async throws -> WholenessModel {
    var layers: [Layer] = []
    for width in channels {
      layers += [
        .convolution(channels: width, bias: false), .batchNormalization(), .relu, .maxPool(),
      ]
    }
    layers += [
      .dropout(rate: dropout), .dense(features: units), .relu, .dropout(rate: dropout),
      .dense(features: 2),
    ]
    var generator = SeededGenerator(seed: seed)
    let network = try Network(
      Network.Architecture(inputShape: GroupPicture.shape, layers: layers), using: &generator)
    var configuration = TrainingLoop.Configuration(epochs: epochs)
    (configuration.batchSize, configuration.shardSize) = (256, 64)
    (configuration.seed, configuration.threads) = (seed, threads)
    (configuration.averagingDecay, configuration.labelSmoothing) = (0.995, 0)
    let outcome = try await TrainingLoop(configuration).fit(network, to: examples) { event in
      if case .epoch(let summary) = event {
        note(
          "wholeness: epoch \(summary.epoch + 1) of \(epochs), loss \(summary.trainingLoss), "
            + "right \(summary.trainingAccuracy)")
      }
    }
    return try WholenessModel(outcome.network.folded())
  }
}

/// Groups of strokes on canvases, each whole or not.
struct GroupExamples: TrainingData {
  struct Example: Sendable {
    /// The canvas's index.
    var canvas: Int
    /// Indices into its strokes, ascending; all strokes before the last one are part of the
    /// context.
    var group: [Int]
    var frame: BoundingBox
    var isWhole: Bool
  }

  /// Each canvas's strokes.
  let canvases: [VisibleInk]
  let examples: [Example]

  var count: Int { examples.count }

  var fingerprint: String { "groups" }

  func fill(
    _ input: inout MutableSpan<Float>, target: inout MutableSpan<Float>, with index: Int,
    using generator: inout SeededGenerator
  ) throws -> Int? {
    let example = examples[index]
    let (own, others) = canvases[example.canvas].seen(example.group, in: example.frame)
    // Augmentation: mirroring, a slight rotation and a scale do not change whether a shape is
    // whole.
    let change = Change(around: example.frame, using: &generator)
    var picture = GroupPicture()
    try picture.draw(
      own.map(change.apply), among: others.map(change.apply), frame: example.frame, into: &input)
    return example.isWhole ? 1 : 0
  }

  /// A mirroring, rotation and scaling about a box's center.
  private struct Change {
    let x, y, a, b, c, d: Double

    init(around box: BoundingBox, using generator: inout SeededGenerator) {
      (x, y) = (box.x + box.width / 2, box.y + box.height / 2)
      let angle = generator.uniform(-0.15...0.15)
      let size = generator.uniform(0.9...1.1)
      let mirror = generator.chance(0.5) ? -1.0 : 1.0
      (a, b) = (mirror * size * cos(angle), -size * sin(angle))
      (c, d) = (mirror * size * sin(angle), size * cos(angle))
    }

    func apply(_ stroke: Stroke) -> Stroke {
      Stroke(
        stroke.points.map { point in
          let (dx, dy) = (point.x - x, point.y - y)
          return Point(x: x + a * dx + b * dy, y: y + c * dx + d * dy)
        })
    }
  }
}
