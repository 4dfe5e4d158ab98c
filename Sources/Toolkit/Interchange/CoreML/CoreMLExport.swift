internal import Foundation
internal import InterchangeMessages
internal import NeuralNetwork
public import Recognition
internal import SwiftProtobuf

/// Writes a recognizer as an updatable Core ML model: a pipeline of the networks, and a k-nearest
/// neighbors classifier that holds the taught samples and learns more on the device.
///
/// The classifier votes among nearest samples, whatever the recognizer's head, and has no
/// threshold: see `docs/guide/export.md` for how far the labels agree.
public enum CoreMLExport {
  /// The label of a model without samples; Core ML needs one.
  static let unknownLabel = "unknown"
  /// The first version of the format with updatable models (iOS 13, macOS 10.15).
  static let specificationVersion: Int32 = 4

  /// The bytes of a `.mlmodel` file; the same recognizer gives the same bytes.
  ///
  /// - Parameters:
  ///   - recognizer: The model.
  ///   - software: The program and version to name as the author.
  /// - Returns: The file's bytes.
  /// - Throws: `ExportError`, and what `ModelFile.fingerprint` throws.
  public static func bytes(of recognizer: Recognizer, software: String) throws -> [UInt8] {
    let parts = try CoreMLParts(of: recognizer)
    let facts = try ExportFacts(of: recognizer, parts.inputs, software: software)
    let networks = try networks(parts)
    let classifier = classifier(parts)
    let model = CoreMLModel.with {
      $0.specificationVersion = specificationVersion
      $0.isUpdatable = true
      $0.description_p = .with {
        $0.input = networks.description_p.input
        $0.output = classifier.description_p.output
        $0.trainingInput = networks.description_p.input + classifier.description_p.output.prefix(1)
        $0.predictedFeatureName = Name.label
        $0.predictedProbabilitiesName = Name.probabilities
        $0.metadata = .with {
          $0.shortDescription = facts.summary
          $0.versionString = facts.fingerprint
          $0.author = software
          $0.userDefined = Dictionary(uniqueKeysWithValues: facts.entries)
        }
      }
      $0.pipelineClassifier.pipeline = .with {
        $0.models = [networks, classifier]
        $0.names = ["embedding", "neighbors"]
      }
    }
    var options = BinaryEncodingOptions()
    options.useDeterministicOrdering = true
    return try model.serializedBytes(options: options)
  }

  /// The names of features.
  private enum Name {
    static let embedding = "embedding"
    static let metric = "metric"
    static let label = "label"
    static let probabilities = "labelProbs"
  }

  private static func networks(_ parts: CoreMLParts) throws(ExportError) -> CoreMLModel {
    var graph = CoreMLGraph()
    _ = try graph.embedding(
      parts.members, shares: parts.shares, inputs: parts.inputs.map(\.name))
    graph.renameOutput(Name.embedding)
    if let metric = parts.metric {
      _ = graph.linearMap(Name.embedding, metric.projection, bias: metric.shift)
      graph.renameOutput(Name.metric)
    }
    return .with {
      $0.specificationVersion = specificationVersion
      $0.description_p.input = parts.inputs.map(feature)
      $0.description_p.output = [vector(Name.embedding, count: parts.dimension)]
      if let metric = parts.metric {
        $0.description_p.output.append(vector(Name.metric, count: metric.shift.count))
      }
      $0.neuralNetwork.layers = graph.layers
      $0.neuralNetwork.preprocessing = parts.inputs.filter(\.isImage).map { input in
        .with {
          $0.featureName = input.name
          $0.scaler.channelScale = 1 / 255
        }
      }
    }
  }

  private static func classifier(_ parts: CoreMLParts) -> CoreMLModel {
    let input = vector(
      parts.metric == nil ? Name.embedding : Name.metric, count: parts.sampleLength)
    let label = CoreML_Specification_FeatureDescription.with {
      $0.name = Name.label
      $0.shortDescription = "The label with the most votes."
      $0.type.stringType = Data()
    }
    return .with {
      $0.specificationVersion = specificationVersion
      $0.isUpdatable = true
      $0.description_p = .with {
        $0.input = [input]
        $0.output = [
          label,
          .with {
            $0.name = Name.probabilities
            $0.shortDescription = "The share of the votes of each label."
            // stringKeyType = 2 {}
            $0.type.dictionaryType = Data([0x12, 0])
          },
        ]
        $0.trainingInput = [input, label]
        $0.predictedFeatureName = Name.label
        $0.predictedProbabilitiesName = Name.probabilities
      }
      $0.kNearestNeighborsClassifier = .with {
        $0.nearestNeighborsIndex = .with {
          $0.numberOfDimensions = Int32(parts.sampleLength)
          $0.floatSamples = stride(from: 0, to: parts.samples.count, by: parts.sampleLength).map {
            start in
            .with {
              $0.vector = Data(packing: parts.samples[start..<(start + parts.sampleLength)])
            }
          }
          $0.linearIndex = Data()
          $0.squaredEuclideanDistance = Data()
        }
        $0.numberOfNeighbors = .with {
          $0.defaultValue = Int64(parts.neighbors)
          $0.range = .with {
            $0.minValue = 1
            $0.maxValue = Int64(max(1000, parts.neighbors))
          }
        }
        $0.stringClassLabels.vector = parts.labels
        $0.defaultStringLabel = unknownLabel
        if parts.weights == .uniform {
          $0.uniformWeighting = Data()
        } else {
          $0.inverseDistanceWeighting = Data()
        }
      }
    }
  }

