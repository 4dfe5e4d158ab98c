package import Datasets
internal import Files
internal import Foundation
internal import Ink
internal import JSON
internal import NeuralNetwork
package import Recognition
internal import Text

/// The recipe file of a base model: all parameters of its training except the drawings and the
/// seed.
package struct TrainingRecipe: Codable, Hashable, Sendable {
  /// The format version of the file, 1.
  package var version: Int
  /// The networks whose concatenated vectors are the embedding; each is trained separately.
  package var members: [Member]
  /// The sources of labeled drawings; their files are given when the recipe is used.
  package var sources: [Source]
  /// How strongly labels with many drawings are sampled less: see
  /// `ExampleSampler.Settings.balance`.
  package var balance: Double
  package var mixing: Mixing?
  package var distillation: Distillation?
  /// Labels that are not trained on; null holds out none.
  package var heldOut: HeldOut?
  /// The few-shot tasks that evaluate the network after every epoch.
  package var tasks: Tasks

  package struct Member: Codable, Hashable, Sendable {
    /// Letters, digits and hyphens; part of the name of a finished member's file.
    package var name: String
    /// The weight of its vector relative to those of the other members.
    package var weight: Float
    /// The network's input representation.
    package var view: DrawingView
    package var network: NetworkShape
    package var training: TrainingSchedule
    package var augmentation: Augmentation
    /// The weight in the loss of the distance to the teacher's vectors; 0 for no teacher.
    package var teacherWeight: Float
  }

  package struct Source: Codable, Hashable, Sendable {
    package var name: String
    package var weight: Double
    package var turning: Double
    /// Whether a PLDA prior is fitted to its drawings.
    package var inStatistics: Bool
    /// The names of the members that are trained on it; null for all.
    package var members: [String]?
  }

  package struct Mixing: Codable, Hashable, Sendable {
    /// The share of all examples.
    package var share: Double
    /// The maximum number of unlabeled drawings used per label.
    package var drawingsPerLabel: Int
    package var mixer: DrawingMixer
  }

  package struct Distillation: Codable, Hashable, Sendable {
    /// The pen width and the margin of the teacher's input pictures, in its own pixels.
    package var strokeWidth: Double
    package var margin: Double
    /// The SHA-256 of the teacher's file; null for any file.
    package var teacher: String?
  }

  package struct HeldOut: Codable, Hashable, Sendable {
    /// The source whose labels are split by `Splitter.byClass`.
    package var source: String
    package var seed: UInt64
    /// The share of labels for validation and calibration.
    package var validation: Double
    /// The share of labels for the final test.
    package var test: Double
  }

  package struct Tasks: Codable, Hashable, Sendable {
    package var count: Int
    package var ways: Int
    package var shots: Int
    package var queries: Int
  }
}

extension TrainingRecipe {
  /// Limits of a recipe, beyond which a training would not end or not fit into memory.
  package enum Limits {
    package static let epochs = 100_000
    /// Examples of an epoch, whose order takes eight bytes each.
    package static let examples = 1...100_000_000
    static let stages = 8
    /// A member's name is part of a file name.
    static let nameLength = 64
    /// The maximum number of drawings in all few-shot tasks together.
    static let taskDrawings = 10_000_000
    /// Bytes of a batch and of a shard's activations; the base model's recipe needs 58 MB.
    static let stepBytes = 2 << 30
  }

  /// The recipe in the JSON file at `path`.
  ///
  /// - Throws: `FileError` when it cannot be read, `ConfigurationError` naming the key that is
  ///   missing, unknown or wrong.
  package init(path: String) throws {
    try self.init(AtomicFile.read(path), path: path)
  }

  package init(_ json: [UInt8], path: String) throws {
    do {
      let document = try JSONDocument(json, notesKeys: true)
      self = try document.decode(TrainingRecipe.self)
      guard version == 1 else {
        throw JSONFault(place: "version", "is \(version); this drawml reads version 1")
      }
      try check()
      // An unknown key is probably a typo.
      if let key = document.unknownKey {
        throw JSONFault(place: key, "is not a key of a recipe")
      }
    } catch let fault as JSONFault {
      throw ConfigurationError(path: path, problem: "\(fault)")
    }
  }

  /// The sources that a member is trained on, as of a recipe for it alone.
  func sources(of member: Member) -> [Source] {
    sources.filter { $0.members?.contains(member.name) ?? true }.map { source in
      var own = source
      own.members = nil
      return own
    }
  }

