/// Chooses the colors of regions.
struct RegionColors {
  let tints: [SketchTint]
  let strokes: [SketchFields.Placed]

  /// The regions of a map, the outside first, with their colors and sizes.
  func regions(
    _ map: RegionMap, distance: DistanceField, owners: [Int16]
  ) -> [SketchFields.Region] {
    var regions = [SketchFields.Region](repeating: .init(tone: .one), count: map.count + 1)
    // How many pixels of each region's outline belong to each stroke.
    var outlines = [[Int16: Int]](repeating: [:], count: map.count + 1)
    let side = SketchFields.side
    for y in 0..<side {
      for x in 0..<side {
        let index = y * side + x
        let label = Int(map.labels[index])
        guard label > 0 else { continue }
        let far = distance.distances[index]
        regions[label].area += 1
        regions[label].center += SIMD2(Float(x), Float(y))
        regions[label].depth = max(regions[label].depth, far)
        if far > 0, far < 1.5 {
          outlines[label][owners[Int(distance.nearest[index])], default: 0] += 1
        }
      }
    }
    let bySize = regions.indices.dropFirst().sorted {
      (regions[$0].area, $1) > (regions[$1].area, $0)
    }
    var groups: [Tone: Int] = [:]
    // The index in `coloring` of the stroke that encloses a gray-lined region.
    var coloring: [Int16: Int] = [:]
    for label in bySize {
      let area = regions[label].area
      regions[label].center /= Float(max(1, area))
      let tone =
        named(outlines[label], area: area) ?? colored(outlines[label], area: area, using: &coloring)
      regions[label].tone = tone
      regions[label].group = groups[tone, default: groups.count]
      groups[tone] = regions[label].group
    }
    return regions
  }

  /// The color of the outline. A gray outline is no choice of color: then the tint, or nil.
  private func named(_ outline: [Int16: Int], area: Int) -> Tone? {
    var colors: [SketchColor: Float] = [:]
    // What encloses a region is as large as it; what is drawn in it, such as windows in a wall, is
    // smaller.
    let side = Float(area).squareRoot()
    for (stroke, count) in outline {
      let stroke = strokes[Int(stroke)]
      colors[stroke.color, default: 0] += Float(count) * min(1, stroke.extent / side)
    }
    let common = colors.max { ($0.value, $1.key.number) < ($1.value, $0.key.number) }
    if let tone = common.map({ Tone($0.key) }), tone.chroma >= 0.15 { return tone }
    let total = outline.values.reduce(0, +)
    let shares = tints.map { tint in
      outline.reduce(0) { tint.strokes.contains(Int($1.key)) ? $0 + $1.value : $0 }
    }
    let most = shares.indices.max { (shares[$0], $1) < (shares[$1], $0) }
    return most.flatMap { shares[$0] * 2 > total ? Tone(tints[$0].color) : nil }
  }

  /// A color for a region with a gray outline. Regions that the same long stroke encloses, such as
  /// the parts of a face between whiskers, get one color. Of the other small ones, those drawn with one
  /// stroke, such as eyes, are white, and gaps between strokes have the first color.
  private func colored(
    _ outline: [Int16: Int], area: Int, using coloring: inout [Int16: Int]
  ) -> Tone {
    let total = outline.values.reduce(0, +)
    let long = outline.keys.filter { (outline[$0] ?? 0) * 7 > total }.max {
      (strokes[Int($0)].extent, $1) < (strokes[Int($1)].extent, $0)
    }
    let known = coloring[long ?? -1]
    let isSmall = area < SketchFields.side * SketchFields.side / 250
    if known == nil, isSmall {
      let isOneStroke = outline.values.contains { $0 * 10 > total * 6 }
      return isOneStroke || coloring.isEmpty ? Tone(0xfffdf5) : Self.coloring[0]
    }
    let index = known ?? coloring.count
    coloring[long ?? -1] = index
    return Self.coloring[index % Self.coloring.count]
  }

  /// Colors for areas with black, gray or white outlines, the largest area first.
  private static let coloring: [Tone] = [
    0xffc857, 0x5bb5e6, 0xf4845f, 0x8bc98a, 0xd89bd8, 0xf7b7a3, 0x7fb7be, 0xe8d174,
  ].map { Tone($0) }
}
