internal import NeuralNetwork

extension SpeedStep {
  /// What of its work is products: the same by BLAS has a row of its own.
  private static let productSteps = ["network-", "search-", "train-"]

  /// The steps, each with its twin by BLAS behind it where it has one.
  static func withTwins(_ steps: [SpeedStep]) -> [SpeedStep] {
    let chosen = KernelChoice.selected
    guard chosen != .blas else { return steps }
    return steps.flatMap { step in
      guard productSteps.contains(where: step.name.hasPrefix) else { return [step] }
      var twin = step
      twin.name += "-blas"
      twin.title += ", by BLAS"
      return [step.taking(chosen), twin.taking(.blas)]
    }
  }

  /// The step by certain kernels, whichever another step took before.
  private func taking(_ kernels: KernelChoice) -> SpeedStep {
    var step = self
    step.prepare = {
      KernelChoice.select(kernels)
      var prepared = try await prepare()
      let run = prepared.run
      prepared.run = {
        KernelChoice.select(kernels)
        return try await run()
      }
      return prepared
    }
    return step
  }
}