  /// Refuses values out of their ranges; the first is named.
  private func check() throws(JSONFault) {
    func refuse(_ place: String, _ problem: String) -> JSONFault {
      JSONFault(place: place, problem)
    }
    func checkNames(_ names: [String], of place: String) throws(JSONFault) {
      if names.isEmpty { throw refuse(place, "must not be empty") }
      if Set(names).count < names.count { throw refuse(place, "must not have one name twice") }
    }
    try checkNames(members.map(\.name), of: "members")
    try require(members.count, in: 1...ModelLimits.members, "the number of members")
    try checkNames(sources.map(\.name), of: "sources")
    if !sources.contains(where: \.inStatistics) {
      throw refuse("sources", "must have one with inStatistics or more")
    }
    for (index, source) in sources.enumerated() {
      // The model stores it as its prior's name.
      do { try LabelRule.check(source.name) } catch {
        throw refuse("sources[\(index)].name", "\(error)")
      }
      try require(
        source.name.utf8.count, in: 1...ModelLimits.nameBytes,
        "the number of bytes of sources[\(index)].name")
      try require(source.weight, in: 1e-6...1e6, "sources[\(index)].weight")
      try require(source.turning, in: 0...1, "sources[\(index)].turning")
      guard let named = source.members else { continue }
      try checkNames(named, of: "sources[\(index)].members")
      if let name = named.first(where: { name in !members.contains { $0.name == name } }) {
        throw refuse("sources[\(index)].members", "names \"\(name)\", which is no member")
      }
    }
    for member in members where sources(of: member).isEmpty {
      throw refuse("sources", "must have one for the member \"\(member.name)\"")
    }
    for (index, member) in members.enumerated() {
      try member.check("members[\(index)].")
      for (key, number) in [
        ("examplesPerEpoch", member.training.examplesPerEpoch),
        ("batchSize", member.training.batchSize),
      ] where number == nil {
        throw refuse("members[\(index)].training.\(key)", "is missing")
      }
    }
    try require(
      members.reduce(0) { $0 + $1.network.dimension }, in: 1...ModelLimits.dimension,
      "the sum of the members' dimensions")
    try require(balance, in: 0...1, "balance")
    if let mixing {
      try require(mixing.share, in: 0...0.99, "mixing.share")
      try require(mixing.drawingsPerLabel, in: 0...1_000_000_000, "mixing.drawingsPerLabel")
      try require(mixing.mixer.shift, in: 0...100, "mixing.mixer.shift")
      if let problem = mixing.mixer.problem {
        throw refuse("mixing.mixer", "is out of range: \(problem)")
      }
    }
    if let distillation {
      try require(distillation.strokeWidth, in: 0.1...8, "distillation.strokeWidth")
      try require(distillation.margin, in: 0...8, "distillation.margin")
    }
    if let heldOut {
      if !sources.contains(where: { $0.name == heldOut.source }) {
        throw refuse("heldOut.source", "names no source")
      }
      try require(heldOut.validation, in: 0...0.9, "heldOut.validation")
      try require(heldOut.test, in: 0...0.9, "heldOut.test")
      if heldOut.validation + heldOut.test >= 1 {
        throw refuse("heldOut.test", "and heldOut.validation leave nothing to train on")
      }
    }
    try require(tasks.count, in: 1...100_000, "tasks.count")
    try require(tasks.ways, in: 2...1000, "tasks.ways")
    try require(tasks.shots, in: 1...1000, "tasks.shots")
    try require(tasks.queries, in: 1...1000, "tasks.queries")
    if tasks.count * tasks.ways * (tasks.shots + tasks.queries) > Limits.taskDrawings {
      throw refuse("tasks", "name more than \(grouped(Limits.taskDrawings)) drawings together")
    }
  }
}

/// Refuses a number out of its range.
func require<Number: WrittenNumber>(
  _ value: Number, in range: ClosedRange<Number>, _ place: String
) throws(JSONFault) {
  guard !range.contains(value) else { return }
  throw JSONFault(place: place, "is \(value.text); it must be from \(range.text)")
}

extension TrainingRecipe.Member {
  /// Refuses values out of their ranges; the first is named.
  ///
  /// - Parameter place: Where the member is in the recipe, with a dot at the end; empty for a
  ///   network alone.
  /// - Throws: `JSONFault` that names the key.
  func check(_ place: String) throws(JSONFault) {
    let isName = { (character: Character) in
      character.isASCII && (character.isLetter || character.isNumber || character == "-")
    }
    if !(1...TrainingRecipe.Limits.nameLength).contains(name.count) || !name.allSatisfy(isName) {
      throw JSONFault(
        place: "\(place)name",
        "must be of letters, digits and hyphens, at most \(TrainingRecipe.Limits.nameLength)")
    }
    try require(Double(weight), in: 1e-6...1e5, "\(place)weight")
    try require(Double(teacherWeight), in: 0...1e4, "\(place)teacherWeight")
    try network.check("\(place)network")
    try training.check("\(place)training")
    try augmentation.check("\(place)augmentation")
    let batch = training.batchSize ?? TrainingSchedule.batchSizes.upperBound
    let bytes = 4 * batch * view.shape.reduce(1, *) + shardBytes
    guard bytes <= TrainingRecipe.Limits.stepBytes else {
      throw JSONFault(
        place: "\(place)training",
        "needs about \(bytes >> 20) MB for a step; at most "
          + "\(TrainingRecipe.Limits.stepBytes >> 20) are allowed: lower batchSize or "
          + "shardSize, or the network's channels")
    }
    if case .picture(let rasterizer) = view {
      // Augmentation may widen the pen.
      let widest = rasterizer.strokeWidth * (1 + augmentation.strokeWidth)
      let room = Double(min(rasterizer.width, rasterizer.height)) - 2 * rasterizer.margin
      guard widest < room else {
        let most = (room / (1 + augmentation.strokeWidth) * 100).rounded(.down) / 100
        throw JSONFault(
          place: "\(place)view.rasterizer.strokeWidth",
          "is \(rasterizer.strokeWidth.text); with this margin and augmentation.strokeWidth it "
            + "must be below \(most.text)")
      }
    }
  }
}

