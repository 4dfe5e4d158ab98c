/// The number of floating-point operations in a network's matrix products; a multiply-add counts as
/// two.
///
/// Element-wise loops (rectifiers, maxima, normalization, the optimizer) are excluded, as usual; so
/// a share of the processor's peak refers to the products only.
public struct OperationCount: Sendable, Equatable {
  /// Per example in inference.
  public let inference: Double
  /// Per example in training: forward, and backward to weights and inputs. The gradient with
  /// respect to the network's input is not needed, so the first layer skips it.
  public let training: Double

  /// Counts the operations of an architecture, whose layers' shapes must match.
  public init(_ architecture: Network.Architecture) {
    var shape = architecture.inputShape
    var products: [Double] = []
    Self.count(architecture.layers, &shape, &products)
    inference = products.reduce(0, +)
    training = 3 * inference - (products.first ?? 0)
  }

  /// Appends the products of layers and updates `shape` to their output shape.
  private static func count(
    _ layers: [Layer], _ shape: inout [Int], _ products: inout [Double]
  ) {
    for layer in layers {
      switch layer {
      case .convolution(let layer):
        let taps = (layer.rows ?? layer.kernel) * layer.kernel
        products.append(2 * Double(shape[0] * shape[1] * taps * shape[2] * layer.channels))
        shape[2] = layer.channels
      case .maxPool(let layer):
        shape = [shape[0] / (layer.rows ?? 2), shape[1] / 2, shape[2]]
      case .globalAveragePool:
        shape = [shape[2]]
      case .dense(let layer):
        products.append(2 * Double(shape.reduce(1, *) * layer.features))
        shape = [layer.features]
      case .cosineClassifier(let layer):
        products.append(2 * Double(shape[0] * layer.classes))
        shape = [layer.classes]
      case .residual(let layer):
        var start = shape
        count(layer.body, &shape, &products)
        count(layer.shortcut, &start, &products)
      case .branches(let layer):
        var width = 0
        for chain in layer.chains {
          var branch = shape
          count(chain, &branch, &products)
          width += branch[0]
        }
        shape = [width]
      case .batchNormalization, .relu, .dropout, .l2Normalize: break
      }
    }
  }
}
