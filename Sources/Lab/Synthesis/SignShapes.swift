internal import Numbers

/// Signs and marks.
extension ShapeKind {
  static let signs = [arrow, check, cross, plus, question, lightning, note]

  private static let arrow = ShapeKind(
    "arrow", "➡️", turn: -10...10,
    ways: [
      ShapeVariant(3) { g in
        let (back, wide) = (g.uniform(0.62...0.8), g.uniform(0.14...0.26))
        return [
          [.lines(at(0, 0.5), at(1, 0.5))],
          [.lines(at(back, 0.5 - wide), at(1, 0.5), at(back, 0.5 + wide))],
        ]
      },
      ShapeVariant(1.5) { g in
        let (back, wide) = (g.uniform(0.62...0.8), g.uniform(0.14...0.26))
        return [
          [.lines(at(0, 0.5), at(1, 0.5))],
          [
            .lines(at(1, 0.5), at(back, 0.5 - wide)), .lines(at(1, 0.5), at(back, 0.5 + wide)),
          ],
        ]
      },
      // Along the shaft, back along one barb and over the tip to the other.
      ShapeVariant { g in
        let (back, wide) = (g.uniform(0.62...0.8), g.uniform(0.14...0.26))
        return [
          [
            .lines(
              at(0, 0.5), at(1, 0.5), at(back, 0.5 - wide), at(1, 0.5), at(back, 0.5 + wide))
          ]
        ]
      },
      ShapeVariant(2) { g in
        let (neck, thick) = (g.uniform(0.5...0.66), g.uniform(0.09...0.15))
        let wide = thick + g.uniform(0.12...0.2)
        return [
          [
            .polygon(
              at(0, 0.5 - thick), at(neck, 0.5 - thick), at(neck, 0.5 - wide), at(1, 0.5),
              at(neck, 0.5 + wide), at(neck, 0.5 + thick), at(0, 0.5 + thick))
          ]
        ]
      },
    ])

  private static let check = ShapeKind(
    "check", "✅",
    ways: [
      ShapeVariant(4) { g in
        [
          [
            .lines(
              at(0, g.uniform(0.5...0.62)), at(g.uniform(0.26...0.4), 0.95),
              at(1, g.uniform(0...0.25)))
          ]
        ]
      },
      // With a sweep.
      ShapeVariant(2) { g in
        let foot = at(g.uniform(0.24...0.36), 0.95)
        return [
          [
            Path.bow(at(0, g.uniform(0.5...0.65)), foot, g.uniform(0...0.12))
              + .bow(foot, at(1, g.uniform(0...0.25)), g.uniform(0.04...0.14))
          ]
        ]
      },
      ShapeVariant(1.5) { g in
        let top = g.uniform(-0.12...0.2)
        return [
          [.box(0, 0.1, 0.95, 1)],
          [
            .lines(at(g.uniform(0.14...0.24), 0.52), at(0.42, 0.84), at(g.uniform(0.84...1.1), top))
          ],
        ]
      },
    ])

  private static let cross = ShapeKind(
    "cross", "❌",
    ways: [
      ShapeVariant(5) { g in
        let width = g.uniform(0.8...1)
        return [[.lines(at(0, 0), at(width, 1)), .lines(at(width, 0), at(0, 1))]]
      },
      ShapeVariant(1.5) { g in
        let arm = g.uniform(0.1...0.17)
        return [[thickCross(arm).turned(degrees: 45)]]
      },
      // Without lifting the pen.
      ShapeVariant(0.7) { g in
        let width = g.uniform(0.8...1)
        return [[.lines(at(0, 0), at(width, 1), at(width, 0), at(0, 1))]]
      },
    ])

  private static let plus = ShapeKind(
    "plus", "➕",
    ways: [
      ShapeVariant(4) { g in
        let (x, y) = (g.uniform(0.45...0.55), g.uniform(0.45...0.55))
        return [[.lines(at(x, 0), at(x, 1)), .lines(at(0, y), at(1, y))]]
      },
      ShapeVariant(2.5) { g in [[thickCross(g.uniform(0.1...0.18))]] },
    ])

  /// The outline of an upright cross with arms of the given half width.
  private static func thickCross(_ arm: Double) -> Path {
    let (low, high) = (0.5 - arm, 0.5 + arm)
    return .polygon(
      at(low, 0), at(high, 0), at(high, low), at(1, low), at(1, high), at(high, high),
      at(high, 1), at(low, 1), at(low, high), at(0, high), at(0, low), at(low, low))
  }

