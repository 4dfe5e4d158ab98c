internal import Support

extension Network {
  /// A residual network that turns a picture into a unit vector and scores classes by cosine.
  ///
  /// A 3 × 3 convolution, then one residual block of two 3 × 3 convolutions for each entry of
  /// `channels`, with a 2 × 2 maximum between blocks; a mean over pixels, a dense layer, L2
  /// normalisation and a cosine classifier. `dropLast()` gives the embedding.
  ///
  /// - Parameters:
  ///   - inputShape: [height, width, channels].
  ///   - channels: The channels of each block, such as [32, 64, 128].
  ///   - embedding: The length of the unit vector.
  ///   - classes: The number of classes.
  ///   - scale: Where the classifier's learnt scale begins.
  ///   - generator: Where the first parameters come from.
  /// - Returns: A network that has learnt nothing.
  /// - Throws: `NetworkError` when the sizes do not fit together.
  public static func residual(
    inputShape: [Int] = [28, 28, 1], channels: [Int] = [32, 64, 128], embedding: Int = 128,
    classes: Int, scale: Float = 16, using generator: inout some RandomNumberGenerator
  ) throws(NetworkError) -> Network {
    var layers: [any Layer] = [
      Convolution(channels: channels.first ?? 0, bias: false), BatchNormalization(), ReLU(),
    ]
    var previous = channels.first ?? 0
    for (index, width) in channels.enumerated() {
      if index > 0 { layers.append(MaxPool()) }
      let body: [any Layer] = [
        Convolution(channels: width, bias: false), BatchNormalization(), ReLU(),
        Convolution(channels: width, bias: false), BatchNormalization(),
      ]
      let shortcut: [any Layer] =
        width == previous
        ? [] : [Convolution(channels: width, kernel: 1, bias: false), BatchNormalization()]
      layers += [Residual(body: body, shortcut: shortcut), ReLU()] as [any Layer]
      previous = width
    }
    layers += [
      GlobalAveragePool(), Dense(features: embedding), L2Normalize(),
      CosineClassifier(classes: classes, scale: scale),
    ]
    return try Network(
      Architecture(inputShape: inputShape, layers: layers), using: &generator)
  }
}
