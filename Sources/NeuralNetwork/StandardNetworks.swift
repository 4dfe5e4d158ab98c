internal import Support

/// How the pixels of the last stage become one vector.
public enum FinalPooling: String, Codable, Sendable, CaseIterable {
  /// The mean over all pixels.
  case mean
  /// Pixels (or steps) halved once more by a maximum, and then all of them, so that the vector
  /// knows what is where.
  case maxAndFlatten
}

extension Network {
  /// A residual network that turns a picture, or a sequence, into a unit vector and scores classes
  /// by cosine.
  ///
  /// A convolution; then stages of residual blocks of two convolutions, with a 2 × 2 maximum
  /// between stages (1 × 2 for a sequence, whose kernels have one row); a pooling, a dense layer,
  /// L2 normalization and a cosine classifier, beside which a linear map may follow a target
  /// vector. `dropLast()` gives the embedding.
  ///
  /// - Parameters:
  ///   - inputShape: [height, width, channels]; [1, steps, channels] is a sequence.
  ///   - channels: The channels of each stage, such as [32, 64, 128].
  ///   - blocks: The residual blocks of each stage, one in each unless given. A later stage without
  ///     blocks only halves the picture.
  ///   - kernels: The width of each stage's kernels, 3 unless given; the first convolution has the
  ///     first stage's.
  ///   - pooling: How the last stage becomes one vector.
  ///   - embedding: The length of the unit vector.
  ///   - classes: The number of classes.
  ///   - targets: The length of the target vector, 0 for none.
  ///   - scale: Where the classifier's learned scale begins.
  ///   - generator: Where the first parameters come from.
  /// - Returns: A network that has learned nothing; its output is [classes + targets].
  /// - Throws: `NetworkError` when the sizes do not fit together.
  public static func residual(
    inputShape: [Int] = [28, 28, 1], channels: [Int] = [32, 64, 128], blocks: [Int]? = nil,
    kernels: [Int]? = nil, pooling: FinalPooling = .mean, embedding: Int = 128, classes: Int,
    targets: Int = 0,
    scale: Float = 16, using generator: inout some RandomNumberGenerator
  ) throws(NetworkError) -> Network {
    let blocks = blocks ?? channels.map { _ in 1 }
    guard !channels.isEmpty, blocks.count == channels.count, blocks.allSatisfy({ $0 >= 0 }) else {
      throw .badHyperparameter(
        layer: "a residual network of \(channels.count) stages", name: "blocks",
        value: "\(blocks)")
    }
    let kernels = kernels ?? channels.map { _ in 3 }
    guard kernels.count == channels.count else {
      throw .badHyperparameter(
        layer: "a residual network of \(channels.count) stages", name: "kernels",
        value: "\(kernels)")
    }
    let rows = inputShape.first == 1 ? 1 : nil
    var layers: [Layer] = [
      .convolution(channels: channels[0], kernel: kernels[0], rows: rows, bias: false),
      .batchNormalization(), .relu,
    ]
    var previous = channels[0]
    for (index, width) in channels.enumerated() {
      if index > 0 { layers.append(.maxPool(rows: rows)) }
      for _ in 0..<blocks[index] {
        layers += [block(from: previous, to: width, kernel: kernels[index], rows: rows), .relu]
        previous = width
      }
    }
    switch pooling {
    case .mean: layers.append(.globalAveragePool)
    case .maxAndFlatten: layers.append(.maxPool(rows: rows))
    }
    let classifier = Layer.cosineClassifier(classes: classes, scale: scale)
    layers += [
      .dense(features: embedding), .l2Normalize(),
      targets == 0 ? classifier : .branches([[classifier], [.dense(features: targets)]]),
    ]
    return try Network(
      Architecture(inputShape: inputShape, layers: layers), using: &generator)
  }

  private static func block(
    from previous: Int, to width: Int, kernel: Int, rows: Int?
  ) -> Layer {
    let convolution = Layer.convolution(channels: width, kernel: kernel, rows: rows, bias: false)
    return .residual(
      body: [convolution, .batchNormalization(), .relu, convolution, .batchNormalization()],
      shortcut: width == previous
        ? [] : [.convolution(channels: width, kernel: 1, bias: false), .batchNormalization()])
  }
}
