import Foundation
import Ink
import Recognition

struct Shapes {
  private var recognizer: Recognizer

  init(base: URL) throws {
    recognizer = try Recognizer(contentsOf: base)
  }
}
