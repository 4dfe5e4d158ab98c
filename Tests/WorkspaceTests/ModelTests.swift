import Foundation
import GRDB
import Ink
import Numbers
import Recognition
import Testing

@testable import Workspace

@Suite("Models of a workspace")
struct ModelTests {
  @Test("F-010: the first opening makes one active model, and the next one finds it")
  func firstOpening() async throws {
    let place = Place()
    let first = try await place.open().models()
    #expect(first.map(\.name) == ["My first model"])
    let model = try #require(first.first)
    #expect(model.isActive && model.lastTrained == nil && model.generation == 0)
    #expect(model.labelCount + model.sampleCount + model.untrainedCount == 0)
    #expect(model.refusalRate == 0.1)
    #expect(try await place.open().models() == first)
  }

  @Test("D-001, F-009: a model is made, renamed, made active and deleted; others see each step")
  func lifeOfAModel() async throws {
    let place = Place()
    let (workspace, other) = (try await place.open(), try await place.open())
    let first = try await workspace.activeModel()
    let animals = try await workspace.createModel(named: "  Animals ")
    #expect(animals.name == "Animals")
    #expect(!animals.isActive)
    #expect(try await other.model(animals.id) == animals)
    #expect(try await other.changeModel(animals.id, name: "Tiere").name == "Tiere")
    #expect(try await workspace.changeModel(animals.id, activating: true).isActive)
    #expect(try await other.activeModel().id == animals.id)
    #expect(try await other.model(first.id).isActive == false)
    #expect(try await workspace.changeModel(animals.id, refusalRate: 0.2).refusalRate == 0.2)
    #expect(
      try await other.version(of: animals.id)
        == ModelVersion(generation: 0, lastTrained: nil, refusalRate: 0.2))
    #expect(try await workspace.deleteModel(animals.id).id == first.id)
    #expect(try await other.models().map(\.id) == [first.id])
  }

  @Test("A model is made and made active, or changed in several ways, at once or not at all")
  func changingTogether() async throws {
    let workspace = try await Place().open()
    let first = try await workspace.activeModel()
    await refused(.createModel, .nameTaken(first.name)) {
      try await workspace.createModel(named: first.name, activating: true)
    }
    let second = try await workspace.createModel(named: "second", activating: true)
    #expect(second.isActive)
    await refused(.changeModel, .nameTaken(second.name)) {
      try await workspace.changeModel(
        first.id, name: second.name, refusalRate: 0.2, activating: true)
    }
    await refused(.changeModel, .invalidNumber("a refusal rate is in 0.0...0.5")) {
      try await workspace.changeModel(first.id, name: "x", refusalRate: 2, activating: true)
    }
    #expect(try await workspace.models() == [with(first) { $0.isActive = false }, second])
    let changed = try await workspace.changeModel(
      first.id, name: "x", refusalRate: 0.2, activating: true)
    #expect(changed.name == "x" && changed.refusalRate == 0.2 && changed.isActive)
    #expect(try await workspace.models().map(\.isActive) == [true, false])
  }

  /// A value with a change.
  private func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var value = value
    change(&value)
    return value
  }

  @Test("A model is found by its id or its name")
  func naming() async throws {
    let workspace = try await Place().open()
    let model = try await workspace.createModel(named: "Zoé")
    #expect(try await workspace.model(named: model.id.uppercased()) == model)
    #expect(try await workspace.model(named: "Zoe\u{301}") == model)
    await refused(.read, .unknownModel("Zo")) { try await workspace.model(named: "Zo") }
  }

  @Test("There is exactly one active model, whatever is done")
  func alwaysOneActive() async throws {
    let workspace = try await Place().open()
    var generator = SeededGenerator(seed: 7)
    for step in 0..<120 {
      let models = try await workspace.models()
      #expect(models.count { $0.isActive } == 1, "after step \(step)")
      let chosen = models[Int(generator.next() % UInt64(models.count))]
      switch generator.next() % 4 {
      case 0, 1: _ = try await workspace.createModel(named: "model \(step)")
      case 2: _ = try await workspace.changeModel(chosen.id, activating: true)
      default: _ = try await workspace.deleteModel(chosen.id)
      }
    }
    let two = "UPDATE model SET isActive = 1"
    _ = try await workspace.createModel(named: "one more")
    #expect(throws: DatabaseError.self, "the database itself would refuse two") {
      try workspace.database.write { try $0.execute(sql: two) }
    }
  }

  @Test("When the active model goes, the one trained last follows, or else the one made last")
  func succession() async throws {
    let (place, workspace) = try await Place.opened()
    let first = try await workspace.activeModel()
    let second = try await workspace.createModel(named: "second")
    let third = try await workspace.createModel(named: "third")
    try await workspace.addSamples(Doodles.additions(2), to: second.id)
    try await workspace.train(second.id)
    #expect(try await workspace.deleteModel(first.id).id == second.id)
    #expect(try await workspace.deleteModel(second.id).id == third.id)
    let fresh = try await workspace.deleteModel(third.id)
    #expect(fresh.name == "My first model")
    #expect(fresh.id != first.id)
    #expect(place.modelFiles.isEmpty, "the trained file went with its model")
  }

  @Test("Deleting one that is not active leaves the active one")
  func deletingAnother() async throws {
    let workspace = try await Place().open()
    let second = try await workspace.createModel(named: "second")
    let active = try await workspace.activeModel()
    #expect(try await workspace.deleteModel(second.id).id == active.id)
  }

  @Test("A name that is empty, too long, invisible or taken is refused, and nothing changes")
  func names() async throws {
    let workspace = try await Place().open()
    let model = try await workspace.activeModel()
    let long = String(repeating: "a", count: 81)
    for (name, reason) in [
      (" \n", WorkspaceError.Reason.nameEmpty), (long, .nameTooLong(limit: 80)),
      (
        String(repeating: "a\u{301}\u{302}\u{303}\u{304}\u{305}", count: 80),
        .nameTooLong(limit: 80)
      ),
      ("a\u{1b}[2J", .nameInvalid), ("a\nb", .nameInvalid), ("a\u{202e}b", .nameInvalid),
      ("a\u{0}b", .nameInvalid),
    ] {
      await refused(.createModel, reason) { try await workspace.createModel(named: name) }
      await refused(.renameModel, reason) { try await workspace.changeModel(model.id, name: name) }
    }
    await refused(.createModel, .nameTaken("My first model")) {
      try await workspace.createModel(named: " My first model")
    }
    let other = try await workspace.createModel(named: String(long.dropLast()))
    await refused(.renameModel, .nameTaken(other.name)) {
      try await workspace.changeModel(model.id, name: other.name)
    }
    #expect(try await workspace.changeModel(model.id, name: model.name) == model, "its own name")
    #expect(try await workspace.models().map(\.name) == [model.name, other.name])
  }

  @Test("What is asked of a model that is not there is refused")
  func unknownModel() async throws {
    let (place, workspace) = try await Place.opened()
    let nowhere = WorkspaceError.Reason.unknownModel("x")
    await refused(.read, nowhere) { try await workspace.model("x") }
    await refused(.read, nowhere) { try await workspace.labels(of: "x") }
    await refused(.read, nowhere) { try await workspace.samples(of: "x") }
    await refused(.read, nowhere) { try await workspace.history(of: "x") }
    await refused(.renameModel, nowhere) { try await workspace.changeModel("x", name: "y") }
    await refused(.deleteModel, nowhere) { try await workspace.deleteModel("x") }
    await refused(.changeModel, nowhere) { try await workspace.changeModel("x", activating: true) }
    await refused(.changeModel, nowhere) { try await workspace.changeModel("x", refusalRate: 0) }
    await refused(.saveSample, nowhere) {
      try await workspace.addSample(Doodles.ink(), label: "a", to: "x")
    }
    await refused(.train, nowhere) { try await workspace.train("x") }
    await refused(.classify, nowhere) { try await workspace.recognizer(of: "x") }
    await refused(.export, nowhere) {
      try await workspace.export(models: ["x"], to: place.path("e"))
    }
    #expect(!FileManager.default.fileExists(atPath: place.path("e")))
  }

  @Test("A version tells trainings apart, also those of an import that has the same number")
  func versions() async throws {
    let (place, workspace, model) = try await Place.fresh(doodles: 2)
    try await workspace.train(model)
    try await workspace.export(models: [model], to: place.path("first"))
    let first = try await workspace.version(of: model)
    try await workspace.addSamples(Doodles.additions(1, from: 9), to: model)
    try await workspace.train(model)
    let second = try await workspace.version(of: model)
    #expect(!second.isSameTraining(as: first))
    try await workspace.deleteModel(model)
    try await workspace.import(from: place.path("first"))
    #expect(try await workspace.version(of: model) == first)
    try await workspace.train(model)
    let other = try await workspace.version(of: model)
    #expect(other.generation == second.generation)
    #expect(other != second && !other.isSameTraining(as: second))
    try await workspace.changeModel(model, refusalRate: 0.2)
    let rated = try await workspace.version(of: model)
    #expect(rated != other && rated.isSameTraining(as: other))
    #expect(try await workspace.snapshot(of: model).model.version == rated)
  }

  @Test("A refusal rate outside 0...0.5 is refused", arguments: [-0.01, 0.51, .nan, .infinity])
  func refusalRates(rate: Double) async throws {
    let workspace = try await Place().open()
    let model = try await workspace.activeModel()
    await refused(.changeModel, .invalidNumber("a refusal rate is in 0.0...0.5")) {
      try await workspace.changeModel(model.id, refusalRate: rate)
    }
  }
}
