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
    do throws(NetworkError) {
      self.init(try architecture.layers.layout(for: architecture.inputShape))
    } catch {
      preconditionFailure("layers that do not fit together have no operations: \(error)")
    }
  }

  init(_ layout: LayerLayout) {
    inference = layout.products.reduce(0, +)
    training = 3 * inference - (layout.products.first ?? 0)
  }
}
