public import ArgumentParser
internal import Foundation
public import NeuralNetwork

/// `--kernels`: read, it is what all networks and searches of this process take.
struct KernelOption: ParsableArguments {
  @Option(
    name: .customLong("kernels"),
    help: ArgumentHelp(
      "What multiplies: auto, vector (our own loops) or blas (OpenBLAS, on every processor).",
      discussion: "DRAWML_KERNELS says it where this is not given, else it is auto."))
  var choice: KernelChoice?

  func validate() throws {
    if let choice { return KernelChoice.select(choice) }
    let text = ProcessInfo.processInfo.environment[KernelChoice.variable]
    guard let text, KernelChoice(rawValue: text) == nil else { return }
    let known = KernelChoice.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("\(KernelChoice.variable) is \"\(text)\"; it can be \(known).")
  }
}

extension KernelChoice: ExpressibleByArgument {}
