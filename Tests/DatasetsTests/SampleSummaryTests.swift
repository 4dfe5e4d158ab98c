import Ink
import Numbers
import Testing

@testable import Datasets

@Suite("Sample summaries")
struct SampleSummaryTests {
  private func drawing(_ id: String, _ label: String, _ strokes: [[Point]]) -> Drawing {
    Drawing(id: id, label: label, strokes: strokes.map { Stroke($0) })
  }

  private func at(_ x: Double, _ t: Double? = nil) -> Point { Point(x: x, y: 0, t: t) }

  @Test("Quantiles are the nearest ranks, each one of the counts")
  func quantiles() {
    func values(_ counts: [Int]) -> [Int] {
      let q = SampleSummary.Quantiles(counts)
      return [q.minimum, q.lowerQuartile, q.median, q.upperQuartile, q.maximum]
    }
    #expect(values([]) == [0, 0, 0, 0, 0])
    #expect(values([7]) == [7, 7, 7, 7, 7])
    #expect(values([4, 1, 3, 2]) == [1, 1, 2, 3, 4])
    #expect(values([50, 10, 30, 20, 40]) == [10, 20, 30, 40, 50])
  }

  @Test("Drawings of which none has a label are told without classes")
  func unlabeled() throws {
    var drawings = [
      drawing("1", "", [[at(0), at(1)], [at(2)]]), drawing("2", "", [[at(0)]]),
      drawing("3", "", [[at(0), at(1)], [at(2)]]),
    ]
    for index in drawings.indices { drawings[index].label = nil }
    let summary = try SampleSummary(unlabeled: drawings)
    #expect(summary.drawings == 3 && summary.classes.isEmpty && summary.unlabeled == 0)
    #expect(summary.duplicates == 1 && summary.strokesPerDrawing.median == 2)
    #expect(summary.findings == [.init(id: "2", label: "", kind: .onePoint)])
    #expect(throws: SampleSetError.self) { try SampleSummary(unlabeled: []) }
    drawings[1].id = "1"
    #expect(throws: SampleSetError.self) { try SampleSummary(unlabeled: drawings) }
  }

  @Test("Counts, quantiles, times and guesses of a small set")
  func counts() throws {
    var missed = drawing("3", "b", [[at(0), at(3)]])
    missed.wasGuessed = false
    let set = try SampleSet([
      drawing("1", "a", [[at(0, 0), at(1, 5)], [at(2, 9)]]),
      drawing("2", "a", [[at(0, 0), at(1, 5), at(2, 6), at(4, 7)]]), missed, missed,
    ])
    let summary = SampleSummary(set)
    #expect(summary.drawings == 3)
    #expect(summary.repeats == 1)
    #expect(summary.classes.map(\.label) == ["a", "b"])
    #expect(summary.classes.map(\.drawings) == [2, 1])
    #expect(summary.drawingsPerClass.minimum == 1)
    #expect(summary.drawingsPerClass.maximum == 2)
    #expect(summary.strokesPerDrawing == .init([2, 1, 1]))
    #expect(summary.pointsPerDrawing == .init([3, 4, 2]))
    #expect(summary.withoutTimes == 1)
    #expect(summary.notGuessed == 1)
    #expect(summary.duplicates == 0)
    #expect(summary.findings.isEmpty)
    #expect(summary.fingerprint == set.fingerprint)
  }

