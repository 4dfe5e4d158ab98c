/// How many floating-point operations the matrix products of a network take; a multiplication and
/// an addition are two.
///
/// Loops over single values (rectifiers, maxima, normalization, the optimizer) are left out, as is
/// usual: so a share of the processor's peak is one of what the products could take.
public struct OperationCount: Sendable, Equatable {
  /// For one example in use.
  public let inference: Double
  /// For one example of a training step: forward, and back to weights and inputs. Nobody wants the
  /// gradient by the input of the network, so the first layer does without that.
  public let training: Double

  /// Counts the operations of an architecture whose layers fit together.
  public init(_ architecture: Network.Architecture) {
    var shape = architecture.inputShape
    var products: [Double] = []
    Self.count(architecture.layers, &shape, &products)
    inference = products.reduce(0, +)
    training = 3 * inference - (products.first ?? 0)
  }

  /// Adds the products of layers, and leaves the shape of what the last one gives.
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
