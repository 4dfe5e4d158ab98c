internal import CLibrary
internal import Numbers

/// Geometric figures.
extension ShapeKind {
  static let figures = [circle, square, triangle, star, heart, diamond, spiral, infinity]

  private static let circle = ShapeKind(
    "circle", "⭕",
    ways: [
      ShapeVariant(6) { g in [[.ellipse(at(0.5, 0.5), at(0.5, g.uniform(0.44...0.54)))]] },
      // Round and round again.
      ShapeVariant(1.2) { g in
        let from = g.uniform(180...340)
        let turn = g.uniform(400...640) * (g.chance(0.3) ? 1 : -1)
        let drift = g.uniform(-0.06...0.06)
        let path = Path.arc(at(0.5, 0.5), at(0.5, 0.5), from: from, to: from + turn)
        let last = Double(path.points.count - 1)
        return [
          [
            Path(
              points: path.points.indices.map {
                at(0.5, 0.5) + (path.points[$0] - at(0.5, 0.5)) * (1 + drift * Double($0) / last)
              })
          ]
        ]
      },
      // Two halves.
      ShapeVariant(0.8) { g in
        let from = g.uniform(-110 ... -70)
        return [
          [
            .arc(at(0.5, 0.5), at(0.5, 0.5), from: from, to: from - 180),
            .arc(at(0.5, 0.5), at(g.uniform(0.46...0.54), 0.5), from: from, to: from + 180),
          ]
        ]
      },
    ])

  private static let square = ShapeKind(
    "square", "⬜",
    ways: [
      ShapeVariant(5) { g in [[.box(0, 0, 1, g.uniform(0.88...1.1))]] },
      ShapeVariant { g in
        let h = g.uniform(0.88...1.1)
        return [[.lines(at(0, 0), at(0, h), at(1, h)), .lines(at(0, 0), at(1, 0), at(1, h))]]
      },
      ShapeVariant { g in
        let h = g.uniform(0.88...1.1)
        return [
          [
            .lines(at(0, 0), at(0, h)), .lines(at(0, h), at(1, h)), .lines(at(0, 0), at(1, 0)),
            .lines(at(1, 0), at(1, h)),
          ]
        ]
      },
      ShapeVariant(0.7) { g in
        let h = g.uniform(0.88...1.1)
        return [[.lines(at(0, 0), at(0, h), at(1, h), at(1, 0))], [.lines(at(0, 0), at(1, 0))]]
      },
    ])

  private static let triangle = ShapeKind(
    "triangle", "🔺",
    ways: [
      ShapeVariant(5) { g in
        [[.polygon(at(g.uniform(0.42...0.58), g.uniform(0...0.2)), at(1, 0.95), at(0, 0.95))]]
      },
      ShapeVariant { g in
        let top = at(g.uniform(0.42...0.58), g.uniform(0...0.2))
        return [[.lines(at(0, 0.95), top, at(1, 0.95))], [.lines(at(0, 0.95), at(1, 0.95))]]
      },
      ShapeVariant { g in
        let top = at(g.uniform(0.42...0.58), g.uniform(0...0.2))
        return [
          [.lines(top, at(0, 0.95)), .lines(top, at(1, 0.95)), .lines(at(0, 0.95), at(1, 0.95))]
        ]
      },
    ])

  private static func starTips(_ g: inout SeededGenerator) -> [Vector] {
    (0..<5).map {
      let radius = 0.5 * g.uniform(0.92...1.05)
      return around(at(0.5, 0.5), at(radius, radius), -90 + 72 * Double($0) + g.uniform(-4...4))
    }
  }

  private static let star = ShapeKind(
    "star", "⭐",
    ways: [
      // Five lines without lifting the pen, from the lower left.
      ShapeVariant(4) { g in
        let tips = starTips(&g)
        let order = g.chance(0.75) ? [3, 0, 2, 4, 1, 3] : [0, 2, 4, 1, 3, 0]
        let path = Path.lines(order.map { tips[$0] })
        return [[g.chance(0.25) ? path.mirrored() : path]]
      },
      ShapeVariant(3) { g in
        let tips = starTips(&g)
        let inner = 0.5 * g.uniform(0.36...0.52)
        var corners: [Vector] = []
        for index in 0..<5 {
          corners.append(tips[index])
          corners.append(around(at(0.5, 0.5), at(inner, inner), -54 + 72 * Double(index)))
        }
        return [[.polygon(corners)]]
      },
      ShapeVariant(0.8) { g in
        let tips = starTips(&g)
        return [
          [.lines(tips[3], tips[0], tips[2])], [.lines(tips[2], tips[4], tips[1], tips[3])],
        ]
      },
    ])

  private static func heartHalf(_ g: inout SeededGenerator) -> Path {
    let (wide, belly) = (g.uniform(0.94...1.04), g.uniform(0.54...0.64))
    return .curve(
      at(0.5, g.uniform(0.2...0.3)), at(0.6, 0.09), at(0.78, g.uniform(0...0.05)),
      at(wide - 0.04, 0.13), at(wide, 0.33), at(0.86, belly), at(0.69, belly + 0.19),
      at(0.5, 0.96))
  }

