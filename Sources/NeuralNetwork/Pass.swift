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

/// A layer's place in a network and its buffers, reused from batch to batch.
struct LayerState: Sendable {
  /// The shape of one input example.
  var inputShape: [Int] = []
  /// The shape of one output example.
  var outputShape: [Int] = []
  /// Where the layer's parameters begin in the network's buffer.
  var parameterBase = 0
  /// Where the layer's statistics begin in the network's buffer.
  var statisticBase = 0
  /// The layer's number in a walk through the network; random streams use it.
  var ordinal = 0
  /// Whether anything before the layer wants a gradient.
  var needsInputGradient = true
  /// The output, [examples, output shape].
  var output: [Float] = []
  /// What `forward` leaves for `backward`.
  var saved: [Float] = []
  /// What `forward` leaves for `backward` in places of a byte.
  var marks: [UInt8] = []
  /// Room for sums in double precision.
  var sums: [Double] = []
  /// Who does the layer's arithmetic.
  var backend = Backend.blas
  /// The layers from this one on that run as one.
  var group: LayerGroup?
  /// How many layers before this one run as one with it, in the last of a group.
  var grouped = 0
  /// The states of the layers inside, in a layer that has some.
  var inner: [[LayerState]] = []

  /// The number of values in one input example.
  var inputSize: Int { inputShape.reduce(1, *) }
  /// The number of values in one output example.
  var outputSize: Int { outputShape.reduce(1, *) }
}

/// Collects the room that the layers need while they are laid out.
struct LayerPlan: Sendable {
  /// The greatest number of examples in a pass.
  let capacity: Int
  /// Whether `backward` will run.
  let isTraining: Bool
  /// Who does the arithmetic of a training.
  var backend = Backend.forTraining
  /// Where the next layer's parameters begin.
  var parameterBase = 0
  /// Where the next layer's statistics begin.
  var statisticBase = 0
  /// The next layer's number.
  var ordinal = 0
  /// The most scratch space that a layer asked for.
  var scratch = 0
  /// The most second scratch space that a layer asked for.
  var scratch2 = 0
  /// The longest activation of one example, input included.
  var widest = 0
}

extension Network {
  /// Lays the layers out for passes of at most `capacity` examples.
  func prepare(capacity: Int, isTraining: Bool) -> ([LayerState], Pass) {
    var plan = LayerPlan(capacity: capacity, isTraining: isTraining)
    do throws(NetworkError) {
      let states = try architecture.layers.states(
        for: inputShape, needsInputGradient: false, plan: &plan)
      var pass = Pass()
      pass.isTraining = isTraining
      pass.scratch = [Float](repeating: 0, count: plan.scratch)
      pass.scratch2 = [Float](repeating: 0, count: plan.scratch2)
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
