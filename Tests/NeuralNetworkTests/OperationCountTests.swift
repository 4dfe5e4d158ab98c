import NeuralNetwork
import Testing

@Suite("Floating-point operations of a network")
struct OperationCountTests {
  @Test("The reference network's products are counted layer by layer")
  func reference() {
    let layers: [any Layer] = [
      Convolution(channels: 16), ReLU(), MaxPool(), Convolution(channels: 32), ReLU(), MaxPool(),
      Convolution(channels: 64), ReLU(), MaxPool(), Dense(features: 128), ReLU(),
      Dense(features: 345),
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
    let residual = Residual(
      body: [Convolution(channels: 4, kernel: 3, bias: false), BatchNormalization()],
      shortcut: [Convolution(channels: 4, kernel: 1, bias: false)])
    let layers: [any Layer] = [
      residual, MaxPool(rows: 1), GlobalAveragePool(), Dense(features: 6), L2Normalize(),
      Branches([[CosineClassifier(classes: 10)], [Dense(features: 5)]]),
    ]
    let count = OperationCount(.init(inputShape: [1, 8, 2], layers: layers))
    let body: Double = 8 * 9 * 2 * 4
    let products: [Double] = [body, 8 * 2 * 4, 4 * 6, 6 * 10, 6 * 5]
    let total = products.reduce(0, +)
    #expect(count.inference == 2 * total)
    #expect(count.training == 6 * total - 2 * body)
  }
}
