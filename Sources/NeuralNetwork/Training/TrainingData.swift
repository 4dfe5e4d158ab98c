public import Support

/// Examples with labels, drawn by number.
///
/// Several threads ask for examples at the same time. What is random, such as augmentation, takes
/// its numbers from the generator it is given, which depends only on the run's seed, the epoch and
/// the example: so neither the number of threads nor an interruption changes what is learned.
public protocol TrainingData: Sendable {
  /// The number of examples.
  var count: Int { get }

  /// A digest of the examples, labels and settings; a checkpoint of other data is refused by it.
  var fingerprint: String { get }

  /// The length of each example's target vector, 0 where there is none.
  var targetSize: Int { get }

  /// Called before each step, by nobody else at the same time, and before `fill` is asked for the
  /// step's examples: data that is too large for the memory gets them here, one after the other.
  ///
  /// - Parameters:
  ///   - batch: The step's examples, each in 0..<count.
  ///   - epoch: Which epoch it is, from 0.
  ///   - position: How many examples of the epoch came before.
  /// - Throws: What stops the training.
  func prepare(_ batch: ArraySlice<Int>, epoch: Int, position: Int) throws

  /// Writes example `index`, which may be another one in every epoch.
  ///
  /// - Parameters:
  ///   - input: The network's input, row-major [height, width, channels]; all zero at first.
  ///   - target: What another network says of the example, [targetSize]; all zero at first, and
  ///     zero where nothing is known.
  ///   - index: Which example, in 0..<count.
  ///   - generator: Where random numbers come from, fresh for this example in this epoch; data for
  ///     validation leaves it alone.
  /// - Returns: The class of the example, in 0..<classes, or nil where it has none.
  /// - Throws: What stops the training.
  func fill(
    _ input: inout MutableSpan<Float>, target: inout MutableSpan<Float>, with index: Int,
    using generator: inout SeededGenerator
  ) throws -> Int?
}

extension TrainingData {
  /// None.
  public var targetSize: Int { 0 }

  /// Nothing: all examples are there.
  public func prepare(_ batch: ArraySlice<Int>, epoch: Int, position: Int) throws {}
}
