internal import CLibrary
internal import Numbers

/// The timing of the pen: converts lines to samples as a digitizer would record them.
///
/// Along a stroke the speed follows the two-thirds power law (Lacquaniti, Terzuolo and Viviani
/// 1983, doi:10.1016/0001-6918(83)90027-6): it is inversely proportional to the cube root of the
/// curvature. The pen slows down at the ends and in sharp corners, and long strokes are faster than
/// short ones.
struct Tempo {
  /// The speed on a long straight line, in shape sizes per second.
  let speed: Double
  /// The usual pause between strokes in milliseconds.
  let pause: Double

  /// The fraction of the speed kept in a sharp corner.
  let halt: Double

  /// The minimum turn of a corner, in degrees, measured over `reach` points on each side.
  private static let haltDegrees = 40.0
  /// The number of points on each side used to measure a turn.
  private static let reach = 3
  /// Milliseconds between two samples of the digitizer: 60 per second.
  static let interval = 1000.0 / 60

  /// Samples `points` about 60 times per second.
  ///
  /// - Parameters:
  ///   - points: The line, its points in small even steps.
  ///   - size: The larger side of the whole shape, in the units of `points`.
  ///   - start: The time of pen down, in milliseconds.
  ///   - generator: The random generator.
  /// - Returns: Positions and times; times are whole milliseconds and increase.
  func sample(
    _ points: [Vector], size: Double, from start: Double, using generator: inout SeededGenerator
  ) -> [(place: Vector, time: Double)] {
    var lengths = [0.0]
    for (a, b) in zip(points, points.dropFirst()) {
      lengths.append(lengths[lengths.count - 1] + (b - a).length / size)
    }
    let total = lengths[lengths.count - 1]
    guard total > 1e-9 else { return [(points[0], start.rounded())] }
    let speeds = profile(points, size: size, lengths: lengths, using: &generator)

    // The time at each point, then the position at each tick.
    var times = [0.0]
    for index in 1..<points.count {
      let mean = (speeds[index - 1] + speeds[index]) / 2
      times.append(times[index - 1] + (lengths[index] - lengths[index - 1]) / mean * 1000)
    }
    let end = times[times.count - 1]
    var samples = [(place: points[0], time: start.rounded())]
    var (tick, segment) = (0.0, 0)
    while true {
      // Occasionally the device misses a sample.
      let missed = generator.chance(0.03) ? 2.0 : 1.0
      tick += Self.interval * missed * (1 + generator.normal(deviation: 0.06))
      let time = (start + tick).rounded()
      guard tick < end - Self.interval / 2 else { break }
      guard time > samples[samples.count - 1].time else { continue }
      while segment < times.count - 2, times[segment + 1] < tick { segment += 1 }
      let width = times[segment + 1] - times[segment]
      let u = width > 0 ? (tick - times[segment]) / width : 0
      samples.append((points[segment] + (points[segment + 1] - points[segment]) * u, time))
    }
    samples.append(
      (points[points.count - 1], max((start + end).rounded(), samples[samples.count - 1].time + 4)))
    return samples
  }

  /// The pause before the next stroke, in milliseconds: it increases with the distance to its
  /// start.
  ///
  /// - Parameters:
  ///   - distance: The distance that the pen moves, in shape sizes.
  ///   - generator: The random generator.
  /// - Returns: The pause, in 150...900.
  func pause(over distance: Double, using generator: inout SeededGenerator) -> Double {
    let noise = exp(generator.normal(deviation: 0.28))
    return min(max(pause * (0.75 + 0.6 * distance) * noise, 150), 900)
  }

  /// The speed at each point, in shape sizes per second.
  private func profile(
    _ points: [Vector], size: Double, lengths: [Double], using generator: inout SeededGenerator
  ) -> [Double] {
    let total = lengths[lengths.count - 1]
    let whole = speed * min(max(pow(total, 0.35), 0.3), 1.4)
    let drift = Noise(frequency: 1.5, octaves: 3, using: &generator)
    let last = points.count - 1
    let turns = points.indices.map { index in
      PenTrack.turn(
        points[max(0, index - Self.reach)], points[index], points[min(last, index + Self.reach)])
    }
    let slowness = slowness(turns: turns, lengths: lengths)
    return points.indices.map { index in
      let (before, after) = (max(0, index - Self.reach), min(last, index + Self.reach))
      let width = max(lengths[after] - lengths[before], 1e-6) / 2
      let bend = pow(1 + turns[index] * .pi / 180 / width, -1.0 / 3)
      return max(whole * bend * slowness[index] * exp(0.2 * drift(lengths[index])), 0.02)
    }
  }

  /// The fraction of full speed at each point: less near the ends and sharp corners.
  private func slowness(turns: [Double], lengths: [Double]) -> [Double] {
    let last = turns.count - 1
    // A halt is an end, or the sharpest point of a corner.
    let halts =
      [0]
      + turns.indices.dropFirst().dropLast().filter { index in
        let around = turns[max(0, index - Self.reach)...min(last, index + Self.reach)]
        return turns[index] > Self.haltDegrees && turns[index] == around.max()
      } + [last]
    var result = [Double](repeating: 1, count: turns.count)
    for (start, end) in zip(halts, halts.dropFirst()) {
      let rise = min(0.16, (lengths[end] - lengths[start]) / 2)
      for index in start...end where rise > 0 {
        let (from, to) = (lengths[index] - lengths[start], lengths[end] - lengths[index])
        let nearest = from < to ? start : end
        let floor = nearest == 0 || nearest == last ? 0.15 : halt
        let share = floor + (1 - floor) * sin(.pi / 2 * min(1, min(from, to) / rise))
        result[index] = min(result[index], share)
      }
    }
    return result
  }
}
