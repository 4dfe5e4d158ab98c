internal import ArgumentParser
internal import Datasets
internal import Ink

/// How results are written to standard output.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case json
}

/// `--format`, which every command that reports something has.
struct FormatOption: ParsableArguments {
  @Option(help: "How to write the result: text for people, json for programs.")
  var format: OutputFormat = .text
}

/// Drawings to read, and what to do with those that cannot be read.
struct SampleArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Files or folders of drawings (.ndjson, .json, .bin, .h5).",
      discussion: "A folder means every such file in it. '-' is standard input."))
  var samples: [String]

  @Flag(help: "Leave out drawings that cannot be read, and say which.")
  var skipInvalid = false

  /// All drawings that can be read, in the order of the files.
  ///
  /// - Throws: The first error, unless invalid drawings are to be left out.
  func read() throws -> [Drawing] {
    let bar = ProgressBar("Reading")
    defer { bar.finish() }
    let (drawings, skipped) = try DrawingFiles.read(samples, skippingInvalid: skipInvalid) {
      bar.update($0.filesDone, of: $0.files, "\(grouped($0.drawings)) drawings")
    }
    for error in skipped.prefix(20) { bar.note("skipped: \(error)") }
    if !skipped.isEmpty { bar.note("skipped \(skipped.count) invalid drawings in all") }
    return drawings
  }
}
