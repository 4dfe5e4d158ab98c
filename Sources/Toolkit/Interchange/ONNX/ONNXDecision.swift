internal import InterchangeMessages
internal import NeuralNetwork
internal import Recognition

extension ONNXGraph {
  /// The names of what a graph gives for each example.
  enum Output {
    /// The vector, [N, dimension].
    static let embedding = "embedding"
    /// Each label's confidence, [N, labels].
    static let confidences = "confidences"
    /// The index of the label of highest confidence, [N].
    static let label = "label"
    /// The share of drawings of taught labels that fit worse, [N].
    static let typicality = "typicality"
    /// Whether the label is reported, [N].
    static let recognized = "recognized"
  }

  /// The names of the constants that hold the samples of nearest neighbors.
  enum Sample {
    /// Unit vectors, [samples, dimension].
    static let vectors = "sampleVectors"
    /// The index of each one's label, [samples].
    static let labels = "sampleLabels"
  }

  /// Adds head and acceptance: the steps of `Recognizer.classify` for a drawing with enough ink.
  mutating func decision(on embedding: String, by terms: DecisionTerms) throws(ExportError) {
    let scores = scores(of: embedding, terms)
    let confidences = add(
      "Identity", [try self.confidences(of: embedding, scores: scores, terms)],
      output: Output.confidences)
    _ = add(
      "ArgMax", [confidences], [Self.attribute("axis", 1), Self.attribute("keepdims", 0)],
      output: Output.label)
    let typicality = add(
      "Squeeze", [self.typicality(of: scores, terms), constant([1], shape: [1])],
      output: Output.typicality)
    // The least float that is not below the rate, because typicality is a float.
    var rate = Float(terms.refusalRate)
    if Double(rate) < terms.refusalRate { rate = rate.nextUp }
    let isTypical = add("GreaterOrEqual", [typicality, constant(rate)])
    var least = terms.labels.count > 1 ? Float(DecisionPolicy.leastConfidence) : 0
    if Double(least) < DecisionPolicy.leastConfidence, least > 0 { least = least.nextUp }
    let confidence = add(
      "ReduceMax", [confidences], [Self.attribute("axes", [1]), Self.attribute("keepdims", 0)])
    _ = add(
      "And", [isTypical, add("GreaterOrEqual", [confidence, constant(least)])],
      output: Output.recognized)
  }

  /// Each label's log-likelihood ratio against an untaught one, [N, labels].
  private mutating func scores(of embedding: String, _ terms: DecisionTerms) -> String {
    let model = terms.model
    let x = products(
      embedding, with: model.projection, columns: model.dimension,
      bias: terms.projectedMean.map { -$0 })
    let straight = products(
      x, with: terms.gains, columns: model.directions, bias: terms.offsets)
    let bends = products(
      add("Mul", [x, x]), with: terms.curvatures, columns: model.directions)
    return add("Sub", [straight, bends])
  }

  private mutating func confidences(
    of embedding: String, scores: String, _ terms: DecisionTerms
  ) throws(ExportError) -> String {
    let dimension = terms.model.dimension
    let softmax = [Self.attribute("axis", 1)]
    switch terms.head {
    case .twoCovariance:
      return add("Softmax", [add("Div", [scores, constant(terms.temperature)])], softmax)
    case .classMeans:
      guard let means = terms.learned["means"], let scale = terms.learned["scale"] else {
        throw .nothingTaught
      }
      let cosines = products(
        embedding, with: means.values, columns: dimension, factor: scale.values[0])
      return add("Softmax", [cosines], softmax)
    case .linear:
      guard let weights = terms.learned["weights"], let biases = terms.learned["biases"] else {
        throw .nothingTaught
      }
      let logits = products(
        embedding, with: weights.values, columns: dimension, bias: biases.values)
      return add("Softmax", [logits], softmax)
    case .nearestNeighbors(let count, let weights):
      return votes(of: embedding, count: count, weights, terms)
    }
  }

