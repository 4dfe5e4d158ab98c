import Numbers
import Testing

@testable import NeuralNetwork

@Suite("Fast paths and plain ones")
struct ReferenceTests {
  @Test(
    "A convolution agrees with plain loops on any size",
    arguments: [
      [1, 1, 1, 1, 3, 3, 1], [3, 28, 28, 1, 3, 3, 32], [2, 5, 7, 3, 3, 3, 4],
      [9, 7, 7, 17, 3, 3, 5], [2, 4, 4, 3, 1, 1, 6], [2, 2, 3, 2, 5, 5, 3],
      [40, 14, 14, 4, 3, 3, 2], [3, 1, 24, 6, 1, 5, 4], [2, 6, 3, 2, 3, 1, 3],
    ])
  func convolution(sizes: [Int]) throws {
    let (count, height, width, inputs) = (sizes[0], sizes[1], sizes[2], sizes[3])
    let (rows, kernel, outputs) = (sizes[4], sizes[5], sizes[6])
    var generator = SeededGenerator(seed: 1)
    var network = try Network(
      .init(
        inputShape: [height, width, inputs],
        layers: [.convolution(channels: outputs, kernel: kernel, rows: rows)]),
      using: &generator)
    network.parameters = generator.normals(network.parameters.count)
    let input = generator.normals(count * network.inputSize)
    let weightCount = network.parameters.count - outputs
    let expected = Reference.convolution(
      input, count: count, height: height, width: width, inputs: inputs,
      Array(network.parameters[..<weightCount]), Array(network.parameters[weightCount...]),
      rows: rows, kernel: kernel, outputs: outputs)
    let result = network(Tensor(shape: [count, height, width, inputs], values: input))
    #expect(result.shape == [count, height, width, outputs])
    #expect(relativeError(result.values, expected) < 1e-6)
  }

  @Test("A batch normalization agrees with plain loops", arguments: [1, 15, 16, 35])
  func normalization(channels: Int) throws {
    var generator = SeededGenerator(seed: 2)
    var network = try Network(
      .init(inputShape: [6, 5, channels], layers: [.batchNormalization()]), using: &generator)
    network.parameters = generator.normals(2 * channels)
    // Far from 0, where careless sums lose digits.
    let input = generator.normals(7 * network.inputSize).map { $0 + 3 }
    let expected = Reference.normalized(
      input, columns: channels, scale: Array(network.parameters[..<channels]),
      shift: Array(network.parameters[channels...]), epsilon: 1e-5)
    var probe = try Probe(network, count: 7)
    #expect(relativeError(probe.forward(input), expected.values) < 1e-5)
    #expect(relativeError(probe.pass.statistics[..<channels], expected.means) < 1e-6)
    #expect(relativeError(probe.pass.statistics[channels...], expected.populationVariances) < 1e-5)
  }

  @Test(
    "A product agrees with plain sums, transposed or not", arguments: [false, true], [false, true])
  func product(transposeA: Bool, transposeB: Bool) {
    var generator = SeededGenerator(seed: 3)
    for (m, n, k) in [(1, 1, 1), (3, 5, 2), (17, 33, 64), (2, 1, 9), (4, 3, 0), (0, 3, 4)] {
      let (a, b) = (generator.normals(m * k), generator.normals(k * n))
      var c = generator.normals(m * n)
      var span = c.mutableSpan
      Matrix.product(
        a.span, b.span, transposeA: transposeA, transposeB: transposeB, into: &span, m: m, n: n,
        k: k)
      let expected = Reference.product(
        a, b, transposeA: transposeA, transposeB: transposeB, m: m, n: n, k: k)
      #expect(relativeError(c, expected) < 1e-6, "\(m) × \(n), \(k)")
    }
  }

