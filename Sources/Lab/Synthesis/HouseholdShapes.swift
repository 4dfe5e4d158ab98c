internal import Numbers

/// Things at hand at home.
extension ShapeKind {
  static let household = [cup, envelope, ladder, candle, book, bulb, clock]

  private static let cup = ShapeKind(
    "cup", "☕", mirroring: 0.15,
    ways: [
      // A rim that is an ellipse.
      ShapeVariant(3) { g in
        let (foot, rim) = (g.uniform(0.04...0.16), g.uniform(0.05...0.09))
        return [
          [.ellipse(at(0.4, 0.34), at(0.4, rim))],
          [
            .curve(
              at(0, 0.34), at(foot * 0.5, 0.68), at(foot + 0.04, 0.94), at(0.2 + foot, 1),
              at(0.6 - foot, 1),
              at(0.76 - foot, 0.94), at(0.8 - foot * 0.5, 0.68), at(0.8, 0.34))
          ], ear(&g),
        ] + steam(&g)
      },
      // Straight sides.
      ShapeVariant(3) { g in
        let foot = g.uniform(0...0.12)
        return [
          [.polygon(at(0, 0.34), at(0.8, 0.34), at(0.8 - foot, 1), at(foot, 1))], ear(&g),
        ] + steam(&g)
      },
      // A bowl on a saucer.
      ShapeVariant(2) { g in
        let bowl =
          Path.lines(at(0, 0.4), at(0.8, 0.4))
          + .arc(at(0.4, 0.4), at(0.4, g.uniform(0.46...0.54)), from: 0, to: 180)
        return [
          [bowl.closed], ear(&g),
          [.bow(at(-0.12, 0.96), at(0.92, 0.96), g.uniform(-0.1 ... -0.02))],
        ] + steam(&g)
      },
    ])

  private static func ear(_ g: inout SeededGenerator) -> [Path] {
    let wide = g.uniform(0.16...0.24)
    let outer = Path.curve(
      at(0.79, 0.46), at(0.8 + wide * 0.8, 0.44), at(0.8 + wide, 0.58), at(0.8 + wide * 0.7, 0.74),
      at(0.75, 0.8))
    guard g.chance(0.3) else { return [outer] }
    return [
      outer,
      .curve(
        at(0.78, 0.54), at(0.8 + wide * 0.5, 0.53), at(0.8 + wide * 0.55, 0.64), at(0.76, 0.72)),
    ]
  }

  private static func steam(_ g: inout SeededGenerator) -> Sketch {
    guard g.chance(0.75) else { return [] }
    let count = 2 + g.integer(below: 2)
    let height = g.uniform(0.1...0.2)
    return [
      (0..<count).map { index in
        let x = 0.4 + 0.2 * (Double(index) - Double(count - 1) / 2)
        return .wave(at(x, 0.22), at(x, 0), waves: g.uniform(0.8...1.3), height: height)
      }
    ]
  }

  private static let envelope = ShapeKind(
    "envelope", "✉️",
    ways: [
      ShapeVariant(5) { g in
        let (high, tip) = (g.uniform(0.58...0.72), g.uniform(0.32...0.46))
        return [
          [.box(0, 0, 1, high)], [.lines(at(0, 0), at(g.uniform(0.46...0.54), tip), at(1, 0))],
        ]
      },
      // With the folds of its back.
      ShapeVariant(2.5) { g in
        let (high, tip) = (g.uniform(0.6...0.72), g.uniform(0.34...0.44))
        return [
          [.box(0, 0, 1, high)], [.lines(at(0, 0), at(0.5, tip), at(1, 0))],
          [.lines(at(0, high), at(0.38, tip * 0.8)), .lines(at(1, high), at(0.62, tip * 0.8))],
        ]
      },
      // In one line.
      ShapeVariant(1.5) { g in
        let (high, tip) = (g.uniform(0.58...0.7), g.uniform(0.32...0.44))
        return [
          [.lines(at(0, 0), at(0, high), at(1, high), at(1, 0), at(0, 0), at(0.5, tip), at(1, 0))]
        ]
      },
    ])

