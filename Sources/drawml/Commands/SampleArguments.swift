public import ArgumentParser
public import Datasets
internal import Files
internal import Ink
internal import JSON
internal import Pictures
internal import Report
internal import Text

/// How results are written to standard output.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case json
}

/// `--format`, of all commands that report results.
struct FormatOption: ParsableArguments {
  @Option(help: "How to write the result: text for people, json for programs.")
  var format: OutputFormat = .text

  /// Prints a result: as JSON for programs, or as lines for people; on standard error if one of
  /// `outputs`, the files that were written, is standard output.
  func print(
    _ result: @autoclosure () throws -> some Encodable, _ lines: @autoclosure () throws -> [String],
    pretty: Bool = true, outputs: [String?] = []
  ) throws {
    let isTaken = outputs.contains { AtomicFile.isStandardOutput($0 ?? "") }
    let stream = isTaken ? StandardStream.errors : .output
    switch format {
    case .text: try stream.write(lines())
    case .json: try stream.write(json: jsonText(result(), pretty: pretty))
    }
  }
}

extension DatasetFormat: ExpressibleByArgument {}

/// A format that drawings are written in, to a file or a folder.
struct WrittenFormat: ExpressibleByArgument {
  var format: DatasetFormat

  init?(argument: String) {
    guard let format = DatasetFormat(rawValue: argument), Self.allValueStrings.contains(argument)
    else { return nil }
    self.format = format
  }

  static let allValueStrings =
    DatasetFormat.allCases.filter { $0.isWritable || $0.isWritableAsFolder }.map(\.rawValue)
}

/// Drawings to read, and what to do with those that cannot be read.
struct SampleArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Files or folders of drawings.",
      discussion: """
        A folder means every .json, .ndjson, .png, .jpg, .svg, .inkml, .excalidraw, .tldr, .xopp \
        (Xournal++) and .rm (reMarkable) file in it; '-' is standard input. The label of a \
        picture, diagram or notebook is the name of the folder that it lies in: \
        shapes/star/1.png. Single files may also be Quick, Draw! binary (.bin), numpy bitmaps \
        (.npy), sketch-rnn (.npz), Omniglot strokes (.txt), gestures (.xml), tables of points \
        (.csv), digits of UCI (.tra) or HDF5 (.h5).
        """))
  var samples: [String]

  @Flag(help: "Leave out drawings that cannot be read, and say which.")
  var skipInvalid = false

  /// Drawings that a command names with its own arguments.
  static func named(_ samples: [String], skipInvalid: Bool) -> SampleArguments {
    var arguments = SampleArguments()
    arguments.samples = samples
    arguments.skipInvalid = skipInvalid
    return arguments
  }

  /// All readable drawings, in the order of the files.
  ///
  /// - Throws: The first error, unless invalid drawings are skipped.
  func read(as format: DatasetFormat? = nil) throws -> DatasetFiles.Contents {
    try Self.read(samples, as: format, skippingInvalid: skipInvalid)
  }

  /// All readable drawings of files or folders, in the order of the files; `skippingInvalid` is nil
  /// for commands without --skip-invalid.
  ///
  /// - Throws: The first error, unless invalid drawings are skipped.
  static func read(
    _ paths: [String], as format: DatasetFormat? = nil, skippingInvalid: Bool? = nil
  ) throws -> DatasetFiles.Contents {
    let bar = ProgressBar("Reading")
    defer { bar.finish() }
    do throws(DatasetError) {
      let contents = try DatasetFiles.read(
        paths, as: format, skippingInvalid: skippingInvalid ?? false
      ) {
        bar.update($0.filesDone, of: $0.files, counted($0.drawings, "drawing"))
      }
      tell(contents.skipped, of: contents.skippedCount, to: bar)
      for line in contents.notes.lines { bar.note(line) }
      return contents
    } catch {
      throw InvalidDrawing.explaining(error, canSkip: skippingInvalid != nil)
    }
  }

  /// All readable labeled drawings, validated.
  ///
  /// - Returns: The drawings and the number skipped, 0 unless skipping is enabled.
  /// - Throws: The first error, unless invalid and unlabeled drawings are skipped.
  func readSamples() throws -> (samples: SampleSet, skipped: Int) {
    var contents = try read()
    return try samples(of: &contents)
  }

  /// The labeled drawings among those read, validated; see `readSamples`.
  func samples(
    of contents: inout DatasetFiles.Contents
  ) throws -> (samples: SampleSet, skipped: Int) {
    var skipped = contents.skippedCount
    if skipInvalid {
      let unusable = contents.removeUnusable()
      Self.tell(unusable, of: unusable.count, to: ProgressBar("Reading"))
      skipped += unusable.count
    }
    do throws(SampleSetError) {
      return (try contents.samples(), skipped)
    } catch {
      switch error {
      case .missingLabel, .invalidLabel: throw InvalidDrawing(error)
      case .empty, .conflictingID, .oneClass: throw error
      }
    }
  }

  /// Reports which drawings were skipped, and how many.
  private static func tell(_ skipped: [some Error], of count: Int, to bar: ProgressBar) {
    for error in skipped.prefix(20) { bar.note("skipped: \(error)") }
    if count > 0 { bar.note(skippedText(count)) }
  }

  /// The number of skipped drawings, in words.
  static func skippedText(_ count: Int) -> String {
    "skipped \(counted(count, "drawing")) that could not be used"
  }
}

