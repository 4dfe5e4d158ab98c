internal import Ink

extension Mask {
  /// Thins the ink to lines one pixel wide, preserving connectivity.
  ///
  /// Guo and Hall, "Parallel thinning with two-subiteration algorithms" (their A1), Communications
  /// of the ACM 32 (1989), doi:10.1145/62065.62074. Only pixels at the edge are tested, until none
  /// can be removed.
  ///
  /// - Complexity: O(ink + edge · widest stroke).
  mutating func thin() {
    let steps = neighbors
    var isListed = [Bool](repeating: false, count: pixels.count)
    var edge = pixels.indices.filter { index in
      pixels[index] != 0 && steps.contains { pixels[index + $0] == 0 }
    }
    for index in edge { isListed[index] = true }
    var worn: [Int] = []
    var quiet = 0
    var pass = 0
    while quiet < 2 {
      worn.removeAll(keepingCapacity: true)
      for index in edge where Self.isRemovable[pass & 1][code(index, steps)] { worn.append(index) }
      for index in worn { pixels[index] = 0 }
      for index in worn {
        for step in steps where pixels[index + step] != 0 && !isListed[index + step] {
          isListed[index + step] = true
          edge.append(index + step)
        }
      }
      if !worn.isEmpty { edge.removeAll { pixels[$0] == 0 } }
      quiet = worn.isEmpty ? quiet + 1 : 0
      pass += 1
    }
  }

  /// Which of the eight neighbors are ink, as bits.
  private func code(_ index: Int, _ steps: [Int]) -> Int {
    var code = 0
    for (bit, step) in steps.enumerated() where pixels[index + step] != 0 { code |= 1 << bit }
    return code
  }

  /// For each of the two passes and each neighborhood, whether its center can be removed.
  private static let isRemovable: [[Bool]] = [0, 1].map { pass in
    (0..<256).map { code in
      // Clockwise from the pixel above, as p2 … p9 in the paper.
      let p = (0..<8).map { code & 1 << $0 != 0 }
      let crossings = [0, 2, 4, 6].count { !p[$0] && (p[$0 + 1] || p[($0 + 2) % 8]) }
      let pairs = [7, 1, 3, 5].count { p[$0] || p[($0 + 1) % 8] }
      let others = [0, 2, 4, 6].count { p[$0] || p[$0 + 1] }
      let side = pass == 0 ? (p[4] || p[5] || !p[7]) && p[6] : (p[0] || p[1] || !p[3]) && p[2]
      return crossings == 1 && (2...3).contains(min(pairs, others)) && !side
    }
  }
}
