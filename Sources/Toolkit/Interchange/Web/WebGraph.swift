internal import NeuralNetwork

/// Writes networks as steps that `network.js` runs.
struct WebGraph: GraphWriter {
  /// A step; `kind` names the function of the script.
  struct Step: Encodable {
    var kind: String
    var inputs: [String]
    var output: String
    var weights: WebNumbers.Slice?
    var bias: WebNumbers.Slice?
    /// Rows and columns of a kernel or a window.
    var size: [Int]?
    var epsilon: Float?
    var factor: Float?
  }

  private(set) var steps: [Step] = []
  /// The weights, and what else the page needs.
  var numbers = WebNumbers()

  private mutating func add(
    _ kind: String, _ inputs: [String], _ settings: (inout Step) -> Void = { _ in }
  ) -> String {
    var step = Step(kind: kind, inputs: inputs, output: "\(kind)\(steps.count + 1)")
    settings(&step)
    steps.append(step)
    return step.output
  }

  private mutating func added(_ bias: [Float]) -> WebNumbers.Slice? {
    bias.isEmpty ? nil : numbers.add(bias)
  }

  mutating func convolution(_ x: String, _ weights: Tensor, bias: [Float]) -> String {
    let (kernels, shift) = (numbers.add(weights.outputsFirst), added(bias))
    return add("convolution", [x]) {
      ($0.weights, $0.bias, $0.size) = (kernels, shift, Array(weights.shape.prefix(2)))
    }
  }

  mutating func normalization(_ x: String, _ terms: NormalizationTerms) -> String {
    let place = numbers.add(terms.scale + terms.shift + terms.mean + terms.variance)
    return add("normalization", [x]) { ($0.weights, $0.epsilon) = (place, terms.epsilon) }
  }

  mutating func rectifier(_ x: String) -> String { add("rectifier", [x]) }

  mutating func maxPool(_ x: String, rows: Int) -> String {
    add("maxPool", [x]) { $0.size = [rows, 2] }
  }

  mutating func means(_ x: String) -> String { add("means", [x]) }

  mutating func flattening(_ x: String) -> String { add("flattening", [x]) }

  mutating func linearMap(_ x: String, _ weights: Tensor, bias: [Float]) -> String {
    let (rows, shift) = (numbers.add(weights.outputsFirst), added(bias))
    return add("linearMap", [x]) { ($0.weights, $0.bias) = (rows, shift) }
  }

  mutating func sum(_ x: String, _ y: String) -> String { add("sum", [x, y]) }

  mutating func unitVector(_ x: String, epsilon: Float, axes: Int) -> String {
    add("unitVector", [x]) { $0.epsilon = epsilon }
  }

  mutating func product(_ x: String, factor: Float) -> String {
    add("product", [x]) { $0.factor = factor }
  }

  mutating func concatenation(_ parts: [String]) -> String { add("concatenation", parts) }
}
