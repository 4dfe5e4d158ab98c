/// A reader's notes about a file, such as ink that was left out or a column that was not used:
/// distinct sentences without the file's name.
public struct ReadingNotes: Hashable, Sendable {
  /// The maximum number of sentences about a file; further ones are dropped.
  public static let most = 16

  /// The sentences in the order in which they were added.
  public private(set) var texts: [String] = []

  /// No notes.
  public init() {}

  /// Adds a sentence, which begins in lower case and has no full stop.
  public mutating func add(_ text: String) {
    guard texts.count < Self.most, !texts.contains(text) else { return }
    texts.append(text)
  }
}

/// The notes about many files, grouped by their text, so that a folder of thousands of files with
/// the same peculiarity takes a few lines.
public struct FileNotes: Sendable {
  /// The maximum number of different sentences kept; further ones are dropped.
  public static let mostTexts = 64
  /// The maximum number of files named for a sentence.
  public static let mostNamed = 3

  private struct Group {
    var text: String
    var paths: [String] = []
    var count = 0
  }

  private var groups: [Group] = []
  private var indexOfText: [String: Int] = [:]

  /// No notes.
  public init() {}

  /// Adds the notes about the file at `path`.
  public mutating func add(_ notes: ReadingNotes, of path: String) {
    for text in notes.texts {
      let index = indexOfText[text] ?? groups.count
      if index == groups.count {
        guard index < Self.mostTexts else { continue }
        indexOfText[text] = index
        groups.append(Group(text: text))
      }
      groups[index].count += 1
      if groups[index].paths.count < Self.mostNamed {
        groups[index].paths.append(path == "-" ? "standard input" : path)
      }
    }
  }

  /// The notes in lines for people: "Note: a.svg: …", and how many more files each is about.
  public var lines: [String] {
    groups.flatMap { group in
      let more = group.count - group.paths.count
      return group.paths.map { "Note: \($0): \(group.text)" }
        + (more > 0 ? ["Note: \(more) more \(more == 1 ? "file" : "files"): \(group.text)"] : [])
    }
  }
}
