/// How the pixels of the last stage are reduced to one vector.
public enum FinalPooling: String, Codable, Sendable, CaseIterable {
  /// The mean over all pixels.
  case mean
  /// One more max pooling, then all remaining pixels (or steps), which keeps spatial information.
  case maxAndFlatten
}

extension Network {
  /// A residual network that maps a picture, or a sequence, to a unit vector and scores classes by
  /// cosine.
  ///
  /// A convolution; stages of residual blocks of two convolutions, with 2 × 2 max pooling between
  /// stages (1 × 2 for a sequence, whose kernels have one row); a pooling, a dense layer, L2
  /// normalization and a cosine classifier, optionally with a parallel linear map that predicts a
  /// target vector. `dropLast()` gives the embedding.
  ///
  /// - Parameters:
  ///   - inputShape: [height, width, channels]; [1, steps, channels] is a sequence.
  ///   - channels: The channels of each stage, such as [32, 64, 128].
  ///   - blocks: The number of residual blocks of each stage, by default one. A later stage without
  ///     blocks only halves the picture.
  ///   - kernels: The width of each stage's kernels, by default 3; the first convolution has the
  ///     first stage's.
  ///   - pooling: How the last stage is reduced to one vector.
  ///   - embedding: The length of the unit vector.
  ///   - classes: The number of classes.
  ///   - targets: The length of the target vector, 0 for none.
  ///   - scale: The initial value of the classifier's learned scale.
  ///   - generator: The random generator for the initial parameters.
  /// - Returns: An untrained network; its output is [classes + targets].
  /// - Throws: `NetworkError` when the sizes do not match.
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
