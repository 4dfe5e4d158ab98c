internal import Ink

/// The limits of a model file.
///
/// Checked when a file is opened, before its values are read, and when one is written, so every
/// saved file can be opened. With the checks of `HDF5Reader` they bound the memory and time of
/// opening a file: see `docs/security.md`.
package enum ModelLimits {
  /// Bytes of the file; the base model's takes 10.5 MB.
  package static let fileBytes = 512 << 20
  /// Bytes of the JSON that describes the model; the base model's takes 29 kB.
  static let descriptionBytes = 1 << 20
  /// Bytes of a sample's id.
  static let idBytes = 1024
  /// Bytes of a drawing's digest.
  static let digestBytes = 64
  /// Bytes of a prior's name.
  package static let nameBytes = 256
  /// Networks of an embedding.
  package static let members = 8
  /// Numbers of a vector: some steps take cubic time.
  package static let dimension = 1024
  /// Priors.
  static let priors = 8
  /// Labels: the table of left-out scores under each label grows quadratically.
  private static let labels = 4096
  /// The maximum number of products to compute this table: some seconds of work.
  private static let products = 1 << 31

  /// Refuses a number that is too large.
  package static func require(
    _ number: Int, atMost limit: Int, _ what: String
  ) throws(ModelError) {
    guard number <= limit else {
      throw .malformed("it has \(number) \(what); at most \(limit) are possible")
    }
  }

  /// Refuses a memory that is too large to be opened in a short time.
  static func check(
    labels count: Int, dimension: Int, priors: [PLDAPrior]
  ) throws(ModelError) {
    try require(dimension, atMost: Self.dimension, "numbers in a vector")
    try require(priors.count, atMost: Self.priors, "priors")
    try require(count, atMost: labels(dimension: dimension, priors: priors), "labels")
  }

  /// The maximum number of labels of a memory: lower for long vectors.
  private static func labels(dimension: Int, priors: [PLDAPrior]) -> Int {
    let directions = priors.map(\.model.directions).max() ?? dimension
    return min(labels, Int(Double(products / max(1, directions)).squareRoot()))
  }

  /// Refuses to teach more labels than can be saved, before any time is spent on them.
  package static func requireCapacity(
    forLabels count: Int, in recognizer: Recognizer? = nil
  ) throws(ModelError) {
    let most =
      recognizer.map {
        labels(dimension: $0.memory.dimension, priors: $0.memory.priors)
      } ?? labels
    guard count <= most else { throw .tooManyLabels(count, limit: most) }
  }

  /// Refuses invalid labels.
  static func check(labels: [String]) throws(ModelError) {
    for label in labels {
      do throws(LabelError) { try LabelRule.check(label) } catch {
        throw .malformed("its label \(label.prefix(LabelRule.maxCharacters)) \(error)")
      }
    }
  }

  /// Refuses a recognizer whose file could not be opened again.
  static func check(_ recognizer: Recognizer) throws(ModelError) {
    let memory = recognizer.memory
    try require(recognizer.embedding.members.count, atMost: members, "networks")
    for case .picture(let rasterizer) in recognizer.embedding.members.map(\.view) {
      try require(
        max(rasterizer.width, rasterizer.height), atMost: Rasterizer.maxStoredSide,
        "rows or columns in a picture that a network sees")
      try require(
        rasterizer.width * rasterizer.height * rasterizer.channels.count,
        atMost: Rasterizer.maxStoredValues, "numbers in a picture that a network sees")
    }
    try check(
      labels: memory.labels.count, dimension: memory.dimension, priors: memory.priors)
    try check(labels: memory.labels + memory.trained.labels)
    for name in memory.priors.map(\.name) {
      try require(name.utf8.count, atMost: nameBytes, "bytes in the name of a prior")
    }
    try check(ids: memory.samples.lazy.map(\.id))
  }

  /// Refuses ids that are too long to be saved.
  package static func check(ids: some Sequence<String>) throws(ModelError) {
    for id in ids {
      try require(id.utf8.count, atMost: idBytes, "bytes in the id \(id.prefix(64))…")
    }
  }
}
