public import Numbers

/// Labeled examples with random access by index.
///
/// Several threads request examples at the same time. Anything random, such as augmentation, must
/// use the given generator, which depends only on the run's seed, the epoch and the example; then
/// neither the number of threads nor an interruption affects the result.
public protocol TrainingData: Sendable {
  /// The number of examples.
  var count: Int { get }

  /// A digest of the examples, labels and settings, used to reject checkpoints of other data.
  var fingerprint: String { get }

  /// The length of each example's target vector; 0 if there are no targets.
  var targetSize: Int { get }

  /// Called before each step and its calls of `fill`, never concurrently. Data that does not fit in
  /// memory loads the step's examples here, in sequence.
  ///
  /// - Parameters:
  ///   - batch: The step's examples, each in 0..<count.
  ///   - epoch: The epoch, from 0.
  ///   - position: The number of examples of the epoch before this batch.
  /// - Throws: Any error, which stops the training.
  func prepare(_ batch: ArraySlice<Int>, epoch: Int, position: Int) throws

  /// Writes example `index`, which may vary from epoch to epoch.
  ///
  /// - Parameters:
  ///   - input: The network's input, row-major [height, width, channels]; all zero at first.
  ///   - target: The teacher network's output for the example, [targetSize]; all zero at first, and
  ///     left so without a teacher output.
  ///   - index: The example, in 0..<count.
  ///   - generator: The random generator, fresh for this example and epoch; validation data must
  ///     not use it.
  /// - Returns: The class of the example, in 0..<classes, or nil if it has no class.
  /// - Throws: Any error, which stops the training.
  func fill(
    _ input: inout MutableSpan<Float>, target: inout MutableSpan<Float>, with index: Int,
    using generator: inout SeededGenerator
  ) throws -> Int?
}

extension TrainingData {
  /// No targets.
  public var targetSize: Int { 0 }

  /// Does nothing: all examples are in memory.
  public func prepare(_ batch: ArraySlice<Int>, epoch: Int, position: Int) throws {}

  /// Writes an example into whole buffers; `kind` is that of the data, for errors.
  ///
  /// - Returns: The class of the example, or nil if it has no class.
  /// - Throws: Any error of the data, and `NetworkError` for a class that the network lacks.
  func fill(
    _ input: inout [Float], _ target: inout [Float], with index: Int, classes: Int,
    of kind: String, using generator: inout SeededGenerator
  ) throws -> Int? {
    var pixels = input.mutableSpan
    var values = target.mutableSpan
    let label = try fill(&pixels, target: &values, with: index, using: &generator)
    if let label, !(0..<classes).contains(label) {
      throw NetworkError.unsuitableData(
        "\(kind) example \(index) has class \(label), the network has \(classes) classes")
    }
    return label
  }
}