  @Test(
    "A max-pool agrees with plain loops, equal values included, on any size",
    arguments: [
      [1, 2, 2, 1, 2], [2, 5, 7, 3, 2], [3, 4, 6, 8, 2], [2, 3, 2, 16, 2], [2, 7, 5, 24, 2],
      [1, 4, 4, 35, 2], [3, 1, 9, 19, 1], [2, 2, 6, 64, 1],
    ])
  func maxPool(sizes: [Int]) throws {
    let (count, height, width, channels, rows) = (sizes[0], sizes[1], sizes[2], sizes[3], sizes[4])
    var generator = SeededGenerator(seed: 5)
    let network = try Network(
      .init(
        inputShape: [height, width, channels], layers: [.maxPool(rows: rows == 2 ? nil : rows)]),
      using: &generator)
    // Few different values, negative ones and zero too, so that most windows have a tie.
    let input = (0..<(count * network.inputSize)).map { _ in
      Float(generator.integer(below: 4)) - 1
    }
    let gradient = generator.normals(count * network.outputSize)
    let expected = Reference.maxima(
      input, count: count, height: height, width: width, channels: channels, rows: rows,
      gradient: gradient)
    var probe = try Probe(network, count: count)
    #expect(probe.forward(input) == expected.values)
    #expect(probe.backward(input, gradient).input == expected.gradient)
  }

  @Test("Of equal values in a max-pool the first in reading order gets the gradient")
  func ties() throws {
    var generator = SeededGenerator(seed: 0)
    let network = try Network(
      .init(inputShape: [2, 6, 1], layers: [.maxPool()]), using: &generator)
    var probe = try Probe(network, count: 1)
    let input: [Float] = [
      5, 5, 1, 2, 0, 0,
      5, 5, 2, 2, 0, 7,
    ]
    #expect(probe.forward(input) == [5, 2, 7])
    let expected: [Float] = [
      10, 0, 0, 20, 0, 0,
      0, 0, 0, 0, 0, 30,
    ]
    #expect(probe.backward(input, [10, 20, 30]).input == expected)
  }

  @Test("Dropout keeps the mean, drops at its rate, and draws the same for the same example")
  func dropout() throws {
    var generator = SeededGenerator(seed: 0)
    let network = try Network(
      .init(inputShape: [20_000], layers: [.dropout(rate: 0.25)]), using: &generator)
    let input = [Float](repeating: 3, count: 40_000)
    var probe = try Probe(network, count: 2)
    probe.pass.examples = [8, 9]
    let output = probe.forward(input)
    #expect(Set(output) == [0, 4])
    let dropped = Double(output.filter { $0 == 0 }.count) / 40_000
    #expect(abs(dropped - 0.25) < 0.01)
    var other = try Probe(network, count: 2)
    other.pass.examples = [9, 1]
    let swapped = other.forward(input)
    #expect(swapped[..<20_000] == output[20_000...])
    #expect(swapped[20_000...] != output[..<20_000])
    // After training it does nothing.
    #expect(network(Tensor(shape: [2, 20_000], values: input)).values == input)
  }

  @Test("Rows become unit vectors, and a zero row stays zero")
  func unitRows() throws {
    var generator = SeededGenerator(seed: 0)
    let network = try Network(.init(inputShape: [2], layers: [.l2Normalize()]), using: &generator)
    let result = network(Tensor(shape: [3, 2], values: [3, 4, 0, 0, -2, 0]))
    #expect(relativeError(result.values, [0.6, 0.8, 0, 0, -1, 0]) < 1e-7)
  }

  @Test("A cosine classifier scores by angle, whatever the length of its class vectors")
  func cosine() throws {
    let network = try Network(
      .init(
        inputShape: [2], layers: [.cosineClassifier(classes: 3, scale: 10, learnsScale: false)]),
      parameters: [5, 0, 0, 0.1, -3, -3], statistics: [])
    let result = network(Tensor(shape: [1, 2], values: [1, 0]))
    #expect(relativeError(result.values, [10, 0, -7.0710678]) < 1e-6)
  }
}