  private static let heart = ShapeKind(
    "heart", "❤️",
    ways: [
      ShapeVariant(4) { g in
        let half = heartHalf(&g)
        return [[(half + half.mirrored().reversed).closed]]
      },
      ShapeVariant(2) { g in
        let half = heartHalf(&g)
        return [[half.mirrored(), half]]
      },
      // Starts and ends at the tip, whose lines cross a little.
      ShapeVariant { g in
        let half = heartHalf(&g)
        let tail = g.uniform(0.03...0.09)
        return [
          [
            .lines(at(0.5 + tail, 0.95 + tail), at(0.5, 0.95)) + half.mirrored().reversed + half
              + .lines(at(0.5, 0.95), at(0.5 - tail, 0.95 + tail))
          ]
        ]
      },
    ])

  private static let diamond = ShapeKind(
    "diamond", "💎",
    ways: [
      ShapeVariant(2) { g in
        let (girdle, top) = (g.uniform(0.3...0.38), g.uniform(0.2...0.28))
        let (a, b) = (g.uniform(0.3...0.38), g.uniform(0.62...0.7))
        return [
          [
            .polygon(
              at(top, 0), at(1 - top, 0), at(1, girdle), at(0.5, 0.9), at(0, girdle))
          ],
          [.lines(at(0, girdle), at(1, girdle))],
          [.lines(at(a, girdle), at(0.5, 0.9)), .lines(at(b, girdle), at(0.5, 0.9))],
        ]
      },
      ShapeVariant(2) { g in
        let (girdle, top) = (g.uniform(0.3...0.38), g.uniform(0.2...0.28))
        return [
          [.lines(at(0, girdle), at(top, 0), at(1 - top, 0), at(1, girdle))],
          [.polygon(at(0, girdle), at(1, girdle), at(0.5, 0.9))],
          [
            .lines(
              at(0, girdle), at(0.25, 0), at(0.38, girdle), at(0.5, 0), at(0.62, girdle),
              at(0.75, 0), at(1, girdle))
          ],
        ]
      },
      ShapeVariant { g in
        let (girdle, top) = (g.uniform(0.28...0.36), g.uniform(0.18...0.28))
        let (a, b) = (g.uniform(0.3...0.38), g.uniform(0.62...0.7))
        return [
          [.polygon(at(top, 0), at(1 - top, 0), at(1, girdle), at(0.5, 0.9), at(0, girdle))],
          [.lines(at(0, girdle), at(a, girdle), at(b, girdle), at(1, girdle))],
          [.lines(at(top, 0), at(a, girdle), at(0.5, 0), at(b, girdle), at(1 - top, 0))],
          [.lines(at(a, girdle), at(0.5, 0.9), at(b, girdle))],
        ]
      },
    ])

  private static let spiral = ShapeKind(
    "spiral", "🌀",
    ways: [
      ShapeVariant(3) { g in
        let turns = g.uniform(2.3...4.2) * (g.chance(0.5) ? 1 : -1)
        return [
          [
            .spiral(
              at(0.5, 0.5), inner: 0.02, outer: 0.5, turns: turns, from: g.uniform(0...360)
            ).symmetric
          ]
        ]
      },
      // The gap between turns increases.
      ShapeVariant { g in
        let turns = g.uniform(2.3...3.4) * (g.chance(0.5) ? 1 : -1)
        let from = g.uniform(0...360)
        let count = Int(abs(turns) * 48)
        return [
          [
            Path(
              points: (0...count).map {
                let u = Double($0) / Double(count)
                let radius = 0.02 + 0.48 * pow(u, 1.4)
                return around(at(0.5, 0.5), at(radius, radius * 0.9), from + 360 * turns * u)
              }
            ).symmetric
          ]
        ]
      },
    ])

  private static let infinity = ShapeKind(
    "infinity", "♾️",
    ways: [
      ShapeVariant(3) { g in
        let height = g.uniform(0.32...0.5)
        return [
          [
            Path(
              points: (0..<90).map {
                let angle = Double($0) * 4 * .pi / 180
                return at(0.5 + 0.5 * cos(angle), 0.5 + height * sin(angle) * cos(angle))
              }, isClosed: true)
          ]
        ]
      },
      // One loop and then the other.
      ShapeVariant(0.8) { g in
        let (h, cross) = (g.uniform(0.16...0.22), at(0.5, 0.5))
        let loop = Path.curve(
          cross + at(-0.04, -0.04), cross, at(0.68, 0.5 + h), at(0.92, 0.5 + h * 0.7),
          at(1, 0.5), at(0.92, 0.5 - h * 0.7), at(0.68, 0.5 - h), cross, cross + at(-0.04, 0.04))
        return [[loop.mirrored(), loop]]
      },
      // From the crossing, once round each loop.
      ShapeVariant { g in
        let (a, h) = (g.uniform(0.17...0.22), g.uniform(0.15...0.22))
        return [
          [
            .curve(
              at(0.5, 0.5), at(0.5 + a, 0.5 - h), at(0.93, 0.5 - h * 0.7), at(1, 0.5),
              at(0.93, 0.5 + h * 0.7), at(0.5 + a, 0.5 + h), at(0.5, 0.5), at(0.5 - a, 0.5 - h),
              at(0.07, 0.5 - h * 0.7), at(0, 0.5), at(0.07, 0.5 + h * 0.7), at(0.5 - a, 0.5 + h),
              at(0.5, 0.5))
          ]
        ]
      },
    ])
}
