internal import Ink
internal import Numbers

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
    /// The people of an alphabet in a fixed order, each with the drawings by label, and the pairs
    /// of them with enough characters that both drew.
    struct Alphabet {
      var people: [[String: String]]
      var pairs: [(teacher: Int32, asker: Int32)] = []

      func labels(_ pair: (teacher: Int32, asker: Int32)) -> [String] {
        people[Int(pair.teacher)].keys.filter { people[Int(pair.asker)][$0] != nil }
      }
    }
    var alphabets: [Alphabet] = []
    var most = 0
    for (_, drawings) in people.sorted(by: { $0.key < $1.key }) {
      // Those with enough characters first.
      let chosen = drawings.sorted {
        ($0.value.count < ways ? 1 : 0, $0.key) < ($1.value.count < ways ? 1 : 0, $1.key)
      }
      let sorted = chosen.prefix(Self.mostPeople).sorted { $0.key < $1.key }
      var alphabet = Alphabet(people: sorted.map(\.value))
      for teacher in sorted.indices {
        for asker in sorted.indices where asker != teacher {
          let pair = (teacher: Int32(teacher), asker: Int32(asker))
          let shared = alphabet.labels(pair).count
          most = max(most, shared)
          if shared >= ways { alphabet.pairs.append(pair) }
        }
      }
      if !alphabet.pairs.isEmpty { alphabets.append(alphabet) }
    }
    guard !alphabets.isEmpty else {
      throw .tooFewCharacters(needed: ways, found: most)
    }
    self.init(
      (0..<count).map { number in
        var generator = SeededGenerator(seed: seed, stream: number)
        let alphabet = generator.pick(alphabets)
        let pair = generator.pick(alphabet.pairs)
        let shared = alphabet.labels(pair).sorted()
        let labels = generator.permutation(shared.count).prefix(ways).map { shared[$0] }
        func examples(_ person: Int32) -> [Example] {
          let ids = alphabet.people[Int(person)]
          return labels.compactMap { label in ids[label].map { Example(id: $0, label: label) } }
        }
        return Episode(support: examples(pair.teacher), query: examples(pair.asker))
      })
  }

  /// Of more people of an alphabet only the first take part: every two of them are compared.
  /// Omniglot has 20.
  private static let mostPeople = 1000

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
