internal import Foundation
public import Ink
public import Recognition

/// Drawings with what a recognizer makes of them, step by step, for tests of other programs that
/// run an exported model: strokes, inputs of the networks, embedding, answer.
public struct TestVectors: Encodable {
  /// Names the kind of file.
  static let format = "drawml-test-vectors"
  let format = Self.format
  /// The SHA-256 of the model.
  let fingerprint: String
  /// The labels in the order of an exported model's confidences.
  let labels: [String]
  let inputs: [NetworkInput]
  let vectors: [Item]

  /// The number of drawings.
  public var count: Int { vectors.count }

  /// A drawing and what is made of it.
  struct Item: Encodable {
    var id: String
    /// Stroke JSON: columns of x and y.
    var strokes: [[[Double]]]
    /// The values of each input by name, row-major, of the input's shape.
    var inputs: [String: [Float]]
    var embedding: [Float]
    var answer: Answer
  }

  /// The recognizer's answer.
  struct Answer: Encodable {
    /// "recognized" or "unrecognized".
    var decision: String
    /// The label of highest confidence, reported or not; absent for a model without labels.
    var label: String?
    var confidence: Double?
    var typicality: Double?
  }

  /// The maximum number of numbers in all inputs and embeddings, which are in memory together.
  static let mostNumbers = 8_000_000

  /// The vectors of drawings.
  ///
  /// - Parameters:
  ///   - drawings: The drawings; those with too little ink to be classified are left out.
  ///   - recognizer: The model.
  /// - Throws: `ExportError.tooManyVectors`; `ModelError.drawing` for a drawing that cannot be
  ///   embedded.
  public init(of drawings: [Drawing], by recognizer: Recognizer) throws {
    let inputs = NetworkInput.all(of: recognizer.embedding.members)
    let numbers = inputs.reduce(recognizer.embedding.dimension) { $0 + $1.shape.reduce(1, *) }
    let most = Self.mostNumbers / numbers
    guard drawings.count <= most else {
      throw ExportError.tooManyVectors(drawings: drawings.count, most: most)
    }
    fingerprint = try ModelFile.fingerprint(of: recognizer)
    labels = recognizer.labels
    self.inputs = inputs
    vectors = try drawings.filter(\.hasEnoughInk).map { drawing in
      let result = try recognizer.classify(drawing, candidates: 1)
      return Item(
        id: drawing.id,
        strokes: drawing.strokes.map { [$0.points.map(\.x), $0.points.map(\.y)] },
        inputs: Dictionary(
          uniqueKeysWithValues: try inputs.map { ($0.name, try $0.values(of: drawing)) }),
        embedding: try recognizer.embedding.vector(of: drawing),
        answer: Answer(
          decision: result.decision.name, label: result.decision.best?.label,
          confidence: result.decision.best?.confidence,
          typicality: result.evidence?.typicality))
    }
  }
}
