/// Results that others published or that were measured on other data, shown for comparison and
/// marked as not measured by this program.
enum PublishedRows {
  /// Where a number was published.
  struct Source: Sendable {
    /// Authors, title and where it appeared.
    var text: String
    /// Its arXiv number or DOI; may be empty.
    var identifier: String
  }

  /// One system on one task.
  struct Row: Sendable {
    /// What was measured.
    var system: String
    /// How, in a few words; may be empty.
    var setting: String
    /// A rate in 0...1.
    var value: Double
  }

  /// The heading of every such table.
  static let heading = "Published, not measured here"

  // MARK: Omniglot

  /// The source of the rows of Omniglot's one-shot task.
  static let omniglotSource = Source(
    text: "Lake, Salakhutdinov and Tenenbaum, “The Omniglot challenge: a 3-year progress report”, "
      + "Current Opinion in Behavioral Sciences 29 (2019), 97–104",
    identifier: "arXiv:1902.03477, doi:10.1016/j.cobeha.2019.04.007")

  /// Errors of 20-way one-shot classification within an alphabet, the 20 official runs; lowest
  /// first.
  static let omniglot = [
    Row(system: "BPL", setting: "30 alphabets as background", value: 0.033),
    Row(system: "BPL", setting: "small background sets", value: 0.042),
    Row(system: "people", setting: "at most", value: 0.045),
    Row(system: "RCN", setting: "", value: 0.073),
    Row(system: "simple convolutional net", setting: "30 alphabets as background", value: 0.135),
    Row(system: "prototypical net", setting: "30 alphabets as background", value: 0.137),
    Row(
      system: "simple convolutional net", setting: "small background sets",
      value: 0.232),
    Row(system: "prototypical net", setting: "small background sets", value: 0.301),
  ]

  // MARK: Few shots

  /// The heading of the rows of `fewShot`.
  static let fewShotHeading = "Reference, measured on other classes"

  /// The source of the rows of `fewShot`.
  static let fewShotSource = Source(
    text:
      "Apple’s updatable drawing classifier (TinyDrawingEmbedding, BSD-3-Clause) on drawings of "
      + "100 Quick, Draw! classes that were kept apart: 200 tasks a row, 95 % intervals of about "
      + "±0.01. Its embedding was learned on the Quick, Draw! set, probably on these classes too",
    identifier: "")

  /// The reference at a number of ways and shots; all rates in 0...1.
  struct FewShotRow: Sendable {
    var ways: Int
    var shots: Int
    /// The accuracy of 3 nearest neighbors, as the reference ships.
    var neighbors: Double
    /// The accuracy of the reference's embedding with cosine class means.
    var classMeans: Double
    /// The AUROC of refusing unknowns as it ships; nil if it was not measured.
    var auroc: Double?
    /// The better AUROC of both heads.
    var bestAUROC: Double?

    /// Such as "10-way 5-shot".
    var name: String { "\(ways)-way \(shots)-shot" }
  }

  /// The reference's few-shot results.
  static let fewShot = [
    FewShotRow(
      ways: 5, shots: 1, neighbors: 0.703, classMeans: 0.729, auroc: 0.751, bestAUROC: 0.776),
    FewShotRow(
      ways: 5, shots: 5, neighbors: 0.839, classMeans: 0.877, auroc: 0.818, bestAUROC: 0.854),
    FewShotRow(
      ways: 10, shots: 1, neighbors: 0.593, classMeans: 0.628, auroc: 0.702, bestAUROC: 0.715),
    FewShotRow(
      ways: 10, shots: 5, neighbors: 0.765, classMeans: 0.821, auroc: 0.776, bestAUROC: 0.816),
    FewShotRow(
      ways: 20, shots: 5, neighbors: 0.680, classMeans: 0.748, auroc: 0.726, bestAUROC: 0.769),
    FewShotRow(
      ways: 20, shots: 10, neighbors: 0.738, classMeans: 0.787, auroc: 0.752, bestAUROC: 0.798),
    FewShotRow(ways: 100, shots: 10, neighbors: 0.535, classMeans: 0.609),
  ]
}
