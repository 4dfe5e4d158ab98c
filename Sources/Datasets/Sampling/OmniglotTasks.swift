internal import Ink
internal import Support

extension Episodes {
  /// Random one-shot tasks in the style of Omniglot's official runs: some characters of one
  /// alphabet, each with a support drawing by one person and a query drawing by another.
  ///
  /// The alphabet and the person come from the drawings' names: labels such as
  /// "Balinese/character01", ids that end in the person's number such as "0108_01.txt".
  ///
  /// - Parameters:
  ///   - samples: Omniglot's drawings.
  ///   - count: The number of tasks.
  ///   - ways: The number of characters per task.
  ///   - seed: The seed of the random choice.
  /// - Throws: `EpisodeError.tooFewCharacters` when no alphabet has enough characters that two
  ///   people drew.
  public init(
    oneShotWithinAlphabetsOf samples: SampleSet, count: Int, ways: Int = 20, seed: UInt64
  ) throws(EpisodeError) {
    /// The drawings of each person by alphabet and label.
    var people: [String: [String: [String: String]]] = [:]
    for (drawing, index) in zip(samples.drawings, samples.classIndices) {
      let label = samples.classes[index]
      guard let alphabet = Self.alphabet(ofLabel: label),
        let person = Self.person(ofID: drawing.id)
      else { continue }
      if people[alphabet]?[person]?[label] == nil {
        people[alphabet, default: [:]][person, default: [:]][label] = drawing.id
      }
    }
    /// Two people and the characters that both drew, in a fixed order.
    struct Pair {
      var alphabet: String
      var labels: [String]
      var taught: [String: String]
      var asked: [String: String]
    }
    var pairsByAlphabet: [[Pair]] = []
    var most = 0
    for (alphabet, drawings) in people.sorted(by: { $0.key < $1.key }) {
      let sorted = drawings.sorted { $0.key < $1.key }
      var pairs: [Pair] = []
      for (teacher, taught) in sorted {
        for (asker, asked) in sorted where asker != teacher {
          let labels = taught.keys.filter { asked[$0] != nil }.sorted()
          most = max(most, labels.count)
          guard labels.count >= ways else { continue }
          pairs.append(Pair(alphabet: alphabet, labels: labels, taught: taught, asked: asked))
        }
      }
      if !pairs.isEmpty { pairsByAlphabet.append(pairs) }
    }
    guard !pairsByAlphabet.isEmpty else {
      throw .tooFewCharacters(needed: ways, found: most)
    }
    self.init(
      (0..<count).map { number in
        var generator = SeededGenerator(seed: seed, stream: number)
        let pair = generator.pick(generator.pick(pairsByAlphabet))
        let labels = generator.permutation(pair.labels.count).prefix(ways).map { pair.labels[$0] }
        func examples(_ ids: [String: String]) -> [Example] {
          labels.compactMap { label in ids[label].map { Example(id: $0, label: label) } }
        }
        return Episode(support: examples(pair.taught), query: examples(pair.asked))
      })
  }

  /// "Balinese" of "Balinese/character01"; nil for a label without a folder.
  public static func alphabet(ofLabel label: String) -> String? {
    guard let slash = label.lastIndex(of: "/"), slash != label.startIndex else { return nil }
    return String(label[..<slash])
  }

  /// "01" of "Balinese/character01/0108_01.txt"; nil if no number follows the last "_".
  static func person(ofID id: String) -> String? {
    let name = id.hasSuffix(".txt") ? id.dropLast(4) : id[...]
    guard let mark = name.lastIndex(of: "_") else { return nil }
    let number = name[name.index(after: mark)...]
    return !number.isEmpty && number.allSatisfy(\.isNumber) ? String(number) : nil
  }
}
