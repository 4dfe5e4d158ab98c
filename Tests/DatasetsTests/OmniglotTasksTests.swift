import Datasets
import Files
import Foundation
import Ink
import Pictures
import TestTools
import Testing

@Suite("Omniglot tasks from strokes")
struct OmniglotTasksTests {
  /// Characters of two alphabets, each by `people` people; the second alphabet is short.
  private func samples(people: Int) throws -> SampleSet {
    try SampleSet(
      [("Long", 6), ("Short", 3)].flatMap { alphabet, characters in
        (1...characters).flatMap { character in
          (1...people).map { person in
            let label = "\(alphabet)/character0\(character)"
            return Drawing(
              id: "\(label)/00\(character)_0\(person).txt", label: label,
              strokes: [Stroke([Point(x: Double(character), y: Double(person))])])
          }
        }
      })
  }

  @Test("One alphabet a task, one person teaches, another is asked for")
  func shape() throws {
    let tasks = try Episodes(
      oneShotWithinAlphabetsOf: samples(people: 3), count: 40, ways: 3, seed: 1)
    var teachers = Set<Substring>()
    var alphabets = Set<Substring>()
    for task in tasks.episodes {
      #expect(task.support.count == 3 && task.query.count == 3 && task.unknown.isEmpty)
      #expect(task.support.map(\.label) == task.query.map(\.label))
      let names = task.support.map { $0.label.prefix { $0 != "/" } }
      #expect(Set(names).count == 1)
      let teacher = Set(task.support.map { $0.id.suffix(6) })
      let asked = Set(task.query.map { $0.id.suffix(6) })
      #expect(teacher.count == 1 && asked.count == 1 && teacher != asked)
      for example in task.support + task.query { #expect(example.id.hasPrefix(example.label)) }
      teachers.formUnion(teacher)
      alphabets.formUnion(names)
    }
    #expect(teachers.count == 3)
    #expect(alphabets == ["Long", "Short"])
  }

  @Test("The same seed gives the same tasks; alphabets that are too short are left out")
  func seeds() throws {
    let set = try samples(people: 2)
    func tasks(_ seed: UInt64) throws -> Episodes {
      try Episodes(oneShotWithinAlphabetsOf: set, count: 5, ways: 4, seed: seed)
    }
    #expect(try tasks(1) == tasks(1))
    #expect(try tasks(1) != tasks(2))
    #expect(try tasks(1).episodes.allSatisfy { $0.support[0].label.hasPrefix("Long/") })
  }

  @Test("Too few characters, and drawings that are no Omniglot, are refused with what is needed")
  func tooFew() throws {
    #expect(throws: EpisodeError.tooFewCharacters(needed: 7, found: 6)) {
      try Episodes(oneShotWithinAlphabetsOf: samples(people: 2), count: 1, ways: 7, seed: 1)
    }
    #expect(throws: EpisodeError.tooFewCharacters(needed: 2, found: 0)) {
      try Episodes(oneShotWithinAlphabetsOf: samples(people: 1), count: 1, ways: 2, seed: 1)
    }
    let stars = try SampleSet([
      Drawing(id: "star", label: "star", strokes: [Stroke([Point(x: 0, y: 0)])])
    ])
    #expect(throws: EpisodeError.tooFewCharacters(needed: 2, found: 0)) {
      try Episodes(oneShotWithinAlphabetsOf: stars, count: 1, ways: 2, seed: 1)
    }
  }
}

@Suite("Omniglot's official runs")
struct OmniglotRunsTests {
  /// A run's folder with empty pictures and the given list.
  private func write(
    _ list: String, in folder: borrowing TemporaryFolder, _ place: String,
    pictures: [String] = [
      "training/class01.png", "training/class02.png", "test/item01.png", "test/item02.png",
    ]
  ) throws {
    let base = folder.file(place)
    for part in ["training", "test"] {
      try FileManager.default.createDirectory(
        atPath: "\(base)/\(part)", withIntermediateDirectories: true)
    }
    for picture in pictures { try AtomicFile.write([], to: "\(base)/\(picture)") }
    try AtomicFile.write(list, to: base + "/class_labels.txt")
  }

  private static let usual = """
    run01/test/item01.png run01/training/class02.png
    run01/test/item02.png run01/training/class01.png

    """

  @Test("Runs are found below any folder, and become tasks")
  func usual() throws {
    let folder = try TemporaryFolder()
    try write(Self.usual.replacing("run01", with: "run02"), in: folder, "all_runs/run02")
    try write(Self.usual, in: folder, "all_runs/run01")
    for place in [".", "all_runs", "all_runs/"] {
      let runs = try OmniglotRuns(folder: folder.file(place))
      #expect(runs.runs.map(\.name) == ["run01", "run02"])
      #expect(runs.runs[0].training.map(\.label) == ["run01/class01", "run01/class02"])
      #expect(runs.runs[0].test.map(\.label) == ["run01/class02", "run01/class01"])
      #expect(runs.runs[0].test[0].id == "run01/test/item01")
      #expect(AtomicFile.exists(runs.runs[1].training[0].path))
      let task = runs.episodes.episodes[1]
      #expect(task.support.map(\.id) == ["run02/training/class01", "run02/training/class02"])
      #expect(task.query[0] == .init(id: "run02/test/item01", label: "run02/class02"))
    }
    #expect(try OmniglotRuns(folder: folder.file("all_runs/run01")).runs.map(\.name) == ["run01"])
  }

  @Test(
    "Paths may be relative to the run or to a folder above, and in the other order",
    arguments: [
      "test/item01.png training/class02.png\ntest/item02.png\ttraining/class01.png",
      "./test/item01.png ./training/class02.png\r\ntest/item02.png training/class01.png\r\n",
      "all_runs/run01/test/item01.png all_runs/run01/training/class02.png\n"
        + "other/test/item02.png other/training/class01.png",
      "run01/training/class02.png run01/test/item01.png\n\ntraining/class01.png test/item02.png",
    ])
  func liberal(list: String) throws {
    let folder = try TemporaryFolder()
    try write(list, in: folder, "run01")
    let runs = try OmniglotRuns(folder: folder.path)
    #expect(runs.runs[0].test.map(\.label) == ["run01/class02", "run01/class01"])
  }

  @Test(
    "What is missing is named, with the line",
    arguments: [
      ("run01/test/item03.png run01/training/class01.png", "line 1: there is no test/item03.png"),
      ("\nrun01/test/item01.png", "line 2: a test picture and a training picture are needed"),
      ("run01/test/item01.png run01/test/item02.png", "line 1: test/item02.png is not a training"),
      ("\n\n", "there are no lines"),
    ])
  func missing(list: String, message: String) throws {
    let folder = try TemporaryFolder()
    try write(list, in: folder, "run01")
    let path = folder.path
    let error = #expect(throws: FileError.self) { try OmniglotRuns(folder: path) }
    #expect(error?.path.hasSuffix("run01/class_labels.txt") == true)
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test("A folder without runs, a file and nothing at all are three errors")
  func noRuns() throws {
    let folder = try TemporaryFolder()
    try AtomicFile.write("x", to: folder.file("file"))
    for (name, message) in [
      ("", "there is no class_labels.txt"), ("file", "it is not a folder"),
      ("none", "No such file"),
    ] {
      let path = folder.file(name)
      let error = refusal { try OmniglotRuns(folder: path) }
      #expect(error.contains(message))
    }
  }
}
