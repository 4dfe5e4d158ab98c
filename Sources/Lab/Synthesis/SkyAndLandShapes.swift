internal import Numbers

/// Sky and land.
extension ShapeKind {
  static let skyAndLand = [sun, moon, cloud, rainbow, mountain]

  private static func rays(
    _ count: Int, from inner: Double, to outer: ClosedRange<Double>, _ g: inout SeededGenerator
  ) -> [Path] {
    let first = g.uniform(-100 ... -80)
    return (0..<count).map { index in
      let angle = first + 360 * Double(index) / Double(count) + g.uniform(-5...5)
      let end = g.uniform(outer)
      return .lines(
        around(at(0.5, 0.5), at(inner, inner), angle), around(at(0.5, 0.5), at(end, end), angle))
    }
  }

  private static let sun = ShapeKind(
    "sun", "☀️",
    ways: [
      ShapeVariant(4) { g in
        let radius = g.uniform(0.2...0.28)
        let rays = rays(
          7 + g.integer(below: 6), from: radius + g.uniform(0.01...0.07), to: 0.42...0.52, &g)
        return [[.circle(at(0.5, 0.5), radius)], rays]
      },
      // A jagged ring around the disc.
      ShapeVariant(1.5) { g in
        let count = 9 + g.integer(below: 5)
        let (inner, outer) = (g.uniform(0.3...0.34), g.uniform(0.46...0.52))
        var corners: [Vector] = []
        for index in 0..<(2 * count) {
          let radius = index.isMultiple(of: 2) ? inner : outer * g.uniform(0.92...1.05)
          corners.append(
            around(at(0.5, 0.5), at(radius, radius), -90 + 180 * Double(index) / Double(count)))
        }
        return [[.circle(at(0.5, 0.5), g.uniform(0.22...0.27))], [.polygon(corners)]]
      },
      // Rays as small wedges.
      ShapeVariant(1) { g in
        let radius = g.uniform(0.24...0.28)
        let count = 7 + g.integer(below: 3)
        let wedges = (0..<count).map { index in
          let angle = -90 + 360 * Double(index) / Double(count)
          return Path.lines(
            around(at(0.5, 0.5), at(radius + 0.03, radius + 0.03), angle - 13),
            around(at(0.5, 0.5), at(0.5, 0.5), angle),
            around(at(0.5, 0.5), at(radius + 0.03, radius + 0.03), angle + 13))
        }
        return [[.circle(at(0.5, 0.5), radius)], wedges]
      },
    ])

  private static func crescent(_ depth: Double) -> (outer: Path, inner: Path) {
    let (top, bottom) = (at(0.62, 0.02), at(0.62, 0.98))
    let outer = Path.curve(
      top, at(0.34, 0.06), at(0.12, 0.25), at(0.04, 0.5), at(0.12, 0.75), at(0.34, 0.94), bottom)
    let inner = Path.curve(
      bottom, at(0.45 - depth * 0.5, 0.8), at(0.42 - depth, 0.5), at(0.45 - depth * 0.5, 0.2), top)
    return (outer, inner)
  }

  private static let moon = ShapeKind(
    "moon", "🌙", mirroring: 0.4, turn: -20...20,
    ways: [
      ShapeVariant(4) { g in
        let (outer, inner) = crescent(g.uniform(-0.06...0.14))
        return [[(outer + inner).closed]]
      },
      ShapeVariant(2) { g in
        let (outer, inner) = crescent(g.uniform(-0.06...0.14))
        return [[outer], [inner.reversed]]
      },
      // With craters.
      ShapeVariant(0.8) { g in
        let (outer, inner) = crescent(g.uniform(-0.06...0.06))
        return [
          [(outer + inner).closed],
          [
            .circle(at(0.2, g.uniform(0.38...0.46)), 0.04),
            .circle(at(0.27, g.uniform(0.62...0.72)), 0.05),
          ],
        ]
      },
    ])

