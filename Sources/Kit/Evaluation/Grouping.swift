/// The adjusted Rand index of two groupings of the same items: 1 for equal groupings, about 0 for
/// unrelated ones, negative if they agree less than by chance (Hubert and Arabie 1985,
/// doi:10.1007/BF01908075).
///
/// Only which items share a group matters, not the groups' numbers. Two groupings that are both a
/// single group, or both all singletons, are equal: 1.
/// - Parameters:
///   - first: The group of each item, shape [N], any numbers.
///   - second: The group of each item in the other grouping, shape [N].
/// - Returns: The index, at most 1.
/// - Throws: `EvaluationError.empty` when N is 0.
/// - Complexity: O(N log N).
public func adjustedRandIndex(
  _ first: [Int], _ second: [Int]
) throws(EvaluationError) -> Double {
  requireSameCount(first.count, second.count)
  guard !first.isEmpty else { throw .empty(what: "things") }
  let both = pairCount(
    zip(first, second).map { [$0, $1] }.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) })
  let one = pairCount(first.sorted())
  let other = pairCount(second.sorted())
  if both == one, both == other { return 1 }
  let all = Double(first.count) * Double(first.count - 1) / 2
  let mean = (one + other) / 2
  let expected = one * other / all
  return (both - expected) / (mean - expected)
}

/// The number of pairs of equal elements in a sorted list: n (n − 1) / 2 for each run of n.
private func pairCount<Key: Equatable>(_ sorted: [Key]) -> Double {
  var (pairs, start) = (0.0, 0)
  for index in sorted.indices where index + 1 == sorted.count || sorted[index + 1] != sorted[index]
  {
    let run = Double(index + 1 - start)
    pairs += run * (run - 1) / 2
    start = index + 1
  }
  return pairs
}

/// How well predicted groups of strokes match the true shapes of a canvas.
///
/// A group is a list of stroke indices; their order does not matter. A stroke may be in no group,
/// and in at most one group of a grouping.
public struct GroupingScore: Sendable, Equatable {
  /// The share of ink in the right group, in 0...1: groups and shapes are matched one to one to
  /// maximize the shared ink, which is divided by all ink of the true shapes.
  public let inkAccuracy: Double

  /// Compares groupings.
  ///
  /// - Parameters:
  ///   - predicted: The strokes of each predicted group, each index in 0..<S.
  ///   - truth: The strokes of each true shape, each index in 0..<S.
  ///   - ink: The amount of ink of each stroke, such as its length, shape [S], finite, not
  ///     negative. If the true shapes have no ink at all (dots), all strokes count equally.
  /// - Throws: `EvaluationError.empty` without true shapes or ink, `.notFinite` or `.outOfRange`
  ///   for an amount of ink.
  public init(
    predicted: [[Int]], truth: [[Int]], ink: [Double]
  ) throws(EvaluationError) {
    guard !truth.isEmpty else { throw .empty(what: "true shapes") }
    try requireFinite(ink, "amounts of ink")
    for (index, amount) in ink.enumerated() where amount < 0 {
      throw .outOfRange(what: "amounts of ink", index: index, value: amount)
    }
    let predictedOwner = Self.owners(predicted, strokeCount: ink.count)
    _ = Self.owners(truth, strokeCount: ink.count)
    let members = truth.flatMap { $0 }
    let hasInk = members.contains { ink[$0] > 0 }
    let amount = hasInk ? ink : [Double](repeating: 1, count: ink.count)
    var shared = [Double](repeating: 0, count: truth.count * predicted.count)
    for (shape, strokes) in truth.enumerated() {
      for stroke in strokes {
        guard let group = predictedOwner[stroke] else { continue }
        shared[shape * predicted.count + group] += amount[stroke]
      }
    }
    let pairs = bestAssignment(weights: shared, rows: truth.count, columns: predicted.count)
    let right = pairs.enumerated().reduce(0.0) { sum, pair in
      sum + (pair.element.map { shared[pair.offset * predicted.count + $0] } ?? 0)
    }
    let total = members.reduce(0.0) { $0 + amount[$1] }
    inkAccuracy = total == 0 ? 0 : min(1, right / total)
  }

  /// Each stroke's group.
  private static func owners(_ groups: [[Int]], strokeCount: Int) -> [Int?] {
    var owners = [Int?](repeating: nil, count: strokeCount)
    for (group, strokes) in groups.enumerated() {
      for stroke in strokes {
        precondition(0..<strokeCount ~= stroke, "there is no stroke \(stroke)")
        precondition(owners[stroke] == nil, "stroke \(stroke) is in two groups")
        owners[stroke] = group
      }
    }
    return owners
  }
}
