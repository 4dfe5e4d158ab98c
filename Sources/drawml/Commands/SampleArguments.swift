public import ArgumentParser
public import Datasets
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

extension DatasetFormat: ExpressibleByArgument {}

/// Drawings to read, and what to do with those that cannot be read.
struct SampleArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Files or folders of drawings.",
      discussion: """
        A folder means every .json and .ndjson file in it; '-' is standard input. Single files may \
        also be Quick, Draw! binary (.bin), Omniglot strokes (.txt) or HDF5 (.h5).
        """))
  var samples: [String]

  @Flag(help: "Leave out drawings that cannot be read, and say which.")
  var skipInvalid = false

  /// All drawings that can be read, in the order of the files.
  ///
  /// - Throws: The first error, unless invalid drawings are to be left out.
  func read(as format: DatasetFormat? = nil) throws -> DatasetFiles.Contents {
    let bar = ProgressBar("Reading")
    defer { bar.finish() }
    let contents = try DatasetFiles.read(samples, as: format, skippingInvalid: skipInvalid) {
      bar.update($0.filesDone, of: $0.files, "\(grouped($0.drawings)) drawings")
    }
    for error in contents.skipped.prefix(20) { bar.note("skipped: \(error)") }
    if !contents.skipped.isEmpty {
      bar.note("skipped \(grouped(contents.skipped.count)) that could not be read")
    }
    return contents
  }
}
