internal import ArgumentParser
internal import Datasets
internal import Files
internal import Ink
internal import Pictures
internal import Recognition
internal import Report

struct ClassifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "classify",
    abstract: "Say what drawings are.",
    discussion: """
      Reads drawings, also pictures (.png, .jpg, .svg), and prints one line per drawing: the label \
      and how sure the model is, or that nothing fits. With --format json, one JSON object per \
      line, with the drawing's own label, if it has one, as "truth".

      The model holds its refusal rate: how often a drawing of a taught label may be refused (10 % \
      unless 'train' or 'update' set another); --refuse overrides it for this call.

      Examples:
        drawml classify star.json --model shapes.drawml
        drawml classify drawings.ndjson --model shapes.drawml --format json
        drawml classify scan.png --model shapes.drawml
        echo '{"strokes":[[[0,10],[0,10]]]}' | drawml classify --model shapes.drawml
        drawml classify star.json --model shapes.drawml --explain
      """)

  @Argument(help: "Files or folders of drawings; '-' or nothing is standard input.")
  var drawings: [String] = ["-"]
  @Flag(help: "Leave out drawings that cannot be read, and say which.")
  var skipInvalid = false
  @Option(name: .shortAndLong, help: "The model.")
  var model: String
  @Option(help: "How many labels to list for a drawing, at most.", in: 1...100_000)
  var top = 5
  @Flag(help: "Show the nearest taught drawings and the threshold: why this label, or none.")
  var explain = false
  @OptionGroup var refusal: RefusalOption
  @OptionGroup var threads: ThreadOption
  @OptionGroup var kernels: KernelOption
  @OptionGroup var format: FormatOption

  func run() async throws {
    kernels.select()
    var recognizer = try ModelFile.read(model)
    if let policy = refusal.policy { recognizer.policy = policy }
    if recognizer.labels.isEmpty {
      printToStandardError(
        "\(model) was taught no label yet. Teach it: drawml train my-shapes/ --base \(model) "
          + "--output mine.drawml")
    }
    var skipped = 0
    var count = 0
    var waiting: [Drawing] = []
    var points = 0
    var notes = FileNotes()
    defer { printToStandardError(notes.lines) }
    do {
      for source in try DatasetFiles.expand(drawings) {
        // Drawings from a pipe are answered as they arrive.
        let isFile = source.path != "-" && FolderListing.isFile(source.path)
        if !isFile { try await answer(&waiting, by: recognizer) }
        let most = isFile ? 64 * threads.count : 1
        guard var reader = try open(source, &skipped) else { continue }
        while let drawing = try next(&reader, &skipped) {
          count += 1
          points = drawing.pointCount + (waiting.isEmpty ? 0 : points)
          waiting.append(drawing)
          if waiting.count >= most || points >= Self.mostPoints {
            try await answer(&waiting, by: recognizer)
          }
        }
        notes.add(reader.notes, of: source.path)
      }
    } catch {
      try await answer(&waiting, by: recognizer)
      throw error
    }
    try await answer(&waiting, by: recognizer)
    if skipped > 0 { printToStandardError(SampleArguments.skippedText(skipped)) }
    if count + skipped == 0 { printToStandardError("There is no drawing to classify.") }
    if count == 0, skipped > 0 { throw ExitCode.failure }
  }

  /// Drawings with this many points together do not wait for more, so that memory is bounded.
  private static let mostPoints = 1 << 18

  /// Prints what drawings are, and empties `drawings`.
  private func answer(_ drawings: inout [Drawing], by recognizer: Recognizer) async throws {
    let asked = exchange(&drawings, with: [])
    let neighbors = explain ? 5 : 0
    do {
      let results = try await recognizer.classify(
        asked, candidates: top, neighbors: neighbors, threads: threads.count)
      for (drawing, result) in zip(asked, results) { try tell(result, drawing, by: recognizer) }
    } catch is ModelError {
      // One cannot be embedded: one by one, those before it are answered.
      for drawing in asked {
        try tell(
          recognizer.classify(drawing, candidates: top, neighbors: neighbors), drawing,
          by: recognizer)
      }
    }
  }

  private func tell(
    _ result: Classification, _ drawing: Drawing, by recognizer: Recognizer
  ) throws {
    let report = ClassificationReport(
      result,
      truth: drawing.label.map { LabelRule.spelling(of: $0, among: recognizer.labels) },
      explanation: explain ? .init(result, by: recognizer) : nil)
    try format.print(report, report.lines, pretty: false)
  }

  /// A reader of a file; nil if it cannot be read and is skipped.
  private func open(
    _ source: DatasetFiles.Source, _ skipped: inout Int
  ) throws -> DatasetReader? {
    do throws(DatasetError) {
      return try DatasetReader(path: source.path, label: source.label)
    } catch {
      try skip(error, &skipped)
      return nil
    }
  }

  /// The next readable drawing; unreadable ones are skipped and counted.
  private func next(_ reader: inout DatasetReader, _ skipped: inout Int) throws -> Drawing? {
    while true {
      do throws(DatasetError) {
        return try reader.next()
      } catch {
        try skip(error, &skipped)
      }
    }
  }

  /// Reports a drawing or file that cannot be read, or throws its error.
  private func skip(_ error: DatasetError, _ skipped: inout Int) throws {
    guard skipInvalid else { throw InvalidDrawing.explaining(error) }
    printToStandardError("skipped: \(error)")
    skipped += 1
  }
}
