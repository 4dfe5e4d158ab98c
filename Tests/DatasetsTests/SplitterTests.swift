import Ink
import Numbers
import Testing

@testable import Datasets

@Suite("Splits")
struct SplitterTests {
  private func ids(_ indices: [Int], _ set: SampleSet) -> Set<String> {
    Set(indices.map { set.drawings[$0].id })
  }

  @Test("Parts are disjoint, complete, ascending and stratified, whatever the sizes and seed")
  func properties() throws {
    var generator = SeededGenerator(seed: 77)
    for round in 0..<30 {
      let counts = (0..<(1 + generator.integer(below: 12))).map { _ in
        1 + generator.integer(below: 60)
      }
      let set = try samples(counts)
      let splitter = Splitter(
        validation: 0.4 * generator.unit(), test: 0.4 * generator.unit(), seed: UInt64(round))
      let split = splitter.byDrawing(set)
      #expect((split.train + split.validation + split.test).sorted() == Array(0..<set.count))
      for part in [split.train, split.validation, split.test] { #expect(part == part.sorted()) }
      for (label, count) in counts.enumerated() {
        func found(_ part: [Int]) -> Int {
          part.count { set.drawings[$0].label == "c\(label)" }
        }
        let wanted = splitter.counts(of: count)
        #expect(found(split.test) == wanted.test)
        #expect(found(split.validation) == wanted.validation)
        #expect(found(split.train) >= 1)
      }
    }
  }

  @Test(
    "Shares are rounded, halves up; each part gets one where there are enough",
    arguments: [
      (1, 0, 0), (2, 0, 1), (3, 1, 1), (4, 1, 1), (10, 1, 1), (14, 1, 1), (15, 2, 2), (25, 3, 3),
      (1741, 174, 174),
    ])
  func rounding(total: Int, validation: Int, test: Int) {
    let counts = Splitter(validation: 0.1, test: 0.1, seed: 0).counts(of: total)
    #expect(counts.validation == validation)
    #expect(counts.test == test)
  }

  @Test("Large shares leave one drawing to train on, and one for validation")
  func largeShares() {
    let greedy = Splitter(validation: 0.05, test: 0.9, seed: 0)
    #expect(greedy.counts(of: 3) == (1, 1))
    #expect(greedy.counts(of: 2) == (0, 1))
    #expect(Splitter(validation: 0.5, test: 0, seed: 0).counts(of: 2) == (1, 0))
    #expect(Splitter(validation: 0, test: 0, seed: 0).counts(of: 9) == (0, 0))
  }

  @Test("Folds are disjoint, complete, ascending and even, in all and in each class")
  func folds() throws {
    var generator = SeededGenerator(seed: 78)
    for round in 0..<30 {
      let counts = (0..<(1 + generator.integer(below: 12))).map { _ in
        1 + generator.integer(below: 40)
      }
      let set = try samples(counts)
      let count = 2 + generator.integer(below: 8)
      let folds = Splitter(seed: UInt64(round)).folds(set, count: count)
      #expect(folds.count == count)
      #expect(folds.joined().sorted() == Array(0..<set.count))
      func spread(_ numbers: [Int]) -> Int { (numbers.max() ?? 0) - (numbers.min() ?? 0) }
      #expect(spread(folds.map(\.count)) <= 1)
      for label in counts.indices {
        #expect(spread(folds.map { $0.count { set.drawings[$0].label == "c\(label)" } }) <= 1)
      }
      for fold in folds { #expect(fold == fold.sorted()) }
      #expect(Splitter(seed: UInt64(round)).folds(set, count: count) == folds)
    }
    let set = try samples([20, 20])
    #expect(Splitter(seed: 1).folds(set, count: 4) != Splitter(seed: 2).folds(set, count: 4))
  }

  @Test("Drawings with the same strokes share a fold, whatever their labels")
  func foldsOfRepeats() throws {
    let drawings = (0..<60).map { index in
      line(index / 3, id: "d\(index)", label: index % 3 == 2 ? "b" : "a")
    }
    let set = try SampleSet(drawings)
    let folds = Splitter(seed: 5).folds(set, count: 4)
    #expect(folds.joined().sorted() == Array(0..<60))
    for fold in folds {
      let ink = Set(fold.map { set.strokeDigests[$0] })
      #expect(ink.count * 3 == fold.count)
    }
  }

  @Test("The order of the input does not matter; the seed does")
  func orderAndSeed() throws {
    var generator = SeededGenerator(seed: 4)
    let set = try samples([20, 30, 25])
    var drawings = set.drawings
    generator.shuffle(&drawings)
    let shuffled = try SampleSet(drawings)
    for splitter in [Splitter(seed: 1), Splitter(validation: 0.2, test: 0.3, seed: 9)] {
      let (a, b) = (splitter.byDrawing(set), splitter.byDrawing(shuffled))
      #expect(ids(a.test, set) == ids(b.test, shuffled))
      #expect(ids(a.validation, set) == ids(b.validation, shuffled))
    }
    #expect(Splitter(seed: 1).byDrawing(set) == Splitter(seed: 1).byDrawing(set))
    #expect(Splitter(seed: 1).byDrawing(set) != Splitter(seed: 2).byDrawing(set))
  }

  @Test("Every drawing is in the test part for some seeds and not for others")
  func fairness() throws {
    let set = try samples([10, 10])
    var counts = [Int](repeating: 0, count: 20)
    for seed in 0..<400 {
      let splitter = Splitter(validation: 0, test: 0.3, seed: UInt64(seed))
      for index in splitter.byDrawing(set).test { counts[index] += 1 }
    }
    #expect(counts.reduce(0, +) == 400 * 6)
    // 120 expected, deviation 9.2: five of them either way.
    #expect(counts.allSatisfy { (74...166).contains($0) })
  }

  @Test("Drawings of a class with the same strokes stay together")
  func duplicates() throws {
    let drawings = (0..<60).map { line($0 / 3, id: "d\($0)", label: $0 < 30 ? "a" : "b") }
    let set = try SampleSet(drawings)
    for seed in 0..<10 {
      let split = Splitter(validation: 0.2, test: 0.3, seed: UInt64(seed)).byDrawing(set)
      #expect(split.test.count == 18)
      #expect(split.validation.count == 12)
      for part in [split.train, split.validation, split.test] {
        let widths = part.map { Int(set.drawings[$0].strokes[0].points[1].x) }
        for width in Set(widths) { #expect(widths.count { $0 == width } == 3) }
      }
    }
    let same = try SampleSet((0..<10).map { line(1, id: "d\($0)", label: "a") })
    #expect(Splitter(seed: 0).byDrawing(same).train.count == 10)
  }

  @Test("A copy that was moved, scaled or rounded is judged by no model that saw the other")
  func nearCopies() throws {
    var generator = SeededGenerator(seed: 31)
    let drawings = (0..<40).flatMap { number in
      let points = (0..<6).map { _ in Point(x: 90 * generator.unit(), y: 90 * generator.unit()) }
      return (0..<3).map { copy in
        let (size, shift) = ([1, 2.5, 1][copy], [0, 40, 0.25][copy])
        let moved = points.map { Point(x: shift + size * $0.x, y: shift + size * $0.y) }
        return Drawing(
          id: "\(number)-\(copy)", label: number < 20 ? "a" : "b", strokes: [Stroke(moved)])
      }
    }
    let set = try SampleSet(drawings)
    func name(_ index: Int) -> Substring { set.drawings[index].id.prefix { $0 != "-" } }
    for seed in 0..<10 {
      let split = Splitter(validation: 0.2, test: 0.3, seed: UInt64(seed)).byDrawing(set)
      #expect(split.test.count == 36 && split.validation.count == 24, "seed 31")
      let folds = Splitter(seed: UInt64(seed)).folds(set, count: 4)
      for part in [split.train, split.validation, split.test] + folds {
        for (_, copies) in Dictionary(grouping: part, by: name) { #expect(copies.count == 3) }
      }
    }
  }

  @Test("Drawings of several classes with the same strokes only train")
  func contradictions() throws {
    let drawings = (0..<60).map { line($0 % 30, id: "d\($0)", label: $0 < 30 ? "a" : "b") }
    let others = (0..<60).map { line(100 + $0, id: "e\($0)", label: $0 < 30 ? "a" : "b") }
    let set = try SampleSet(drawings + others)
    for seed in 0..<10 {
      let split = Splitter(validation: 0.1, test: 0.3, seed: UInt64(seed)).byDrawing(set)
      #expect(split.test.count == 36 && split.validation.count == 12)
      let held = (split.test + split.validation).map { set.drawings[$0].id }
      #expect(held.allSatisfy { $0.hasPrefix("e") })
    }
  }

  @Test("By class, a class is in one part whole")
  func byClass() throws {
    let set = try samples([5, 9, 3, 7, 1, 4, 6, 2, 8, 5])
    let splitter = Splitter(validation: 0.2, test: 0.3, seed: 5)
    let split = splitter.byClass(set)
    let parts = [split.train, split.validation, split.test].map { part in
      Set(part.map { set.classIndices[$0] })
    }
    #expect(parts.map(\.count) == [5, 2, 3])
    #expect(parts[0].union(parts[1]).union(parts[2]).count == 10)
    #expect((split.train + split.validation + split.test).sorted() == Array(0..<set.count))
    #expect(splitter.byClass(set) == split)
    #expect(Splitter(validation: 0.2, test: 0.3, seed: 6).byClass(set) != split)
  }

  @Test("A drawing that is added moves few others")
  func stability() throws {
    let set = try samples([200])
    let larger = try SampleSet(set.drawings + [line(999, id: "new", label: "c0")])
    let splitter = Splitter(seed: 3)
    let before = ids(splitter.byDrawing(set).test, set)
    let after = ids(splitter.byDrawing(larger).test, larger)
    #expect(before.symmetricDifference(after).count <= 2)
  }
}