  /// The share of the votes of each label; see `NearestNeighbors`.
  private mutating func votes(
    of embedding: String, count: Int, _ weights: HeadConfiguration.NeighborWeights,
    _ terms: DecisionTerms
  ) -> String {
    let samples = terms.labelIndices.count
    let count = min(count, samples)
    let cosines = products(
      embedding, with: terms.vectors, columns: terms.model.dimension,
      named: Sample.vectors)
    let nearest = add(
      "TopK", [cosines, constant([count], shape: [1])], outputs: ["cosines", "neighbors"])
    let votes: String
    switch weights {
    case .uniform:
      votes = constant(
        (0..<count).map { 1 - 1e-4 * Float($0) / Float(count) }, shape: [1, count])
    case .inverseDistance:
      let two = constant(2)
      let square = add("Sub", [two, add("Mul", [two, nearest[0]])])
      let distance = add("Sqrt", [add("Max", [square, constant(0)])])
      votes = add("Reciprocal", [add("Add", [distance, constant(1e-6)])])
    }
    let axis = constant([1], shape: [1])
    let shares = add("Div", [votes, add("ReduceSum", [votes, axis])])
    let labels = add(
      "Gather",
      [
        constant(terms.labelIndices, shape: [samples], named: Sample.labels),
        nearest[1],
      ])
    let ballots = add(
      "OneHot",
      [labels, constant([terms.labels.count], shape: [1]), constant([0.0, 1.0], shape: [2])])
    let weighted = add("Mul", [ballots, add("Unsqueeze", [shares, constant([2], shape: [1])])])
    let sums = add("ReduceSum", [weighted, axis], [Self.attribute("keepdims", 0)])
    return add("Min", [sums, constant(1)])
  }

  /// The typicality of the best score, [N, 1]; see `Acceptance`.
  private mutating func typicality(of scores: String, _ terms: DecisionTerms) -> String {
    let count = min(2, terms.labels.count)
    let top = add(
      "TopK", [scores, constant([count], shape: [1])], outputs: ["bestScores", "bestLabels"])[0]
    let axis = constant([1], shape: [1])
    func column(_ index: Int, _ graph: inout ONNXGraph) -> String {
      graph.add(
        "Slice",
        [
          top, graph.constant([index], shape: [1]), graph.constant([index + 1], shape: [1]), axis,
        ])
    }
    let best = column(0, &self)
    let own = terms.ownStatistics
    guard let expected = terms.expected else {
      let isPositive = add("Greater", [best, constant(0)])
      let one = constant(1)
      guard own.count >= DecisionTerms.fewestAlone else {
        return add("Where", [isPositive, one, constant(0)])
      }
      let low = rank(best, among: own)
      let share = add("Div", [add("Add", [low, one]), constant(Float(own.count + 1))])
      let isRanked = add("Or", [isPositive, add("Greater", [low, constant(0)])])
      return add("Where", [isRanked, share, constant(0)])
    }
    var evidence = best
    if count == 2 {
      let margin = add("Sub", [best, column(1, &self)])
      evidence = add("Add", [best, add("Mul", [margin, constant(expected.marginWeight)])])
    }
    let statistic = share(below: evidence, expected.quantiles)
    guard !own.isEmpty else { return statistic }
    let prior = DecisionTerms.priorWeight
    let sum = add(
      "Add", [add("Mul", [statistic, constant(prior)]), rank(statistic, among: own)])
    return add("Div", [sum, constant(prior + Float(own.count))])
  }

  /// The share of a distribution below x, [N, 1]; see `Calibration.Distribution`.
  private mutating func share(below x: String, _ quantiles: [Float]) -> String {
    let count = quantiles.count
    let (zero, one) = (constant(0), constant(1))
    let table = constant(quantiles, shape: [count])
    let next = rank(x, among: quantiles)
    func quantile(_ index: String, _ graph: inout ONNXGraph) -> String {
      let last = graph.constant(Float(count - 1))
      let place = graph.add("Clip", [index, zero, last])
      let number = graph.add(
        "Cast", [place], [Self.attribute("to", Int(ONNXElement.int64.rawValue))])
      return graph.add("Gather", [table, number])
    }
    let previous = add("Sub", [next, one])
    let below = quantile(previous, &self)
    let above = quantile(next, &self)
    let part = add("Div", [add("Sub", [x, below]), add("Sub", [above, below])])
    let share = add("Div", [add("Add", [previous, part]), constant(Float(count - 1))])
    let isInside = add("Less", [next, constant(Float(count))])
    let bounded = add("Where", [isInside, share, one])
    return add("Where", [add("Greater", [next, zero]), bounded, zero])
  }
}
