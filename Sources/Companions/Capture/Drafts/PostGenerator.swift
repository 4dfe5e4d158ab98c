/// Makes five drafts of a post, one in each tone.
public protocol PostGenerator: Sendable {
  /// Makes drafts about an excerpt.
  ///
  /// - Throws: `PostError`, or `CancellationError`.
  func generateVariants(
    from excerpt: String, bookTitle: String?, author: String?
  ) async throws -> [Variant]
}

/// Makes drafts by a text model.
public struct ModelPostGenerator: PostGenerator {
  private let complete: @Sendable (_ system: String, _ user: String) async throws -> String

  /// A generator that asks a model.
  ///
  /// - Parameter complete: Sends the two prompts and returns the content of the model's answer; throws
  ///   `PostError`.
  public init(complete: @escaping @Sendable (String, String) async throws -> String) {
    self.complete = complete
  }

  /// Asks the model once.
  public func generateVariants(
    from excerpt: String, bookTitle: String?, author: String?
  ) async throws -> [Variant] {
    let prompt = PostPrompt(excerpt: excerpt, bookTitle: bookTitle, author: author)
    return try PostAnswer.variants(in: try await complete(PostPrompt.system, prompt.user))
  }
}

/// Makes examples of drafts, without a model and without a network: what users see before they have a
/// key, marked as such.
public struct ExamplePostGenerator: PostGenerator {
  /// What every example begins with.
  public static let mark = "Example: "
  private let wait: @Sendable () async throws -> Void

  /// A generator that answers after `wait`, by default 1.5 seconds, as a model would.
  public init(
    after wait: @escaping @Sendable () async throws -> Void = {
      try await Task.sleep(for: .milliseconds(1500))
    }
  ) {
    self.wait = wait
  }

  /// Makes the examples.
  public func generateVariants(
    from excerpt: String, bookTitle: String?, author: String?
  ) async throws -> [Variant] {
    try await wait()
    let start = excerpt.split(separator: " ").prefix(12).joined(separator: " ")
    let source = bookTitle.map { " in \($0)" } ?? ""
    return Variant.Tone.allCases.map { tone in
      Variant(tone: tone, text: Self.mark + Self.text(tone, start, source))
    }
  }

  private static func text(_ tone: Variant.Tone, _ start: String, _ source: String) -> String {
    switch tone {
    case .punchy: "One line\(source) stays.\n\n“\(start) …”\n\nWhich line stays with you?"
    case .contrarian:
      "Most readers pass over this\(source).\n\n“\(start) …”\n\nWhat if the opposite is true?"
    case .personal:
      "I read this\(source), and put the book down.\n\n“\(start) …”\n\nWhen did a page stop you?"
    case .analytical:
      "Why does this work\(source)?\n\n“\(start) …”\n\nIt names one thing, and what follows from it. "
        + "What would you add?"
    case .openQuestion:
      "A question after reading\(source):\n\n“\(start) …”\n\nWhat does it ask of us?"
    }
  }
}
