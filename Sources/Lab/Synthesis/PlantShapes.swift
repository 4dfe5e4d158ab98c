internal import Numbers

/// What grows.
extension ShapeKind {
  static let plants = [tree, fir, flower, leaf, mushroom, cactus]

  private static let tree = ShapeKind(
    "tree", "🌳",
    ways: [
      ShapeVariant(3) { g in
        let count = 7 + g.integer(below: 3)
        let degrees = (0...count).map { 110 + 360 * Double($0) / Double(count) }
        let crown = Path.bumps(
          at(0.5, 0.33), at(0.32, g.uniform(0.22...0.28)), at: degrees,
          height: g.uniform(0.28...0.45))
        return [[crown.closed], trunk(0.58, &g)]
      },
      // A round crown.
      ShapeVariant(2) { g in
        let crown = Path.ellipse(at(0.5, 0.33), at(g.uniform(0.3...0.4), 0.32))
        return [[crown], trunk(0.63, &g)]
      },
      // In one go, from the left foot of the trunk to the right one.
      ShapeVariant(1.5) { g in
        let degrees = [110.0, 155, 205, 250, 295, 340, 385, 430]
        let crown = Path.bumps(
          at(0.5, 0.33), at(0.34, 0.26), at: degrees, height: g.uniform(0.3...0.42))
        let wide = g.uniform(0.08...0.13)
        return [[.lines([at(0.5 - wide, 1)]) + crown + .lines([at(0.5 + wide, 1)])]]
      },
    ])

  private static func trunk(_ top: Double, _ g: inout SeededGenerator) -> [Path] {
    let (wide, spread) = (g.uniform(0.05...0.09), g.uniform(0...0.05))
    let left = Path.bow(at(0.5 - wide, top), at(0.5 - wide - spread, 1), -0.04)
    if g.chance(0.4) {
      return [
        left + .lines(at(0.5 - wide - spread, 1), at(0.5 + wide + spread, 1))
          + left.mirrored().reversed
      ]
    }
    return [left, left.mirrored()]
      + (g.chance(0.4) ? [.lines(at(0.5 - wide - spread, 1), at(0.5 + wide + spread, 1))] : [])
  }

  private static let fir = ShapeKind(
    "fir", "🌲",
    ways: [
      // Zigzag down both sides.
      ShapeVariant(3) { g in
        let layers = 3 + g.integer(below: 2)
        let tooth = g.uniform(0.06...0.12)
        var side: [Vector] = [at(0.5, 0)]
        for layer in 1...layers {
          let u = Double(layer) / Double(layers)
          side.append(at(0.5 + 0.14 + 0.28 * u, 0.84 * u))
          if layer < layers {
            side.append(at(0.5 + 0.14 + 0.28 * u - tooth - 0.06, 0.84 * u - 0.01))
          }
        }
        let left = side.map { at(1 - $0.x, $0.y) }
        return [[.polygon(side + left.dropFirst().reversed())], firTrunk(&g)]
      },
      // Triangles on top of each other.
      ShapeVariant(2) { g in
        let step = g.uniform(0.22...0.27)
        return [
          (0..<3).map { layer in
            let (y, half) = (step * Double(layer), 0.2 + 0.1 * Double(layer))
            return layer == 0
              ? .polygon(at(0.5, 0), at(0.5 + half, 0.33), at(0.5 - half, 0.33))
              : .lines(
                at(0.5 - half * 0.45, y + 0.09), at(0.5 - half, y + 0.35),
                at(0.5 + half, y + 0.35), at(0.5 + half * 0.45, y + 0.09))
          }, firTrunk(&g),
        ]
      },
    ])

  private static func firTrunk(_ g: inout SeededGenerator) -> [Path] {
    let (wide, low) = (g.uniform(0.05...0.08), g.uniform(0.97...1.06))
    return [
      .lines(at(0.5 - wide, 0.85), at(0.5 - wide, low), at(0.5 + wide, low), at(0.5 + wide, 0.85))
    ]
  }

