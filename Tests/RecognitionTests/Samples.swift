import Ink
import NeuralNetwork
import Numbers

@testable import Recognition

/// Unit vectors around a few directions, one direction a label.
struct SyntheticSamples {
  var samples: [TaughtSample] = []
  /// The samples that the embedding was fitted to.
  var isFitted: (TaughtSample) -> Bool = { _ in false }
  var vectors: [Float] = []
  let dimension: Int

  init(labels: Int, perLabel: Int, dimension: Int, spread: Double = 0.3, seed: UInt64) {
    self.dimension = dimension
    var generator = SeededGenerator(seed: seed)
    for label in 0..<labels {
      let direction = Self.unit((0..<dimension).map { _ in Float(generator.normal()) })
      for index in 0..<perLabel {
        samples.append(
          TaughtSample(
            id: "s\(label)-\(index)", label: "label \(label)", digest: "d\(label)-\(index)"))
        vectors += Self.unit(direction.map { $0 + Float(generator.normal(deviation: spread)) })
      }
    }
  }

  var memory: SampleMemory {
    var memory = SampleMemory(dimension: dimension, trained: trained)
    memory.insert(samples, vectors: vectors)
    return memory
  }

  private var trained: ClassVectors {
    let fitted = samples.filter(isFitted)
    let labels = Set(fitted.map(\.label)).sorted()
    return ClassVectors(
      labels: labels, vectors: [Float](repeating: 0, count: labels.count * dimension),
      fittedDigests: labels.map { label in
        Set(fitted.filter { $0.label == label }.map(\.digest))
      })
  }

  func row(_ index: Int) -> [Float] {
    Array(vectors[(index * dimension)..<((index + 1) * dimension)])
  }

  /// The same samples in another order.
  func shuffled(seed: UInt64) -> SyntheticSamples {
    var (copy, generator) = (self, SeededGenerator(seed: seed))
    let order = generator.permutation(samples.count)
    copy.samples = order.map { samples[$0] }
    copy.vectors = order.flatMap { row($0) }
    return copy
  }

  static func unit(_ values: [Float]) -> [Float] {
    let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return values.map { $0 / length }
  }
}
