internal import Numbers

/// Shapes outside the starter set, to teach to a model that has never seen them.
extension ShapeKind {
  static let extras = [anchor, pencil]

  private static let anchor = ShapeKind(
    "anchor", "⚓",
    ways: [
      // A ring, the shank, the stock across it, and the arms as one bow.
      ShapeVariant(3) { g in
        let (ring, stock) = (g.uniform(0.07...0.11), g.uniform(0.28...0.36))
        let (wide, rise) = (g.uniform(0.34...0.42), g.uniform(0.22...0.32))
        return [
          [.circle(at(0.5, ring), ring)],
          [.lines(at(0.5, 2 * ring), at(0.5, 1))],
          [.lines(at(0.5 - wide / 2, stock), at(0.5 + wide / 2, stock))],
          [.curve(at(0.5 - wide, 1 - rise), at(0.5, 1), at(0.5 + wide, 1 - rise))],
        ]
      },
      // The same with flukes at the arms' ends.
      ShapeVariant(2) { g in
        let (ring, stock) = (g.uniform(0.07...0.11), g.uniform(0.28...0.36))
        let (wide, rise) = (g.uniform(0.34...0.42), g.uniform(0.22...0.32))
        let fluke = g.uniform(0.07...0.12)
        let (left, right) = (at(0.5 - wide, 1 - rise), at(0.5 + wide, 1 - rise))
        return [
          [.circle(at(0.5, ring), ring)],
          [.lines(at(0.5, 2 * ring), at(0.5, 1))],
          [.lines(at(0.5 - wide / 2, stock), at(0.5 + wide / 2, stock))],
          [.curve(left, at(0.5, 1), right)],
          [
            .lines(left + at(-fluke / 2, fluke), left, left + at(fluke, fluke / 2)),
            .lines(right + at(fluke / 2, fluke), right, right + at(-fluke, fluke / 2)),
          ],
        ]
      },
    ])

  private static let pencil = ShapeKind(
    "pencil", "✏️", turn: -50...50,
    ways: [
      ShapeVariant { g in
        let (thick, tip) = (g.uniform(0.08...0.13), g.uniform(0.72...0.82))
        let back = g.uniform(0.06...0.14)
        return [
          [
            .polygon(
              at(0, 0.5 - thick), at(tip, 0.5 - thick), at(1, 0.5), at(tip, 0.5 + thick),
              at(0, 0.5 + thick))
          ],
          [.lines(at(tip, 0.5 - thick), at(tip, 0.5 + thick))],
          [.lines(at(back, 0.5 - thick), at(back, 0.5 + thick))],
        ]
      },
      ShapeVariant { g in
        let (thick, tip) = (g.uniform(0.08...0.13), g.uniform(0.72...0.82))
        return [
          [.box(0, 0.5 - thick, tip, 0.5 + thick)],
          [.lines(at(tip, 0.5 - thick), at(1, 0.5), at(tip, 0.5 + thick))],
          [.lines(at(0.05, 0.5), at(tip - 0.05, 0.5))],
        ]
      },
    ])
}
