internal import ArgumentParser
internal import Capture
internal import Files
internal import Foundation

struct CaptureDraftsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drafts",
    abstract: "Draft five posts about a text.",
    discussion: """
      Asks a text model for a post in each of five tones. That leaves this machine, so it needs \
      --allow openai and a key, which is never an argument; without them there are examples, marked \
      as such, and no network is used.

      Examples:
        drawml capture drafts excerpt.txt
        drawml capture words page.jpg | drawml capture drafts - --book Momo
        DRAWML_OPENAI_KEY=… drawml capture drafts excerpt.txt --allow openai
      """)

  @Argument(help: "A file of text; - for standard input.")
  var excerpt: String
  @Option(help: "The book's title.")
  var book: String?
  @Option(help: "Who wrote it.")
  var author: String?
  @OptionGroup var permits: PermitOptions
  @OptionGroup var textModel: TextModelOptions
  @OptionGroup var format: FormatOption

  /// The most bytes of a text: a few pages.
  static let mostBytes = 64 << 10

  func run() async throws {
    let drafting = try textModel.drafting(permits: permits)
    let bytes = try AtomicFile.read(excerpt == "-" ? "/dev/stdin" : excerpt)
    let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
    guard !text.isEmpty else { throw FileError(reading: excerpt, "there is no text in it") }
    guard bytes.count <= Self.mostBytes else {
      throw FileError(reading: excerpt, "it has more than \(Self.mostBytes >> 10) KB; take a part")
    }
    if let reason = drafting.reason { printToStandardError("These are examples. \(reason)") }
    let variants = try await drafting.generator.generateVariants(
      from: text, bookTitle: book, author: author)
    var lines: [String] = []
    for variant in variants {
      if !lines.isEmpty { lines.append("") }
      lines.append("\(variant.tone.name):")
      lines += variant.text.split(separator: "\n").map(String.init)
      if let note = variant.note { lines.append("(\(note))") }
    }
    try format.print(variants, lines)
  }
}
