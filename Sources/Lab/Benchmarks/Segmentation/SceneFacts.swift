internal import Evaluation
package import Ink
internal import Report

/// How people fill sheets: how many shapes there are, how large, and how they lie to each other.
package struct SceneFacts: Codable, Equatable {
  /// The number of scenes.
  package var scenes: Int
  /// Percentiles of numbers, by what is counted, at each of `ranks`.
  package var percentiles: [Measure: [Double]]
  /// Shares, in 0...1.
  package var shares: [Share: Double]

  /// The ranks of `percentiles`.
  package static let ranks = [0.1, 0.25, 0.5, 0.75, 0.9]
  /// The distance of ink that touches, as a share of the sheet's longer side: 3 of 1,100 pixels.
  static let touch = 0.0027

  /// What is counted or measured.
  package enum Measure: String, Codable, CaseIterable, CodingKeyRepresentable {
    case shapesPerScene = "shapes a scene"
    case strokesPerScene = "strokes a scene"
    case strokesPerShape = "strokes a shape"
    /// The longer side of a shape, as a share of the sheet's longer side.
    case side = "longer side, of the sheet's"
    /// The largest shape's longer side divided by the smallest's, of each scene.
    case sideRatio = "largest side to smallest, of a scene"
  }

  /// What a share is of.
  package enum Share: String, Codable, CaseIterable, CodingKeyRepresentable {
    case inside = "inside another's box"
    case around = "around another's box, inside none"
    case across = "across another's box, else"
    /// Ink at most `touch` from other ink.
    case touching = "ink touches other ink"
    /// Ink at most `ShapePlace.nearShare` from other ink.
    case near = "ink is within 4 % of the sheet from other ink"
    /// Of pairs of a shape inside another's box, the outer one was begun first.
    case outerFirst = "of pairs inside each other: the outer one is begun first"
    /// Of shapes, other than the first, the one begun before has the same label.
    case repeated = "has the label of the shape begun before"
    /// A shape got a stroke after a later one was begun.
    case late = "is gone back to"
  }

  /// The facts of canvases.
  ///
  /// - Throws: `EvaluationError.empty` without canvases.
  package init(_ canvases: [LabeledCanvas]) throws {
    scenes = canvases.count
    let sides = canvases.map { canvas in
      canvas.shapes.map { $0.box.longerSide / max(canvas.sheetSide, 1e-9) }
    }
    let numbers: [Measure: [Double]] = [
      .shapesPerScene: canvases.map { Double($0.shapes.count) },
      .strokesPerScene: canvases.map { Double($0.drawing.strokes.count) },
      .strokesPerShape: canvases.flatMap { $0.shapes.map { Double($0.strokes.count) } },
      .side: sides.flatMap { $0 },
      .sideRatio: sides.map { ($0.max() ?? 0) / max($0.min() ?? 0, 1e-3) },
    ]
    percentiles = try numbers.mapValues { try Evaluation.percentiles(Self.ranks, of: $0) }
    let places = canvases.flatMap { ShapePlace.places(on: $0) }
    let gaps = canvases.flatMap { canvas in canvas.gaps.map { $0 / max(canvas.sheetSide, 1e-9) } }
    let labels = canvases.map { $0.shapesAsBegun.map(\.label) }
    let cases: [Share: [Bool]] = [
      .inside: places.map { $0 == .inside }, .around: places.map { $0 == .around },
      .across: places.map { $0 == .across }, .touching: gaps.map { $0 <= Self.touch },
      .near: gaps.map { $0 <= ShapePlace.nearShare },
      .outerFirst: canvases.flatMap(\.outerCameFirst),
      .repeated: labels.flatMap { zip($0, $0.dropFirst()).map { $0 == $1 } },
      .late: canvases.flatMap { canvas in canvas.shapes.indices.map(canvas.isLate) },
    ]
    shares = cases.mapValues { values in
      values.isEmpty ? 0 : Double(values.count { $0 }) / Double(values.count)
    }
  }

  /// Tables for people.
  package var lines: [String] {
    var table = TextTable(
      [("\(counted(scenes, "scene"))", .left)]
        + Self.ranks.map { ("\(Int(100 * $0)) %", .right) })
    for measure in Measure.allCases {
      table.add([measure.rawValue] + (percentiles[measure] ?? []).map { decimal(Float($0)) })
    }
    var second = TextTable([("shapes", .left), ("share", .right)])
    for share in Share.allCases { second.add([share.rawValue, percent(shares[share] ?? 0)]) }
    return table.lines + [""] + second.lines
  }
}

extension LabeledCanvas {
  fileprivate var shapesAsBegun: [Shape] {
    shapes.sorted { ($0.strokes.first ?? 0) < ($1.strokes.first ?? 0) }
  }

  /// The distance of each shape's ink from the nearest other ink; the farthest possible for a single
  /// shape.
  fileprivate var gaps: [Double] {
    let lines = shapes.map { shape in
      shape.strokes.compactMap { InkOutline(drawing.strokes[$0], count: 40) }
    }
    var least = [Double](repeating: .greatestFiniteMagnitude, count: lines.count)
    for first in lines.indices {
      for second in lines.indices.dropFirst(first + 1) {
        for a in lines[first] {
          for b in lines[second] {
            let gap = a.distance(to: b, below: max(least[first], least[second]))
            least[first] = min(least[first], gap)
            least[second] = min(least[second], gap)
          }
        }
      }
    }
    return least
  }

  /// For each pair of a shape within another's box, whether the outer one was begun first.
  fileprivate var outerCameFirst: [Bool] {
    let shapes = shapesAsBegun
    return shapes.indices.flatMap { inner in
      shapes.indices.filter { $0 != inner && shapes[$0].box.contains(shapes[inner].box) }
        .map { $0 < inner }
    }
  }
}
