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
    for (rank, label) in bySize.enumerated() {
      regions[label].center /= Float(max(1, regions[label].area))
      regions[label].tone = color(outlines[label], area: regions[label].area, rank: rank)
    }
    return regions
  }

  private func color(_ outline: [Int16: Int], area: Int, rank: Int) -> Tone {
    let total = outline.values.reduce(0, +)
    let shares = tints.map { tint in
      outline.reduce(0) { tint.strokes.contains(Int($1.key)) ? $0 + $1.value : $0 }
    }
    if let most = shares.indices.max(by: { (shares[$0], $1) < (shares[$1], $0) }),
      shares[most] * 2 > total
    {
      return Tone(tints[most].color)
    }
    var colors: [UInt32: Int] = [:]
    for (stroke, count) in outline {
      let tone = strokes[Int(stroke)].tone * 255
      colors[UInt32(tone.x) << 16 | UInt32(tone.y) << 8 | UInt32(tone.z), default: 0] += count
    }
    guard let common = colors.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else {
      return .one
    }
    let tone = Tone(common.key)
    guard tone.chroma < 0.15 else { return tone }
    // Gray outlines: small areas, such as eyes, stay white.
    return area < SketchFields.side * SketchFields.side / 400
      ? Tone(0xfffdf5) : Self.coloring[rank % Self.coloring.count]
  }

  /// Colors for areas with black, gray or white outlines, by size.
  private static let coloring: [Tone] = [
    0xffc857, 0x5bb5e6, 0xf4845f, 0x8bc98a, 0xd89bd8, 0xf7b7a3, 0x7fb7be, 0xe8d174,
  ].map { Tone($0) }
}
