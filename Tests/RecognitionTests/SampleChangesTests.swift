import Testing

@testable import Recognition

@Suite("Sample changes")
struct SampleChangesTests {
  private func memory(_ samples: [(id: String, label: String, digest: String)]) -> SampleMemory {
    var memory = SampleMemory(dimension: 1)
    memory.insert(
      samples.map { TaughtSample(id: $0.id, label: $0.label, digest: $0.digest) },
      vectors: samples.map { _ in 1 })
    return memory
  }

  @Test("Added, removed and relabeled samples are told apart by id and strokes")
  func literal() {
    let before = memory([
      ("1", "cat", "a"), ("2", "cat", "b"), ("3", "dog", "c"), ("4", "fox", "d"),
    ])
    let after = memory([
      // "2" has other strokes, so it is another sample; "3" has another label.
      ("1", "cat", "a"), ("2", "cat", "e"), ("3", "cat", "c"), ("5", "owl", "f"),
    ])
    let changes = SampleChanges(from: before, to: after)
    #expect(changes.added.map(\.id) == ["2", "5"])
    #expect(changes.removed.map(\.id) == ["2", "4"])
    #expect(changes.relabeled == [.init(id: "3", from: "dog", to: "cat")])
    #expect(changes.labelsAdded == ["owl"])
    #expect(changes.labelsRemoved == ["dog", "fox"])
    #expect(!changes.isEmpty)
  }

  @Test("Back again, what was added is removed", arguments: 1...5)
  func inverse(seed: UInt64) {
    let world = SyntheticSamples(labels: 4, perLabel: 6, dimension: 3, seed: seed)
    var before = world.memory
    var after = world.memory
    before.remove { $0.id.hasSuffix("-1") }
    after.remove { $0.label == "label 2" }
    let there = SampleChanges(from: before, to: after)
    let back = SampleChanges(from: after, to: before)
    #expect(there.added == back.removed)
    #expect(there.removed == back.added)
    #expect(there.added.map(\.id) == ["s0-1", "s1-1", "s3-1"])
    #expect(there.labelsRemoved == ["label 2"] && back.labelsAdded == ["label 2"])
    #expect(SampleChanges(from: after, to: after).isEmpty)
  }
}
