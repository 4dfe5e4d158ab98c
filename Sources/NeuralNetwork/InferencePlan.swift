/// A buffer of a forward pass: a picture, with a margin of zeros for kernels that reach beyond its
/// border.
///
/// Values other than pictures are pictures of one row.
struct Frame: Sendable, Equatable {
  let height: Int
  let width: Int
  let channels: Int
  /// The rows of zeros above, and as many below.
  var marginRows = 0
  /// The columns of zeros on the left, and as many on the right.
  var marginColumns = 0
  /// Where its values begin when the buffers are for one example; for more, so many times further.
  var start = 0

  init(height: Int, width: Int, channels: Int) {
    (self.height, self.width, self.channels) = (height, width, channels)
  }

  init(shape: [Int]) {
    let isPicture = shape.count == 3
    self.init(
      height: isPicture ? shape[0] : 1,
      width: isPicture ? shape[1] : shape.dropLast().reduce(1, *), channels: shape.last ?? 1)
  }

  /// Values in a row without its margin.
  var rowCount: Int { width * channels }
  /// Values of an example without its margin.
  var count: Int { height * rowCount }
  /// Values from a row to the next one.
  var rowStep: Int { (width + 2 * marginColumns) * channels }
  /// Values from an example to the next one.
  var exampleStep: Int { (height + 2 * marginRows) * rowStep }
  /// From the beginning of an example to its first pixel inside the margin.
  var inside: Int { marginRows * rowStep + marginColumns * channels }
}

/// What a network computes after training, as steps that each read frames and fill another; frames
/// go by their numbers.
///
/// A convolution or dense step takes in what stands around it: the rectifier behind it and, at the
/// end of a residual layer, the sum with the shortcut.
struct InferencePlan: Sendable {
  enum Step: Sendable {
    case product(Product)
    case winograd(Winograd)
    /// The largest of `rows` × 2 pixels.
    case maxPool(of: Int, rows: Int, into: Int)
    /// The mean of each channel.
    case globalAveragePool(of: Int, into: Int)
    /// Each channel times its factor plus its shift; the weights hold all factors, then all shifts,
    /// from `at`.
    case scaled(Int, at: Int, into: Int)
    case rectified(Int, into: Int)
    case sum(Int, Int, into: Int)
    /// Each example divided by its norm, or by `least` when that is greater.
    case unit(Int, least: Float, into: Int)
    /// One pixel into some channels of another, from `channel`.
    case part(Int, into: Int, channel: Int)
  }

  /// One or two convolutions or dense maps, added up.
  struct Product: Sendable {
    /// What is multiplied with weights: what lies under a kernel, or all of a frame.
    struct Operand: Sendable {
      var frame: Int
      var kernelRows: Int
      var kernelColumns: Int
    }

    /// Whether it is a dense map, over all of a frame, rather than a kernel at each pixel.
    var isDense: Bool
    var first: Operand
    var second: Operand?
    /// A frame that is added.
    var addend: Int?
    var rectifies: Bool
    var output: Int
    var weights: PackedWeights.Place
  }

  /// A convolution with fewer multiplications: see `WinogradTiling`.
  struct Winograd: Sendable {
    var input: Int
    var tiling: WinogradTiling
    /// A frame that is added.
    var addend: Int?
    var rectifies: Bool
    var output: Int
    var weights: PackedWeights.Place
  }

  let frames: [Frame]
  let steps: [Step]
  let weights: PackedWeights
  /// The frame that the last step fills; the input is frame 0.
  let output: Int
  /// Values in all frames of one example.
  let size: Int
  /// A plan for a network; batch normalizations that are not folded cost a step of their own.
  init(_ network: Network, backend: Backend) {
    var planner = InferencePlanner(network, backend: backend)
    output = planner.lay(network.architecture.layers, on: 0)
    (steps, weights) = (planner.steps, planner.weights)
    var (frames, size) = (planner.frames, 0)
    for index in frames.indices {
      frames[index].start = size
      size += frames[index].exampleStep
    }
    (self.frames, self.size) = (frames, size)
  }

  /// Values in the frames of so many examples and in the room that the steps need to work in.
  func bufferCount(capacity: Int) -> Int {
    var most = 0
    for step in steps {
      switch step {
      case .winograd(let step):
        most = max(most, step.tiling.scratch(examples: min(capacity, step.tiling.together)))
      case .product(let product) where weights.backend == .blas:
        most = max(most, pixelsTogether(product) * valuesAPixel(product))
      default: break
      }
    }
    return capacity * size + most
  }

  /// The pixels of an example that a product is for.
  func pixels(_ product: Product) -> Int {
    product.isDense ? 1 : frames[product.output].height * frames[product.output].width
  }

  /// How many of them BLAS multiplies at once: with 4 MB of values, if there are more than one.
  func pixelsTogether(_ product: Product) -> Int {
    min(pixels(product), max(1, (1 << 20) / valuesAPixel(product)))
  }

  /// What BLAS keeps of a pixel: the values under the kernel, and the sums.
  private func valuesAPixel(_ product: Product) -> Int {
    let patches = [product.first, product.second].compactMap { $0.map(patchCount) }.max() ?? 0
    return frames[product.output].channels + patches
  }

  /// The values under the kernel at one pixel.
  func patchCount(_ operand: Product.Operand) -> Int {
    operand.kernelRows * operand.kernelColumns * frames[operand.frame].channels
  }
}
