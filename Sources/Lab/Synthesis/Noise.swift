internal import CLibrary
internal import Numbers

/// Smooth one-dimensional noise: a few sine waves, longer ones with a larger amplitude, like the
/// drift of a hand.
struct Noise {
  private let waves: [(frequency: Double, phase: Double, amplitude: Double)]

  /// Noise with a standard deviation of 1, whose strongest wave has about `frequency` cycles per
  /// unit.
  init(frequency: Double, octaves: Int = 4, using generator: inout SeededGenerator) {
    var waves: [(frequency: Double, phase: Double, amplitude: Double)] = []
    for octave in 0..<octaves {
      let scale = pow(2, Double(octave))
      waves.append(
        (
          frequency * scale * generator.uniform(0.75...1.3), generator.uniform(0...(2 * .pi)),
          generator.normal(deviation: 0.6) + 1
        ))
      waves[octave].amplitude /= scale
    }
    self.waves = waves
  }

  /// The value at `position`.
  func callAsFunction(_ position: Double) -> Double {
    waves.reduce(0) {
      $0 + $1.amplitude * sin(2 * .pi * $1.frequency * position + $1.phase)
    }
  }
}