/// A drawing that cannot be used, and what to do about it.
struct InvalidDrawing: Error {
  /// The error, followed by what to do.
  let lines: [String]

  init(_ error: DrawingFileError, canSkip: Bool = true) {
    if let words = FileKind.explanation(of: error) {
      lines = [words]
    } else {
      lines =
        error.isAboutOneDrawing
        ? Self.withHint(error, Self.formats(error), canSkip: canSkip) : [error.description]
    }
  }

  /// A line with the file formats of drawings, if the file's name has no known format.
  private static func formats(_ error: DrawingFileError) -> [String] {
    guard error.path != "-", error.line == 1, DatasetFormat(path: error.path) == nil else {
      return []
    }
    return [
      "  Its name tells no format, so it was read as stroke JSON. Drawings are "
        + "\(DatasetFormat.listed(DatasetFormat.allCases)) files."
    ]
  }

  init(_ error: SampleSetError) {
    lines = Self.withHint(error)
  }

  /// `error` with advice, if it concerns one drawing; `canSkip` is whether the command has
  /// --skip-invalid.
  static func explaining(_ error: DatasetError, canSkip: Bool = true) -> any Error {
    switch error {
    case .drawing(let error): InvalidDrawing(error, canSkip: canSkip)
    case .picture: InvalidDrawing(error, canSkip: canSkip)
    case .foreign(let read, _): FileKind.explanation(of: read).map(InvalidDrawing.init) ?? error
    case .file: error
    }
  }

  private init(_ words: String) { lines = [words] }

  private init(_ error: DatasetError, canSkip: Bool) {
    lines = Self.withHint(error, canSkip: canSkip)
  }

  private static func withHint(
    _ error: some Error, _ more: [String] = [], canSkip: Bool = true
  ) -> [String] {
    let remedy = canSkip ? ", or leave such drawings out with --skip-invalid." : "."
    return ["\(error)"] + more + ["  Correct it" + remedy]
  }
}

extension DrawingFileError {
  /// Whether the rest of the file may be sound.
  fileprivate var isAboutOneDrawing: Bool {
    switch reason {
    case .drawing: return true
    case .file(let error):
      guard case .lineTooLong = error.reason else { return false }
      return true
    }
  }
}

extension DatasetFiles.Contents {
  /// The drawings as canvases with their true shapes.
  ///
  /// - Throws: `DrawingFileError`, which names the file and line, for one without a valid truth.
  func labeledCanvases() throws -> [LabeledCanvas] {
    try zip(drawings, origins).map { drawing, origin in
      do throws(InkError) {
        return try LabeledCanvas(drawing)
      } catch {
        throw DrawingFileError(path: origin.path, line: origin.line ?? 1, reason: .drawing(error))
      }
    }
  }
}
