internal import NeuralNetwork

extension SpeedStep {
  /// Name prefixes of steps that consist mostly of matrix products; these are also timed with BLAS.
  private static let productSteps = ["network-", "search-", "train-"]

  /// The steps with the chosen kernels, each followed by its BLAS twin if it has one.
  static func withTwins(
    _ steps: [SpeedStep], kernels chosen: KernelChoice = .selected
  ) -> [SpeedStep] {
    steps.flatMap { step in
      var (step, twin) = (step, step)
      step.kernels = chosen
      guard chosen != .blas, productSteps.contains(where: step.name.hasPrefix) else {
        return [step]
      }
      twin.kernels = .blas
      twin.name += "-blas"
      twin.title += ", by BLAS"
      return [step, twin]
    }
  }

  /// The step prepared and run with its kernels, whatever those of earlier steps.
  func prepared() async throws -> PreparedStep {
    KernelChoice.select(kernels)
    var prepared = try await prepare()
    let run = prepared.run
    prepared.run = {
      KernelChoice.select(kernels)
      return try await run()
    }
    return prepared
  }
}
