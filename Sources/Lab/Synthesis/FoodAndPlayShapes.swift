internal import Numbers

/// What people eat and play with.
extension ShapeKind {
  static let foodAndPlay = [apple, cherries, iceCream, balloon, kite, flag]

  private static func appleOutline(_ g: inout SeededGenerator) -> Path {
    let (dip, foot) = (g.uniform(0.24...0.3), g.uniform(0.02...0.05))
    let right = Path.curve(
      at(0.5, dip), at(0.64, 0.2), at(0.86, 0.24), at(0.97, 0.46), at(0.9, 0.76), at(0.7, 0.98),
      at(0.5, 1 - foot))
    return right + right.mirrored().reversed
  }

  private static func stalk(_ g: inout SeededGenerator) -> [Path] {
    [.bow(at(0.5, 0.28), at(g.uniform(0.48...0.58), g.uniform(0...0.06)), g.uniform(-0.2...0.1))]
  }

  private static let leafOfApple =
    Path.bow(at(0.53, 0.14), at(0.8, 0.03), 0.3) + .bow(at(0.8, 0.03), at(0.53, 0.14), 0.3)

  private static let apple = ShapeKind(
    "apple", "🍎",
    ways: [
      ShapeVariant(4) { g in [[appleOutline(&g).closed], stalk(&g), [leafOfApple.closed]] },
      ShapeVariant(2) { g in [[appleOutline(&g).closed], stalk(&g)] },
      // Two halves, each from the stalk.
      ShapeVariant(1) { g in
        let outline = appleOutline(&g)
        let half = Path(points: Array(outline.points.prefix(outline.points.count / 2 + 1)))
        return [[half.mirrored(), half], stalk(&g), [leafOfApple.closed]]
      },
    ])

  private static let cherries = ShapeKind(
    "cherries", "🍒", mirroring: 0.3,
    ways: [
      ShapeVariant(4) { g in
        let radius = g.uniform(0.16...0.2)
        let (left, right) = (at(0.24, 0.78), at(g.uniform(0.72...0.78), g.uniform(0.74...0.84)))
        let top = at(g.uniform(0.52...0.62), 0.04)
        return [
          [.circle(left, radius), .circle(right, radius)],
          [
            .bow(left - at(0, radius), top, g.uniform(0.05...0.18)),
            .bow(right - at(0, radius), top, g.uniform(-0.1...0.02)),
          ],
        ] + cherryLeaf(top, 0.6, &g)
      },
      // Both stems in one line.
      ShapeVariant(2) { g in
        let radius = g.uniform(0.16...0.2)
        let (left, right) = (at(0.24, 0.78), at(0.76, g.uniform(0.74...0.84)))
        let top = at(g.uniform(0.48...0.6), 0.04)
        return [
          [.lines(left - at(0, radius), top, right - at(0, radius))],
          [.circle(left, radius), .circle(right, radius)],
        ] + cherryLeaf(top, 0.5, &g)
      },
    ])

  private static func cherryLeaf(
    _ top: Vector, _ probability: Double, _ g: inout SeededGenerator
  ) -> Sketch {
    guard g.chance(probability) else { return [] }
    let tip = top + at(0.32, g.uniform(-0.02...0.1))
    return [[(Path.bow(top, tip, 0.25) + .bow(tip, top, 0.25)).closed]]
  }

  private static let iceCream = ShapeKind(
    "ice cream", "🍦",
    ways: [
      // One scoop on a cone.
      ShapeVariant(3) { g in
        let high = g.uniform(0.32...0.4)
        return [
          [.polygon(at(0.22, 0.4), at(0.78, 0.4), at(0.5, 1.06))],
          [.arc(at(0.5, 0.4), at(0.28, high), from: 180, to: 360)],
        ] + waffle(&g)
      },
      // Three bumps.
      ShapeVariant(2) { g in
        let bumps =
          Path.bow(at(0.2, 0.42), at(0.26, 0.2), 0.6) + .bow(at(0.26, 0.2), at(0.74, 0.2), 0.5)
          + .bow(at(0.74, 0.2), at(0.8, 0.42), 0.6)
        return [
          [.lines(at(0.22, 0.42), at(0.5, 1.06), at(0.78, 0.42))], [bumps],
          [.wave(at(0.22, 0.42), at(0.78, 0.42), waves: 2.5, height: 0.06)],
        ]
          + waffle(&g)
      },
      // Layers of soft ice.
      ShapeVariant(2) { g in
        let swirl = Path.curve(
          at(0.5, 0), at(0.62, 0.14), at(0.38, 0.18), at(0.3, 0.24), at(0.44, 0.28), at(0.7, 0.24),
          at(0.74, 0.32), at(0.5, 0.38),
          at(0.26, 0.38))
        let left = Path.curve(
          at(0.5, 0), at(0.4, 0.1), at(0.34, 0.2), at(0.24, 0.3), at(0.22, 0.42))
        return [
          [left, left.mirrored()], [swirl],
          [.polygon(at(0.22, 0.42), at(0.78, 0.42), at(0.5, 1.06))],
        ]
          + waffle(&g)
      },
    ])

