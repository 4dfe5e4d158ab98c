internal import Numbers

/// What people live in and travel with.
extension ShapeKind {
  static let buildingsAndVehicles = [house, boat, car]

  private static let house = ShapeKind(
    "house", "🏠",
    ways: [
      // Walls, then a roof.
      ShapeVariant(4) { g in
        let eaves = g.uniform(0...0.08)
        let peak = at(g.uniform(0.45...0.55), 0)
        let roof =
          g.chance(0.6)
          ? Path.polygon(at(0.1 - eaves, 0.42), peak, at(0.9 + eaves, 0.42))
          : .lines(at(0.1 - eaves, 0.43), peak, at(0.9 + eaves, 0.43))
        return [[.box(0.1, 0.42, 0.9, 1)], [roof]] + houseDetails(&g)
      },
      // The outline in one line.
      ShapeVariant(3) { g in
        let wall = g.uniform(0.36...0.46)
        return [
          [.polygon(at(0.08, 1), at(0.08, wall), at(0.5, 0), at(0.92, wall), at(0.92, 1))]
        ] + houseDetails(&g)
      },
      ShapeVariant(2) { g in
        let eaves = g.uniform(0...0.08)
        return [
          [.lines(at(0.12, 0.4), at(0.12, 1), at(0.88, 1), at(0.88, 0.4))],
          [.lines(at(0.12 - eaves, 0.44), at(0.5, 0), at(0.88 + eaves, 0.44))],
        ] + (g.chance(0.5) ? [[.lines(at(0.12, 0.42), at(0.88, 0.42))]] : []) + houseDetails(&g)
      },
    ])

  private static func houseDetails(_ g: inout SeededGenerator) -> Sketch {
    let x = g.chance(0.6) ? g.uniform(0.4...0.44) : g.uniform(0.18...0.24)
    let top = g.uniform(0.62...0.72)
    var parts: Sketch = [[.lines(at(x, 1), at(x, top), at(x + 0.17, top), at(x + 0.17, 1))]]
    if g.chance(0.25) { parts.append([.dot(at(x + 0.13, (top + 1) / 2))]) }
    if g.chance(0.6) {
      let y = g.uniform(0.52...0.58)
      parts.append([.box(0.65, y, 0.8, y + 0.15)])
      if g.chance(0.6) {
        parts.append([
          .lines(at(0.725, y), at(0.725, y + 0.15)),
          .lines(at(0.65, y + 0.075), at(0.8, y + 0.075)),
        ])
      }
    }
    if g.chance(0.35) {
      parts.append([.lines(at(0.7, 0.18), at(0.7, 0.02), at(0.8, 0.02), at(0.8, 0.27))])
    }
    return parts
  }

  private static let boat = ShapeKind(
    "boat", "⛵", mirroring: 0.4,
    ways: [
      // Hull, mast and one or two sails.
      ShapeVariant(4) { g in
        let mast = g.uniform(0.44...0.52)
        let sail = Path.polygon(
          at(mast + 0.02, 0.06), at(g.uniform(0.84...0.94), 0.64), at(mast + 0.02, 0.64))
        let jib = Path.polygon(
          at(mast - 0.02, 0.14), at(mast - 0.02, 0.64), at(g.uniform(0.1...0.2), 0.64))
        return [
          [hull(&g)], [.lines(at(mast, 0.74), at(mast, 0))], g.chance(0.6) ? [sail, jib] : [sail],
        ]
          + water(&g)
      },
      // A sail whose one side is the mast.
      ShapeVariant(2) { g in
        let mast = g.uniform(0.42...0.5)
        return [
          [hull(&g)],
          [.lines(at(mast, 0.74), at(mast, 0), at(g.uniform(0.82...0.92), 0.58), at(mast, 0.6))],
        ] + water(&g)
      },
      // A sail full of wind.
      ShapeVariant(1) { g in
        let mast = g.uniform(0.42...0.5)
        return [
          [hull(&g)], [.lines(at(mast, 0.74), at(mast, 0))],
          [.bow(at(mast, 0.04), at(mast + 0.02, 0.62), 0.4) + .lines(at(mast + 0.02, 0.62))],
        ] + water(&g)
      },
    ])

