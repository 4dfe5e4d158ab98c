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

  func name(of drawing: Drawing) throws -> String {
    switch try recognizer.classify(drawing).decision {
    case .recognized(let best): "\(best.label), \(Int(best.confidence * 100)) % sure"
    case .unrecognized: "I don't know"
    }
  }
}
