import Foundation
import Ink
import Recognition

struct Shapes {
  private var recognizer: Recognizer

  init(base: URL) throws {
    recognizer = try Recognizer(contentsOf: base)
  }

  mutating func teach(_ drawings: [Drawing], savingTo file: URL) async throws {
    try await recognizer.update(with: drawings)
    try recognizer.write(to: file)
  }
}
