import Foundation
import Recognition
import Testing
import Workspace

@testable import Studio

@Suite("Recognisers that are kept for the next question")
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
    // What another program may do meanwhile.
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
}
