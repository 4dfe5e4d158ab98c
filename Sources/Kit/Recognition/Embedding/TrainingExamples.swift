public import Ink
public import Numbers

/// A drawing augmented for training, with a factor of the pen's width.
public struct AugmentedDrawing: Sendable {
  /// The augmented drawing.
  public var drawing: Drawing
  /// The factor of the rasterizer's pen width, > 0.
  public var strokeWidthFactor: Double

  /// An augmented drawing.
  public init(_ drawing: Drawing, strokeWidthFactor: Double = 1) {
    self.drawing = drawing
    self.strokeWidthFactor = strokeWidthFactor
  }
}

/// A source of training examples, sampled by index and differently in every epoch.
public struct TrainingExamples: Sendable {
  /// Samples example `index` of an epoch, with its class as an index into `classes`; nil for an
  /// unlabeled example, whose only target is a teacher's vector. All randomness comes from the
  /// generator.
  public typealias Draw =
    @Sendable (
      _ index: Int, _ generator: inout SeededGenerator
    ) throws -> (example: AugmentedDrawing, label: Int?)

  /// Prepares the examples of a step; see `TrainingData.prepare(_:epoch:position:)`.
  public typealias Prepare =
    @Sendable (_ batch: ArraySlice<Int>, _ epoch: Int, _ position: Int) throws -> Void

  /// The classes, in ascending order.
  public let classes: [String]
  /// Examples per epoch.
  public let count: Int
  /// Identifies the drawings and how they are sampled and augmented.
  public let fingerprint: String
  let draw: Draw
  let prepare: Prepare

  /// A source of examples; `prepare` is for sources without random access.
  public init(
    classes: [String], count: Int, fingerprint: String,
    prepare: @escaping Prepare = { _, _, _ in }, draw: @escaping Draw
  ) {
    self.classes = classes
    self.count = count
    self.fingerprint = fingerprint
    self.draw = draw
    self.prepare = prepare
  }
}
