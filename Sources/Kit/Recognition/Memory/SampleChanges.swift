/// How the taught samples of one model differ from those of another.
///
/// A sample is the same in both if it has the same id and strokes; under another label it was
/// relabeled.
public struct SampleChanges: Hashable, Sendable {
  /// A sample with another label than before.
  public struct Relabeling: Hashable, Sendable, Codable {
    /// The sample's id.
    public let id: String
    /// The label that it had.
    public let from: String
    /// The label that it has.
    public let to: String
  }

  /// The samples that were not there before, in ascending order.
  public let added: [TaughtSample]
  /// The samples that are no longer there, in ascending order.
  public let removed: [TaughtSample]
  /// The samples with another label, in ascending order of their new label and id.
  public let relabeled: [Relabeling]
  /// The labels that were not there before, in ascending order.
  public let labelsAdded: [String]
  /// The labels that are no longer there, in ascending order.
  public let labelsRemoved: [String]

  /// The changes from one memory to another.
  ///
  /// - Complexity: One pass over the samples of both.
  public init(from before: SampleMemory, to after: SampleMemory) {
    let (old, new) = (before.labelOfKey, after.labelOfKey)
    added = after.samples.filter { old[SampleMemory.Key($0)] == nil }
    removed = before.samples.filter { new[SampleMemory.Key($0)] == nil }
    relabeled = after.samples.compactMap { sample in
      guard let label = old[SampleMemory.Key(sample)], label != sample.label else { return nil }
      return Relabeling(id: sample.id, from: label, to: sample.label)
    }
    let (known, knows) = (Set(before.labels), Set(after.labels))
    labelsAdded = after.labels.filter { !known.contains($0) }
    labelsRemoved = before.labels.filter { !knows.contains($0) }
  }

  /// Whether both have the same samples with the same labels.
  public var isEmpty: Bool { added.isEmpty && removed.isEmpty && relabeled.isEmpty }
}