  private static let question = ShapeKind(
    "question mark", "❓",
    ways: [
      ShapeVariant(3) { g in [[questionHook(&g)], [.dot(at(0.5, g.uniform(0.97...1.06)))]] },
      ShapeVariant(2) { g in
        [[questionHook(&g)], [.circle(at(0.5, g.uniform(1...1.06)), g.uniform(0.025...0.05))]]
      },
    ])

  private static func questionHook(_ g: inout SeededGenerator) -> Path {
    let neck = g.uniform(0.5...0.6)
    let bowl = Path.curve(
      at(0.2, g.uniform(0.2...0.32)), at(0.28, 0.07), at(0.5, 0), at(0.74, 0.08),
      at(0.8, 0.25), at(0.7, 0.42), at(0.53, neck), at(0.49, neck + 0.12), at(0.49, 0.84))
    guard g.chance(0.3) else { return bowl }
    return Path.curve(
      at(0.2, 0.22), at(0.35, 0.02), at(0.62, 0.02), at(0.76, 0.2), at(0.68, 0.4), at(0.5, 0.5))
      + .lines(at(0.5, 0.5), at(0.5, 0.84))
  }

  private static let lightning = ShapeKind(
    "lightning", "⚡", mirroring: 0.2,
    ways: [
      ShapeVariant(3) { g in
        let (a, b) = (g.uniform(0.5...0.58), g.uniform(0.38...0.46))
        return [
          [
            .polygon(
              at(0.42, 0), at(0.8, 0), at(0.58, b), at(0.85, b), at(0.2, 1), at(0.4, a), at(0.12, a)
            )
          ]
        ]
      },
      ShapeVariant(2) { g in
        let (a, b) = (g.uniform(0.34...0.42), g.uniform(0.58...0.68))
        return [
          [
            .polygon(
              at(0.35, 0.02), at(0.6, 0), at(0.55, a - 0.06), at(0.78, a - 0.08),
              at(0.62, b - 0.04), at(0.86, b - 0.06), at(0.42, 1), at(0.48, b + 0.04),
              at(0.28, b + 0.06), at(0.36, a + 0.04), at(0.1, a + 0.06))
          ]
        ]
      },
      ShapeVariant(2) { g in
        let y = g.uniform(0.46...0.58)
        return [
          [.lines(at(0.6, 0), at(0.2, y), at(0.72, y - g.uniform(0.04...0.12)), at(0.3, 1))]
        ]
      },
      // Both edges, from the top to the point.
      ShapeVariant(1.5) { g in
        let (a, b) = (g.uniform(0.52...0.6), g.uniform(0.36...0.44))
        return [
          [
            .lines(at(0.45, 0), at(0.12, a), at(0.42, a - 0.03), at(0.22, 1)),
            .lines(at(0.45, 0), at(0.78, 0), at(0.56, b), at(0.84, b - 0.02), at(0.22, 1)),
          ]
        ]
      },
    ])

  private static let note = ShapeKind(
    "note", "🎵",
    ways: [
      ShapeVariant(3) { g in
        let x = g.uniform(0.42...0.5)
        let head = Path.ellipse(at(x - 0.14, 0.88), at(0.15, g.uniform(0.09...0.13)))
        return [
          [head], [.lines(at(x, 0.86), at(x, 0))],
          [
            .curve(
              at(x, 0), at(x + 0.1, 0.14), at(x + 0.26, 0.24), at(x + 0.24, g.uniform(0.36...0.5)))
          ],
        ]
      },
      // Two notes under a beam.
      ShapeVariant(3) { g in
        let (rise, low) = (g.uniform(0...0.1), g.uniform(0.8...0.88))
        let radii = at(0.13, g.uniform(0.08...0.12))
        var parts: Sketch = [
          [.ellipse(at(0.13, low), radii), .ellipse(at(0.77, low - rise), radii)],
          [
            .lines(
              at(0.26, low), at(0.26, 0.06 + rise), at(0.9, 0.06), at(0.9, low - rise))
          ],
        ]
        if g.chance(0.5) { parts.append([.lines(at(0.26, 0.2 + rise), at(0.9, 0.2))]) }
        return parts
      },
      // In one go: down the stem and round the head, then the flag.
      ShapeVariant(1.5) { g in
        let x = g.uniform(0.42...0.5)
        let ring = Path.arc(at(x - 0.14, 0.86), at(0.14, 0.11), from: 0, to: 380)
        return [
          [.lines(at(x, 0), at(x, 0.86)) + ring],
          [.lines(at(x, 0), at(x + 0.26, g.uniform(0.12...0.24)))],
        ]
      },
    ])
}
