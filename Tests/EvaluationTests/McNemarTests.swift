import Testing

@testable import Evaluation

@Suite("McNemar's test")
struct McNemarTests {
  @Test(
    "SciPy's binomial test gives the same p-values",
    arguments: [
      // 2 · (1 + 10) / 2¹⁰
      (1, 9, 0.021484375),
      (9, 1, 0.021484375),
      // 2 / 2⁵
      (0, 5, 0.0625),
      (3, 12, 0.03515625),
      (450, 550, 0.0017305360849763027),
      (40, 41, 1),
      (5, 5, 1),
      (0, 0, 1),
    ])
  func golden(onlyFirst: Int, onlySecond: Int, pValue: Double) {
    let test = McNemarTest(onlyFirst: onlyFirst, onlySecond: onlySecond)
    #expect(abs(test.pValue - pValue) < 1e-12)
    #expect(test.pValue <= 1)
  }

  @Test("Only samples that one gets right and the other wrong count")
  func pairs() {
    let test = McNemarTest(
      first: [true, true, false, false, true, true],
      second: [true, false, true, false, false, false])
    #expect(test.onlyFirst == 3)
    #expect(test.onlySecond == 1)
    // 2 · (1 + 4) / 2⁴
    #expect(abs(test.pValue - 0.625) < 1e-12)
  }
}