  @Test("Odd drawings are found, in the set's order")
  func findings() throws {
    let many = (0...SampleSummary.manyPoints).map { at(Double($0)) }
    let summary = try SampleSummary(
      SampleSet([
        drawing("1", "a", [[at(5)]]), drawing("2", "a", [[at(5), at(5)], [at(5)]]),
        drawing("3", "a", [[at(0, 0), at(1, 10)], [at(2, 9)]]), drawing("4", "a", [many]),
        drawing("5", "a", [[at(0), at(1)]]), drawing("6", "a", [[at(0), at(1)]]),
        drawing("7", "b", [[at(0), at(1)]]),
        drawing("8", "b", [[at(0, 0), at(1, 0)], [at(2, 0)]]),
      ]))
    #expect(summary.duplicates == 1)
    #expect(
      summary.findings == [
        .init(id: "1", label: "a", kind: .onePoint), .init(id: "2", label: "a", kind: .noExtent),
        .init(id: "3", label: "a", kind: .timeRunsBackwards),
        .init(id: "4", label: "a", kind: .manyPoints),
        .init(id: "5", label: "a", kind: .sameStrokesOtherLabel),
        .init(id: "6", label: "a", kind: .sameStrokesOtherLabel),
        .init(id: "7", label: "b", kind: .sameStrokesOtherLabel),
      ])
  }

  /// A tick, and changed copies of it.
  private func tick(
    _ id: String, _ label: String, at move: Double = 0, size: Double = 1, bent: Double = 0
  ) -> Drawing {
    let points = [(0.0, 100.0), (80, 200 + bent), (255, 0)].map { x, y in
      Point(x: move + x * size, y: move + y * size)
    }
    return drawing(id, label, [points, [Point(x: move, y: move), Point(x: move + size, y: move)]])
  }

  @Test("Copies that are moved, scaled or bent by a point are nearly the same; others are not")
  func nearDuplicates() throws {
    let summary = try SampleSummary(
      SampleSet([
        tick("1", "a"), tick("2", "a", at: 1), tick("3", "a", size: 3), tick("4", "a", bent: 1),
        tick("5", "a", bent: 30), drawing("6", "a", [tick("", "").strokes[0].points]),
        tick("7", "a"), tick("8", "a", at: 1),
      ]))
    // 2, 3 and 4 are nearly 1; 7 is 1 again and 8 is 2 again.
    #expect(summary.nearDuplicates == 3 && summary.duplicates == 2)
    #expect(summary.findings.isEmpty)
    let other = try SampleSummary(
      SampleSet([tick("1", "a"), tick("2", "b", at: 1), tick("3", "b", bent: 30)]))
    #expect(other.nearDuplicates == 0)
    #expect(
      other.findings == [
        .init(id: "1", label: "a", kind: .nearlySameStrokesOtherLabel),
        .init(id: "2", label: "b", kind: .nearlySameStrokesOtherLabel),
      ])
  }

  @Test("Every pair is found that comparing all with all finds")
  func allPairs() {
    var generator = SeededGenerator(seed: 12)
    let drawings = (0..<300).map { number in
      let (x, y) = (Double(generator.integer(below: 3)), Double(generator.integer(below: 3)))
      return drawing(
        "\(number)", "a",
        [[at(0), Point(x: 100 + x, y: 90 + y), Point(x: 30 + y, y: 150 + 2 * x)]])
    }
    var index = CopyIndex()
    var count = 0
    for (later, drawing) in drawings.enumerated() {
      let found = index.copies(of: drawing, digest: drawing.digest)
      let all = drawings[..<later].indices.filter { CopyIndex([drawings[$0]]).hasCopy(of: drawing) }
      let firsts = all.filter { place in
        !drawings[..<place].contains { $0.digest == drawings[place].digest }
      }
      #expect((found.same + found.near).sorted() == firsts, "seed 12, drawing \(later)")
      count += firsts.count
      index.insert(drawing, digest: drawing.digest, as: later)
    }
    #expect(count > 100)
  }

  @Test("A copy of a copy is in its group, however the drawings are ordered")
  func chains() throws {
    // Bent by 2 is nearly bent by 0 and by 4, which are not nearly the same.
    for order in [["1", "2", "3"], ["1", "3", "2"], ["3", "1", "2"]] {
      let bends = ["1": 0.0, "2": 2, "3": 4]
      let samples = try SampleSet(
        zip(["a", "b", "c"], order).map { tick($0, "x", bent: bends[$1] ?? 0) }
          + [tick("d", "x", bent: 30)])
      #expect(samples.copyGroups == [0, 0, 0, 3], "\(order)")
      #expect(!CopyIndex([tick("", "x")]).hasCopy(of: tick("", "x", bent: 4)))
    }
  }
}
