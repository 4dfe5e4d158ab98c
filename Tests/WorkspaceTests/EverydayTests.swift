import Files
import Foundation
import GRDB
import Ink
import Recognition
import Testing

@testable import Workspace

@Suite("Models that know everyday things from the beginning")
struct EverydayTests {
  /// A workspace with an active model that knows circles and crosses from the beginning.
  private func everyday() async throws -> (Place, Workspace, WorkspaceModel) {
    let (place, workspace) = try await Place.opened()
    let model = try await workspace.createModel(
      named: "Everyday things", everyday: true, activating: true)
    return (place, workspace, model)
  }

  @Test("It answers before anything was taught, and has neither labels nor samples of its own")
  func fresh() async throws {
    let (_, workspace, model) = try await everyday()
    #expect(model.isEveryday && model.generation == 0 && model.isTrainable == false)
    #expect(model.labelCount == 0 && model.sampleCount == 0 && model.untrainedCount == 0)
    let recognizer = try await workspace.recognizer(of: model.id)
    #expect(recognizer.labels == ["circle", "cross"])
    let answer = try recognizer.classify(Doodles.drawing("circle", 500)).answer
    #expect(answer.candidates.map(\.label).sorted() == ["circle", "cross"])
    #expect(try await workspace.labels(of: model.id).isEmpty)
    #expect(model.refusalRate == 0.2, "as the base was made")
    let plain = try await workspace.createModel(named: "Plain")
    #expect(plain.isEveryday == false)
    #expect(try await workspace.recognizer(of: plain.id).labels == [])
    #expect(try await workspace.problems() == [])
  }

  @Test(
    "What is taught comes on top, equal to a base that was taught it at once; forgetting undoes")
  func taught() async throws {
    let (_, workspace, model) = try await everyday()
    try await workspace.addSamples(Doodles.additions(3, of: ["line", "cross"]), to: model.id)
    let report = try await workspace.train(model.id)
    #expect(report.labels.map(\.label) == ["cross", "line"])
    #expect(report.labels.map(\.samples) == [3, 3])
    #expect(report.model.untrainedCount == 0 && report.model.labelCount == 2)
    let trained = try await workspace.recognizer(of: model.id)
    #expect(trained.labels == ["circle", "cross", "line"])
    var atOnce = try await Small.everyday.recognizer()
    try await atOnce.update(
      with: ["line", "cross"].flatMap { label in (0..<3).map { Doodles.drawing(label, $0) } })
    #expect(try ModelFile.fingerprint(of: trained) == ModelFile.fingerprint(of: atOnce))
    #expect(try await workspace.problems() == [])

    try await workspace.deleteLabel("line", of: model.id)
    try await workspace.train(model.id)
    #expect(try await workspace.recognizer(of: model.id).labels == ["circle", "cross"])
    try await workspace.deleteLabel("cross", of: model.id)
    let last = try await workspace.train(model.id)
    #expect(last.model.generation == 0 && last.model.isEveryday)
    let forgotten = try await workspace.recognizer(of: model.id)
    #expect(
      try ModelFile.fingerprint(of: forgotten) == (await Small.everyday.fingerprint()),
      "what it knows from the beginning cannot be deleted")
  }

  @Test(
    "It is exported and imported whole; another base in its file, or given to a plain one, is not")
  func transferred() async throws {
    let (place, workspace, model) = try await everyday()
    try await workspace.addSamples(Doodles.additions(2, of: ["line"]), to: model.id)
    try await workspace.train(model.id)
    try await workspace.export(models: [model.id], to: place.path("one"))
    let copy = try await place.open(in: "copy")
    let added = try await copy.import(from: place.path("one")).added
    #expect(added.map(\.isEveryday) == [true])
    #expect(try await copy.recognizer(of: model.id).labels == ["circle", "cross", "line"])
    #expect(try await copy.import(from: place.path("one")).unchanged.map(\.id) == [model.id])
    #expect(try await workspace.import(from: place.path("one")).unchanged.map(\.id) == [model.id])

    for (change, words) in [
      ("isEveryday = 0", "a trained model's file and rows have different samples"),
      ("base = '\(try await Small.base.fingerprint())', isEveryday = 0", "different samples"),
    ] {
      try place.edit("one") { try $0.execute(sql: "UPDATE model SET \(change)") }
      let other = try await place.open(in: "other")
      let error = await #expect(throws: WorkspaceError.self, "\(change)") {
        try await other.import(from: place.path("one"))
      }
      #expect(error?.description.contains(words) == true, "\(error as Any)")
    }
  }

  @Test("What is rescued of it, and made again by a later release, keeps what was taught on top")
  func rescued() async throws {
    let (place, workspace, model) = try await everyday()
    try await workspace.addSamples(Doodles.additions(2, of: ["line"]), to: model.id)
    try await workspace.train(model.id)
    try place.rescue()
    let copy = try await place.open(in: "copy")
    #expect(try await copy.import(from: place.path("rescued")).added.contains { $0.isEveryday })
    #expect(try await copy.recognizer(of: model.id).labels == ["circle", "cross", "line"])
    try await workspace.execute(
      "UPDATE model SET base = '\(String(repeating: "0", count: 64))' WHERE base > ''")
    try await workspace.train(model.id)
    #expect(try await workspace.recognizer(of: model.id).labels == ["circle", "cross", "line"])
  }

  @Test("A trained file that is another model's, with another base, is taught again")
  func swapped() async throws {
    let (place, workspace, model) = try await everyday()
    try await workspace.addSamples(Doodles.additions(2, of: ["line"]), to: model.id)
    let plain = try await workspace.createModel(named: "Plain")
    try await workspace.addSamples(Doodles.additions(2), to: plain.id)
    for id in [model.id, plain.id] { try await workspace.train(id) }
    let files = [model.id, plain.id].map { place.path("data/models/\($0)-1.drawml") }
    let bytes = try files.map { try AtomicFile.read($0) }
    for (path, other) in zip(files, bytes.reversed()) { try AtomicFile.write(other, to: path) }
    for id in [model.id, plain.id] { try await workspace.train(id) }
    #expect(try await workspace.recognizer(of: model.id).labels == ["circle", "cross", "line"])
    #expect(try await workspace.problems() == [])
    try await workspace.export(to: place.path("all"))
    #expect(try await place.open(in: "copy").import(from: place.path("all")).added.count == 3)
  }
}