  private static let cloud = ShapeKind(
    "cloud", "☁️",
    ways: [
      ShapeVariant(3) { g in
        let count = 6 + g.integer(below: 4)
        let degrees = unevenSteps(count, from: 180, to: 540, &g)
        return [
          [
            Path.bumps(
              at(0.5, 0.5), at(0.44, g.uniform(0.2...0.26)), at: degrees,
              height: g.uniform(0.32...0.48)
            ).closed
          ]
        ]
      },
      // Bumps above, a flat line below.
      ShapeVariant(3) { g in
        let count = 3 + g.integer(below: 3)
        let degrees = unevenSteps(count, from: 180, to: 360, &g)
        let top = Path.bumps(
          at(0.5, 0.62), at(0.42, g.uniform(0.2...0.3)), at: degrees,
          height: g.uniform(0.34...0.48))
        if g.chance(0.5) { return [[top], [.bow(at(0.08, 0.62), at(0.92, 0.62), -0.03)]] }
        return [[(top + .bow(at(0.92, 0.62), at(0.08, 0.62), -0.04)).closed]]
      },
      ShapeVariant(1) { g in
        let low = g.uniform(0.66...0.74)
        return [
          [
            (Path.bow(at(0.14, low), at(0.24, 0.4), 0.55)
              + .bow(at(0.24, 0.4), at(0.66, 0.34), g.uniform(0.5...0.6))
              + .bow(at(0.66, 0.34), at(0.86, low), 0.5)
              + .lines(at(0.86, low), at(0.14, low))).closed
          ]
        ]
      },
    ])

  /// The angles `from` … `to` in `count` uneven steps.
  private static func unevenSteps(
    _ count: Int, from: Double, to: Double, _ g: inout SeededGenerator
  ) -> [Double] {
    (0...count).map { index in
      let shift = index == 0 || index == count ? 0 : g.uniform(-0.22...0.22)
      return from + (to - from) * (Double(index) + shift) / Double(count)
    }
  }

  private static let rainbow = ShapeKind(
    "rainbow", "🌈",
    ways: [
      ShapeVariant(4) { g in rainbowBands(3 + g.integer(below: 3), &g) },
      // With closed ends.
      ShapeVariant(1.5) { g in
        let bands = rainbowBands(3 + g.integer(below: 2), &g)
        let ends = bands[0].map { $0.points[0].x }
        let (outer, inner) = (ends.min() ?? 0, ends.max() ?? 0.3)
        return bands + [
          [
            .lines(at(outer, 0.6), at(inner, 0.6)),
            .lines(at(1 - inner, 0.6), at(1 - outer, 0.6)),
          ]
        ]
      },
      // Between two clouds.
      ShapeVariant(1.5) { g in
        let bands = rainbowBands(3 + g.integer(below: 2), &g)
        let degrees = [180.0, 235, 300, 360, 450, 540]
        let puff = Path.bumps(at(0.12, 0.64), at(0.13, 0.06), at: degrees, height: 0.45).closed
        return bands + [[puff, puff.mirrored()]]
      },
    ])

  private static func rainbowBands(_ count: Int, _ g: inout SeededGenerator) -> Sketch {
    let (gap, flat) = (g.uniform(0.06...0.09), g.uniform(0.85...1.15))
    return [
      (0..<count).map { index in
        let radius = 0.5 - gap * Double(index)
        return .arc(at(0.5, 0.6), at(radius, radius * flat), from: 180, to: 360)
      }
    ]
  }

  private static let mountain = ShapeKind(
    "mountain", "⛰️", mirroring: 0.4,
    ways: [
      // Two peaks with snow.
      ShapeVariant(3) { g in
        let (peak, dip) = (at(g.uniform(0.3...0.4), 0.1), at(0.6, g.uniform(0.48...0.58)))
        let second = at(g.uniform(0.72...0.78), g.uniform(0.28...0.36))
        return [
          [.lines(at(0, 0.85), peak, dip, second, at(1, 0.85))], [snow(peak, 0.45, 0.34, &g)],
        ] + (g.chance(0.6) ? [[.lines(at(0, 0.85), at(1, 0.85))]] : [])
      },
      // One behind the other.
      ShapeVariant(2) { g in
        let peak = at(g.uniform(0.34...0.42), 0.1)
        let second = at(g.uniform(0.72...0.78), g.uniform(0.3...0.38))
        let meeting = at(0.605, 0.5)
        return [
          [.lines(at(0, 0.85), peak, at(0.8, 0.85))], [.lines(meeting, second, at(1, 0.85))],
          [snow(peak, 0.45, 0.52, &g)],
        ]
      },
    ])

  /// The jagged lower edge of the snow on a peak; its slopes go `left` and `right` units sideways
  /// per unit down.
  private static func snow(
    _ peak: Vector, _ left: Double, _ right: Double, _ g: inout SeededGenerator
  ) -> Path {
    let depth = g.uniform(0.2...0.26)
    let (a, b) = (peak + at(-left, 1) * depth, peak + at(right + 0.16, 1) * depth)
    return .lines(
      (0...4).map { index in
        let dip = at(0, index.isMultiple(of: 2) ? 0 : 0.07)
        return a + (b - a) * (Double(index) / 4) + dip
      })
  }
}