  private static let flower = ShapeKind(
    "flower", "🌸",
    ways: [
      ShapeVariant(3) { g in
        let count = 5 + g.integer(below: 3)
        let radius = g.uniform(0.08...0.11)
        let first = g.uniform(-100 ... -80)
        let petals = (0..<count).map { index in
          let angle = first + 360 * Double(index) / Double(count)
          let middle = around(at(0.5, 0.3), at(0.19, 0.19), angle)
          return Path.ellipse(middle, at(0.11, 0.6 / Double(count))).turned(
            degrees: angle, about: middle)
        }
        return [[.circle(at(0.5, 0.3), radius)], petals] + stem(0.6, &g)
      },
      // All petals in one line.
      ShapeVariant(3) { g in
        let count = 5 + g.integer(below: 4)
        let radius = g.uniform(0.14...0.18)
        let degrees = (0...count).map { -90 + 360 * Double($0) / Double(count) }
        let petals = Path.bumps(
          at(0.5, 0.3), at(radius, radius), at: degrees, height: g.uniform(0.6...0.95))
        return [[.circle(at(0.5, 0.3), g.uniform(0.07...0.1))], [petals.closed]] + stem(0.51, &g)
      },
      // Loops through the middle.
      ShapeVariant(1) { g in
        let count = 5 + g.integer(below: 2)
        var loops: [Vector] = []
        for index in 0..<count {
          let angle = -90 + 360 * Double(index) / Double(count)
          for (radius, aside) in [(0.06, -8.0), (0.2, -22), (0.29, 0), (0.2, 22), (0.06, 8)] {
            loops.append(around(at(0.5, 0.3), at(radius, radius), angle + aside))
          }
        }
        return [[.curve(loops, closed: true)]] + stem(0.58, &g)
      },
    ])

  private static func stem(_ top: Double, _ g: inout SeededGenerator) -> Sketch {
    let foot = at(0.5 + g.uniform(-0.06...0.06), 1)
    var parts: Sketch = [[.bow(at(0.5, top), foot, g.uniform(-0.1...0.1))]]
    let leaf = Path.curve(
      at(0.5, 0.88), at(0.6, 0.74), at(0.74, 0.7), at(0.68, 0.82), at(0.5, 0.89))
    if g.chance(0.75) {
      parts.append(
        g.chance(0.4) ? [leaf, leaf.mirrored()] : [g.chance(0.5) ? leaf : leaf.mirrored()])
    }
    return parts
  }

  private static let leaf = ShapeKind(
    "leaf", "🍃", mirroring: 0.4, turn: -25...25,
    ways: [
      ShapeVariant(3) { g in
        let belly = g.uniform(0.19...0.29)
        let outline =
          Path.bow(at(0.15, 0.85), at(0.9, 0.1), belly) + .bow(at(0.9, 0.1), at(0.15, 0.85), belly)
        return [
          [outline.closed], [.bow(at(0, 1), at(0.82, 0.18), g.uniform(-0.04...0.04))],
          veins(2 + g.integer(below: 3), &g),
        ]
      },
      ShapeVariant(2) { g in
        let belly = g.uniform(0.19...0.29)
        let (tip, foot) = (at(0.9, 0.1), at(0.15, 0.85))
        return [
          [.lines(at(0, 1), foot) + .bow(foot, tip, belly)], [.bow(tip, foot, belly).reversed],
          [.lines(foot, at(0.78, 0.22))], veins(2 + g.integer(below: 2), &g),
        ]
      },
    ])

  private static func veins(_ count: Int, _ g: inout SeededGenerator) -> [Path] {
    let length = g.uniform(0.1...0.15)
    return (0..<count).flatMap { index -> [Path] in
      let base = at(0.3, 0.7) + at(0.36, -0.36) * (Double(index) / Double(max(count - 1, 1)))
      return [
        .lines(base, base + at(0, -length * 1.25)), .lines(base, base + at(length * 1.25, 0)),
      ]
    }
  }

  private static func cap(_ g: inout SeededGenerator) -> Path {
    let high = g.uniform(0.48...0.58)
    return
      (Path.arc(at(0.5, 0.55), at(0.5, high), from: 180, to: 360)
      + .bow(at(1, 0.55), at(0, 0.55), g.uniform(-0.12...0.1))).closed
  }

