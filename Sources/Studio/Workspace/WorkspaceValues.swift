public import Foundation
public import Ink

/// One of the user's models (D-001).
public struct WorkspaceModel: Hashable, Sendable, Identifiable {
  /// A UUID in lower case.
  public var id: String
  /// What the user calls it; no two models of a workspace have the same name.
  public var name: String
  /// When it was created, to the millisecond.
  public var created: Date
  /// When it was last trained; nil if never.
  public var lastTrained: Date?
  /// Whether it is the active model. Exactly one model of a workspace is.
  public var isActive: Bool
  /// How many labels have samples.
  public var labelCount: Int
  /// How many samples there are.
  public var sampleCount: Int
  /// How many samples were added, changed or removed since the last training.
  public var untrainedCount: Int
  /// The refusal rate: the share of drawings of known labels that may be rejected, in 0...0.5.
  public var refusalRate: Double
  /// The number of trainings since the model was last empty: anything derived from the trained file
  /// of another generation is out of date.
  public var generation: Int
  /// Whether it knows everyday things from the beginning; these are not samples and cannot be
  /// deleted.
  public var isEveryday: Bool

  /// Whether it has samples, or was trained.
  public var isTrainable: Bool { sampleCount > 0 || generation > 0 }
}

extension WorkspaceModel: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, name, created, lastTrained, isActive, labelCount, sampleCount, untrainedCount
    case refusalRate, generation, isEveryday
  }

  /// Writes all keys, including those without a value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encode(created, forKey: .created)
    try container.encode(lastTrained, forKey: .lastTrained)
    try container.encode(isActive, forKey: .isActive)
    try container.encode(labelCount, forKey: .labelCount)
    try container.encode(sampleCount, forKey: .sampleCount)
    try container.encode(untrainedCount, forKey: .untrainedCount)
    try container.encode(refusalRate, forKey: .refusalRate)
    try container.encode(generation, forKey: .generation)
    try container.encode(isEveryday, forKey: .isEveryday)
  }
}

/// A label of a model (D-002).
public struct WorkspaceLabel: Hashable, Sendable, Identifiable {
  /// What drawings are called, such as an emoji; in Unicode normal form C.
  public var label: String
  /// The user's name for the label, if it has one.
  public var name: String?
  /// How many samples it has.
  public var sampleCount: Int
  /// How many samples the trained model knows under it.
  public var taughtCount: Int
  /// Its newest drawing; nil for a label that only the trained model still knows, and where the
  /// examples of a model exceed `WorkspaceLimits.pageBytes`.
  public var example: Drawing?

  /// The label.
  public var id: String { label }
}

extension WorkspaceLabel: Encodable {
  private enum CodingKeys: CodingKey { case label, name, sampleCount, taughtCount }

  /// Writes all but the example; a label without a name has the name null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(label, forKey: .label)
    try container.encode(name, forKey: .name)
    try container.encode(sampleCount, forKey: .sampleCount)
    try container.encode(taughtCount, forKey: .taughtCount)
  }
}

/// A training sample: a drawing with a label (D-003).
public struct WorkspaceSample: Hashable, Sendable, Identifiable {
  /// Its id, unique within its model.
  public var id: String
  /// What was drawn.
  public var label: String
  /// The strokes and the canvas; its id and label are those of the sample.
  public var drawing: Drawing
  /// When it was added, to the millisecond.
  public var created: Date
  /// Whether the trained model knows it, under this label.
  public var isTaught: Bool
  /// The id of the template that it was traced over; nil if it was drawn freely.
  public var template: String?
}

/// A sample to add.
public struct SampleAddition: Hashable, Sendable {
  /// Its id, unique within its model; nil for a new one.
  public var id: String?
  /// What was drawn.
  public var label: String
  /// The strokes and the canvas; its own id and label are ignored.
  public var drawing: Drawing
  /// The id of the template that it was traced over, a text like a name; nil if drawn freely.
  public var template: String?

  /// A sample to add.
  public init(id: String? = nil, label: String, drawing: Drawing, template: String? = nil) {
    self.id = id
    self.label = label
    self.drawing = drawing
    self.template = template
  }
}

