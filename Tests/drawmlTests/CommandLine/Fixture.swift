import Foundation
import Glibc
import Synchronization
import TestTools
import Testing

/// Drawings from the starter set and a small model of them, made once for all tests of the command
/// line.
struct Fixture: Sendable {
  let folder: TestFolder

  /// A trained model of the shapes in `shapes`.
  var model: String { folder.path + "/model.drawml" }
  /// The folder of the drawings that it was taught.
  var taught: String { folder.path + "/taught" }
  /// Drawings of the same shapes that it never saw.
  var unseen: String { folder.path + "/unseen" }

  static let shapes = ["circle", "house", "star"]
  static let labels = ["⭐", "⭕", "🏠"]

  /// The repository's drawings.
  static let starter = Repository.path + "/datasets/starter"

  /// Lines of a shape of the starter set.
  static func lines(_ shape: String, _ range: Range<Int>) throws -> String {
    let text = try String(contentsOfFile: "\(starter)/\(shape).ndjson", encoding: .utf8)
    return text.split(separator: "\n")[range].joined(separator: "\n") + "\n"
  }

  private static let madeFolder = Mutex<URL?>(nil)

  private static let making = Task<Fixture, any Error> {
    let fixture = Fixture(folder: try TestFolder())
    madeFolder.withLock {
      $0 = URL(fileURLWithPath: fixture.folder.path).deletingLastPathComponent()
    }
    // Nothing else outlives the last test.
    atexit {
      if let folder = Fixture.madeFolder.withLock({ $0 }) {
        try? FileManager.default.removeItem(at: folder)
      }
    }
    for shape in shapes {
      try fixture.folder.write(lines(shape, 0..<10), to: "taught/\(shape).ndjson")
      try fixture.folder.write(lines(shape, 10..<20), to: "unseen/\(shape).ndjson")
    }
    try await fixture.folder.run("train taught --output model.drawml --epochs 10 --threads 2")
    return fixture
  }

  /// The fixture, made once.
  static var shared: Fixture { get async throws { try await making.value } }

  /// A new folder with a copy of the model in it, named m.drawml.
  static func folderWithModel() async throws -> TestFolder {
    let folder = try TestFolder()
    try FileManager.default.copyItem(
      atPath: try await shared.model, toPath: folder.path + "/m.drawml")
    return folder
  }

  /// One line of stroke JSON.
  static func line(_ strokes: String, id: String = "a", label: String? = "x") -> String {
    let label = label.map { #""label":"\#($0)","# } ?? ""
    return #"{"id":"\#(id)",\#(label)"strokes":\#(strokes)}"# + "\n"
  }

  /// A sound drawing.
  static let sound = line("[[[0,10,20],[0,10,5]]]", id: "sound")
}

/// Tests that start processes: one after the other, for each may use every core.
@Suite("Command line", .serialized)
struct CommandLineTests {}

/// Those that get what no command can use: beside the others, as a refusal takes one core.
@Suite("Command line given what is wrong", .serialized)
struct WrongInputCommandLineTests {}

/// Those of the commands that have a workspace, which mostly wait for the disk: beside the others.
@Suite("Command line of workspaces", .serialized)
struct WorkspaceCommandLineTests {}
