@testable import CInterface

/// The text of an error or a result, which is released; nil where there is none.
func told(_ text: OwnedText?) -> String? {
  guard let text else { return nil }
  defer { freeText(text) }
  return String(cString: text)
}
