/// A buffer of a forward pass: a picture with zero padding for convolution kernels.
///
/// Other values are stored as pictures of one row.
struct Frame: Sendable, Equatable {
  let height: Int
  let width: Int
  let channels: Int
  /// The rows of zeros above and below, each.
  var marginRows = 0
  /// The columns of zeros on the left and on the right, each.
  var marginColumns = 0
  /// The offset of its values in buffers for one example; multiply it by the capacity.
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
  /// The offset within an example of its first pixel inside the margin.
  var inside: Int { marginRows * rowStep + marginColumns * channels }
}

/// The inference of a network as steps that read frames and write one; frames are referred to by
/// index.
///
/// A convolution or dense step includes the rectifier after it and, at the end of a residual layer,
/// the sum with the shortcut.
struct InferencePlan: Sendable {
  enum Step: Sendable {
    case product(Product)
    case winograd(Winograd)
    /// The maximum of `rows` × 2 pixels.
    case maxPool(of: Int, rows: Int, into: Int)
    /// The mean of each channel.
    case globalAveragePool(of: Int, into: Int)
    /// Each channel times its factor plus its shift; the weights from `at` on are all factors, then
    /// all shifts.
    case scaled(Int, at: Int, into: Int)
    case rectified(Int, into: Int)
    case sum(Int, Int, into: Int)
    /// Each example divided by its norm, or by `least` if that is greater.
    case unit(Int, least: Float, into: Int)
    /// Copies one pixel into the channels of another, from `channel` on.
    case part(Int, into: Int, channel: Int)
  }

  /// One or two convolutions or dense maps, summed.
  struct Product: Sendable {
    /// The input of a product: the values under a kernel, or a whole frame.
    struct Operand: Sendable {
      var frame: Int
      var kernelRows: Int
      var kernelColumns: Int
    }

    /// Whether it is a dense map of whole frames rather than a convolution.
    var isDense: Bool
    var first: Operand
    var second: Operand?
    /// The frame to add, if any.
    var addend: Int?
    var rectifies: Bool
    var output: Int
    var weights: PackedWeights.Offsets
  }

  /// A convolution with fewer multiplications: see `WinogradTiling`.
  struct Winograd: Sendable {
    var input: Int
    var tiling: WinogradTiling
    /// The frame to add, if any.
    var addend: Int?
    var rectifies: Bool
    var output: Int
    var weights: PackedWeights.Offsets
  }

  let frames: [Frame]
  let steps: [Step]
  let weights: PackedWeights
  /// The frame that the last step fills; the input is frame 0.
  let output: Int
  /// Values in all frames of one example.
  let size: Int
  /// A plan for a network; a batch normalization that is not folded takes a step of its own.
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

  /// The number of values in the frames of `capacity` examples and in the steps' scratch space.
  func bufferCount(capacity: Int) -> Int {
    var most = 0
    for step in steps {
      switch step {
      case .winograd(let step):
        most = max(most, step.tiling.scratch(examples: min(capacity, step.tiling.examplesPerRound)))
      case .product(let product) where weights.backend == .blas:
        most = max(most, pixelsTogether(product) * valuesPerPixel(product))
      default: break
      }
    }
    return capacity * size + most
  }

  /// The number of output pixels of a product per example.
  func pixels(_ product: Product) -> Int {
    product.isDense ? 1 : frames[product.output].height * frames[product.output].width
  }

  /// The number of pixels per BLAS call: at most 4 MB of values, but at least one pixel.
  func pixelsTogether(_ product: Product) -> Int {
    min(pixels(product), max(1, (1 << 20) / valuesPerPixel(product)))
  }

  /// The number of values that BLAS needs per pixel: those under the kernel, and the sums.
  private func valuesPerPixel(_ product: Product) -> Int {
    let patches = [product.first, product.second].compactMap { $0.map(patchCount) }.max() ?? 0
    return frames[product.output].channels + patches
  }

  /// The number of values under the kernel at one pixel.
  func patchCount(_ operand: Product.Operand) -> Int {
    operand.kernelRows * operand.kernelColumns * frames[operand.frame].channels
  }
}
