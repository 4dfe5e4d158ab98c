internal import Numbers

/// Faces and animals.
extension ShapeKind {
  static let creatures = [smiley, cat, fish, snail, butterfly]

  /// A pair of eyes: dots, small rings or short lines.
  private static func eyes(
    _ place: Vector, radius: ClosedRange<Double>, _ g: inout SeededGenerator
  ) -> [Path] {
    let other = at(1 - place.x, place.y)
    let size = g.uniform(radius)
    switch g.integer(below: 4) {
    case 0: return [.dot(place), .dot(other)]
    case 1:
      return [place, other].map { .lines($0 - at(0, size), $0 + at(0, size)) }
    case 2:
      return [place, other].map { .ellipse($0, at(size * 0.7, size)) }
    default: return [.circle(place, size), .circle(other, size)]
    }
  }

  private static let smiley = ShapeKind(
    "smiley", "😀",
    ways: [
      ShapeVariant(5) { g in
        let (x, y) = (g.uniform(0.3...0.36), g.uniform(0.32...0.4))
        let (low, wide) = (g.uniform(0.58...0.66), g.uniform(0.2...0.3))
        var parts: Sketch = [
          [.ellipse(at(0.5, 0.5), at(0.5, g.uniform(0.46...0.54)))],
          eyes(at(x, y), radius: 0.03...0.065, &g),
          [.bow(at(0.5 - wide, low), at(0.5 + wide, low), -g.uniform(0.25...0.42))],
        ]
        if g.chance(0.15) { parts.append([.lines(at(0.5, 0.46), at(0.48, 0.56))]) }
        return parts
      },
      // An open mouth.
      ShapeVariant(2) { g in
        let (x, y) = (g.uniform(0.3...0.36), g.uniform(0.3...0.38))
        let (low, wide) = (g.uniform(0.56...0.62), g.uniform(0.22...0.3))
        let mouth = Path.bow(at(0.5 + wide, low), at(0.5 - wide, low), g.uniform(0.38...0.5))
        return [
          [.ellipse(at(0.5, 0.5), at(0.5, g.uniform(0.46...0.54)))],
          eyes(at(x, y), radius: 0.035...0.07, &g), [mouth.closed],
        ]
      },
    ])

  private static let cat = ShapeKind(
    "cat", "🐱",
    ways: [
      // Head with ears in one line.
      ShapeVariant(3) { g in
        let ear = g.uniform(0.0...0.08)
        let chin = Path.curve(
          at(0.93, 0.36), at(1, 0.6), at(0.86, 0.88), at(0.5, 1), at(0.14, 0.88), at(0, 0.6),
          at(0.07, 0.36))
        let head =
          Path.lines(at(0.07, 0.36), at(0.1, ear), at(0.34, 0.22))
          + .bow(at(0.34, 0.22), at(0.66, 0.22), 0.08)
          + .lines(at(0.66, 0.22), at(0.9, ear), at(0.93, 0.36)) + chin
        return [[head.closed]] + catFace(&g)
      },
      // A round head and then two ears.
      ShapeVariant(3) { g in
        let tip = at(g.uniform(0.06...0.14), g.uniform(0...0.08))
        let ear = Path.lines(at(0.08, 0.42), tip, at(0.38, 0.22))
        return [
          [.ellipse(at(0.5, 0.6), at(0.48, g.uniform(0.38...0.42)))], [ear, ear.mirrored()],
        ] + catFace(&g)
      },
    ])

  private static func catFace(_ g: inout SeededGenerator) -> Sketch {
    let nose = g.uniform(0.62...0.68)
    let count = 2 + g.integer(below: 2)
    let whiskers = (0..<count).map { index in
      let drop = (Double(index) - Double(count - 1) / 2) * 0.09
      return Path.lines(
        at(0.64, nose + 0.06 + drop * 0.6), at(g.uniform(0.94...1.1), nose + 0.04 + drop * 1.6))
    }
    let muzzle =
      g.chance(0.6)
      ? [Path.polygon(at(0.45, nose), at(0.55, nose), at(0.5, nose + 0.06))]
      : [.circle(at(0.5, nose + 0.02), 0.035)]
    let mouth = Path.bow(at(0.5, nose + 0.08), at(0.36, nose + 0.12), 0.35)
    return [
      eyes(at(g.uniform(0.28...0.34), g.uniform(0.46...0.52)), radius: 0.035...0.06, &g), muzzle,
      [mouth, mouth.mirrored()],
      whiskers.map { $0.mirrored() } + whiskers,
    ]
  }

  private static let fish = ShapeKind(
    "fish", "🐟", mirroring: 0.4,
    ways: [
      // A ribbon: belly, back and tail in one line.
      ShapeVariant(3) { g in
        let (belly, tail) = (g.uniform(0.22...0.3), g.uniform(0.14...0.24))
        let ribbon =
          Path.curve(
            at(1, 0.5 - tail), at(0.78, 0.53), at(0.42, 0.5 + belly), at(0.1, 0.6), at(0, 0.5),
            at(0.1, 0.4), at(0.42, 0.5 - belly), at(0.78, 0.47), at(1, 0.5 + tail))
        return [[g.chance(0.7) ? ribbon.closed : ribbon]] + fishFace(&g)
      },
      // A body and a triangle for the tail.
      ShapeVariant(3) { g in
        let (belly, tail) = (g.uniform(0.3...0.42), g.uniform(0.16...0.24))
        let back = Path.bow(at(0, 0.5), at(0.76, 0.5), belly)
        let body = back + .bow(at(0.76, 0.5), at(0, 0.5), belly)
        return [
          [g.chance(0.5) ? body.closed : .ellipse(at(0.38, 0.5), at(0.38, belly * 0.72))],
          [
            .lines(
              at(0.75, 0.5), at(1, 0.5 - tail), at(g.uniform(0.9...1), 0.5 + tail), at(0.75, 0.51))
          ],
        ] + fishFace(&g)
      },
    ])

