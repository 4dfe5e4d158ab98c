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
  /// When it was trained last; nil where it never was.
  public var lastTrained: Date?
  /// Whether it is the one in use. Exactly one model of a workspace is.
  public var isActive: Bool
  /// How many labels have samples.
  public var labelCount: Int
  /// How many samples there are.
  public var sampleCount: Int
  /// How many samples were added, changed or removed since the last training.
  public var untrainedCount: Int
  /// The share of the drawings of taught labels that may be refused, in 0...0.5.
  public var refusalRate: Double
  /// Counts the trainings since the model last knew nothing: what was made from the trained file of
  /// another generation is out of date.
  public var generation: Int
  /// Whether it knows everyday things from the beginning; they are no samples and cannot be
  /// deleted.
  public var isEveryday: Bool

  /// Whether there is something to teach it, or something that it knows.
  public var isTrainable: Bool { sampleCount > 0 || generation > 0 }
}

extension WorkspaceModel: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, name, created, lastTrained, isActive, labelCount, sampleCount, untrainedCount
    case refusalRate, generation, isEveryday
  }

  /// Writes all keys, also those without a value.
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
  /// What the user calls the label, where that was said.
  public var name: String?
  /// How many samples it has.
  public var sampleCount: Int
  /// How many samples the trained model knows under it.
  public var taughtCount: Int
  /// Its newest drawing; nil for a label that only the trained model still knows.
  public var example: Drawing?

  /// The label.
  public var id: String { label }
}

/// A drawing that shall teach a label (D-003).
public struct WorkspaceSample: Hashable, Sendable, Identifiable {
  /// What names it within its model.
  public var id: String
  /// What was drawn.
  public var label: String
  /// The strokes and the canvas; its id and label are those of the sample.
  public var drawing: Drawing
  /// When it was added, to the millisecond.
  public var created: Date
  /// Whether the trained model knows it, under this label.
  public var isTaught: Bool
}

/// A sample to add.
public struct SampleAddition: Hashable, Sendable {
  /// What names it within its model; nil for a new id.
  public var id: String?
  /// What was drawn.
  public var label: String
  /// The strokes and the canvas; its own id and label are not looked at.
  public var drawing: Drawing

  /// A sample to add.
  public init(id: String? = nil, label: String, drawing: Drawing) {
    self.id = id
    self.label = label
    self.drawing = drawing
  }
}

/// A sample as it was added.
public struct AddedSample: Hashable, Sendable {
  /// The sample.
  public var sample: WorkspaceSample
  /// False where it was there already, with the same content.
  public var isNew: Bool
}

/// What a model said of a drawing (D-006).
public struct Prediction: Hashable, Sendable, Identifiable {
  /// What names it within its model.
  public var id: String
  /// The model that was asked.
  public var model: String
  /// The best label; nil where there was none.
  public var label: String?
  /// How much it was believed, in 0...1.
  public var confidence: Double?
  /// Whether the label was said aloud.
  public var decision: Decision
  /// What was drawn; its id is that of the prediction.
  public var drawing: Drawing
  /// When, to the millisecond.
  public var created: Date

  /// Whether a drawing was recognized.
  public enum Decision: String, Hashable, Sendable, Codable {
    /// It was.
    case recognized
    /// It was not.
    case unrecognized
  }
}

/// The canvas of the playground: emojis and ink (D-007).
public struct Playground: Hashable, Sendable, Identifiable {
  /// What names it.
  public var id: String
  /// The model that recognizes its drawings.
  public var model: String
  /// The size of the canvas.
  public var canvas: Drawing.Canvas
  /// What lies on it, the oldest first.
  public var items: [PlaygroundItem]

  /// A playground.
  public init(id: String, model: String, canvas: Drawing.Canvas, items: [PlaygroundItem] = []) {
    self.id = id
    self.model = model
    self.canvas = canvas
    self.items = items
  }
}

/// An emoji on the canvas of the playground, or ink that became none.
public struct PlaygroundItem: Hashable, Sendable {
  /// Its number on the canvas, which no other item has.
  public var number: Int
  /// The emoji; nil for ink that is undecided or was not recognized.
  public var label: String?
  /// How much it was believed, in 0...1; nil for ink that was not recognized, `undecided` for ink
  /// that nobody looked at.
  public var confidence: Double?
  /// The left edge of the square that the emoji fills, or of the ink, in the canvas's units.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// The length of the square's side, ≥ 0.
  public var side: Double
  /// The ink.
  public var strokes: [Stroke]
  /// What clients call its strokes, nil for those without a name; of an emoji, the strokes that it
  /// took. Empty where no names are known.
  public var ids: [String?]

  /// Whether a stroke can be called so: 1 to 64 bytes.
  public static func isStrokeID(_ text: String) -> Bool { (1...64).contains(text.utf8.count) }

  /// The confidence of ink that nothing was decided on yet.
  public static let undecided = 0.0

  /// Whether nothing was decided on yet.
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
  /// How often it was trained.
  public var generation: Int
  /// When it was trained last; nil where it never was. An import may bring a generation back that
  /// was another one here.
  public var lastTrained: Date?
  /// The share of the drawings of taught labels that it may refuse, in 0...0.5.
  public var refusalRate: Double

  /// A version.
  public init(generation: Int, lastTrained: Date?, refusalRate: Double) {
    self.generation = generation
    self.lastTrained = lastTrained
    self.refusalRate = refusalRate
  }

  /// Whether both are of the same training, however sure the model must be.
  public func isOfSameTraining(as other: ModelVersion) -> Bool {
    generation == other.generation && lastTrained == other.lastTrained
  }
}

extension WorkspaceModel {
  /// What the model's answers depend on.
  public var version: ModelVersion {
    ModelVersion(generation: generation, lastTrained: lastTrained, refusalRate: refusalRate)
  }
}