  private static func waffle(_ g: inout SeededGenerator) -> Sketch {
    guard g.chance(0.6) else { return [] }
    return [
      [
        .lines(at(0.34, 0.43), at(0.6, 0.8)), .lines(at(0.5, 0.43), at(0.68, 0.64)),
        .lines(at(0.66, 0.43), at(0.4, 0.8)), .lines(at(0.5, 0.43), at(0.32, 0.64)),
      ]
    ]
  }

  private static let balloon = ShapeKind(
    "balloon", "🎈",
    ways: [
      // A knot and a waving string.
      ShapeVariant(4) { g in
        let skin = Path.ellipse(at(0.5, 0.3), at(g.uniform(0.22...0.26), 0.3))
        let knot = Path.polygon(at(0.5, 0.6), at(0.54, 0.65), at(0.46, 0.65))
        return [[skin], [knot], [string(0.65, &g)]] + shine(&g)
      },
      // Tapering to the knot.
      ShapeVariant(3) { g in
        let wide = g.uniform(0.24...0.28)
        let right = [
          at(0.5 + wide * 0.72, 0.06), at(0.5 + wide, 0.24), at(0.5 + wide * 0.7, 0.45),
        ]
        let left = right.reversed().map { at(1 - $0.x, $0.y) }
        let skin = Path.curve([at(0.5, 0.6)] + left + [at(0.5, 0)] + right + [at(0.5, 0.6)])
        return [[skin.closed], [string(0.6, &g)]] + shine(&g)
      },
      ShapeVariant(1.5) { g in
        let skin = Path.ellipse(at(0.5, 0.3), at(g.uniform(0.22...0.26), 0.3))
        return [
          [skin],
          [.lines(at(0.5, 0.6), at(0.45, 0.65), at(0.55, 0.65), at(0.5, 0.6)) + string(0.6, &g)],
        ]
      },
    ])

  private static func string(_ top: Double, _ g: inout SeededGenerator) -> Path {
    .wave(
      at(0.5, top), at(0.5 + g.uniform(-0.08...0.08), g.uniform(1...1.15)),
      waves: g.uniform(0.7...2),
      height: g.uniform(0.04...0.14) * (g.chance(0.5) ? 1 : -1))
  }

  private static func shine(_ g: inout SeededGenerator) -> Sketch {
    g.chance(0.3) ? [[.bow(at(0.36, 0.3), at(0.44, 0.12), 0.2)]] : []
  }

  private static let kite = ShapeKind(
    "kite", "🪁", mirroring: 0.4, turn: 0...35,
    ways: [
      ShapeVariant(4) { g in
        let (arms, half) = (g.uniform(0.22...0.28), g.uniform(0.22...0.28))
        return [
          [.polygon(at(0.5, 0), at(0.5 + half, arms), at(0.5, 0.66), at(0.5 - half, arms))],
          [.lines(at(0.5, 0), at(0.5, 0.66)), .lines(at(0.5 - half, arms), at(0.5 + half, arms))],
        ] + tail(&g)
      },
      // Without the sticks.
      ShapeVariant(1.2) { g in
        let (arms, half) = (g.uniform(0.22...0.28), g.uniform(0.22...0.28))
        return [
          [.polygon(at(0.5, 0), at(0.5 + half, arms), at(0.5, 0.66), at(0.5 - half, arms))]
        ] + tail(&g)
      },
    ])

  private static func tail(_ g: inout SeededGenerator) -> Sketch {
    let side = g.chance(0.5) ? 1.0 : -1
    let end = at(0.5 + side * g.uniform(0...0.12), g.uniform(1...1.16))
    let line = Path.wave(at(0.5, 0.66), end, waves: g.uniform(0.8...1.6), height: 0.12 * side)
    guard g.chance(0.7) else { return [[line]] }
    let bows = [0.4, 0.75].map { u in
      let place = line.points[Int(u * Double(line.points.count - 1))]
      let (a, b) = (at(-0.06, -0.035), at(0.06, 0.035))
      return Path.polygon(place + a, place + at(-a.x, a.y), place + at(-b.x, b.y), place + b)
    }
    return [[line], bows]
  }

  private static let flag = ShapeKind(
    "flag", "🚩",
    ways: [
      // A pennant.
      ShapeVariant(3) { g in
        let low = g.uniform(0.4...0.52)
        return [
          [.lines(at(0.15, 0), at(0.15, 1))],
          [.lines(at(0.15, 0.02), at(g.uniform(0.76...0.9), low / 2), at(0.15, low))],
        ]
      },
      // A waving cloth.
      ShapeVariant(3) { g in
        let (low, swing) = (g.uniform(0.42...0.52), g.uniform(0.05...0.1))
        let top = Path.wave(at(0.15, 0.04), at(0.92, 0.04), waves: 1, height: swing)
        let bottom = Path.wave(at(0.15, low), at(0.92, low), waves: 1, height: swing)
        return [[.lines(at(0.15, 0), at(0.15, 1))], [top + bottom.reversed]]
      },
      // Pole and cloth in one line.
      ShapeVariant(2) { g in
        let low = g.uniform(0.42...0.52)
        return [
          [
            .lines(
              at(0.15, 1), at(0.15, 0), at(g.uniform(0.8...0.95), 0.02), at(0.86, low),
              at(0.15, low))
          ]
        ]
      },
    ])
}
