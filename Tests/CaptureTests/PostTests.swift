@testable import Capture
import Foundation
import Testing
import TestTools

@Suite("Drafts of posts")
struct PostTests {
  private static func answer(_ tones: [String], text: String = "A post. Why?") -> String {
    "[" + tones.map { #"{"tone":"\#($0)","text":"\#(text)"}"# }.joined(separator: ",") + "]"
  }

  private static let all = ["punchy", "contrarian", "personal", "analytical", "open-question"]

  @Test("CA-032: The prompts are those that were asked for, line by line")
  func prompts() {
    #expect(
      PostPrompt.system.split(separator: "\n").map(String.init) == [
        "You write short LinkedIn posts under 900 characters.",
        "Start with a strong hook line.",
        "Add 1 to 2 crisp supporting lines.",
        "End with a question to invite comments.",
        "Do not add hashtags unless explicitly requested.",
      ])
    let prompt = PostPrompt(excerpt: "Call me Ishmael.", bookTitle: "Moby Dick")
    #expect(
      prompt.user.split(separator: "\n").map(String.init) == [
        #"Source excerpt: "Call me Ishmael.""#, "Book: Moby Dick", "Author: Unknown",
        "Generate 5 variants with tones: punchy, contrarian, personal, analytical, open-question.",
        #"Return JSON array where each item is: {"tone":"<tone>", "text":"<post>"}"#,
      ])
  }

  @Test("CA-033: An array, an object that holds one, and both in a code fence are read")
  func forms() throws {
    let array = Self.answer(Self.all)
    let object = #"{"model":"m","variants":\#(array)}"#
    for text in [array, object, "```json\n\(array)\n```", "```\n\(object)\n```\n", "  \(array) "] {
      let variants = try PostAnswer.variants(in: text)
      #expect(variants.map(\.tone) == Variant.Tone.allCases)
      #expect(variants.allSatisfy { $0.text == "A post. Why?" && $0.note == nil })
    }
    let other = try PostAnswer.variants(in: Self.answer(Self.all.dropLast() + ["openQuestion"]))
    #expect(other.last?.tone == .openQuestion)
  }

  @Test(
    "CA-033: Too few drafts, unknown tones and no JSON are said",
    arguments: [
      (answer(Array(all.dropLast())), "no draft in the tone open-question"),
      (answer(all + ["angry"]), "unknown tone “angry”"), ("Sorry, I cannot.", "not the JSON"),
      ("{}", "no list of drafts"), ("[1]", "not the JSON"), ("", "not the JSON"),
      (answer(all, text: " "), "no draft in the tone punchy"),
    ])
  func faults(text: String, sentence: String) {
    let error = #expect(throws: PostError.self) { try PostAnswer.variants(in: text) }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
  }

  @Test("CA-034: A text over 900 characters is cut at a word, with the note")
  func cut() {
    let words = Array(repeating: "word", count: 200).joined(separator: " ")
    let long = Variant(tone: .punchy, text: words)
    // 180 words and the spaces between them have 899 characters.
    #expect(long.text == Array(repeating: "word", count: 180).joined(separator: " "))
    #expect(long.note == "Variant trimmed to meet LinkedIn length.")
    let exact = Variant(tone: .punchy, text: String(words.prefix(899)) + "s")
    #expect(exact.text.count == 900 && exact.note == nil)
    #expect(Variant(tone: .punchy, text: String(repeating: "x", count: 1000)).text.count == 900)
  }

  @Test("CA-035: The sentences are those that were asked for, and what may be sent again is said")
  func sentences() {
    #expect(PostError.invalidKey.description == "AI key invalid. Update in Settings.")
    #expect(PostError.refused.description == "Excerpt could not be processed")
    #expect(PostError.noNetwork.description == "Check network and retry")
    #expect(PostError.timeout.mayRetry && PostError.tooManyRequests.mayRetry)
    #expect(!PostError.invalidKey.mayRetry && !PostError.refused.mayRetry)
    #expect(PostError.status(500).mayRetry && !PostError.status(404).mayRetry)
  }

  @Test("CA-030, CA-036: Without a model there are five examples, marked as such")
  func examples() async throws {
    let generator = ExamplePostGenerator(after: {})
    let variants = try await generator.generateVariants(
      from: "Call me Ishmael.", bookTitle: nil, author: nil)
    #expect(variants.map(\.tone) == Variant.Tone.allCases)
    #expect(variants.allSatisfy { $0.text.hasPrefix("Example: ") && $0.text.contains("Ishmael") })
  }

  @Test("CA-030: A generator asks its model once, with both prompts")
  func model() async throws {
    let generator = ModelPostGenerator { system, user in
      #expect(system == PostPrompt.system && user.contains("Author: Melville"))
      return Self.answer(Self.all)
    }
    let variants = try await generator.generateVariants(
      from: "Call me Ishmael.", bookTitle: nil, author: "Melville")
    #expect(variants.count == 5)
  }
}

@Suite("History of posts")
struct PostHistoryTests {
  private static func item(_ number: Int) -> PostHistory.Item {
    .init(
      excerpt: ExcerptCapture(
        text: "\(number)", createdAt: Date(timeIntervalSince1970: Double(number))),
      variant: Variant(tone: .personal, text: "Post \(number)"),
      postedAt: Date(timeIntervalSince1970: Double(number)))
  }

  @Test("CA-041: The last 20 are kept, the newest first; one can be deleted")
  func last() throws {
    let folder = try TemporaryFolder()
    let history = PostHistory(folder: folder.path)
    #expect(try history.items().items.isEmpty)
    let items = (1...21).map(Self.item)
    for item in items { try history.add(item) }
    #expect(try history.items().items == items.dropFirst().reversed())
    try history.remove(items[10].id)
    #expect(try history.items().items.count == 19)
    #expect(try folder.contents == ["history.json"])
  }

  @Test("CA-041: A broken file is put aside and said, and nothing of it is lost")
  func broken() throws {
    let folder = try TemporaryFolder()
    let history = PostHistory(folder: folder.path)
    for _ in 1...2 {
      _ = try folder.put("[{", "history.json")
      let (items, aside) = try history.items()
      #expect(items.isEmpty)
      let path = try #require(aside)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "[{")
    }
    try history.add(Self.item(1))
    #expect(
      try folder.contents.sorted()
        == ["history.json", "history.json.broken", "history.json.broken-2"])
  }
}
