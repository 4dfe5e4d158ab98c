import Testing

@testable import Evaluation

@Suite("Holm's correction")
struct HolmTests {
  @Test(
    "R's p.adjust(method = \"holm\") gives the same p-values",
    arguments: [
      ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]), ([0.02], [0.02]), ([], []),
      ([0.5, 0.6, 0.9], [1, 1, 1]), ([0.001, 0.2, 0.001, 0.04], [0.004, 0.2, 0.004, 0.08]),
    ] as [([Double], [Double])])
  func golden(pValues: [Double], adjusted: [Double]) {
    let found = holmAdjusted(pValues)
    #expect(found.count == adjusted.count)
    for (one, other) in zip(found, adjusted) { #expect(abs(one - other) < 1e-12) }
  }
}
