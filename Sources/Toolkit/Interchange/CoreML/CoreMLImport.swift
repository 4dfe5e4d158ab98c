internal import Files
internal import Ink
internal import InterchangeMessages
public import NeuralNetwork
public import Recognition

typealias CoreMLLayer = CoreML_Specification_NeuralNetworkLayer
typealias CoreMLModel = CoreML_Specification_Model

/// Reads Core ML models: networks of the layers that `CoreMLExport` writes, with weights as 32-bit
/// floats, and updatable classifiers of nearest neighbors behind them.
public enum CoreMLImport {
  /// The network in a Core ML file's bytes, which takes one picture.
  ///
  /// It takes pictures of shape [height, width, channels] with values as the first layer expects
  /// them; a scale in the file other than that of 0...255 to 0...1 is refused rather than ignored.
  ///
  /// - Throws: `ImportError`, also for layers that would run but compute different numbers, or
  ///   `NetworkError` if the layers do not fit together.
  public static func network(from bytes: [UInt8]) throws -> Network {
    let model = try decoded(bytes)
    var graph = try Graph(of: model)
    guard graph.inputs.count == 1, graph.inputs[0].isImage else {
      throw ImportError.unsupported("it takes no picture")
    }
    guard graph.inputs[0].scale ?? .init() == .init() else {
      throw ImportError.unsupported("its input is scaled or shifted before the first layer")
    }
    let parts = try graph.reader.parts(of: graph.output)
    guard parts.count == 1 else { throw ImportError.unsupported("it has several networks") }
    return parts[0].network
  }

  /// An embedding of the network in the Core ML file at `path`, followed by L2 normalization.
  ///
  /// - Parameters:
  ///   - path: A `.mlmodel` file.
  ///   - strokeWidth: The pen's width in the network's input pictures, in pixels.
  ///   - margin: The distance of the ink from their edges, in pixels.
  /// - Returns: The embedding of the file's picture size.
  /// - Throws: `FileError` when the file cannot be read or its network cannot be used, and
  ///   `ModelError`.
  public static func embedding(
    at path: String, strokeWidth: Double = 1.5, margin: Double = 1.5
  ) throws -> Embedding {
    let bytes = try AtomicFile.read(path)
    let (network, rasterizer) = try ImportedModel.locating(path) {
      let network = try Self.network(from: bytes)
      return (
        network,
        try ImportedModel.rasterizer(
          height: network.inputShape[0], width: network.inputShape[1], strokeWidth: strokeWidth,
          margin: margin)
      )
    }
    return try Embedding(
      rasterizer: rasterizer,
      network: Network(
        Network.Architecture(
          inputShape: network.inputShape, layers: network.architecture.layers + [.l2Normalize()]),
        parameters: network.parameters, statistics: network.statistics))
  }

  /// A recognizer of the Core ML file at `path`: its networks and, where an updatable classifier of
  /// nearest neighbors is behind them, its samples and labels; without, one that knows no label.
  ///
  /// - Parameters:
  ///   - path: A `.mlmodel` file.
  ///   - white: What the first layer takes for white ink, where the file declares no scale.
  ///   - networksOnly: Whether to leave out the samples.
  ///   - software: The version of this program, for the provenance.
  /// - Returns: The recognizer; its head is of nearest neighbors, with the file's settings.
  /// - Throws: `FileError` with the field that cannot be read.
  public static func recognizer(
    at path: String, white: Int? = nil, networksOnly: Bool = false, software: String
  ) throws -> Recognizer {
    let bytes = try AtomicFile.read(path)
    return try ImportedModel.locating(path) {
      let model = try decoded(bytes)
      var graph: Graph
      var samples: ImportedModel.Samples?
      if case .pipelineClassifier(let classifier)? = model.type {
        let models = classifier.pipeline.models
        guard models.count == 2 else {
          throw ImportError.unsupported(
            "pipeline.models are \(models.count); a network and a classifier of nearest neighbors "
              + "are read")
        }
        graph = try Graph(of: models[0])
        if !networksOnly {
          samples = try Self.samples(of: models[1])
          guard models[1].description_p.input.map(\.name) == [graph.output] else {
            throw ImportedModel.otherVectors
          }
        }
      } else {
        graph = try Graph(of: model)
      }
      return try ImportedModel(
        facts: ImportFacts(model.description_p.metadata.userDefined), inputs: graph.inputs,
        parts: graph.reader.parts(of: graph.output), samples: samples, format: "Core ML",
        digest: Fingerprint.sha256(bytes)
      ).recognizer(white: white, software: software)
    }
  }

  /// The samples and their labels.
  private static let longLists: [[UInt64]] = [
    [200, 1, 1, 404, 1, 2], [200, 1, 1, 404, 100, 1],
  ]

  /// Labels that are numbers, packed.
  private static let leaves: [[UInt64]] = [[200, 1, 1, 404, 101, 1]]

  private static func decoded(_ bytes: [UInt8]) throws(ImportError) -> CoreMLModel {
    try ImportedModel.decoded(bytes, lists: longLists, leaves: leaves)
  }

  // MARK: Networks

  /// The steps of a model's networks.
  private struct Graph {
    var inputs: [ImportedModel.Input] = []
    /// The name of the vector.
    var output: String
    var reader: GraphReader