  private static let mushroom = ShapeKind(
    "mushroom", "🍄",
    ways: [
      ShapeVariant(3) { g in
        let (wide, foot) = (g.uniform(0.1...0.16), g.uniform(0...0.06))
        let spots = (0..<(3 + g.integer(below: 2))).map { index in
          Path.circle(
            around(at(0.5, 0.5), at(0.3, 0.27), 207 + 42 * Double(index)),
            g.uniform(0.04...0.075))
        }
        return [
          [cap(&g)],
          [
            .curve(
              at(0.5 - wide, 0.56), at(0.5 - wide, 0.8), at(0.5 - wide - foot, 0.98), at(0.5, 1.02),
              at(0.5 + wide + foot, 0.98), at(0.5 + wide, 0.8), at(0.5 + wide, 0.56))
          ],
          spots,
        ]
      },
      ShapeVariant(2) { g in
        let wide = g.uniform(0.1...0.16)
        return [
          [cap(&g)],
          [
            .lines(at(0.5 - wide, 0.56), at(0.5 - wide, 1), at(0.5 + wide, 1), at(0.5 + wide, 0.56))
          ],
        ]
      },
      ShapeVariant(1) { g in
        let wide = g.uniform(0.1...0.16)
        return [
          [cap(&g)],
          [
            .bow(at(0.5 - wide, 0.56), at(0.5 - wide * 1.2, 1), 0.04),
            .bow(at(0.5 + wide, 0.56), at(0.5 + wide * 1.2, 1), -0.04),
          ],
          [.bow(at(0.5 - wide * 1.2, 1), at(0.5 + wide * 1.2, 1), -0.1)],
          [.dot(at(0.35, 0.3)), .dot(at(0.6, 0.22)), .dot(at(0.68, 0.42))],
        ]
      },
    ])

  private static let cactus = ShapeKind(
    "cactus", "🌵", mirroring: 0.5,
    ways: [
      // The whole outline in one go.
      ShapeVariant(3) { g in
        let (a, b) = (g.uniform(0.36...0.46), g.uniform(0.5...0.58))
        return [
          [
            Path.lines(at(0.4, 1), at(0.4, b + 0.14), at(0.22, b + 0.14))
              + .bow(at(0.22, b + 0.14), at(0.08, b), 0.3) + .lines(at(0.08, b), at(0.08, 0.3))
              + .bow(at(0.08, 0.3), at(0.2, 0.3), 0.5)
              + .lines(at(0.2, 0.3), at(0.2, b), at(0.4, b), at(0.4, 0.12))
              + .bow(at(0.4, 0.12), at(0.6, 0.12), 0.5)
              + .lines(at(0.6, 0.12), at(0.6, a), at(0.78, a), at(0.78, 0.22))
              + .bow(at(0.78, 0.22), at(0.9, 0.22), 0.5) + .lines(at(0.9, 0.22), at(0.9, a))
              + .bow(at(0.9, a), at(0.78, a + 0.14), 0.3)
              + .lines(at(0.78, a + 0.14), at(0.6, a + 0.14), at(0.6, 1))
          ]
        ] + (g.chance(0.5) ? [[.lines(at(0.2, 1), at(0.8, 1))]] : [])
      },
      // Body and arms, then prickles.
      ShapeVariant(2) { g in
        let (a, b) = (g.uniform(0.3...0.4), g.uniform(0.42...0.52))
        let body =
          Path.lines(at(0.38, 1), at(0.38, 0.14)) + .bow(at(0.38, 0.14), at(0.62, 0.14), 0.5)
          + .lines(at(0.62, 0.14), at(0.62, 1))
        let right = Path.curve(
          at(0.62, a + 0.14), at(0.86, a + 0.13), at(0.94, a - 0.06), at(0.92, 0.2), at(0.85, 0.14),
          at(0.79, 0.22), at(0.79, a - 0.04), at(0.72, a + 0.02), at(0.62, a + 0.02))
        let left = right.mirrored().map { at($0.x, $0.y + b - a) }
        let prickles = (0..<(3 + g.integer(below: 3))).map { index in
          let place = at(0.46 + 0.09 * Double(index % 2), 0.28 + 0.14 * Double(index))
          return Path.lines(place, place + at(0.02, 0.05))
        }
        return [[body], [right, left], prickles]
      },
    ])
}
