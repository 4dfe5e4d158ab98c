public import Ink
public import Support

/// A drawing changed for training, and by how much the pen's width is changed.
public struct AugmentedDrawing: Sendable {
  /// The changed drawing.
  public var drawing: Drawing
  /// What the rasterizer's pen width is multiplied with, > 0.
  public var strokeWidthFactor: Double

  /// A changed drawing.
  public init(_ drawing: Drawing, strokeWidthFactor: Double = 1) {
    self.drawing = drawing
    self.strokeWidthFactor = strokeWidthFactor
  }
}

/// Where the examples of a training come from: drawn by number, new ones in every epoch.
public struct TrainingExamples: Sendable {
  /// Example `index` of an epoch, and its class as an index into `classes`; nil where it has none,
  /// so that only a teacher can say something of it. It takes its randomness from the generator
  /// alone.
  public typealias Draw =
    @Sendable (
      _ index: Int, _ generator: inout SeededGenerator
    ) throws -> (example: AugmentedDrawing, label: Int?)

  /// Gets the examples of a step ready; see `TrainingData.prepare(_:epoch:position:)`.
  public typealias Prepare =
    @Sendable (_ batch: ArraySlice<Int>, _ epoch: Int, _ position: Int) throws -> Void

  /// The classes, in ascending order.
  public let classes: [String]
  /// Examples an epoch.
  public let count: Int
  /// Names the drawings and all that chooses and changes them.
  public let fingerprint: String
  let draw: Draw
  let prepare: Prepare

  /// A source of examples; `prepare` is for those that cannot give any example at any time.
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
