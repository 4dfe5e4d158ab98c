import Files
import Foundation
import GRDB
import Ink
import Recognition
import Synchronization
import Testing

@testable import Workspace

@Suite("Training in a workspace")
struct TrainTests {
  @Test("A model that was never trained is the base, untaught, with its own refusal rate")
  func untaught() async throws {
    let (_, workspace, model) = try await Place.fresh()
    try await workspace.changeModel(model, refusalRate: 0.2)
    let recognizer = try await workspace.recognizer(of: model)
    #expect(recognizer.labels.isEmpty)
    #expect(recognizer.policy.refusalRate == 0.2)
  }

  @Test("F-004: without samples training fails in the requirement's words, and the model stays")
  func noSamples() async throws {
    let (_, workspace, model) = try await Place.fresh()
    await refused(.train, .noSamples) { try await workspace.train(model) }
    #expect(
      WorkspaceError(.train, .noSamples).message == "Training failed. Try with more samples.")
    try await workspace.addSamples(Doodles.additions(2), to: model)
    try await workspace.deleteSamples(
      try await workspace.samples(of: model).map(\.id), of: model)
    await refused(.train, .noSamples) { try await workspace.train(model) }
  }

  @Test(
    "With all samples deleted, the next training makes the model what it was before its first"
  )
  func forgetsAll() async throws {
    let (place, workspace) = try await Place.opened()
    let fresh = try await workspace.activeModel()
    let model = fresh.id
    try await workspace.addSamples(Doodles.additions(2), to: model)
    try await workspace.train(model)
    let first = try AtomicFile.read(place.path("data/models/\(model)-1.drawml"))
    for label in Doodles.labels { try await workspace.deleteLabel(label, of: model) }
    // Until then it knows them all.
    #expect(try await workspace.recognizer(of: model).labels == Doodles.labels)
    #expect(try await workspace.model(model).untrainedCount == 8, "eight that were removed")
    #expect(try await workspace.labels(of: model).map(\.taughtCount) == [2, 2, 2, 2])
    #expect(try await workspace.labels(of: model).map(\.sampleCount) == [0, 0, 0, 0])
    let stopped = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await workspace.train(model)
    }
    await #expect(throws: CancellationError.self) { try await stopped.value }
    #expect(place.modelFiles == ["\(model)-1.drawml"])

    let report = try await workspace.train(model, refusalRate: 0.2)
    #expect((report.samples, report.added, report.removed) == (0, 0, 8) && report.labels.isEmpty)
    var expected = fresh
    expected.refusalRate = 0.2
    #expect(report.model == expected)
    #expect(try await workspace.model(model) == expected)
    #expect(place.modelFiles == [])
    #expect(try await workspace.labels(of: model) == [])
    #expect(try await workspace.recognizer(of: model).labels == [])
    await refused(.read, .noReport) { try await workspace.report(of: model) }
    await refused(.train, .noSamples) { try await workspace.train(model) }
    #expect(try await workspace.problems() == [])

    // It is exported like any untrained model, and trains again as if for the first time.
    try await workspace.export(to: place.path("all"))
    let copy = try await place.open(in: "copy", importing: "all")
    #expect(try await copy.recognizer(of: model).labels == [])
    try await workspace.addSamples(Doodles.additions(2), to: model)
    try await workspace.train(model, refusalRate: fresh.refusalRate)
    #expect(try AtomicFile.read(place.path("data/models/\(model)-1.drawml")) == first)
  }

  @Test("A refusal rate that is given with a training changes with it, or not at all")
  func refusalRate() async throws {
    let (_, workspace, model) = try await Place.fresh()
    await refused(.train, .noSamples) { try await workspace.train(model, refusalRate: 0.3) }
    try await workspace.addSamples(Doodles.additions(2), to: model)
    await refused(.train, .invalidNumber("a refusal rate is in 0.0...0.5")) {
      try await workspace.train(model, refusalRate: 0.6)
    }
    let training = Task {
      try await workspace.train(model, refusalRate: 0.3) { step in
        if step.stage == .judging { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await training.value }
    #expect(try await workspace.model(model).refusalRate == 0.1)
    #expect(try await workspace.train(model, refusalRate: 0.3).model.refusalRate == 0.3)
    #expect(try await workspace.recognizer(of: model).policy.refusalRate == 0.3)
    #expect(try await workspace.train(model).model.refusalRate == 0.3)
  }

  @Test("F-004, B-006: what was taught in steps equals what is taught at once, byte for byte")
  func exactness() async throws {
    let (place, workspace, model) = try await Place.fresh(doodles: 4)
    let first = try await workspace.train(model, threads: 2)
    #expect(first.added == 16)
    #expect(first.model.generation == 1)
    #expect(first.model.untrainedCount == 0)
    // Added, deleted, relabeled, renamed, and an id that was given to other ink.
    try await workspace.addSamples(Doodles.additions(2, from: 4), to: model)
    try await workspace.deleteSamples(["line-0", "cross-1"], of: model)
    try await workspace.relabelSample("circle-3", to: "zigzag", of: model)
    try await workspace.changeLabel("line", to: "➖", of: model)
    try await workspace.addSample(
      Doodles.ink("line", 9), label: "➖", id: "line-0", to: model)
    #expect(try await workspace.model(model).untrainedCount == 8 + 1 + 1 + 4)
    let second = try await workspace.train(model)
    #expect(second.model.generation == 2)
    #expect(second.model.untrainedCount == 0)
    #expect((second.added, second.relabeled, second.removed) == (8, 5, 1))
    #expect(place.modelFiles == ["\(model)-2.drawml"], "the old file is gone")
    let samples = try await workspace.samples(of: model, limit: 1000)
    #expect(samples.allSatisfy { $0.isTaught })

    var scratch = try await Small.base.recognizer()
    try await scratch.update(with: samples.map(\.drawing).reversed())
    try scratch.adapt()
    try ModelFile.write(scratch, to: place.path("scratch.drawml"))
    #expect(
      try AtomicFile.read(place.path("data/models/\(model)-2.drawml"))
        == AtomicFile.read(place.path("scratch.drawml")))
  }

  @Test("Training again without a change gives the same bytes")
  func again() async throws {
    let (place, workspace, model) = try await Place.fresh(doodles: 3)
    try await workspace.train(model)
    let first = try AtomicFile.read(place.path("data/models/\(model)-1.drawml"))
    let report = try await workspace.train(model)
    #expect((report.added, report.relabeled, report.removed) == (0, 0, 0))
    #expect(report.labels.allSatisfy { $0.change == .same })
    #expect(try AtomicFile.read(place.path("data/models/\(model)-2.drawml")) == first)
  }

  @Test("The shares are those of samples that were left out and then asked for")
  func honestShares() async throws {
    let (_, workspace, model) = try await Place.fresh(doodles: 3)
    // One drawing of its own label, one under a wrong one.
    try await workspace.addSample(Doodles.ink("line", 20), label: "alone", id: "alone", to: model)
    try await workspace.addSample(Doodles.ink("cross", 21), label: "line", id: "wrong", to: model)
    let report = try await workspace.train(model)
    let recognizer = try await workspace.recognizer(of: model)
    var right: [String: Int] = [:]
    var (mistakes, refusals) = (Set<String>(), Set<String>())
    let answers = try await recognizer.leaveOneOutAnswers()
    for (sample, answer) in zip(recognizer.memory.samples, answers) where sample.label != "alone" {
      switch answer.decision {
      case .recognized(let best) where best.label == sample.label:
        right[sample.label, default: 0] += 1
      case .recognized: mistakes.insert(sample.id)
      case .unrecognized: refusals.insert(sample.id)
      }
    }
    #expect(report.labels.map(\.label) == ["alone", "circle", "cross", "line", "zigzag"])
    #expect(report.labels.map(\.samples) == [1, 3, 3, 4, 3])
    #expect(report.labels.map(\.shares.judged) == [0, 3, 3, 4, 3])
    #expect(report.labels[0].shares == .init(judged: 0))
    #expect(report.labels[0].change == .unknown)
    for label in report.labels.dropFirst() {
      #expect(
        label.shares.recognized
          == Double(right[label.label] ?? 0) / Double(label.shares.judged), "\(label.label)")
      #expect(label.shares.known == nil)
      #expect(label.shares.added?.judged == label.shares.judged)
      #expect(label.change == .new)
    }
    #expect(Set(report.mistakes.map(\.sample)) == mistakes)
    #expect(Set(report.refusals.map(\.sample)) == refusals)
    #expect(report.samples == 14)
    #expect(report.shares.judged == 13)
    #expect(report.shares.recognized == Double(right.values.reduce(0, +)) / 13)
  }

  @Test(
    "Before and now are compared on samples that both were taught, each left out in turn"
  )
  func beforeAndAfter() async throws {
    let (_, workspace, model) = try await Place.fresh()
    try await workspace.addSamples(Doodles.additions(4, of: ["circle", "line"]), to: model)
    try await workspace.addSample(Doodles.ink("cross", 0), label: "cross", id: "one", to: model)
    try await workspace.train(model)
    let before = try await workspace.recognizer(of: model)
    try await workspace.addSamples(
      Doodles.additions(3, from: 4, of: ["circle", "cross", "zigzag"]), to: model)
    // One that was known under another label is new under this one.
    try await workspace.relabelSample("line-0", to: "circle", of: model)
    let report = try await workspace.train(model)
    let after = try await workspace.recognizer(of: model)
    #expect(report.labels.map(\.label) == ["circle", "cross", "line", "zigzag"])
    #expect(report.labels.map(\.shares.judged) == [8, 4, 3, 3])
    #expect(report.labels.map(\.shares.known?.judged) == [4, nil, 3, nil])
    #expect(report.labels.map(\.shares.added?.judged) == [4, 3, nil, 3])
    /// The share of some samples that a recognizer recognizes after it forgot each.
    func share(_ ids: [String], _ label: String, by recognizer: Recognizer) async throws -> Double {
      let answers = try await recognizer.leaveOneOutAnswers()
      let right = zip(recognizer.memory.samples, answers).count {
        ids.contains($0.id) && $1.decision.isRecognized && $1.decision.best?.label == label
      }
      return Double(right) / Double(ids.count)
    }
    for (index, old, new) in [
      (
        0, ["circle-0", "circle-1", "circle-2", "circle-3"],
        ["circle-4", "circle-5", "circle-6", "line-0"]
      ),
      (2, ["line-1", "line-2", "line-3"], []),
    ] {
      let label = report.labels[index]
      let known = try #require(label.shares.known)
      #expect(known.before == (try await share(old, label.label, by: before)))
      #expect(known.after == (try await share(old, label.label, by: after)))
      #expect(
        label.change
          == (known.before < known.after ? .better : known.before > known.after ? .worse : .same))
      guard !new.isEmpty else { continue }
      #expect(label.shares.added?.recognized == (try await share(new, label.label, by: after)))
    }
    // The only drawing of a label says nothing without itself, so there is nothing to compare.
    #expect(report.labels[1].change == .new && report.labels[3].change == .new)
    #expect(report.shares.known?.judged == 7 && report.shares.added?.judged == 10)
  }

  @Test(
    "Wrong drawings under a good label neither hide behind “as before” nor count for the old ones")
  func wrongDrawings() async throws {
    let (_, workspace, model) = try await Place.fresh()
    try await workspace.changeModel(model, refusalRate: 0)
    try await workspace.addSamples(Doodles.additions(6), to: model)
    try await workspace.train(model)
    for index in 0..<3 {
      try await workspace.addSample(
        Doodles.ink("cross", 50 + index), label: "circle", id: "wrong-\(index)", to: model)
    }
    let report = try await workspace.train(model)
    let circle = try #require(report.labels.first { $0.label == "circle" })
    let (known, added) = (
      try #require(circle.shares.known), try #require(circle.shares.added)
    )
    #expect(known.judged == 6 && added.judged == 3)
    let right = known.after * 6 + added.recognized * 3
    #expect(abs(try #require(circle.shares.recognized) - right / 9) < 1e-12)
    #expect(added.recognized < 1, "a cross is no circle")
  }

  @Test("What is said of a label follows from its old drawings alone")
  func change() {
    func change(_ before: Double?, _ after: Double, judged: Int = 9) -> TrainingReport.Change {
      LeaveOneOutEvaluation.change(
        .init(
          judged: judged, recognized: judged > 0 ? 0.5 : nil,
          known: before.map { .init(judged: 6, before: $0, after: after) },
          added: .init(judged: 3, recognized: 0)))
    }
    #expect(change(1, 0.5) == .worse && change(0.5, 1) == .better && change(0.5, 0.5) == .same)
    #expect(change(nil, 0) == .new && change(nil, 0, judged: 0) == .unknown)
  }

  @Test("Shares of labels are put together by samples, not by labels")
  func sums() {
    let shares = TrainingReport.Shares(of: [
      .init(
        judged: 4, recognized: 0.75, known: .init(judged: 3, before: 1 / 3, after: 1),
        added: .init(judged: 1, recognized: 0)),
      .init(judged: 6, recognized: 0.5, added: .init(judged: 6, recognized: 0.5)),
      .init(judged: 0),
    ])
    #expect(
      shares
        == .init(
          judged: 10, recognized: 0.6, known: .init(judged: 3, before: 1 / 3, after: 1),
          added: .init(judged: 7, recognized: 3 / 7)))
    #expect(TrainingReport.Shares(of: []) == .init(judged: 0))
  }

  @Test("Another base, as a newer release brings, teaches everything again")
  func otherBase() async throws {
    let place = Place()
    let old = try place.open(base: await Small.otherBase)
    let model = try await old.activeModel().id
    try await old.addSamples(Doodles.additions(3), to: model)
    try await old.train(model)
    try old.close()
    let workspace = try await place.open()
    #expect(try await workspace.recognizer(of: model).labels == Doodles.labels, "still usable")
    let report = try await workspace.train(model)
    #expect(report.labels.allSatisfy { $0.shares.known == nil && $0.change == .new })
    var scratch = try await Small.base.recognizer()
    try await scratch.update(
      with: Doodles.labels.flatMap { label in
        (0..<3).map { Doodles.drawing(label, $0) }
      })
    try scratch.adapt()
    #expect(
      try ModelFile.fingerprint(of: await workspace.recognizer(of: model))
        == ModelFile.fingerprint(of: scratch))
  }

  @Test("D-004: a trained file that is damaged or gone is told, and training makes it again")
  func damagedFile() async throws {
    let (place, workspace, model) = try await Place.fresh(doodles: 2)
    try await workspace.train(model)
    let path = place.path("data/models/\(model)-1.drawml")
    let sound = try AtomicFile.read(path)
    try AtomicFile.write(sound.dropLast(100) + [], to: path)
    let error = await #expect(throws: WorkspaceError.self) {
      try await workspace.recognizer(of: model)
    }
    #expect(error?.message == "Couldn’t classify. Try again." && error?.code == "model")
    #expect(error?.detail.hasSuffix("Train it again.") == true)
    #expect(try await workspace.problems().count == 1)
    AtomicFile.remove(path)
    await #expect(throws: WorkspaceError.self) { try await workspace.recognizer(of: model) }
    try await workspace.train(model)
    #expect(try await workspace.recognizer(of: model).labels == Doodles.labels)
    #expect(try AtomicFile.read(place.path("data/models/\(model)-2.drawml")) == sound)
    #expect(try await workspace.problems() == [])
  }

  @Test("Progress tells each stage, and counts up to its end")
  func progress() async throws {
    let (_, workspace, model) = try await Place.fresh(doodles: 3)
    let seen = Mutex<[TrainingProgress]>([])
    try await workspace.train(model) { step in seen.withLock { $0.append(step) } }
    let steps = seen.withLock { $0 }
    var stages: [TrainingProgress.Stage] = []
    for step in steps where stages.last != step.stage { stages.append(step.stage) }
    #expect(stages == [.teaching, .adapting, .judging, .saving])
    for stage in stages {
      let last = try #require(steps.last { $0.stage == stage })
      #expect(last.done == last.total)
    }
  }

  @Test("A training that is canceled changes nothing and leaves no file")
  func canceled() async throws {
    let (place, workspace, model) = try await Place.fresh(doodles: 3)
    let training = Task {
      try await workspace.train(model) { step in
        if step.stage == .judging { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await training.value }
    #expect(try await workspace.model(model).generation == 0)
    #expect(place.modelFiles.isEmpty)
  }

  @Test("A model that is deleted while it is trained stays deleted")
  func deletedMeanwhile() async throws {
    let (place, workspace) = try await Place.opened()
    let model = try await workspace.createModel(named: "short-lived").id
    try await workspace.addSamples(Doodles.additions(2), to: model)
    let other = try await place.open()
    await refused(.train, .unknownModel(model)) {
      try await workspace.train(model) { step in
        guard step.stage == .saving, step.done == 0 else { return }
        // Another program's step between the last look and the file.
        try? other.database.write {
          try $0.execute(sql: "DELETE FROM model WHERE id = ?", arguments: [model])
        }
      }
    }
    #expect(place.modelFiles.isEmpty)
    #expect(try await workspace.problems() == [])
  }

  @Test("Samples that come while a model is trained are those of the next training")
  func addedMeanwhile() async throws {
    let (place, workspace, model) = try await Place.fresh(doodles: 2)
    let other = try await place.open()
    let report = try await workspace.train(model) { step in
      guard step.stage == .adapting, step.done == step.total else { return }
      try? other.database.write { db in
        let late = try SampleRow(
          id: "late", label: "⭐", ink: Doodles.ink("circle", 77), created: 5, template: nil)
        try late.makeLabel(of: model, db)
        try late.insert(into: model, db)
      }
    }
    #expect(report.samples == 8)
    #expect(report.model.untrainedCount == 1)
    #expect(try await workspace.sample("late", of: model).isTaught == false)
    #expect(try await workspace.train(model).added == 1)
  }

  @Test("The report has the same keys whatever it says")
  func keys() async throws {
    let (_, workspace, model) = try await Place.fresh()
    try await workspace.addSample(Doodles.ink(), label: "a", to: model)
    let report = try await workspace.train(model)
    let data = try JSONEncoder().encode(report.findings)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(
      object.keys.sorted() == [
        "added", "labels", "mistakes", "rates", "refusals", "relabelled", "removed", "samples",
        "seconds",
      ])
    let label = try #require((object["labels"] as? [[String: Any]])?.first)
    #expect(
      label.keys.sorted() == [
        "added", "change", "judged", "known", "label", "name", "recognizedShare", "samples",
      ])
    #expect(
      try JSONDecoder().decode(TrainingReport.Findings.self, from: data).labels == report.labels)
  }

  @Test("The base that DrawML is released with is part of the program")
  func releasedBase() throws {
    let base = try BaseModel.released.recognizer()
    #expect(base.labels.isEmpty)
    #expect(base.memory.prior != nil)
    #expect(try BaseModel.released.fingerprint().count == 64)
  }

  @Test("What a check keeps of each model until it has read all rows has no ink")
  func checkedRows() async throws {
    let place = Place()
    let workspace = try await place.open()
    let model = try await workspace.activeModel().id
    try await workspace.addSamples(Doodles.additions(2), to: model)
    try await workspace.train(model)
    let (all, kept) = try await workspace.database.read { db in
      let contents = try ModelContents(of: model, in: db)
      return (contents, TrainedRows(contents))
    }
    #expect(kept.id == model && kept.generation == 1 && kept.taught.count == 8)
    func holdsInk(_ value: Any) -> Bool {
      var text = ""
      dump(value, to: &text)
      return text.contains("strokes")
    }
    #expect(holdsInk(all) && !holdsInk(kept))
  }
}