  private static func fishFace(_ g: inout SeededGenerator) -> Sketch {
    let eye = at(g.uniform(0.12...0.18), g.uniform(0.43...0.47))
    var parts: Sketch = [[g.chance(0.5) ? .dot(eye) : .circle(eye, g.uniform(0.02...0.035))]]
    if g.chance(0.5) { parts.append([.bow(at(0.26, 0.38), at(0.26, 0.62), -0.2)]) }
    if g.chance(0.3) { parts.append([.lines(at(0.03, 0.55), at(0.12, 0.55))]) }
    if g.chance(0.4) {
      parts.append([.lines(at(0.32, 0.3), at(0.46, 0.14), at(0.54, 0.32))])
    }
    if g.chance(0.3) {
      parts.append([
        .bow(at(0.4, 0.42), at(0.4, 0.54), 0.3), .bow(at(0.52, 0.44), at(0.52, 0.56), 0.3),
      ])
    }
    return parts
  }

  private static let snail = ShapeKind(
    "snail", "🐌", mirroring: 0.5,
    ways: [
      // The shell's spiral, then the body below and in front of it.
      ShapeVariant(3) { g in
        let shell = Path.spiral(
          at(0.58, 0.45), inner: 0.03, outer: 0.32, turns: -g.uniform(2.2...3),
          from: g.uniform(60...120))
        return [[shell.symmetric], [snailBody(&g)]] + feelers(&g)
      },
      // A ring for the shell with a spiral in it.
      ShapeVariant(2) { g in
        let spiral = Path.spiral(
          at(0.58, 0.45), inner: 0.02, outer: 0.22, turns: g.uniform(1.4...2),
          from: g.uniform(0...360))
        return [[.circle(at(0.58, 0.45), 0.31)], [spiral.symmetric], [snailBody(&g)]] + feelers(&g)
      },
    ])

  private static func snailBody(_ g: inout SeededGenerator) -> Path {
    let head = g.uniform(0.36...0.46)
    let body =
      Path.curve(
        at(0.3, 0.62), at(0.23, 0.5), at(0.18, head + 0.03), at(0.1, head), at(0.02, head + 0.08),
        at(0.05, 0.66),
        at(0.12, 0.82)) + .lines(at(0.12, 0.82), at(1, 0.83))
    return g.chance(0.7) ? body + .bow(at(1, 0.83), at(0.84, 0.63), 0.1) : body
  }

  private static func feelers(_ g: inout SeededGenerator) -> Sketch {
    let length = g.uniform(0.12...0.2)
    let (a, b) = (at(0.06, 0.4), at(0.13, 0.4))
    var parts: Sketch = [
      [.lines(a, a + at(-0.06, -length)), .lines(b, b + at(0.05, -length))]
    ]
    if g.chance(0.35) {
      parts.append([
        .circle(a + at(-0.065, -length - 0.02), 0.02), .circle(b + at(0.055, -length - 0.02), 0.02),
      ])
    }
    if g.chance(0.4) { parts.append([.dot(at(0.09, 0.5))]) }
    return parts
  }

  private static let butterfly = ShapeKind(
    "butterfly", "🦋",
    ways: [
      ShapeVariant(3) { g in
        let (high, low) = (g.uniform(0.02...0.1), g.uniform(0.86...0.96))
        let upper = Path.curve(
          at(0.54, 0.48), at(0.62, 0.2), at(0.84, high), at(0.99, 0.14), at(0.92, 0.4),
          at(0.7, 0.52), at(0.54, 0.5))
        let lower = Path.curve(
          at(0.54, 0.52), at(0.78, 0.55), at(0.9, 0.7), at(0.8, low), at(0.64, 0.82), at(0.54, 0.56)
        )
        let spot = Path.circle(at(0.8, 0.27), g.uniform(0.035...0.06))
        return [
          [
            g.chance(0.6)
              ? .ellipse(at(0.5, 0.5), at(0.04, 0.3)) : .lines(at(0.5, 0.2), at(0.5, 0.8))
          ],
          [upper.mirrored(), upper, lower.mirrored(), lower], antennae(&g),
        ] + (g.chance(0.4) ? [[spot.mirrored(), spot]] : [])
      },
      // Both wings of a side in one line.
      ShapeVariant(2) { g in
        let high = g.uniform(0.02...0.1)
        let wings =
          Path.curve(
            at(0.53, 0.42), at(0.64, 0.16), at(0.86, high), at(1, 0.18), at(0.9, 0.42),
            at(0.74, 0.52))
          + .curve(at(0.74, 0.52), at(0.9, 0.64), at(0.88, 0.86), at(0.72, 0.92), at(0.53, 0.58))
        return [
          [wings.mirrored(), wings], [.ellipse(at(0.5, 0.5), at(0.035, g.uniform(0.24...0.32)))],
          antennae(&g),
        ]
      },
    ])

  private static func antennae(_ g: inout SeededGenerator) -> [Path] {
    let right = Path.bow(
      at(0.51, 0.22), at(g.uniform(0.58...0.68), g.uniform(-0.04...0.04)), g.uniform(-0.15...0.1))
    return [right.mirrored(), right]
  }
}
