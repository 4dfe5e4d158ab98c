internal import Files
internal import Ink

/// A set of samples in three parts; indices into its `drawings`, each once and ascending.
public struct Split: Hashable, Sendable {
  /// The training part.
  public var train: [Int]
  /// The validation part, for choices such as thresholds.
  public var validation: [Int]
  /// The test part, used only for the final evaluation.
  public var test: [Int]

  /// A split with the given parts.
  public init(train: [Int], validation: [Int], test: [Int]) {
    self.train = train
    self.validation = validation
    self.test = test
  }
}

/// Splits a set of samples into training, validation and test parts.
///
/// The split depends only on the seed, labels, ids and strokes, not on the order of files. It uses
/// hashes, so most drawings stay in their part when others are added.
public struct Splitter: Codable, Hashable, Sendable {
  /// The share of the validation part, in 0..<1.
  public var validation: Double
  /// The share of the test part, in 0..<1.
  public var test: Double
  /// The seed of the split.
  public var seed: UInt64

  /// A splitter; the training part gets the remaining share.
  ///
  /// - Parameters:
  ///   - validation: The share of the validation part, in 0..<1.
  ///   - test: The share of the test part, in 0..<1.
  ///   - seed: The seed of the split.
  public init(validation: Double = 0.1, test: Double = 0.1, seed: UInt64) {
    precondition(
      validation >= 0 && test >= 0 && validation + test < 1,
      "the shares \(validation) and \(test) leave nothing to train on")
    self.validation = validation
    self.test = test
    self.seed = seed
  }

  /// Splits every class by the same shares.
  ///
  /// For `n` drawings of a class, `n` times the share is rounded to the nearest integer (halves
  /// up). A part with a share above 0 gets at least one drawing if the class has enough: the first
  /// drawing goes to the training part, the second to the test part, the third to the validation
  /// part. Drawings with the same strokes, or nearly the same, stay together: of a class, such a
  /// group goes to a held-out part only if it does not exceed the part's count; of several, to the
  /// training part.
  public func byDrawing(_ samples: SampleSet) -> Split {
    var members = [[Int]](repeating: [], count: samples.classes.count)
    for (index, classIndex) in samples.classIndices.enumerated() {
      members[classIndex].append(index)
    }
    let groupOf = samples.copyGroups
    let classes = Dictionary(
      zip(groupOf, samples.classIndices.map { Set([$0]) }),
      uniquingKeysWith: { $0.union($1) })
    var split = Split(train: [], validation: [], test: [])
    for (label, indices) in zip(samples.classes, members) {
      let groups = Dictionary(grouping: indices) { groupOf[$0] }
      // The members are sorted by id, so a group's first one does not depend on the input order.
      let keyed = groups.values.map { group in
        (key: hash("drawing", label, samples.drawings[group[0]].id), group: group)
      }
      var wanted = counts(of: indices.count)
      for (_, group) in keyed.sorted(by: { $0.key < $1.key }) {
        if classes[groupOf[group[0]]]?.count != 1 {
          split.train += group
        } else if group.count <= wanted.test {
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

  /// Splits into `count` folds for cross-validation, stratified by class: the folds' numbers of
  /// drawings of a class differ by at most one, and so do their total numbers.
  ///
  /// Drawings with the same strokes, or nearly the same, stay together, whatever their labels, so
  /// that a fold is never judged by a model that saw its ink; a group of them may make numbers
  /// differ by more. The
  /// shares of the splitter do not matter.
  ///
  /// - Parameters:
  ///   - samples: The drawings.
  ///   - count: The number of folds, at least 2.
  /// - Returns: The indices of each fold's drawings, ascending; each index is in exactly one fold.
  public func folds(_ samples: SampleSet, count: Int) -> [[Int]] {
    precondition(count >= 2, "cross-validation needs at least 2 folds, got \(count)")
    // By the class of the first member, which is the smallest index: `samples` is in canonical
    // order.
    let groupOf = samples.copyGroups
    let groups = Dictionary(grouping: samples.drawings.indices) { groupOf[$0] }
      .values.map { (key: hash("fold", samples.drawings[$0[0]].id), members: $0) }
      .sorted { $0.key < $1.key }
    let byClass = Dictionary(grouping: groups) { samples.classIndices[$0.members[0]] }
    var folds = [[Int]](repeating: [], count: count)
    for index in samples.classes.indices {
      var ofClass = [Int](repeating: 0, count: count)
      // Larger groups first: single drawings then even out the rest.
      let ordered = (byClass[index] ?? []).enumerated().sorted {
        ($1.element.members.count, $0.offset) < ($0.element.members.count, $1.offset)
      }
      for group in ordered.map(\.element) {
        let fold =
          folds.indices.min {
            (ofClass[$0], folds[$0].count, $0) < (ofClass[$1], folds[$1].count, $1)
          } ?? 0
        folds[fold] += group.members
        ofClass[fold] += group.members.count
      }
    }
    return folds.map { $0.sorted() }
  }

  /// Assigns whole classes to one part each, so that the test part has only classes not trained on.
  ///
  /// The counts follow the same rules as for the drawings of a class in `byDrawing(_:)`.
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

  /// The number of `total` items that go to each held-out part; at least one is left for training.
  func counts(of total: Int) -> (validation: Int, test: Int) {
    func count(_ share: Double, from minimum: Int) -> Int {
      guard share > 0, total >= minimum else { return 0 }
      return max(1, Int((Double(total) * share + 0.5).rounded(.down)))
    }
    let wantedValidation = count(validation, from: test > 0 ? 3 : 2)
    // One is left for training and, if there are enough, one for validation.
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
