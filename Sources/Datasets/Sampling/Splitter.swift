internal import Ink
internal import Support

/// A set of samples in three parts; indices into its `drawings`, each once and ascending.
public struct Split: Hashable, Sendable {
  /// What the weights learn from.
  public var train: [Int]
  /// What choices are made on, such as when to stop.
  public var validation: [Int]
  /// What is looked at only in the end.
  public var test: [Int]

  /// A split with the given parts.
  public init(train: [Int], validation: [Int], test: [Int]) {
    self.train = train
    self.validation = validation
    self.test = test
  }
}

/// Cuts a set of samples into training, validation and test parts.
///
/// The cut depends on the seed, labels, ids and strokes alone, not on the order of files, and is
/// made by hashes: most drawings stay in their part when others are added.
public struct Splitter: Codable, Hashable, Sendable {
  /// The share of the validation part, in 0..<1.
  public var validation: Double
  /// The share of the test part, in 0..<1.
  public var test: Double
  /// Another seed, another cut.
  public var seed: UInt64

  /// A way to cut; the rest of the shares is the training part's.
  ///
  /// - Parameters:
  ///   - validation: The share of the validation part, in 0..<1.
  ///   - test: The share of the test part, in 0..<1.
  ///   - seed: Another seed, another cut.
  public init(validation: Double = 0.1, test: Double = 0.1, seed: UInt64) {
    precondition(
      validation >= 0 && test >= 0 && validation + test < 1,
      "the shares \(validation) and \(test) leave nothing to train on")
    self.validation = validation
    self.test = test
    self.seed = seed
  }

  /// Cuts every class by the same shares.
  ///
  /// Of `n` drawings of a class, `n` times the share is rounded to the nearest count (halves up). A
  /// part with a share above 0 gets at least one drawing where the class has enough: the first
  /// drawing goes to the training part, the second to the test part, the third to the validation
  /// part. Drawings of a class with identical strokes stay together; such a group goes to a
  /// held-out part only where it does not exceed the part's count.
  public func byDrawing(_ samples: SampleSet) -> Split {
    var members = [[Int]](repeating: [], count: samples.classes.count)
    for (index, classIndex) in samples.classIndices.enumerated() {
      members[classIndex].append(index)
    }
    var split = Split(train: [], validation: [], test: [])
    for (label, indices) in zip(samples.classes, members) {
      let groups = Dictionary(grouping: indices) { samples.strokeDigests[$0] }
      // The members are in order of their ids, so a group's first one does not depend on the input.
      let keyed = groups.values.map { group in
        (key: hash("drawing", label, samples.drawings[group[0]].id), group: group)
      }
      var wanted = counts(of: indices.count)
      for (_, group) in keyed.sorted(by: { $0.key < $1.key }) {
        if group.count <= wanted.test {
          split.test += group
          wanted.test -= group.count
        } else if group.count <= wanted.validation {
          split.validation += group
          wanted.validation -= group.count
        } else {
          split.train += group
        }
      }
    }
    return Split(
      train: split.train.sorted(), validation: split.validation.sorted(), test: split.test.sorted())
  }

  /// Puts whole classes in one part each: the test part then shows classes that were never trained
  /// on.
  ///
  /// The classes are counted as `byDrawing(_:)` counts the drawings of a class.
  public func byClass(_ samples: SampleSet) -> Split {
    let order = samples.classes.indices
      .map { (key: hash("class", samples.classes[$0]), index: $0) }
      .sorted { $0.key < $1.key }.map(\.index)
    let wanted = counts(of: order.count)
    let test = Set(order.prefix(wanted.test))
    let validation = Set(order.dropFirst(wanted.test).prefix(wanted.validation))
    var split = Split(train: [], validation: [], test: [])
    for (index, classIndex) in samples.classIndices.enumerated() {
      if test.contains(classIndex) {
        split.test.append(index)
      } else if validation.contains(classIndex) {
        split.validation.append(index)
      } else {
        split.train.append(index)
      }
    }
    return split
  }

  /// How many of `total` things go to the held-out parts; at least one is left for training.
  func counts(of total: Int) -> (validation: Int, test: Int) {
    func count(_ share: Double, from minimum: Int) -> Int {
      guard share > 0, total >= minimum else { return 0 }
      return max(1, Int((Double(total) * share + 0.5).rounded(.down)))
    }
    let wantedValidation = count(validation, from: test > 0 ? 3 : 2)
    // One is left for training and, where there are enough, one for validation.
    let test = min(count(test, from: 2), max(0, total - 1 - min(1, wantedValidation)))
    return (min(wantedValidation, max(0, total - 1 - test)), test)
  }

  private func hash(_ parts: String...) -> String {
    var fingerprint = Fingerprint()
    fingerprint.update("DrawML split 1 \(seed)")
    for part in parts { fingerprint.update(part) }
    return fingerprint.hexadecimal()
  }
}