extension TrainingRecipe.Member {
  /// The approximate bytes of a shard's activations: each convolution's input and output, and their
  /// gradients.
  private var shardBytes: Int {
    var positions = view.shape.dropLast().reduce(1, *)
    var values = 0
    for (stage, channels) in network.channels.enumerated() {
      values += positions * channels * (4 + 8 * (network.blocks?[stage] ?? 1))
      // Each stage halves the picture's sides, or the sequence.
      let next = if case .picture = view { positions / 4 } else { positions / 2 }
      positions = max(1, next)
    }
    return 4 * training.shardSize * values
  }
}

extension NetworkShape {
  fileprivate func check(_ place: String) throws(JSONFault) {
    try require(
      channels.count, in: 1...TrainingRecipe.Limits.stages, "the number of \(place).channels")
    for (key, count) in [("blocks", blocks?.count), ("kernels", kernels?.count)]
    where count ?? channels.count != channels.count {
      throw JSONFault(
        place: "\(place).\(key)", "must have one number for each of \(place).channels")
    }
    for index in channels.indices {
      try require(channels[index], in: 1...1024, "\(place).channels[\(index)]")
      try require(blocks?[index] ?? 1, in: 0...20, "\(place).blocks[\(index)]")
      guard let kernel = kernels?[index] else { continue }
      try require(kernel, in: 1...15, "\(place).kernels[\(index)]")
      guard kernel % 2 == 1 else {
        throw JSONFault(place: "\(place).kernels[\(index)]", "is \(kernel); it must be odd")
      }
    }
    try require(dimension, in: 1...ModelLimits.dimension, "\(place).dimension")
  }
}

extension TrainingSchedule {
  fileprivate func check(_ place: String) throws(JSONFault) {
    try require(epochs, in: 1...TrainingRecipe.Limits.epochs, "\(place).epochs")
    try require(
      examplesPerEpoch ?? 1, in: TrainingRecipe.Limits.examples, "\(place).examplesPerEpoch")
    try require(batchSize ?? 1, in: 1...65_536, "\(place).batchSize")
    try require(shardSize, in: 1...4096, "\(place).shardSize")
    try require(checkpointInterval, in: 1...1_000_000_000, "\(place).checkpointInterval")
    try require(Double(learningRate), in: 0...10, "\(place).learningRate")
    try require(Double(weightDecay), in: 0...10, "\(place).weightDecay")
    try require(warmUpEpochs, in: 0...1e6, "\(place).warmUpEpochs")
    try require(Double(labelSmoothing), in: 0...0.99, "\(place).labelSmoothing")
    try require(Double(averagingDecay), in: 0...0.999999, "\(place).averagingDecay")
    try require(Double(gradientNormLimit ?? 1), in: 1e-6...1e6, "\(place).gradientNormLimit")
  }
}

extension Augmentation {
  fileprivate func check(_ place: String) throws(JSONFault) {
    for (key, probability) in [
      ("mirror", mirror), ("strokeDropping", strokeDropping), ("reversal", reversal),
      ("reordering", reordering),
    ] {
      try require(probability, in: 0...1, "\(place).\(key)")
    }
    for (key, strength) in [
      ("stretch", stretch), ("shear", shear), ("warp", warp), ("strokeShift", strokeShift),
      ("strokeScale", strokeScale), ("wobble", wobble), ("jitter", jitter),
      ("longestPiece", longestPiece), ("strokeWidth", strokeWidth),
    ] {
      try require(strength, in: 0...10, "\(place).\(key)")
    }
    try require(rotation, in: 0...360, "\(place).rotation")
    try require(warpCells, in: 1...64, "\(place).warpCells")
    try require(wobbleLength, in: 0.001...1000, "\(place).wobbleLength")
  }
}

extension TrainingRecipe.Member {
  /// The hyper-parameters of the network.
  ///
  /// - Parameters:
  ///   - description: How drawings are sampled and augmented; recorded.
  ///   - teacher: The SHA-256 of the teacher's file, nil without one.
  ///   - drawings: How many it is trained on.
  /// - Returns: The recipe for an `EmbeddingTrainer`.
  package func embeddingRecipe(
    describedAs description: String, teacher: String?, drawings: Int
  ) -> EmbeddingRecipe {
    var training = training.fitted(toDrawings: drawings)
    training.examplesPerEpoch = nil
    return EmbeddingRecipe(
      view: view, network: network, training: training,
      distillationWeight: teacher == nil ? 0 : teacherWeight, augmentation: description,
      teacher: teacher)
  }
}
