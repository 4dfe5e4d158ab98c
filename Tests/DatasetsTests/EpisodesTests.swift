import Datasets
import Files
import Foundation
import Ink
import TestTools
import Testing

@Suite("Episodes")
struct EpisodesTests {
  @Test("Tasks have the asked-for shape, and no drawing is both taught and asked for")
  func shape() throws {
    let set = try samples([Int](repeating: 9, count: 12))
    let labelOf = Dictionary(uniqueKeysWithValues: set.drawings.map { ($0.id, $0.label) })
    let tasks = try Episodes(
      drawnFrom: set, count: 30, ways: 5, shots: 3, queries: 4, unknowns: 7, seed: 2)
    #expect(tasks.episodes.count == 30)
    for task in tasks.episodes {
      let labels = Set(task.support.map(\.label))
      #expect(labels.count == 5)
      #expect(task.support.count == 15)
      #expect(task.query.count == 20)
      #expect(task.unknown.count == 7)
      #expect(Set((task.support + task.query).map(\.id)).count == 35)
      for example in task.support + task.query { #expect(labelOf[example.id] == example.label) }
      for id in task.unknown { #expect(!labels.contains(labelOf[id].flatMap { $0 } ?? "")) }
    }
    #expect(Set(tasks.episodes.map { $0.support[0].id }).count > 5)
  }

  @Test("The same seed gives the same tasks; another seed, or more tasks, changes nothing else")
  func seeds() throws {
    let set = try samples([Int](repeating: 8, count: 8))
    func tasks(_ count: Int, _ seed: UInt64) throws -> Episodes {
      try Episodes(drawnFrom: set, count: count, ways: 4, shots: 2, queries: 3, seed: seed)
    }
    #expect(try tasks(5, 1) == tasks(5, 1))
    #expect(try tasks(5, 1) != tasks(5, 2))
    #expect(try Array(tasks(9, 1).episodes.prefix(5)) == tasks(5, 1).episodes)
  }

  @Test("One more label may have another number of taught drawings; the others stay as they are")
  func extraShots() throws {
    let set = try samples([Int](repeating: 8, count: 8))
    func tasks(_ extraShots: Int?) throws -> [Episodes.Episode] {
      try Episodes(
        drawnFrom: set, count: 6, ways: 4, shots: 3, extraShots: extraShots, queries: 2,
        unknowns: 5, seed: 3
      ).episodes
    }
    for (plain, more) in zip(try tasks(nil), try tasks(1)) {
      #expect(Array(more.support.prefix(12)) == plain.support)
      #expect(more.support.count == 13 && more.query.count == 10)
      let labels = Set(more.support.map(\.label))
      #expect(labels.count == 5)
      #expect(labels == Set(more.query.map(\.label)))
    }
    #expect(throws: EpisodeError.tooFewLabels(needed: 9, perLabel: 5, found: 8)) {
      try Episodes(
        drawnFrom: set, count: 1, ways: 8, shots: 3, extraShots: 1, queries: 2, seed: 1)
    }
    #expect(throws: EpisodeError.tooFewLabels(needed: 3, perLabel: 9, found: 0)) {
      try Episodes(
        drawnFrom: set, count: 1, ways: 2, shots: 1, extraShots: 7, queries: 2, seed: 1)
    }
  }

  @Test("Too few labels or drawings are refused with what is needed")
  func tooFew() throws {
    let set = try samples([Int](repeating: 6, count: 4))
    #expect(throws: EpisodeError.tooFewLabels(needed: 5, perLabel: 4, found: 4)) {
      try Episodes(drawnFrom: set, count: 1, ways: 5, shots: 2, queries: 2, seed: 1)
    }
    #expect(throws: EpisodeError.tooFewLabels(needed: 3, perLabel: 8, found: 0)) {
      try Episodes(drawnFrom: set, count: 1, ways: 3, shots: 4, queries: 4, seed: 1)
    }
    #expect(throws: EpisodeError.self) {
      try Episodes(drawnFrom: set, count: 1, ways: 4, shots: 1, queries: 1, unknowns: 1, seed: 1)
    }
  }

  @Test("The JSON form is read as documented; what is not is named")
  func json() throws {
    let folder = try TemporaryFolder()
    let path = try folder.put(
      #"{"episodes":[{"support":[{"id":"a","label":"cat"}],"query":[{"id":"b","label":"cat"}]}]}"#,
      "tasks.json")
    let cat = Episodes.Example(id: "a", label: "cat")
    #expect(
      try Episodes(path: path).episodes == [
        .init(support: [cat], query: [.init(id: "b", label: "cat")])
      ])
    try AtomicFile.write(#"{"episodes":[{"support":[{"label":"cat"}],"query":[]}]}"#, to: path)
    let error = refusal { try Episodes(path: path) }
    #expect(error.contains("episodes[0].support[0].id is missing; docs/"))
  }

  @Test(
    "A file without tasks, or with one that cannot run, is refused with its number and advice",
    arguments: [
      ("", "it is not JSON: byte 0: the text ends where a value is due"),
      (#"{"tasks":[]}"#, "episodes is missing"), ("[]", "it must be an object"),
      (#"{"episodes":[{"support":{},"query":[]}]}"#, "episodes[0].support must be a list"),
      (#"{"episodes":[]}"#, "its list of episodes is empty; write tasks with --save-episodes"),
      (#"{"episodes":[GOOD,{"support":[],"query":[B]}]}"#, "episodes[1] teaches nothing"),
      (#"{"episodes":[{"support":[A],"query":[]}]}"#, "episodes[0] asks nothing"),
      (
        #"{"episodes":[{"support":[A],"query":[{"id":"b","label":"dog"}]}]}"#,
        "episodes[0] asks for dog (drawing b), which it does not teach"
      ),
      (
        #"{"episodes":[GOOD,{"support":[A,A],"query":[B]}]}"#, "episodes[1] teaches a drawing twice"
      ),
      (
        #"{"episodes":[GOOD,{"support":[A],"query":[{"id":"a","label":"cat"}]}]}"#,
        "episodes[1] asks for the drawing a, which it teaches"
      ),
      (
        #"{"episodes":[{"support":[A],"query":[B],"unknown":["c","a"]}]}"#,
        "episodes[0] has the drawing a under both"
      ),
      (
        #"{"episodes":[{"support":[{"id":"a","label":" "}],"query":[B]}]}"#,
        "episodes[0] has a drawing without a label"
      ),
    ])
  func malformed(text: String, message: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("tasks.json")
    try AtomicFile.write(
      text.replacing("GOOD", with: #"{"support":[A],"query":[B]}"#)
        .replacing("[A", with: #"[{"id":"a","label":"cat"}"#)
        .replacing(",A]", with: #",{"id":"a","label":"cat"}]"#)
        .replacing("[B]", with: #"[{"id":"b","label":"cat"}]"#), to: path)
    let error = #expect(throws: FileError.self) { try Episodes(path: path) }
    #expect(error?.path == path)
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test("Written tasks are read back, and the same tasks are the same bytes")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let tasks = try Episodes(
      drawnFrom: samples([Int](repeating: 6, count: 6)), count: 4, ways: 3, shots: 2, queries: 2,
      unknowns: 3, seed: 5)
    try tasks.write(to: folder.file("a.json"))
    try Episodes(path: folder.file("a.json")).write(to: folder.file("b.json"))
    #expect(try Episodes(path: folder.file("b.json")) == tasks)
    #expect(
      try AtomicFile.read(folder.file("a.json")) == AtomicFile.read(folder.file("b.json")))
  }
}
