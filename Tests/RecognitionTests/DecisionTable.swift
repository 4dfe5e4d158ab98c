import Foundation
import Ink
import NeuralNetwork
import Numbers
import TestTools
import Testing

@testable import Recognition

/// The table that every form of the decision must reproduce: in Swift, in ONNX
/// (`Tests/Interop/test_decisions.py`), in JavaScript (`Tests/PageLogic/decision.test.mjs`).
/// `scripts/make-decision-table` writes it.
struct DecisionTable: Decodable, Sendable {
  let models: [Model]
  let ink: [InkCase]

  /// A model of vectors of two numbers, and what it must decide.
  struct Model: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let head: HeadConfiguration
    /// The vectors of each label's samples.
    let samples: [String: [[Float]]]
    let priors: [Prior]?
    /// The prior's weight in the adaptation to all samples; nil for none.
    let adaptation: Double?
    /// What a linear head learned.
    let learned: Learned?
    let cases: [Case]
    var testDescription: String { name }
  }

  struct Prior: Decodable, Sendable {
    let name: String
    let mean: [Float]
    let projection: [[Float]]
    let between: [Float]
    let calibration: Distribution?
  }

  /// A distribution that is the same for all numbers of labels and samples, but for what is added.
  struct Distribution: Decodable, Sendable {
    let marginWeight: Float
    /// Percents and the evidence there; straight lines lie between.
    let quantiles: [[Float]]
    /// What each step in the axes of labels and of samples adds.
    let raises: [Float]
    /// The first temperature, and what each step adds.
    let temperatures: [Float]
  }

  struct Learned: Decodable, Sendable {
    let weights: [[Float]]
    let biases: [Float]
  }

  /// A vector and the decision on it.
  struct Case: Decodable, Sendable {
    let why: String
    let vector: [Float]
    let refusalRate: Double
    let decision: String
    let reason: String?
    let between: [String]?
    let label: String?
    /// In the order of labels.
    let confidences: [Double]?
    let score: Double?
    let margin: Double?
    let typicality: Double?
  }

  /// A drawing, and whether it has enough ink to be classified.
  struct InkCase: Decodable, Sendable {
    let why: String
    let strokes: [[[Double]]]
    let canvas: Drawing.Canvas?
    let isEnough: Bool
  }

  static func read() throws -> DecisionTable {
    let path = Repository.path + "/Tests/Decisions/decisions.json"
    return try JSONDecoder().decode(
      DecisionTable.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

extension DecisionTable.Model {
  /// The model, with a network that is never asked.
  func recognizer() throws -> Recognizer {
    var generator = SeededGenerator(seed: 1)
    let sequence = StrokeSequence(steps: 2)
    let network = try Network(
      Network.Architecture(
        inputShape: sequence.shape, layers: [.globalAveragePool, .dense(features: 2)]),
      using: &generator)
    var memory = SampleMemory(dimension: 2, priors: try (priors ?? []).map { try $0.prior() })
    let taught = samples.flatMap { label, vectors in
      vectors.enumerated().map { index, vector in
        let id = "\(label)-\(index < 9 ? "0" : "")\(index + 1)"
        return (TaughtSample(id: id, label: label, digest: id), vector)
      }
    }
    memory.insert(taught.map(\.0), vectors: taught.flatMap(\.1))
    if let adaptation {
      try memory.adapt(Adaptation(priorWeight: adaptation, samples: Set(memory.samples)))
    }
    var head = head.makeHead()
    if let learned {
      try head.restore(
        [
          "weights": Tensor(shape: [samples.count, 2], values: learned.weights.flatMap(\.self)),
          "biases": Tensor(shape: [samples.count], values: learned.biases),
        ], for: memory)
    } else if !samples.isEmpty {
      head.fit(to: memory)
    }
    return Recognizer(
      embedding: try Embedding([EmbeddingMember(view: .sequence(sequence), network: network)]),
      memory: memory, head: head, policy: .standard, provenance: Doodles.provenance())
  }
}

extension DecisionTable.Prior {
  func prior() throws -> PLDAPrior {
    PLDAPrior(
      named: name,
      model: try TwoCovarianceModel(
        mean: mean, projection: projection.flatMap(\.self), betweenVariances: between),
      calibration: try calibration?.calibration())
  }
}

extension DecisionTable.Distribution {
  func calibration() throws -> Calibration {
    let cells = Calibration.labelCounts.indices.flatMap { i in
      Calibration.shotCounts.indices.map { j in (Float(i), Float(j)) }
    }
    let percents = (0...100).map { evidence(atPercent: Float($0)) }
    return try Calibration(
      marginWeight: marginWeight,
      evidence: cells.flatMap { i, j in percents.map { $0 + raises[0] * i + raises[1] * j } },
      temperatures: cells.map { temperatures[0] + temperatures[1] * $0 + temperatures[2] * $1 })
  }

  private func evidence(atPercent percent: Float) -> Float {
    let next = max(1, quantiles.firstIndex { $0[0] >= percent } ?? 1)
    let (low, high) = (quantiles[next - 1], quantiles[next])
    return low[1] + (high[1] - low[1]) * (percent - low[0]) / (high[0] - low[0])
  }
}
