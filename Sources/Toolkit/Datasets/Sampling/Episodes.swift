public import Files
internal import Ink
internal import JSON
internal import Numbers
public import Text

/// Few-shot tasks: in each, labels are taught with a few support drawings and tested with others.
///
/// With the JSON form, two systems can run exactly the same tasks.
public struct Episodes: Codable, Hashable, Sendable {
  /// A drawing's id, and the label that it has in the task.
  public struct Example: Codable, Hashable, Sendable {
    /// The drawing's id.
    public var id: String
    /// Its label.
    public var label: String

    /// A labeled id.
    public init(id: String, label: String) {
      self.id = id
      self.label = label
    }
  }

  /// One task.
  public struct Episode: Codable, Hashable, Sendable {
    /// The support drawings, which are taught.
    public var support: [Example]
    /// The query drawings, of the same labels.
    public var query: [Example]
    /// Ids of drawings of other labels, which should be rejected.
    public var unknown: [String]

    /// A task.
    public init(support: [Example], query: [Example], unknown: [String] = []) {
      self.support = support
      self.query = query
      self.unknown = unknown
    }

    /// Decodes a task; `unknown` may be absent.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      support = try container.decode([Example].self, forKey: .support)
      query = try container.decode([Example].self, forKey: .query)
      unknown = try container.decodeIfPresent([String].self, forKey: .unknown) ?? []
    }
  }

  /// The tasks.
  public var episodes: [Episode]

  /// The given tasks.
  public init(_ episodes: [Episode]) {
    self.episodes = episodes
  }

  /// The tasks in the JSON file at `path`.
  ///
  /// - Throws: `FileError` when it cannot be read, is not a list of tasks, or a task cannot be run;
  ///   it names the task, counted from 0 as in JSON.
  public init(path: String) throws(FileError) {
    let bytes = try AtomicFile.read(path)
    func fault(_ what: String) -> FileError {
      FileError(reading: path, what)
    }
    do throws(JSONFault) {
      self = try JSONDocument.decode(Episodes.self, from: bytes)
    } catch {
      throw fault("\(error); docs/FORMATS.md says what a file of episodes holds")
    }
    guard !episodes.isEmpty else {
      throw fault("its list of episodes is empty; write tasks with --save-episodes")
    }
    for (number, episode) in episodes.enumerated() {
      if let flaw = episode.fault { throw fault("episodes[\(number)] \(flaw)") }
    }
  }

  /// Writes the tasks to the JSON file at `path`; the same tasks give the same bytes.
  ///
  /// - Throws: `FileError` when it cannot be written.
  public func write(to path: String) throws(FileError) {
    do {
      try AtomicFile.write(jsonText(self).visibleJSON + "\n", to: path)
    } catch let error as FileError {
      throw error
    } catch {
      throw FileError(writing: path, "\(error)")
    }
  }

  /// Random tasks from labeled drawings.
  ///
  /// - Parameters:
  ///   - samples: The drawings; labels with too few drawings for a task are excluded.
  ///   - count: The number of tasks.
  ///   - ways: The number of labels per task.
  ///   - shots: The number of support drawings per label.
  ///   - extraShots: The number of support drawings of one more label; nil for no such label.
  ///   - queries: The number of query drawings per label.
  ///   - unknowns: The number of drawings of labels outside the task.
  ///   - seed: The seed of the random choice.
  /// - Throws: `EpisodeError` when there are too few labels with enough drawings.
  public init(
    drawnFrom samples: SampleSet, count: Int, ways: Int, shots: Int, extraShots: Int? = nil,
    queries: Int = 10, unknowns: Int = 0, seed: UInt64
  ) throws(EpisodeError) {
    var members = [[Int]](repeating: [], count: samples.classes.count)
    for (index, label) in samples.classIndices.enumerated() { members[label].append(index) }
    let shotsOfLabels = [Int](repeating: shots, count: ways) + (extraShots.map { [$0] } ?? [])
    let (labels, perLabel) = (shotsOfLabels.count, max(shots, extraShots ?? 0) + queries)
    let usable = members.indices.filter { members[$0].count >= perLabel }
    guard usable.count >= labels, unknowns == 0 || members.count > labels else {
      throw .tooFewLabels(needed: labels, perLabel: perLabel, found: usable.count)
    }
    episodes = (0..<count).map { number in
      var generator = SeededGenerator(seed: seed, stream: number)
      let chosen = generator.permutation(usable.count).prefix(labels).map { usable[$0] }
      var (support, query) = ([Example](), [Example]())
      for (label, shots) in zip(chosen, shotsOfLabels) {
        let order = generator.permutation(members[label].count).map { members[label][$0] }
        func examples(_ indices: ArraySlice<Int>) -> [Example] {
          indices.map { Example(id: samples.drawings[$0].id, label: samples.classes[label]) }
        }
        support += examples(order[..<shots])
        query += examples(order[shots..<(shots + queries)])
      }
      let known = Set(chosen)
      let others = members.indices.filter { !known.contains($0) && !members[$0].isEmpty }
      let unknown = (0..<unknowns).map { _ in
        samples.drawings[generator.pick(members[generator.pick(others)])].id
      }
      return Episode(support: support, query: query, unknown: unknown)
    }
  }
}

/// Why tasks cannot be drawn.
public enum EpisodeError: DescribedError, Equatable {
  /// Too few labels have enough drawings.
  case tooFewLabels(needed: Int, perLabel: Int, found: Int)
  /// No alphabet has enough characters that two people drew.
  case tooFewCharacters(needed: Int, found: Int)

  /// One sentence for people.
  public var description: String {
    switch self {
    case .tooFewLabels(let needed, let perLabel, let found):
      "a task needs \(needed) labels of at least \(perLabel) drawings (and one label more for "
        + "unknown drawings); the samples have \(found)"
    case .tooFewCharacters(let needed, let found):
      """
      a task needs \(needed) characters of one alphabet, each drawn by the same two people; the \
      most are \(found) (labels such as "Greek/character01", ids that end in the drawer's number \
      such as "0394_01")
      """
    }
  }
}

extension Episodes.Episode {
  /// Why the task cannot be run, and what to do; nil if it can.
  fileprivate var fault: String? {
    if support.isEmpty { return "teaches nothing; give its \"support\" drawings" }
    if query.isEmpty { return "asks nothing; give its \"query\" drawings" }
    if (support + query).contains(where: { $0.label.allSatisfy(\.isWhitespace) }) {
      return "has a drawing without a label; write what it shows"
    }
    let taught = Set(support.map(\.id))
    if taught.count < support.count {
      return "teaches a drawing twice; list each once in \"support\""
    }
    if let asked = query.first(where: { taught.contains($0.id) }) {
      return "asks for the drawing \(asked.id), which it teaches; list it under one of the two"
    }
    let labels = Set(support.map(\.label))
    if let other = query.first(where: { !labels.contains($0.label) }) {
      return "asks for \(other.label) (drawing \(other.id)), which it does not teach; "
        + "such drawings belong under \"unknown\""
    }
    if let known = unknown.first(where: taught.contains) {
      return
        """
        has the drawing \(known) under both "support" and "unknown"; an unknown one must not be \
        taught
        """
    }
    return nil
  }
}