    init(of model: CoreMLModel) throws(ImportError) {
      guard case .neuralNetwork(let network)? = model.type else {
        throw .unsupported("it holds no plain neural network")
      }
      guard network.layers.count <= Network.mostLayers else {
        throw .unsupported("it has more than \(Network.mostLayers) layers")
      }
      let features = model.description_p.input
      // By the names of images.
      var scales: [String: ImportedModel.Scale] = [:]
      for step in network.preprocessing {
        // An empty name means the only input.
        let name = step.featureName.isEmpty ? features.first?.name ?? "" : step.featureName
        guard step.hasScaler, scales.updateValue(try Self.scale(step.scaler), forKey: name) == nil
        else { throw .unsupported("its input is scaled or shifted before the first layer") }
      }
      guard !features.isEmpty else { throw .unsupported("it takes no picture") }
      for feature in features {
        var input = try Self.input(feature)
        if input.isImage { input.scale = scales[input.name] }
        inputs.append(input)
      }
      let steps = try CoreMLSteps.steps(of: network.layers)
      guard let last = steps.last else { throw .unsupported("it has no layers") }
      reader = try GraphReader(inputs: inputs.map { ($0.name, $0.shape) }, steps: steps)
      let declared = model.description_p.output.first?.name ?? ""
      output = reader.has(declared) ? declared : last.output
    }

    /// Images have pixels from 0 to 255: coremltools leaves them so by default, by a factor of 1.
    private static func scale(
      _ scaler: CoreML_Specification_NeuralNetworkImageScaler
    ) throws(ImportError) -> ImportedModel.Scale {
      let factor = 255 * scaler.channelScale
      guard factor.isFinite, factor != 0, scaler.grayBias.isFinite else {
        throw .unsupported(
          "channelScale is \(scaler.channelScale), grayBias \(scaler.grayBias)")
      }
      // 1 / 255 as it is written.
      return .init(factor: abs(factor - 1) < 1e-6 ? 1 : factor, shift: scaler.grayBias)
    }

    private static func input(
      _ feature: CoreML_Specification_FeatureDescription
    ) throws(ImportError) -> ImportedModel.Input {
      func size(_ value: Int64, _ field: String) throws(ImportError) -> Int {
        try CoreMLSteps.size(UInt64(bitPattern: value), of: field)
      }
      switch feature.type.type {
      case .imageType(let image):
        guard [0, CoreMLConstant.grayscale].contains(image.colorSpace) else {
          throw .unsupported(
            "colorSpace of \(feature.name) is \(image.colorSpace), not GRAYSCALE")
        }
        return .init(
          name: feature.name,
          shape: [
            try size(image.height, "the picture's height"),
            try size(image.width, "the picture's width"), 1,
          ], isImage: true)
      case .multiArrayType(let array):
        let shape = try CoreMLSteps.list(array.shape, of: "shape")
        guard shape.count == 3 else {
          throw .unsupported("shape of \(feature.name) has \(shape.count) axes, not 3")
        }
        return .init(
          name: feature.name,
          shape: [
            try CoreMLSteps.size(shape[1], of: "shape"),
            try CoreMLSteps.size(shape[2], of: "shape"),
            try CoreMLSteps.size(shape[0], of: "shape"),
          ], isImage: false)
      default: throw .unsupported("its input \(feature.name) is neither an image nor an array")
      }
    }
  }

  // MARK: Samples

  private static func samples(of model: CoreMLModel) throws(ImportError) -> ImportedModel.Samples {
    guard case .kNearestNeighborsClassifier(let classifier)? = model.type else {
      throw .unsupported("pipeline.models[1] is no kNearestNeighborsClassifier")
    }
    let index = classifier.nearestNeighborsIndex
    // The search method does not change the result.
    guard index.hasSquaredEuclideanDistance else {
      throw .unsupported("DistanceFunction is not squaredEuclideanDistance")
    }
    let neighbors = classifier.numberOfNeighbors.defaultValue
    guard (1...10_000).contains(neighbors) else {
      throw .malformed("numberOfNeighbors is \(neighbors); it must be from 1 to 10000")
    }
    let weights: HeadConfiguration.NeighborWeights
    switch classifier.weightingScheme {
    case .uniformWeighting: weights = .uniform
    case .inverseDistanceWeighting: weights = .inverseDistance
    case nil: throw .unsupported("WeightingScheme is neither uniform nor inverseDistance")
    }
    let labels: [String]
    if classifier.hasInt64ClassLabels {
      guard let numbers = classifier.int64ClassLabels.vector.varints(atMost: WireLimits.members)
      else { throw .malformed("int64ClassLabels are no whole numbers, or too many") }
      labels = numbers.map { String(Int64(bitPattern: $0)) }
    } else {
      labels = classifier.stringClassLabels.vector
    }
    guard labels.count == index.floatSamples.count else {
      throw .malformed(
        "there are \(labels.count) class labels, but \(index.floatSamples.count) floatSamples")
    }
    let dimension = Int(index.numberOfDimensions)
    var samples = ImportedModel.Samples(
      labels: labels, neighbors: Int(neighbors), weights: weights)
    for (row, sample) in index.floatSamples.enumerated() {
      let field = "floatSamples[\(row)]"
      let vector = try CoreMLSteps.floats(sample.vector, of: field)
      guard vector.count == dimension else {
        throw .malformed(
          "\(field) has \(vector.count) numbers, numberOfDimensions is \(dimension)")
      }
      samples.vectors += vector
    }
    return samples
  }
}
