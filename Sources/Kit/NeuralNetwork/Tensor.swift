/// A row-major array of floats of any rank.
///
/// Pictures are `NHWC`: [examples, height, width, channels], with the channel varying fastest.
public struct Tensor: Sendable, Equatable {
  /// The length of each axis, outermost first.
  public let shape: [Int]
  /// The values, row-major; as many as the product of `shape`.
  public var values: [Float] {
    didSet { Self.check(values.count, shape) }
  }

  /// A tensor of `values`, row-major.
  ///
  /// - Parameters:
  ///   - shape: The length of each axis, outermost first; none negative.
  ///   - values: As many values as the product of `shape`.
  public init(shape: [Int], values: [Float]) {
    Self.check(values.count, shape)
    self.shape = shape
    self.values = values
  }

  /// A tensor whose values are all `value`.
  public init(shape: [Int], repeating value: Float = 0) {
    self.init(shape: shape, values: [Float](repeating: value, count: shape.reduce(1, *)))
  }

  private static func check(_ count: Int, _ shape: [Int]) {
    precondition(
      shape.allSatisfy { $0 >= 0 } && count == shape.reduce(1, *),
      "a tensor of shape \(shape) cannot hold \(count) values")
  }
}
