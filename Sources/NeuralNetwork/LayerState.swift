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
  /// Which vectors the layer's loops use; `plain` stands for the loops in Swift.
  var level = VectorLevel.plain
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
