/// What is shared by all layers while they run forward and backward over some examples.
struct Pass: Sendable {
  /// Whether layers behave as in training: statistics of the batch, dropout.
  var isTraining = false
  /// The number of examples.
  var count = 0
  /// The network's trainable values.
  var parameters: [Float] = []
  /// In training the examples' own statistics, which layers write; else the running ones, which
  /// they read.
  var statistics: [Float] = []
  /// The gradient of the loss by the parameters; `backward` adds to it.
  var gradient: [Float] = []
  /// A second buffer for `backward`: a layer writes here and swaps.
  var spare: [Float] = []
  /// Space that any layer may overwrite.
  var scratch: [Float] = []
  /// More such space.
  var scratch2: [Float] = []
  /// The seed of the run, for random layers.
  var seed: UInt64 = 0
  /// The epoch, for random layers.
  var epoch = 0
  /// Which examples of the data these are, for random layers; `count` numbers.
  var examples: [Int] = []
}
