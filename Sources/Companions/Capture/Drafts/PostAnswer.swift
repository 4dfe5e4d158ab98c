internal import Foundation
internal import JSON

/// The drafts in a text model's answer.
enum PostAnswer {
  private struct Item: Decodable {
    var tone: String
    var text: String
  }

  /// Reads five drafts, one in each tone: a JSON array, or an object that holds one (a model that must
  /// answer with an object has no other way), also inside a code fence.
  ///
  /// - Throws: `PostError.answer` that says what is missing.
  static func variants(in content: String) throws(PostError) -> [Variant] {
    let items: [Item]
    do {
      let document = try JSONDocument(Array(withoutFence(content).utf8))
      items = try list(in: document.root).map { try $0.decoded(Item.self) }
    } catch let error as PostError {
      throw error
    } catch {
      throw .answer("it is not the JSON that was asked for: \(error)")
    }
    var found: [Variant.Tone: Variant] = [:]
    for item in items {
      guard let tone = Variant.Tone(sent: item.tone) else {
        throw .answer("it has a draft in the unknown tone “\(item.tone.prefix(40))”")
      }
      let variant = Variant(tone: tone, text: item.text)
      if !variant.text.isEmpty, found[tone] == nil { found[tone] = variant }
    }
    let missing = Variant.Tone.allCases.filter { found[$0] == nil }
    guard missing.isEmpty else {
      throw .answer(
        "it has no draft in the tone " + missing.map(\.sentName).joined(separator: ", "))
    }
    return Variant.Tone.allCases.compactMap { found[$0] }
  }

  /// The array itself, or the first one that an object holds.
  private static func list(in root: JSONValue) throws(PostError) -> [JSONValue] {
    guard
      let list = root.elements ?? root.members?.lazy.compactMap({ $0.value.elements }).first
    else { throw .answer("it holds no list of drafts") }
    return list
  }

  private static func withoutFence(_ text: String) -> String {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.hasPrefix("```"), let start = text.firstIndex(of: "\n") else { return text }
    let rest = text[text.index(after: start)...]
    return String(rest.range(of: "```", options: .backwards).map { rest[..<$0.lowerBound] } ?? rest)
  }
}
