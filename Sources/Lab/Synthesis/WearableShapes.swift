internal import Numbers

/// What people wear or carry.
extension ShapeKind {
  static let wearables = [umbrella, hat, glasses, crown, key]

  private static let umbrella = ShapeKind(
    "umbrella", "☂️", mirroring: 0.4,
    ways: [
      // A dome with a scalloped edge and a hooked handle.
      ShapeVariant(3) { g in
        let count = 3 + g.integer(below: 3)
        let dome = Path.arc(at(0.5, 0.5), at(0.5, g.uniform(0.38...0.5)), from: 180, to: 360)
        let scallops = (0..<count).reduce(Path(points: [])) { edge, index in
          let x = 1 - Double(index) / Double(count)
          return edge + .bow(at(x, 0.5), at(x - 1 / Double(count), 0.5), -g.uniform(0.2...0.4))
        }
        return g.chance(0.5)
          ? [[(dome + scallops).closed], [handle(0.45, &g)]]
          : [[dome], [scallops], [handle(0.45, &g)]]
      },
      // A plain half disc with ribs.
      ShapeVariant(2) { g in
        let dome = Path.arc(at(0.5, 0.5), at(0.5, g.uniform(0.38...0.5)), from: 180, to: 360)
        let ribs = [
          Path.bow(at(0.5, 0.08), at(0.3, 0.5), -0.1), .bow(at(0.5, 0.08), at(0.7, 0.5), 0.1),
        ]
        return [[dome], [.lines(at(0, 0.5), at(1, 0.5))], [handle(0.5, &g)]]
          + (g.chance(0.5) ? [ribs] : [])
      },
    ])

  private static func handle(_ top: Double, _ g: inout SeededGenerator) -> Path {
    let wide = g.uniform(0.06...0.09)
    return .lines(at(0.5, top), at(0.5, 0.92))
      + .arc(at(0.5 - wide, 0.92), at(wide, wide), from: 0, to: g.uniform(150...210))
  }

  private static let hat = ShapeKind(
    "hat", "🎩",
    ways: [
      // A brim that is a flat ellipse.
      ShapeVariant(3) { g in
        let (wide, flare) = (g.uniform(0.24...0.3), g.uniform(-0.02...0.05))
        let top = g.uniform(0.02...0.12)
        return [
          [
            .lines(
              at(0.5 - wide, 0.8), at(0.5 - wide - flare, top), at(0.5 + wide + flare, top),
              at(0.5 + wide, 0.8))
          ],
          [.ellipse(at(0.5, 0.83), at(0.5, g.uniform(0.06...0.1)))],
        ] + band(wide, &g)
      },
      // A brim that is a line or a flat box.
      ShapeVariant(3) { g in
        let wide = g.uniform(0.24...0.3)
        let brim: Path =
          g.chance(0.6) ? .lines(at(0, 0.84), at(1, 0.84)) : .box(0.02, 0.82, 0.98, 0.92)
        return [
          [
            .lines(
              at(0.5 - wide, 0.83), at(0.5 - wide, 0.08), at(0.5 + wide, 0.08), at(0.5 + wide, 0.83)
            )
          ], [brim],
        ] + band(wide, &g)
      },
      // The outline in one line.
      ShapeVariant(2) { g in
        let wide = g.uniform(0.24...0.3)
        return [
          [
            .polygon(
              at(0, 0.8), at(0.5 - wide, 0.8), at(0.5 - wide, 0.08), at(0.5 + wide, 0.08),
              at(0.5 + wide, 0.8), at(1, 0.8),
              at(1, 0.92), at(0, 0.92))
          ]
        ] + band(wide, &g)
      },
    ])

  private static func band(_ wide: Double, _ g: inout SeededGenerator) -> Sketch {
    guard g.chance(0.7) else { return [] }
    let high = g.uniform(0.56...0.64)
    let upper = Path.lines(at(0.5 - wide, high), at(0.5 + wide, high))
    return g.chance(0.4) ? [[upper, upper.map { $0 + at(0, 0.12) }]] : [[upper]]
  }