  private static let ladder = ShapeKind(
    "ladder", "🪜", turn: -8...8,
    ways: [
      ShapeVariant(4) { g in
        let (half, taper) = (g.uniform(0.14...0.24), g.uniform(0...0.05))
        let left = Path.lines(at(0.5 - half + taper, 0), at(0.5 - half, 1))
        return [[left, left.mirrored()], rungs(half - taper / 2, &g)]
      },
      // Rails with two lines each.
      ShapeVariant(1) { g in
        let half = g.uniform(0.17...0.24)
        let rail = Path.box(0.5 - half - 0.06, 0, 0.5 - half, 1)
        return [[rail, rail.mirrored()], rungs(half, &g)]
      },
    ])

  private static func rungs(_ half: Double, _ g: inout SeededGenerator) -> [Path] {
    let count = 4 + g.integer(below: 4)
    let (top, over) = (g.uniform(0.08...0.16), g.uniform(-0.01...0.03))
    return (0..<count).map { index in
      let y = top + (1 - 2 * top) * Double(index) / Double(count - 1)
      return .lines(at(0.5 - half - over, y), at(0.5 + half + over, y))
    }
  }

  private static let candle = ShapeKind(
    "candle", "🕯️",
    ways: [
      ShapeVariant(3) { g in
        let wide = g.uniform(0.12...0.18)
        return [[.box(0.5 - wide, 0.34, 0.5 + wide, 1)], [wick(0.34, &g)], [flame(&g)]]
      },
      // On a holder with a ring.
      ShapeVariant(3) { g in
        let wide = g.uniform(0.09...0.13)
        return [
          [
            .lines(
              at(0.5 - wide, 0.88), at(0.5 - wide, 0.36), at(0.5 + wide, 0.36), at(0.5 + wide, 0.88)
            )
          ],
          [wick(0.36, &g)], [flame(&g)],
          [
            .curve(at(0.2, 0.86), at(0.26, 0.98), at(0.5, 1), at(0.74, 0.98), at(0.8, 0.86))
              + .lines(at(0.8, 0.86), at(0.2, 0.87))
          ],
        ] + (g.chance(0.6) ? [[.circle(at(0.88, 0.9), 0.075)]] : [])
      },
      // With wax running down.
      ShapeVariant(1.5) { g in
        let wide = g.uniform(0.13...0.18)
        return [
          [
            .lines(at(0.5 - wide, 0.36), at(0.5 - wide, 1), at(0.5 + wide, 1), at(0.5 + wide, 0.36))
          ], [.ellipse(at(0.5, 0.36), at(wide, 0.045))], [wick(0.35, &g)], [flame(&g)],
        ]
      },
    ])

  private static func wick(_ foot: Double, _ g: inout SeededGenerator) -> Path {
    .bow(at(0.5, foot), at(0.5, foot - g.uniform(0.06...0.1)), g.uniform(-0.1...0.1))
  }

  private static func flame(_ g: inout SeededGenerator) -> Path {
    let (tip, wide) = (g.uniform(0...0.06), g.uniform(0.055...0.085))
    return
      (Path.curve(at(0.5, tip), at(0.5 + wide * 0.7, 0.14), at(0.5 + wide, 0.22), at(0.5, 0.29))
      + .curve(at(0.5, 0.29), at(0.5 - wide, 0.22), at(0.5 - wide * 0.6, 0.14), at(0.5, tip)))
      .closed
  }

  private static let book = ShapeKind(
    "book", "📖",
    ways: [
      // Open, with bent pages.
      ShapeVariant(4) { g in
        let (lift, high) = (g.uniform(0.1...0.18), g.uniform(0.55...0.66))
        let page =
          Path.bow(at(0.5, 0.16), at(1, 0.12), lift) + .lines(at(1, 0.12), at(1, 0.12 + high))
          + .bow(at(1, 0.12 + high), at(0.5, 0.16 + high), -lift)
        return [[page.mirrored(), page], [.lines(at(0.5, 0.16), at(0.5, 0.16 + high))]]
          + text(0.24, high, &g)
      },
      // Open, with straight pages.
      ShapeVariant(3) { g in
        let (drop, high) = (g.uniform(0.08...0.16), g.uniform(0.52...0.62))
        let outline = Path.polygon(
          at(0, 0), at(0.5, drop), at(1, 0), at(1, high), at(0.5, high + drop), at(0, high))
        return [[outline], [.lines(at(0.5, drop), at(0.5, high + drop))]] + text(0.14, high, &g)
      },
    ])

