public import ArgumentParser
internal import Datasets
internal import Files
internal import Ink
internal import JSON
internal import Pictures
internal import Report
internal import Vectorizing

struct VectorizeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vectorize",
    abstract: "Turn pictures of drawings into strokes.",
    discussion: """
      Reads PNG and JPEG files of ink on paper or on a screen, black on white or white on black, \
      scans and photographs too, and writes stroke JSON, one line per picture, to standard output \
      or a file. 'train', 'update', 'evaluate', 'classify' and 'rasterize' do the same with \
      pictures.

      --preview shows the strokes over the picture in light gray, each in its own color, \
      with its start marked.

      Examples:
        drawml vectorize scan.png
        drawml vectorize scan.png --output scan.ndjson --preview seen.png
        drawml vectorize pictures/ --output pictures.ndjson --skip-invalid
        drawml vectorize photo.jpg --thresholding local --polarity dark-ink
      """)

  @Argument(
    help: ArgumentHelp(
      "PNG or JPEG files, or folders of them.",
      discussion: """
        A folder means every .png and .jpg file in it; the name of a picture's folder below it is \
        its label.
        """))
  var pictures: [String]
  @Option(
    name: .shortAndLong,
    help: "The file to write; its ending names the format: .ndjson, .json, .h5 or .inkml.")
  var output: String?
  @Option(help: "Write a PNG of the strokes found here.")
  var preview: String?
  @Option(help: "Which tone is ink; automatic decides by the border, and takes the rarer tone.")
  var polarity: Vectorizer.Polarity = .automatic
  @Option(help: "One threshold for the whole picture, or local thresholds, for shadows.")
  var thresholding: Vectorizer.Thresholding = .automatic
  @Flag(help: "Leave out pictures that cannot be read, and say which.")
  var skipInvalid = false
  @OptionGroup var overwrite: OverwriteOption

  func validate() throws {
    if let output, !(DatasetFormat(path: output)?.isWritable ?? false) {
      throw ValidationError("--output is a .ndjson, .json, .h5 or .inkml file.")
    }
    try PictureFile.check(preview, "--preview")
  }

  func run() async throws {
    let replacement = try overwrite.check(output, for: nil, reading: pictures)
    try overwrite.check(preview, for: .picture, reading: pictures)
    let sources = try DatasetFiles.expand(pictures, as: [.png, .jpeg])
    let vectorizer = Vectorizer(polarity: polarity, thresholding: thresholding)
    var sheet = preview.map { _ in StrokePreview(count: sources.count) }
    var contents = DatasetFiles.Contents()
    var skipped = 0
    var notes = FileNotes()
    let bar = ProgressBar("Tracing")
    defer { bar.finish() }
    for (index, source) in sources.enumerated() {
      try Task.checkCancellation()
      do {
        let picture = try GrayPicture(path: source.path == "-" ? "/dev/stdin" : source.path)
        let shown = sheet == nil ? nil : picture
        var doubts = ReadingNotes()
        let drawing = try source.drawing(of: consume picture, by: vectorizer, notes: &doubts)
        notes.add(doubts, of: source.path)
        if let shown { sheet?.add(drawing, on: shown) }
        if output == nil {
          try printToStandardOutput(
            jsonText: String(decoding: StrokeJSON.encode(drawing), as: UTF8.self))
        } else {
          contents.drawings.append(drawing)
          contents.origins.append(.init(path: source.path))
        }
      } catch let error where skipInvalid && (error is FileError || error is DatasetError) {
        bar.note("skipped: \(error)")
        skipped += 1
      }
      if sources.count > 1 { bar.update(index + 1, of: sources.count) }
    }
    if let output {
      contents.distinguishIDs()
      try DatasetFiles.write(contents.drawings, to: output, replacing: replacement)
      bar.note("\(output): \(counted(contents.drawings.count, "drawing"))")
    }
    if let preview, let sheet { try AtomicFile.write(sheet.png(), to: preview) }
    for note in notes.lines { bar.note(note) }
    if skipped > 0 { bar.note("skipped \(counted(skipped, "picture")) that could not be used") }
  }
}

extension Vectorizer.Polarity: ExpressibleByArgument {}
extension Vectorizer.Thresholding: ExpressibleByArgument {}
