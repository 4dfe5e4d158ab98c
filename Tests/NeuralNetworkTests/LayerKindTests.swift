import Testing

@testable import NeuralNetwork

/// Lists of layers in other tests, which a new kind must not be missing from.
@Suite("Kinds of layers")
struct LayerKindTests {
  @Test("Each kind's form in files is tested")
  func stored() { #expect(kinds(in: NetworkTests.stored) == Set(Layer.Kind.allCases)) }

  @Test("Each kind's gradient is compared with differences")
  func gradients() {
    #expect(kinds(in: GradientCase.all.flatMap(\.layers)) == Set(Layer.Kind.allCases))
  }

  @Test("Each kind is compared with its step in a plan")
  func plans() {
    #expect(kinds(in: PreparedNetworkTests.networks.flatMap(\.layers)) == Set(Layer.Kind.allCases))
  }

  private func kinds(in layers: [Layer]) -> Set<Layer.Kind> {
    layers.reduce(into: []) { found, layer in
      found.insert(layer.kind)
      switch layer {
      case .residual(let residual): found.formUnion(kinds(in: residual.body + residual.shortcut))
      case .branches(let branches): found.formUnion(kinds(in: branches.chains.flatMap { $0 }))
      default: break
      }
    }
  }
}