  private static func text(_ top: Double, _ high: Double, _ g: inout SeededGenerator) -> Sketch {
    guard g.chance(0.7) else { return [] }
    let count = 2 + g.integer(below: 2)
    let left = (0..<count).map { index in
      let y = top + high * 0.8 * Double(index + 1) / Double(count + 1)
      return Path.lines(at(0.09, y - 0.02), at(0.41, y + 0.03))
    }
    return g.chance(0.8) ? [left, left.map { $0.mirrored().reversed }] : [left]
  }

  private static let bulb = ShapeKind(
    "light bulb", "💡",
    ways: [
      // Glass and neck in one line, then the thread.
      ShapeVariant(3) { g in
        let neck = g.uniform(0.09...0.13)
        let glass = Path.curve(
          at(0.5 - neck, 0.72), at(0.5 - neck - 0.03, 0.6), at(0.24, 0.44), at(0.2, 0.26),
          at(0.32, 0.07), at(0.5, 0),
          at(0.68, 0.07), at(0.8, 0.26), at(0.76, 0.44), at(0.5 + neck + 0.03, 0.6),
          at(0.5 + neck, 0.72))
        return [[glass]] + thread(neck, &g) + filament(&g)
      },
      // A round glass on a box.
      ShapeVariant(2) { g in
        let neck = g.uniform(0.1...0.14)
        return [[.arc(at(0.5, 0.34), at(0.34, 0.34), from: 108, to: 432)]] + thread(neck, &g)
          + filament(&g)
      },
    ])

  private static func thread(_ neck: Double, _ g: inout SeededGenerator) -> Sketch {
    let top = 0.7
    let sides = Path.lines(
      at(0.5 - neck, top), at(0.5 - neck, 0.92), at(0.5 + neck, 0.92), at(0.5 + neck, top))
    let turns = (0..<(1 + g.integer(below: 3))).map { index in
      let y = top + 0.05 + 0.065 * Double(index)
      return Path.lines(at(0.5 - neck, y), at(0.5 + neck, y - 0.02))
    }
    let tip = Path.bow(at(0.5 - neck * 0.5, 0.93), at(0.5 + neck * 0.5, 0.93), -0.4)
    return [[sides], [.lines(at(0.5 - neck, top), at(0.5 + neck, top))] + turns]
      + (g.chance(0.5) ? [[tip]] : [])
  }

  private static func filament(_ g: inout SeededGenerator) -> Sketch {
    guard g.chance(0.6) else { return [] }
    return [
      [
        .lines(
          at(0.46, 0.7), at(0.42, 0.38), at(0.47, 0.46), at(0.5, 0.38), at(0.53, 0.46),
          at(0.58, 0.38), at(0.54, 0.7))
      ]
    ]
  }

  private static let clock = ShapeKind(
    "clock", "🕒",
    ways: [
      // Marks at the hours, or at four of them.
      ShapeVariant(3) { g in
        let step = g.chance(0.5) ? 90.0 : 30.0
        let inner = step > 60 ? 0.4 : 0.44
        let marks = stride(from: -90.0, to: 270, by: step).map { angle in
          Path.lines(
            around(at(0.5, 0.5), at(0.48, 0.48), angle),
            around(at(0.5, 0.5), at(inner, inner), angle))
        }
        return [[.circle(at(0.5, 0.5), 0.5)], marks, clockHands(&g)]
      },
      ShapeVariant(3) { g in [[.circle(at(0.5, 0.5), 0.5)], clockHands(&g)] },
      // Hands as one bent line.
      ShapeVariant(1.5) { g in
        let hour = around(at(0.5, 0.5), at(0.26, 0.26), g.uniform(-20...20))
        return [
          [.circle(at(0.5, 0.5), 0.5)],
          [.lines(at(0.5, g.uniform(0.1...0.16)), at(0.5, 0.5), hour)],
        ]
      },
    ])

  private static func clockHands(_ g: inout SeededGenerator) -> [Path] {
    // Most people draw the full hour, and three or four o'clock; some another time.
    let usual = g.chance(0.6)
    let minute = around(
      at(0.5, 0.5), at(0.38, 0.38), -90 + (usual ? g.uniform(-12...12) : g.uniform(0...360)))
    let hour = around(
      at(0.5, 0.5), at(0.25, 0.25), usual ? g.uniform(-25...35) : g.uniform(0...360))
    return [.lines(at(0.5, 0.5), minute), .lines(at(0.5, 0.5), hour)]
  }
}
