internal import NeuralNetwork

/// The nearest class mean: the closer a label's mean direction, the higher its confidence (Mensink
/// et al. 2013, doi:10.1109/TPAMI.2013.83; prototypical networks, Snell et al. 2017, arXiv
/// 1703.05175).
///
/// Confidences are a softmax of `scale` × cosine; the scale is fitted to the samples' own
/// leave-one-out cosines, so that confidences are neither too high nor too low.
public struct ClassMeans: Sendable, Equatable {
  /// The scale of an unfitted head, or with too few samples to fit it.
  public static let defaultScale: Float = 16

  /// Unit vectors, shape [labels, dimension].
  private let means: Tensor
  /// The factor of the cosines, > 0.
  public let scale: Float

  /// An unfitted head.
  init() {
    means = Tensor(shape: [0, 0], values: [])
    scale = Self.defaultScale
  }

  /// Computes each label's mean direction, in the order of the memory's rows, and then the scale.
  init(fittedTo memory: SampleMemory) {
    let directions = LabelDirections(memory, byTraining: false)
    scale = directions.scale
    means = Tensor(shape: [memory.labels.count, memory.dimension], values: directions.vectors)
  }

  /// A softmax over the scaled cosines with the labels' means.
  func confidences(for queries: [Float], in memory: SampleMemory) -> [Float] {
    var logits = productWithTransposed(queries, means.values, columns: memory.dimension)
    for index in logits.indices { logits[index] *= scale }
    softmaxRows(&logits, columns: means.shape[0])
    return logits
  }

  /// The cosine with the nearest mean.
  func nearness(of queries: [Float], in memory: SampleMemory) -> [Float] {
    let cosines = productWithTransposed(queries, means.values, columns: memory.dimension)
    let labels = means.shape[0]
    return stride(from: 0, to: cosines.count, by: max(1, labels)).map {
      cosines[$0..<($0 + labels)].max() ?? -1
    }
  }

  /// The means and the scale.
  var learned: [String: Tensor] {
    ["means": means, "scale": Tensor(shape: [1], values: [scale])]
  }

  /// Restores means and scale.
  init(restoring learned: [String: Tensor], for memory: SampleMemory) throws(ModelError) {
    // Unit vectors, with rounding. A fitted scale is from 2 to 64.
    means = try learned.tensor(
      "means", shape: [memory.labels.count, memory.dimension], within: 1.01)
    scale = try learned.tensor("scale", shape: [1], within: 1e6).values[0]
  }
}