/// The result of adding a sample.
public struct AddedSample: Hashable, Sendable {
  /// The sample.
  public var sample: WorkspaceSample
  /// False if the same sample was already stored.
  public var isNew: Bool
}

/// A model's prediction for a drawing (D-006).
public struct Prediction: Hashable, Sendable, Identifiable {
  /// Its id, unique within its model.
  public var id: String
  /// The model's id.
  public var model: String
  /// The best label; nil if there was none.
  public var label: String?
  /// The label's confidence, in 0...1.
  public var confidence: Double?
  /// Whether the label was accepted or rejected.
  public var decision: Decision
  /// The drawing; its id is that of the prediction.
  public var drawing: Drawing
  /// When the prediction was made, to the millisecond.
  public var created: Date

  /// Whether a drawing was recognized.
  public enum Decision: String, Hashable, Sendable, Codable {
    /// It was recognized.
    case recognized
    /// It was not recognized.
    case unrecognized
  }
}

/// The canvas of the playground: emojis and ink (D-007).
public struct Playground: Hashable, Sendable, Identifiable {
  /// Its id.
  public var id: String
  /// The id of the model that recognizes its drawings.
  public var model: String
  /// The size of the canvas.
  public var canvas: Drawing.Canvas
  /// Its items, oldest first.
  public var items: [PlaygroundItem]

  /// Creates a playground.
  public init(id: String, model: String, canvas: Drawing.Canvas, items: [PlaygroundItem] = []) {
    self.id = id
    self.model = model
    self.canvas = canvas
    self.items = items
  }
}

/// An emoji on the canvas of the playground, or ink that was not recognized as one.
public struct PlaygroundItem: Hashable, Sendable {
  /// Its number, unique on the canvas.
  public var number: Int
  /// The emoji; nil for ink that is undecided or was not recognized.
  public var label: String?
  /// The confidence, in 0...1; nil for ink that was not recognized, `undecided` for ink that was
  /// not classified yet.
  public var confidence: Double?
  /// The left edge of the square that the emoji fills, or of the ink, in the canvas's units.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// The length of the square's side, ≥ 0.
  public var side: Double
  /// The ink.
  public var strokes: [Stroke]
  /// The clients' ids of its strokes, nil for those without one; for an emoji, of the strokes that
  /// it replaced. Empty if no ids are known.
  public var ids: [String?]

  /// Whether a text is a valid stroke id: 1 to 64 bytes.
  public static func isStrokeID(_ text: String) -> Bool { (1...64).contains(text.utf8.count) }

  /// The confidence of ink that was not classified yet.
  public static let undecided = 0.0

  /// Whether the ink was not classified yet.
  public var isUndecided: Bool { label == nil && confidence == Self.undecided }

  /// An item.
  public init(
    number: Int, label: String?, confidence: Double?, x: Double, y: Double, side: Double,
    strokes: [Stroke], ids: [String?] = []
  ) {
    self.number = number
    self.label = label
    self.confidence = confidence
    self.x = x
    self.y = y
    self.side = side
    self.strokes = strokes
    self.ids = ids.contains { $0 != nil } ? ids : []
  }
}

/// What a model's answers depend on.
public struct ModelVersion: Hashable, Sendable {
  /// The number of trainings, as in `WorkspaceModel.generation`.
  public var generation: Int
  /// When it was last trained; nil if never. Needed because an import may reuse a generation's
  /// number for another training.
  public var lastTrained: Date?
  /// The share of drawings of known labels that it may reject, in 0...0.5.
  public var refusalRate: Double

  /// A version.
  public init(generation: Int, lastTrained: Date?, refusalRate: Double) {
    self.generation = generation
    self.lastTrained = lastTrained
    self.refusalRate = refusalRate
  }

  /// Whether both are of the same training, regardless of the refusal rate.
  public func isSameTraining(as other: ModelVersion) -> Bool {
    generation == other.generation && lastTrained == other.lastTrained
  }
}

extension WorkspaceModel {
  /// What the model's answers depend on.
  public var version: ModelVersion {
    ModelVersion(generation: generation, lastTrained: lastTrained, refusalRate: refusalRate)
  }
}
