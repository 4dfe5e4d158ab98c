internal import CLibrary
internal import Numbers

/// The drawing habits of one person, constant for all strokes of a drawing.
///
/// Lengths are fractions of the shape's size, angles are in degrees.
struct DrawingHabits {
  /// The rotation of the whole drawing.
  let tilt: Double
  /// The shear of the whole drawing.
  let slant: Double
  /// The aspect ratio (width over height), relative to the shape's own.
  let aspect: Double
  /// The amplitude of the deviation of lines.
  let wobble: Double
  /// The frequency of the deviation, in waves per unit length.
  let wobbleFrequency: Double
  /// The bend of straight lines.
  let bow: Double
  /// The displacement of corners and ends, as a fraction of the lines that meet there.
  let carelessness: Double
  /// The displacement of whole strokes.
  let misplacement: Double
  /// The reach of corner rounding.
  let roundness: Double
  /// The mean overshoot of strokes beyond their end; negative for people who stop short.
  let overshoot: Double
  /// The gap between the end and the beginning of a closed stroke.
  let gap: Double
  /// The probability of drawing closed strokes clockwise.
  let clockwise: Double
  /// The probability of drawing strokes against their usual direction.
  let backwards: Double
  /// The probability of an unusual order of parts and of strokes in a part.
  let disorder: Double
  /// The speed on a long straight line, in shape sizes per second.
  let tempo: Double
  /// The fraction of the speed kept in a sharp corner.
  let halt: Double
  /// The usual pause between strokes in milliseconds.
  let pause: Double

  /// Random habits.
  init(using generator: inout SeededGenerator) {
    // Haste makes strokes fast, round and careless, so it correlates the habits.
    let haste = min(max(generator.normal(), -2), 2)
    func positive(_ median: Double, _ spread: Double, _ generator: inout SeededGenerator) -> Double
    {
      median * exp(spread * min(max(generator.normal(), -2.2), 2.2))
    }
    tilt = min(max(generator.normal(deviation: 3.2), -9), 9)
    slant = min(max(generator.normal(deviation: 0.05), -0.14), 0.14)
    aspect = exp(min(max(generator.normal(deviation: 0.09), -0.2), 0.2))
    wobble = positive(0.0045, 0.45, &generator)
    wobbleFrequency = generator.uniform(0.7...1.6)
    bow = positive(0.022, 0.5, &generator)
    carelessness = positive(0.034, 0.5, &generator) * exp(0.2 * haste)
    misplacement = positive(0.0095, 0.55, &generator) * exp(0.2 * haste)
    roundness = positive(0.0075, 0.5, &generator) * exp(0.35 * haste)
    overshoot = generator.normal(mean: 0.006, deviation: 0.014)
    gap = positive(0.02, 0.65, &generator) * exp(0.25 * haste)
    clockwise = generator.chance(0.3) ? 0.9 : 0.12
    backwards = generator.chance(0.15) ? 0.6 : 0.08
    disorder = generator.chance(0.3) ? 0.5 : 0.1
    tempo = positive(2.5, 0.38, &generator) * exp(0.3 * haste)
    halt = min(positive(0.22, 0.6, &generator), 0.6)
    pause = positive(400, 0.3, &generator) * exp(-0.15 * haste)
  }

  /// Draws the strokes of `sketch` in the order, in the directions and with the errors of this
  /// hand.
  ///
  /// - Returns: Each stroke's points, about `PenTrack.step` apart, in the sketch's units.
  func draw(_ sketch: Sketch, using generator: inout SeededGenerator) -> [[Vector]] {
    let strokes = ordered(sketch, using: &generator).map { draw($0, using: &generator) }
    let (c, s) = (cos(tilt * .pi / 180), sin(tilt * .pi / 180))
    let (wide, high) = (aspect.squareRoot(), 1 / aspect.squareRoot())
    return strokes.map { stroke in
      stroke.map { place in
        let (x, y) = ((place.x - slant * place.y) * wide, place.y * high)
        return at(x * c - y * s, x * s + y * c)
      }
    }
  }

  private func ordered(_ sketch: Sketch, using generator: inout SeededGenerator) -> [Path] {
    var parts = sketch
    // The outline usually stays first; later parts may be swapped.
    if parts.count > 2, generator.chance(disorder) {
      parts.swapAt(parts.count - 1, 1 + generator.integer(below: parts.count - 2))
    } else if parts.count > 1, generator.chance(disorder * 0.4) {
      parts.swapAt(0, 1)
    }
    return parts.flatMap { part in
      var part = part
      if generator.chance(disorder) {
        generator.shuffle(&part)
      } else if generator.chance(0.2) {
        part.reverse()
      }
      return part
    }
  }

