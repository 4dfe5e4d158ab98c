internal import Foundation
internal import JSON
internal import NeuralNetwork
internal import Recognition

/// What the page's script knows of a model, besides its numbers.
struct WebModel: Encodable {
  /// The numbers of the decision: see `DecisionTerms`.
  struct Terms: Encodable {
    var labels: [String]
    var head: Head
    var projection: WebNumbers.Slice
    var projectedMean: WebNumbers.Slice
    var gains: WebNumbers.Slice
    var curvatures: WebNumbers.Slice
    var offsets: WebNumbers.Slice
    var expected: Expected?
    var own: WebNumbers.Slice
    var priorWeight = DecisionTerms.priorWeight
    var fewestAlone = DecisionTerms.fewestAlone
    var refusalRate: Double
    var leastConfidence = DecisionPolicy.leastConfidence
    var clearMargin = DecisionTerms.clearMargin
  }

  /// A head by its kind, with what that kind needs.
  struct Head: Encodable {
    var kind: String
    var temperature: Float?
    var means: WebNumbers.Slice?
    var scale: Float?
    var weights: WebNumbers.Slice?
    var biases: WebNumbers.Slice?
    var neighbors: Int?
    var votes: HeadConfiguration.NeighborWeights?
    var vectors: WebNumbers.Slice?
    var labelOf: [Int]?
  }

  /// The distribution of the evidence.
  struct Expected: Encodable {
    var marginWeight: Float
    var quantiles: WebNumbers.Slice
  }

  var title: String
  var software: String
  var fingerprint: String
  var inputs: [NetworkInput]
  var steps: [WebGraph.Step]
  /// The name of the value that is the embedding.
  var embedding: String
  var terms: Terms
  var leastExtent = DecisionTerms.leastExtent

  /// The JSON as escaped for a script element: without "<", so that no label ends the element or
  /// begins a comment.
  func json() throws -> String {
    try jsonText(self).replacingOccurrences(of: "<", with: "\\u003c")
  }
}

extension WebModel.Terms {
  /// The terms of a decision, whose tables are added to `numbers`.
  init(_ terms: DecisionTerms, addingTo numbers: inout WebNumbers) throws(ExportError) {
    self.init(
      labels: terms.labels, head: try WebModel.Head(terms, addingTo: &numbers),
      projection: numbers.add(terms.model.projection),
      projectedMean: numbers.add(terms.projectedMean), gains: numbers.add(terms.gains),
      curvatures: numbers.add(terms.curvatures), offsets: numbers.add(terms.offsets),
      expected: terms.expected.map {
        WebModel.Expected(
          marginWeight: $0.marginWeight, quantiles: numbers.add($0.quantiles))
      },
      own: numbers.add(terms.ownStatistics), refusalRate: terms.refusalRate)
  }
}

extension WebModel.Head {
  fileprivate init(
    _ terms: DecisionTerms, addingTo numbers: inout WebNumbers
  ) throws(ExportError) {
    let learned = terms.learned
    switch terms.head {
    case .twoCovariance:
      self.init(kind: "twoCovariance", temperature: terms.temperature)
    case .classMeans:
      guard let means = learned["means"], let scale = learned["scale"] else {
        throw .nothingTaught
      }
      self.init(kind: "classMeans", means: numbers.add(means.values), scale: scale.values[0])
    case .linear:
      guard let weights = learned["weights"], let biases = learned["biases"] else {
        throw .nothingTaught
      }
      self.init(
        kind: "linear", weights: numbers.add(weights.values), biases: numbers.add(biases.values))
    case .nearestNeighbors(let count, let weights):
      self.init(
        kind: "nearestNeighbors", neighbors: count, votes: weights,
        vectors: numbers.add(terms.vectors), labelOf: terms.labelIndices)
    }
  }
}
