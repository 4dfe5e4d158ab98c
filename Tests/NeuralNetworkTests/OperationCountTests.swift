import NeuralNetwork
import Testing

@Suite("Floating-point operations of a network")
struct OperationCountTests {
  @Test("The reference network's products are counted layer by layer")
  func reference() {
    let layers: [Layer] = [
      .convolution(channels: 16), .relu, .maxPool(), .convolution(channels: 32), .relu, .maxPool(),
      .convolution(channels: 64), .relu, .maxPool(), .dense(features: 128), .relu,
      .dense(features: 345),
    ]
    let count = OperationCount(.init(inputShape: [28, 28, 1], layers: layers))
    // Multiplications: 28² · 9 · 16, 14² · 9 · 16 · 32, 7² · 9 · 32 · 64, 3² · 64 · 128, 128 · 345.
    let products: [Double] = [112_896, 903_168, 903_168, 73_728, 44_160]
    let total = products.reduce(0, +)
    #expect(count.inference == 2 * total)
    #expect(count.training == 6 * total - 2 * 112_896)
  }

  @Test("Both ways of a residual layer and all branches count")
  func branches() {
    let residual = Layer.residual(
      body: [.convolution(channels: 4, kernel: 3, bias: false), .batchNormalization()],
      shortcut: [.convolution(channels: 4, kernel: 1, bias: false)])
    let layers: [Layer] = [
      residual, .maxPool(rows: 1), .globalAveragePool, .dense(features: 6), .l2Normalize(),
      .branches([[.cosineClassifier(classes: 10)], [.dense(features: 5)]]),
    ]
    let count = OperationCount(.init(inputShape: [1, 8, 2], layers: layers))
    let body: Double = 8 * 9 * 2 * 4
    let products: [Double] = [body, 8 * 2 * 4, 4 * 6, 6 * 10, 6 * 5]
    let total = products.reduce(0, +)
    #expect(count.inference == 2 * total)
    #expect(count.training == 6 * total - 2 * body)
  }
}
