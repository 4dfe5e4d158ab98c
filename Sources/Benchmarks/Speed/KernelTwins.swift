internal import NeuralNetwork

extension SpeedStep {
  /// Name prefixes of steps that consist mostly of matrix products; these are also timed with BLAS.
  private static let productSteps = ["network-", "search-", "train-"]

  /// The steps, each followed by its BLAS twin if it has one.
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

  /// The step with the given kernels, independent of those of earlier steps.
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