  private static let glasses = ShapeKind(
    "glasses", "👓",
    ways: [
      ShapeVariant(4) { g in
        let (radius, high) = (g.uniform(0.19...0.22), g.uniform(0.16...0.22))
        let lens = Path.ellipse(at(0.25, 0.5), at(radius, high))
        let temple = Path.lines(
          at(0.25 - radius, 0.46), at(g.uniform(-0.12 ... -0.02), g.uniform(0.3...0.42)))
        return [
          [lens, lens.mirrored()],
          [.bow(at(0.25 + radius, 0.47), at(0.75 - radius, 0.47), g.uniform(0.1...0.5))],
          [temple, temple.mirrored()],
        ]
      },
      // Square lenses.
      ShapeVariant(2) { g in
        let high = g.uniform(0.14...0.18)
        let lens = Path.box(0.06, 0.5 - high, 0.44, 0.5 + high)
        let temple = Path.lines(at(0.06, 0.4), at(g.uniform(-0.1 ... -0.02), 0.32))
        return [
          [lens, lens.mirrored()], [.bow(at(0.44, 0.44), at(0.56, 0.44), g.uniform(0...0.4))],
          [temple, temple.mirrored()],
        ]
      },
      // All in one: round a lens, over the bridge, round the other.
      ShapeVariant(1) { g in
        let radius = g.uniform(0.18...0.21)
        let left = Path.arc(at(0.25, 0.5), at(radius, radius), from: -20, to: -385)
        let right = Path.arc(at(0.75, 0.5), at(radius, radius), from: 200, to: 565)
        let temple = Path.lines(at(0.25 - radius, 0.45), at(-0.06, 0.34))
        return [
          [left + .bow(left.points[left.points.count - 1], right.points[0], 0.25) + right],
          [temple, temple.mirrored()],
        ]
      },
    ])

  private static let crown = ShapeKind(
    "crown", "👑",
    ways: [
      ShapeVariant(4) { g in
        let low = g.uniform(0.34...0.44)
        let outline = Path.polygon(
          at(0.06, 0.8), at(0, g.uniform(0.08...0.2)), at(0.26, low), at(0.5, 0), at(0.74, low),
          at(1, g.uniform(0.08...0.2)),
          at(0.94, 0.8))
        var parts: Sketch = [[outline]]
        if g.chance(0.6) { parts.append([.lines(at(0.05, 0.66), at(0.95, 0.66))]) }
        if g.chance(0.5) {
          parts.append([
            .circle(at(0, 0.09), 0.04), .circle(at(0.5, -0.05), 0.04), .circle(at(1, 0.09), 0.04),
          ])
        }
        return parts
      },
      // Five points, then the band.
      ShapeVariant(2) { g in
        let low = g.uniform(0.32...0.42)
        return [
          [
            .lines(
              at(0.05, 0.78), at(0, 0.14), at(0.2, low), at(0.28, 0.06), at(0.42, low),
              at(0.5, 0.02), at(0.58, low),
              at(0.72, 0.06), at(0.8, low), at(1, 0.14), at(0.95, 0.78))
          ], [.lines(at(0.05, 0.78), at(0.95, 0.78))],
        ]
          + (g.chance(0.5)
            ? [[.dot(at(0.28, 0.64)), .dot(at(0.5, 0.62)), .dot(at(0.72, 0.64))]] : [])
      },
    ])

  private static let key = ShapeKind(
    "key", "🔑", mirroring: 0.4, turn: -28...28,
    ways: [
      // A ring, a line and teeth.
      ShapeVariant(4) { g in
        let radius = g.uniform(0.14...0.2)
        let (first, length) = (g.uniform(0.74...0.82), g.uniform(0.1...0.16))
        let teeth = [
          Path.lines(at(first, 0.5), at(first, 0.5 + length)),
          .lines(at(0.94, 0.5), at(0.94, 0.5 + length)),
        ]
        let third = Path.lines(at(0.86, 0.5), at(0.86, 0.5 + length))
        let hole = Path.circle(at(radius, 0.5), radius * g.uniform(0.3...0.55))
        return [[.circle(at(radius, 0.5), radius)]] + (g.chance(0.3) ? [[hole]] : [])
          + [[.lines(at(2 * radius, 0.5), at(1, 0.5))], g.chance(0.3) ? teeth + [third] : teeth]
      },
      // A broad shaft with notches.
      ShapeVariant(3) { g in
        let (radius, thick) = (g.uniform(0.17...0.22), g.uniform(0.03...0.05))
        let depth = g.uniform(0.09...0.13)
        let low = 0.5 + thick
        return [
          [.circle(at(radius, 0.5), radius)],
          [
            .lines(
              at(2 * radius, 0.5 - thick), at(1, 0.5 - thick), at(1, low + depth),
              at(0.92, low + depth), at(0.92, low),
              at(0.85, low), at(0.85, low + depth * 0.8), at(0.77, low + depth * 0.8),
              at(0.77, low), at(2 * radius, low))
          ], [.circle(at(radius, 0.5), radius * g.uniform(0.3...0.6))],
        ]
      },
    ])
}