  private static func feature(
    _ input: NetworkInput
  ) -> CoreML_Specification_FeatureDescription {
    .with {
      $0.name = input.name
      $0.shortDescription = input.explanation
      if input.isImage {
        $0.shortDescription += " White ink on black."
        $0.type.imageType = .with {
          $0.height = Int64(input.shape[1])
          $0.width = Int64(input.shape[2])
          $0.colorSpace = CoreMLConstant.grayscale
        }
      } else {
        $0.type.multiArrayType = .with {
          $0.shape = Data(varints: input.shape)
          $0.dataType = CoreMLConstant.float32
        }
      }
    }
  }

  private static func vector(
    _ name: String, count: Int
  ) -> CoreML_Specification_FeatureDescription {
    .with {
      $0.name = name
      $0.type.multiArrayType = .with {
        $0.shape = Data(varints: [count])
        $0.dataType = CoreMLConstant.float32
      }
    }
  }
}

/// What of a recognizer a Core ML model takes over.
private struct CoreMLParts {
  let members: [EmbeddingMember]
  let shares: [Float]
  let inputs: [NetworkInput]
  let dimension: Int
  /// The map from the embedding to the vectors that the classifier compares; nil for none.
  let metric: Metric?
  /// The samples' vectors, row-major, shape [samples, sampleLength].
  let samples: [Float]
  let sampleLength: Int
  /// The label of each sample.
  let labels: [String]
  let neighbors: Int
  let weights: HeadConfiguration.NeighborWeights

  /// embedding · projection + shift; projection [dimension, directions], shift [directions].
  struct Metric {
    var projection: Tensor
    var shift: [Float]
  }

  /// The number of neighbors where the head is not of neighbors.
  private static let usualNeighbors = 5

  init(of recognizer: Recognizer) throws(ExportError) {
    let memory = recognizer.memory
    guard !memory.samples.isEmpty else { throw .nothingTaught }
    members = recognizer.embedding.members
    shares = recognizer.embedding.shares
    inputs = NetworkInput.all(of: members)
    dimension = recognizer.embedding.dimension
    labels = memory.samples.map(\.label)
    let head = recognizer.head.configuration
    if case .nearestNeighbors(let count, let weights) = head {
      (neighbors, self.weights) = (count, weights)
    } else {
      (neighbors, weights) = (Self.usualNeighbors, .inverseDistance)
    }
    guard head == .twoCovariance, !memory.priors.isEmpty else {
      (metric, samples, sampleLength) = (nil, memory.vectors, dimension)
      return
    }
    let model = DecisionTerms(of: recognizer).model
    let (projected, scales) = (model.project(memory.vectors), Self.scales(model))
    metric = Self.metric(model, scales)
    samples = projected.indices.map { projected[$0] * scales[$0 % scales.count] }
    sampleLength = scales.count
  }

  /// The log-likelihood ratio of two drawings being of one label, as far as it is a distance:
  /// direction k counts ψ / (2ψ + 1), where ψ is the variance between labels.
  private static func scales(_ model: TwoCovarianceModel) -> [Float] {
    model.betweenVariances.map { ($0 / (2 * $0 + 1)).squareRoot() }
  }

  /// The projection of `model`, scaled along each direction.
  private static func metric(_ model: TwoCovarianceModel, _ scales: [Float]) -> Metric {
    let (rows, columns) = (model.dimension, model.directions)
    let shift = model.project([Float](repeating: 0, count: rows))
    let values = (0..<rows).flatMap { row in
      (0..<columns).map { model.projection[$0 * rows + row] * scales[$0] }
    }
    return Metric(
      projection: Tensor(shape: [rows, columns], values: values),
      shift: zip(shift, scales).map { $0 * $1 })
  }
}
