/// The state shared by all layers during a forward and backward pass.
struct Pass: Sendable {
  /// Whether layers run in training mode: batch statistics, dropout.
  var isTraining = false
  /// The number of examples.
  var count = 0
  /// The network's trainable values.
  var parameters: [Float] = []
  /// In training, the batch statistics, which layers write; otherwise the running ones, which they
  /// read.
  var statistics: [Float] = []
  /// The gradient of the loss with respect to the parameters; `backward` adds to it.
  var gradient: [Float] = []
  /// A second buffer for `backward`: a layer writes here and swaps.
  var spare: [Float] = []
  /// Scratch space that any layer may overwrite.
  var scratch: [Float] = []
  /// More scratch space.
  var secondScratch: [Float] = []
  /// The seed of the run, for random layers.
  var seed: UInt64 = 0
  /// The epoch, for random layers.
  var epoch = 0
  /// The indices of the examples in the data, for random layers; `count` numbers.
  var examples: [Int] = []
}

/// A layer's place in a network and its buffers, reused from batch to batch.
struct LayerState: Sendable {
  /// The shape of one input example.
  var inputShape: [Int] = []
  /// The shape of one output example.
  var outputShape: [Int] = []
  /// The offset of the layer's parameters in the network's buffer.
  var parameterBase = 0
  /// The offset of the layer's statistics in the network's buffer.
  var statisticBase = 0
  /// The layer's index in traversal order; random streams use it.
  var ordinal = 0
  /// Whether anything before the layer needs a gradient.
  var needsInputGradient = true
  /// The output, [examples, output shape].
  var output: [Float] = []
  /// Values that `forward` saves for `backward`.
  var saved: [Float] = []
  /// Bytes that `forward` saves for `backward`.
  var marks: [UInt8] = []
  /// Scratch space for sums in double precision.
  var sums: [Double] = []
  /// The backend for the layer's arithmetic.
  var backend = Backend.blas
  /// The group of fused layers that begins with this one.
  var group: LayerGroup?
  /// In the last layer of a group, the number of layers before it in the group.
  var grouped = 0
  /// The states of nested layers.
  var inner: [[LayerState]] = []

  /// The number of values in one input example.
  var inputSize: Int { inputShape.reduce(1, *) }
  /// The number of values in one output example.
  var outputSize: Int { outputShape.reduce(1, *) }
}

/// Collects the buffer sizes that the layers need while they are prepared.
struct LayerPlan: Sendable {
  /// The maximum number of examples in a pass.
  let capacity: Int
  /// Whether `backward` will run.
  let isTraining: Bool
  /// The backend for training.
  var backend = Backend.forTraining
  /// The offset of the next layer's parameters.
  var parameterBase = 0
  /// The offset of the next layer's statistics.
  var statisticBase = 0
  /// The next layer's index in traversal order.
  var ordinal = 0
  /// The largest scratch space that a layer needs.
  var scratch = 0
  /// The largest second scratch space that a layer needs.
  var secondScratch = 0
  /// The largest activation of one example, input included.
  var widest = 0
}

extension Network {
  /// Prepares the layers for passes of at most `capacity` examples.
  func prepare(capacity: Int, isTraining: Bool) -> ([LayerState], Pass) {
    var plan = LayerPlan(capacity: capacity, isTraining: isTraining)
    do throws(NetworkError) {
      let states = try architecture.layers.states(
        for: inputShape, needsInputGradient: false, plan: &plan)
      var pass = Pass()
      pass.isTraining = isTraining
      pass.scratch = [Float](repeating: 0, count: plan.scratch)
      pass.secondScratch = [Float](repeating: 0, count: plan.secondScratch)
      if isTraining {
        pass.spare = [Float](repeating: 0, count: capacity * plan.widest)
        pass.gradient = [Float](repeating: 0, count: parameters.count)
        pass.statistics = statistics
      }
      return (states, pass)
    } catch {
      preconditionFailure("a sound network cannot be laid out: \(error)")
    }
  }
}
