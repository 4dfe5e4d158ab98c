import Numbers
import Testing

@testable import Recognition

@Suite("Sample memory")
struct SampleMemoryTests {
  @Test("Literal samples come out in order, label by label")
  func literal() {
    var memory = SampleMemory(dimension: 2)
    func sample(_ id: String, _ label: String) -> TaughtSample {
      TaughtSample(id: id, label: label, digest: id)
    }
    memory.insert(
      [sample("3", "b"), sample("2", "a"), sample("1", "a")],
      vectors: [0, 1, 0.6, 0.8, 1, 0])
    #expect(memory.samples.map(\.id) == ["1", "2", "3"])
    #expect(memory.labels == ["a", "b"])
    #expect(memory.labelIndices == [0, 0, 1])
    #expect(memory.vectors == [1, 0, 0.6, 0.8, 0, 1])
    #expect(memory.rows(ofLabel: 0) == 0..<2)
    #expect(memory.rows(ofLabel: 1) == 2..<3)
  }

  @Test("The order of teaching does not matter, nor in how many steps it is done", arguments: 1...5)
  func order(seed: UInt64) {
    let samples = SyntheticSamples(labels: 4, perLabel: 9, dimension: 20, seed: seed)
    let other = samples.shuffled(seed: seed + 100)
    var stepwise = SampleMemory(dimension: 20)
    for index in other.samples.indices {
      stepwise.insert([other.samples[index]], vectors: other.row(index))
    }
    #expect(other.memory == samples.memory)
    #expect(stepwise == samples.memory)
  }

  @Test(
    "Many labels, few of whose samples are left out, and fitted ones: order does not matter either",
    arguments: 1...3)
  func manyLabels(seed: UInt64) {
    var samples = SyntheticSamples(labels: 66, perLabel: 6, dimension: 5, seed: seed)
    samples.isFitted = { ($0.id.utf8.last ?? 0) % 3 == 0 && $0.label < "label 4" }
    let memory = samples.memory
    #expect(memory.wasFitted.contains(true))
    #expect(memory.leftOut.answers().count == 66 * 2)
    let other = samples.shuffled(seed: seed + 100)
    var stepwise = memory.emptied()
    for index in other.samples.indices {
      stepwise.insert([other.samples[index]], vectors: other.row(index))
    }
    #expect(stepwise == memory)
    stepwise.remove { $0.label > "label 3" }
    for index in other.samples.indices where other.samples[index].label > "label 3" {
      stepwise.insert([other.samples[index]], vectors: other.row(index))
    }
    #expect(stepwise == memory)
  }

  @Test("Forgetting equals never having seen, whatever goes", arguments: 1...8)
  func forgetting(seed: UInt64) {
    let all = SyntheticSamples(labels: 5, perLabel: 8, dimension: 17, seed: seed)
    var generator = SeededGenerator(seed: seed + 50)
    let gone = Set(all.samples.filter { _ in generator.chance(0.3) }.map(\.id))
    var forgetful = all.memory
    #expect(forgetful.remove { gone.contains($0.id) }.count == gone.count)
    var innocent = SampleMemory(dimension: 17)
    let kept = all.samples.indices.filter { !gone.contains(all.samples[$0].id) }
    innocent.insert(kept.map { all.samples[$0] }, vectors: kept.flatMap { all.row($0) })
    #expect(forgetful == innocent)
    // And it can all come back.
    let returning = all.samples.indices.filter { gone.contains(all.samples[$0].id) }
    forgetful.insert(
      returning.map { all.samples[$0] }, vectors: returning.flatMap { all.row($0) })
    #expect(forgetful == all.memory)
  }

  @Test("Teaching a sample again changes nothing; under another label it moves")
  func repeats() {
    let samples = SyntheticSamples(labels: 3, perLabel: 4, dimension: 8, seed: 1)
    var memory = samples.memory
    memory.insert([samples.samples[5]], vectors: samples.row(5))
    #expect(memory == samples.memory)
    var moved = samples.samples[5]
    moved.label = "label 0"
    memory.insert([moved], vectors: samples.row(5))
    #expect(memory.samples.count == 12)
    #expect(memory.samples.filter { $0.label == "label 0" }.count == 5)
    #expect(memory.samples.first { $0.id == moved.id }?.label == "label 0")
  }

  @Test("A forgotten label goes with its last sample")
  func labels() {
    var memory = SyntheticSamples(labels: 3, perLabel: 4, dimension: 8, seed: 1).memory
    memory.remove { $0.label == "label 1" }
    #expect(memory.labels == ["label 0", "label 2"])
    memory.remove { _ in true }
    #expect(memory == SampleMemory(dimension: 8))
  }

  @Test("The nearest samples are those of a plain search", arguments: [1, 3, 7, 100])
  func neighbors(count: Int) {
    let memory = SyntheticSamples(labels: 6, perLabel: 10, dimension: 33, seed: 9).memory
    let queries = SyntheticSamples(labels: 5, perLabel: 5, dimension: 33, spread: 1, seed: 10)
    let found = memory.neighbors(of: queries.vectors, count: count)
    #expect(found.count == 25)
    for (query, neighbors) in found.enumerated() {
      let plain = memory.samples.indices.map { row in
        zip(queries.row(query), memory.vector(row)).reduce(0.0) { sum, pair in
          sum + Double(pair.0 - pair.1) * Double(pair.0 - pair.1)
        }.squareRoot()
      }
      let sorted = plain.sorted()
      #expect(neighbors.count == min(count, 60))
      for (rank, neighbor) in neighbors.enumerated() {
        #expect(abs(Double(neighbor.distance) - sorted[rank]) < 1e-4)
        #expect(abs(Double(neighbor.distance) - plain[neighbor.row]) < 1e-4)
      }
    }
  }
}
