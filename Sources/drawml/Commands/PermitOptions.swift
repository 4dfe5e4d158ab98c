internal import ArgumentParser
internal import Files
internal import Remote
internal import Trace

/// `--allow`: the permitted requests to other machines; none by default.
struct PermitOptions: ParsableArguments {
  /// What can be allowed.
  enum Permit: String, CaseIterable, ExpressibleByArgument {
    case templates, openai, gemini
  }

  @Option(
    name: .customLong("allow"),
    help: """
      Allow requests to the web: templates allows pictures to draw over, openai drafts of posts by a \
      text model, gemini pictures of sketches by an image model.
      """)
  var permits: [Permit] = []

  /// Where templates come from; nil if that is not allowed.
  var templates: RemoteFiles? {
    guard permits.contains(.templates) else { return nil }
    return RemoteFiles(
      cache: UserFolder.cache.path() + "/templates", mostBytes: TemplateContents.mostFileBytes)
  }
}
