/// What a text model is asked for: five drafts of a post about an excerpt.
public struct PostPrompt: Sendable, Equatable {
  /// What was read.
  public var excerpt: String
  /// The book it is from; nil if unknown.
  public var bookTitle: String?
  /// Who wrote it; nil if unknown.
  public var author: String?

  /// A prompt about an excerpt.
  public init(excerpt: String, bookTitle: String? = nil, author: String? = nil) {
    (self.excerpt, self.bookTitle, self.author) = (excerpt, bookTitle, author)
  }

  /// How the model is to write.
  public static let system = """
    You write short LinkedIn posts under 900 characters.
    Start with a strong hook line.
    Add 1 to 2 crisp supporting lines.
    End with a question to invite comments.
    Do not add hashtags unless explicitly requested.
    """

  /// What it is to write about.
  public var user: String {
    func named(_ name: String?) -> String {
      name.flatMap { $0.isEmpty ? nil : $0 } ?? "Unknown"
    }
    let tones = Variant.Tone.allCases.map(\.sentName).joined(separator: ", ")
    return """
      Source excerpt: "\(excerpt)"
      Book: \(named(bookTitle))
      Author: \(named(author))
      Generate 5 variants with tones: \(tones).
      Return JSON array where each item is: {"tone":"<tone>", "text":"<post>"}
      """
  }
}
