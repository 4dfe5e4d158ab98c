public import ArgumentParser
internal import Foundation
public import NeuralNetwork

/// `--kernels`: the kernels of all networks and searches of this process.
struct KernelOption: ParsableArguments {
  @Option(
    name: .customLong("kernels"),
    help: ArgumentHelp(
      "The compute kernels: auto, vector (our own loops) or blas (OpenBLAS, on every processor).",
      discussion: "The default is DRAWML_KERNELS, or auto if that is not set."))
  var choice: KernelChoice?

  /// Selects the kernels for networks and searches from now on.
  func select() { if let choice { KernelChoice.select(choice) } }

  func validate() throws {
    let text = ProcessInfo.processInfo.environment[KernelChoice.variable]
    guard choice == nil, let text, KernelChoice(rawValue: text) == nil else { return }
    let known = KernelChoice.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("\(KernelChoice.variable) is \"\(text)\"; it can be \(known).")
  }
}

extension KernelChoice: ExpressibleByArgument {}