  private static func hull(_ g: inout SeededGenerator) -> Path {
    let inset = g.uniform(0.12...0.24)
    if g.chance(0.3) {
      return
        (Path.lines(at(0, 0.74), at(1, 0.74))
        + .bow(at(1, 0.74), at(0, 0.74), -0.24).map { at($0.x, 1.48 - $0.y) }).closed
    }
    return .polygon(at(0, 0.74), at(1, 0.74), at(1 - inset, 0.98), at(inset, 0.98))
  }

  private static func water(_ g: inout SeededGenerator) -> Sketch {
    g.chance(0.25)
      ? [
        [
          .wave(
            at(-0.1, 1.04), at(1.1, 1.04), waves: 2 + Double(g.integer(below: 4)), height: 0.025)
        ]
      ]
      : []
  }

  private static let car = ShapeKind(
    "car", "🚗", mirroring: 0.45,
    ways: [
      // Body and cabin in one line, wheels below.
      ShapeVariant(4) { g in
        let (roof, hood) = (g.uniform(0.1...0.18), g.uniform(0.36...0.42))
        let body = Path.polygon(
          at(0, 0.7), at(0.01, hood + 0.02), at(g.uniform(0.18...0.24), hood),
          at(g.uniform(0.28...0.34), roof), at(0.66, roof),
          at(g.uniform(0.76...0.82), hood), at(0.99, hood + 0.04), at(1, 0.7))
        return [[body]] + wheels(&g) + windows(roof + 0.05, hood, &g)
      },
      // A box, a smaller box on it, wheels.
      ShapeVariant(2) { g in
        let roof = g.uniform(0.08...0.16)
        return [
          [.box(0, 0.4, 1, 0.7)],
          [
            .lines(
              at(0.2, 0.4), at(g.uniform(0.24...0.32), roof), at(g.uniform(0.66...0.72), roof),
              at(0.8, 0.4))
          ],
        ] + wheels(&g) + (g.chance(0.5) ? windows(roof + 0.06, 0.39, &g) : [])
      },
      // A rounded body, with arches over the wheels.
      ShapeVariant(2) { g in
        let roof = g.uniform(0.1...0.18)
        let top = Path.curve(
          at(0, 0.72), at(0.02, 0.5), at(0.2, 0.4), at(0.34, roof + 0.04), at(0.52, roof),
          at(0.68, roof + 0.06), at(0.8, 0.4),
          at(0.97, 0.48), at(1, 0.72))
        let bottom =
          Path.lines(at(1, 0.72), at(0.88, 0.72)) + .bow(at(0.88, 0.72), at(0.64, 0.72), -0.45)
          + .lines(at(0.64, 0.72), at(0.36, 0.72)) + .bow(at(0.36, 0.72), at(0.12, 0.72), -0.45)
          + .lines(at(0.12, 0.72), at(0, 0.72))
        return [
          [(top + bottom).closed], [.circle(at(0.24, 0.74), 0.09), .circle(at(0.76, 0.74), 0.09)],
        ]
          + windows(roof + 0.07, 0.4, &g)
      },
    ])

  private static func wheels(_ g: inout SeededGenerator) -> Sketch {
    let radius = g.uniform(0.09...0.12)
    let (front, back) = (at(g.uniform(0.2...0.25), 0.72), at(g.uniform(0.75...0.8), 0.72))
    let outer: [Path] = [.circle(front, radius), .circle(back, radius)]
    return g.chance(0.4) ? [outer, [.circle(front, 0.04), .circle(back, 0.04)]] : [outer]
  }

  private static func windows(
    _ top: Double, _ bottom: Double, _ g: inout SeededGenerator
  ) -> Sketch {
    if g.chance(0.25) { return [] }
    if g.chance(0.5) {
      return [
        [.lines(at(0.5, top - 0.04), at(0.5, bottom)), .lines(at(0.24, bottom), at(0.76, bottom))]
      ]
    }
    return [
      [
        .polygon(at(0.36, top), at(0.48, top), at(0.48, bottom), at(0.29, bottom)),
        .polygon(at(0.53, top), at(0.63, top), at(0.71, bottom), at(0.53, bottom)),
      ]
    ]
  }
}
