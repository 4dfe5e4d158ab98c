import Foundation
import Ink
import Recognition
import TestTools
import Testing

@Suite("The tutorial of the reference")
struct TutorialTests {
  @Test("Its last step is compiled here, and each step only adds lines to the one before")
  func code() throws {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let resources = here.appending(path: "../../Sources/Kit/Recognition/Recognition.docc/Resources")
    func lines(_ file: URL) throws -> [Substring] {
      try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    }
    let steps = try (1...3).map { try lines(resources.appending(path: "Shapes-\($0).swift")) }
    #expect(try steps[2] == lines(here.appending(path: "TutorialShapes.swift")))
    for (before, after) in zip(steps, steps.dropFirst()) {
      #expect(Set(before).isSubset(of: after) && before.count < after.count)
    }
  }

  @Test("It teaches, saves and answers")
  func works() async throws {
    let folder = try TemporaryFolder()
    let (base, taught) = (folder.file("base.drawml"), folder.file("taught.drawml"))
    try Doodles.untaught(.classMeans).write(to: URL(filePath: base))
    var shapes = try Shapes(base: URL(filePath: base))
    let drawings = Doodles.set(5)
    try await shapes.teach(drawings, savingTo: URL(filePath: taught))
    let again = try Shapes(base: URL(filePath: taught))
    #expect(try again.name(of: drawings[0]) == shapes.name(of: drawings[0]))
    #expect(try again.name(of: drawings[0]).hasPrefix("\(drawings[0].label ?? ""), "))
  }
}
