import Foundation
import Recognition
import Testing
import Workspace

@testable import Studio

@Suite("Recognizers that are kept for the next question")
struct RecognizerTests {
  @Test("A model that comes back from an older export is asked as it is now, not as it was before")
  func broughtBack() async throws {
    let studio = try await TestStudio()
    let workspace = studio.workspace
    let model = try await studio.teach(2)
    let export = studio.folder + "-export"
    defer { try? FileManager.default.removeItem(atPath: export) }
    try await workspace.export(models: [model], to: export)
    try await workspace.addSample(Shapes.drawing("ring", 9), label: "ring", to: model)
    try await workspace.train(model)
    let kept = Recognizers(workspace, most: 2)
    #expect(try await kept.snapshot(of: model).recognizer.memory.samples.count == 5)
    // Another program may do this meanwhile.
    try await workspace.deleteModel(model)
    try await workspace.import(from: export)
    #expect(try await kept.snapshot(of: model).recognizer.memory.samples.count == 4)
    try await workspace.changeModel(model, refusalRate: 0.3)
    #expect(try await kept.snapshot(of: model).recognizer.policy.refusalRate == 0.3)
    try await workspace.addSample(Shapes.drawing("zigzag", 9), label: "zigzag", to: model)
    try await workspace.addSample(Shapes.drawing("zigzag", 10), label: "zigzag", to: model)
    try await workspace.train(model)
    #expect(try await kept.snapshot(of: model).recognizer.memory.samples.count == 6)
  }

  @Test("Who goes before a model is read takes it from nobody else")
  func canceled() async throws {
    let studio = try await TestStudio()
    let model = try await studio.teach(2)
    for round in 0..<20 {
      let kept = Recognizers(studio.workspace, most: 1)
      let leaving = Task { try await kept.snapshot(of: model) }
      let staying = Task { try await kept.snapshot(of: model).recognizer.memory.samples.count }
      if round % 2 == 0 { await Task.yield() }
      leaving.cancel()
      #expect(try await staying.value == 4)
      // The canceled task may have finished or not; only it throws `CancellationError`.
      if case .failure(let error) = await leaving.result { #expect(error is CancellationError) }
      #expect(try await kept.snapshot(of: model).recognizer.memory.samples.count == 4)
    }
    // A cache of size 0 still returns each recognizer.
    let none = Recognizers(studio.workspace, most: 0)
    #expect(try await none.snapshot(of: model).recognizer.memory.samples.count == 4)
  }
}
