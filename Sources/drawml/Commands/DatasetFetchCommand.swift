internal import ArgumentParser
internal import Ink
internal import Remote
internal import Report

struct DatasetFetchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Download drawings of Quick, Draw! from Google's or another server.",
    discussion: """
      Writes one .ndjson file per label. It connects to the server of --from, over HTTPS. After an \
      interruption, the same command continues.

      Examples:
        drawml dataset fetch quickdraw --labels cat,dog --limit 500 --output drawings
        drawml dataset fetch quickdraw --labels "ice cream" --from http://127.0.0.1:8000 --output d
      """)

  /// What can be fetched.
  enum Source: String, CaseIterable, ExpressibleByArgument {
    case quickdraw
  }

  @Argument(help: "What to fetch: quickdraw.")
  var source: Source
  @Option(help: "The labels, separated by commas.")
  var labels: String
  @Option(help: "How many drawings of each label (default: all).", in: 1...100_000_000)
  var limit: Int?
  @Option(name: .shortAndLong, help: "The folder to write to; created if missing.")
  var output: String
  @Option(help: "The address of the folder with a file for each label.")
  var from = QuickDrawFetch.publicAddress
  @Flag(help: "Also take drawings that the game did not recognize.")
  var all = false
  @OptionGroup var format: FormatOption

  func run() async throws {
    let names = labels.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
    guard !names.isEmpty else { throw ValidationError("Name labels with --labels cat,dog.") }
    let fetch = try QuickDrawFetch(
      from: RemoteAddress(from), labels: names, limit: limit, takesAll: all, folder: output)
    let bar = ProgressBar("Fetching")
    defer { bar.finish() }
    let limit = self.limit
    let results = try await interruptible(
      hint: {
        bar.finish()
        return "the same command continues"
      },
      {
        try fetch.run { progress in
          if let limit {
            bar.update(progress.drawings, of: limit, progress.label)
          } else if let length = progress.length {
            bar.update(
              progress.bytes >> 10, of: max(1, length >> 10), "KiB · \(progress.label)")
          }
        }
      })
    bar.note(QuickDrawFetch.license)
    try format.print(
      results,
      results.map {
        "\($0.file): \(counted($0.drawings, "drawing"))" + ($0.isNew ? "" : ", already there")
      })
  }
}