  private func draw(_ path: Path, using generator: inout SeededGenerator) -> [Vector] {
    guard path.points.count > 1 else { return dot(path.points[0], using: &generator) }
    var (route, beyond) =
      path.isClosed ? opened(path, using: &generator) : (path.points, 0)
    if !path.isClosed, generator.chance(path.isSymmetric ? 0.5 : backwards) { route.reverse() }
    var track = PenTrack(route)
    let length = track.length
    // Small details have smaller errors, though not in proportion.
    let scale = min(1, pow(length / 1.2, 0.75))
    track.displaceCorners(by: carelessness, bow: bow, using: &generator)
    if path.isClosed {
      let miss = at(
        generator.normal(deviation: gap * scale), generator.normal(deviation: gap * scale))
      let last = Double(track.points.count - 1)
      track.move { index, place in
        let u = Double(index) / last
        return place + miss * (u * u * u)
      }
    } else {
      beyond = overshoot + generator.normal(deviation: 0.012)
    }
    track.extend(by: beyond * scale)
    track.round(min(roundness, length * 0.04))
    let (dx, dy) = (
      Noise(frequency: wobbleFrequency, using: &generator),
      Noise(frequency: wobbleFrequency, using: &generator)
    )
    let shift = at(
      generator.normal(deviation: misplacement * scale),
      generator.normal(deviation: misplacement * scale))
    let turn = generator.normal(deviation: 60 * misplacement)
    let growth = exp(generator.normal(deviation: 2 * misplacement))
    let center = track.points.reduce(.zero, +) / Double(track.points.count)
    // Short strokes need a higher frequency for the same look.
    let pace = PenTrack.step / max(0.35, min(1, length))
    track.move { index, place in
      let position = Double(index) * pace
      return center + shift + (place - center).turned(degrees: turn) * growth
        + at(dx(position), dy(position)) * (wobble * scale)
    }
    return track.points
  }

  /// Chooses the start and the direction of a closed path.
  ///
  /// - Returns: The open path, back to its beginning, and how far the hand continues straight after
  ///   it.
  private func opened(
    _ path: Path, using generator: inout SeededGenerator
  ) -> (route: [Vector], beyond: Double) {
    var points = path.points
    let area = zip(points, points.dropFirst() + points.prefix(1)).reduce(0) {
      $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y
    }
    // With y down, a positive area is clockwise on the screen.
    if (area > 0) != generator.chance(clockwise) { points.reverse() }
    let count = points.count
    let corners = points.indices.filter {
      PenTrack.turn(points[($0 + count - 1) % count], points[$0], points[($0 + 1) % count]) > 32
    }
    let atCorner = !corners.isEmpty && generator.chance(0.9)
    let candidates = atCorner ? corners : Array(points.indices)
    let height = candidates.map { points[$0].y + 0.4 * points[$0].x }
    // Most people begin near the top, left rather than right, but not all.
    let eager = generator.chance(0.75) ? 0.15 : 1.0
    let best = height.min() ?? 0
    var rest =
      generator.unit() * height.reduce(0) { $0 + exp((best - $1) / eager) }
    var start = candidates[0]
    for (candidate, value) in zip(candidates, height) {
      start = candidate
      rest -= exp((best - value) / eager)
      if rest < 0 { break }
    }
    var route = Array(points[start...] + points[..<start])
    route.append(points[start])
    let beyond = overshoot + generator.normal(deviation: 0.02)
    guard !atCorner, beyond > 0 else { return (route, beyond) }
    // Round strokes overshoot along their beginning.
    var left = beyond * 1.5
    for index in 0..<(count / 4) where left > 0 {
      left -= (route[index + 1] - route[index]).length
      route.append(route[index + 1])
    }
    return (route, 0)
  }

  /// A tap of the pen: a small slide or a small blot.
  private func dot(_ place: Vector, using generator: inout SeededGenerator) -> [Vector] {
    func near(_ deviation: Double, _ generator: inout SeededGenerator) -> Vector {
      place + at(generator.normal(deviation: deviation), generator.normal(deviation: deviation))
    }
    guard generator.chance(0.6) else {
      let start = near(0.008, &generator)
      return [
        start, start + at(generator.normal(deviation: 0.006), generator.uniform(0.004...0.02)),
      ]
    }
    let blot = (0..<(3 + generator.integer(below: 4))).map { _ in near(0.011, &generator) }
    var track = PenTrack(blot)
    track.round(0.005)
    return track.points
  }
}
