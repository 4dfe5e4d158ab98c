internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Files
internal import Ink
internal import Pictures
internal import Report
internal import Text
internal import Training

struct DatasetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dataset",
    abstract: "Inspect, check, convert, split, pack, download and synthesize sets of drawings.",
    discussion: """
      Examples:
        drawml dataset info datasets/starter
        drawml dataset check my-shapes/ --base models/base.drawml
        drawml dataset convert full_binary_cat.bin --output cat.ndjson
        drawml dataset split drawings/ --by class --seed 3 --output parts
        drawml dataset pack quickdraw/ --output quickdraw-shards
        drawml dataset synthesize --output more-shapes --count 200 --seed 7
        drawml dataset synthesize canvases --from timed-drawings --output canvases.ndjson
        drawml dataset fetch quickdraw --labels cat,dog --limit 500 --output drawings
      """,
    subcommands: [
      DatasetInfoCommand.self, DatasetCheckCommand.self, DatasetConvertCommand.self,
      DatasetSplitCommand.self, DatasetPackCommand.self, DatasetFetchCommand.self,
      DatasetSynthesizeCommand.self,
    ])
}

struct DatasetConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Turn drawings of one format into another.",
    discussion: """
      Reads every format of drawings; writes stroke JSON (.ndjson, .json), HDF5 (.h5) and InkML \
      (.inkml), and with --to svg or --to png a folder with a picture for each drawing, in a \
      folder for each label. An animated SVG draws the strokes at their own times.

      Examples:
        drawml dataset convert full_binary_cat.bin --output cat.ndjson
        drawml dataset convert omniglot/strokes --from omniglot-strokes --output omniglot.ndjson
        drawml dataset convert my-shapes/ --output my-shapes.h5
        drawml dataset convert cat.ndjson --to svg --animate --output cats
      """)

  @OptionGroup var samples: SampleArguments
  @Option(
    name: .shortAndLong,
    help: "The file to write, whose ending names the format, or the folder for svg or png.")
  var output: String
  @Option(help: "The format of the input (default: by the files' endings).")
  var from: DatasetFormat?
  @Option(
    name: .customLong("to"), help: "The format of the output (default: by its ending).")
  var written: WrittenFormat?
  @Flag(help: "Have each SVG draw its strokes one after the other.")
  var animate = false
  @Option(help: "Rows and columns of each PNG, in pixels.", in: 16...4096)
  var size: Int?
  @OptionGroup var overwrite: OverwriteOption

  private var to: DatasetFormat? { written?.format }

  func validate() throws {
    guard !animate || to == .svg else { throw ValidationError("--animate needs --to svg.") }
    guard size == nil || to == .png else { throw ValidationError("--size needs --to png.") }
  }

  func run() throws {
    if to?.isWritableAsFolder == true {
      try writeFolder()
    } else {
      let replacement = try overwrite.check(output, for: to, reading: samples.samples)
      guard to != nil || DatasetFormat(path: output) != nil else {
        throw FileError(
          "write", path: output,
          reason: .malformed("its name tells no format; name one with --to"))
      }
      try DatasetFiles.requireWritable(output, as: to)
      var contents = try samples.read(as: from)
      guard !contents.drawings.isEmpty else { throw Self.nothingToWrite }
      try contents.requireDistinctIDs()
      contents.distinguishIDs()
      try DatasetFiles.write(contents.drawings, to: output, as: to, replacing: replacement)
      tellWritten(counted(contents.drawings.count, "drawing"), to: output)
    }
  }

  private static let nothingToWrite = JobProblem("there are no drawings to write")

  private func writeFolder() throws {
    let form: DrawingFolder.Form =
      to == .svg ? .svg(isAnimated: animate) : .png(size: size ?? 256)
    let folder = try DrawingFolder(output, of: form)
    let contents = try samples.read(as: from)
    let drawings = contents.drawings
    guard !drawings.isEmpty else { throw Self.nothingToWrite }
    try contents.requireDistinctIDs()
    let bar = ProgressBar("Writing")
    defer { bar.finish() }
    let renamed = try folder.write(drawings) { bar.update($0, of: drawings.count, "") }
    if to == .png, !renamed.isEmpty {
      bar.note("labels that no folder can be named after have another name: \(listed(renamed))")
    }
    let canvases = drawings.count { !$0.shapes.isEmpty }
    if canvases > 0 {
      bar.note("the shapes of \(counted(canvases, "labeled drawing")) are not written to pictures")
    }
    bar.finish()
    tellWritten(counted(drawings.count, "drawing"), to: output)
  }
}

struct DatasetSynthesizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "synthesize",
    abstract: "Make drawings of everyday shapes, or canvases that hold several drawings.",
    discussion: """
      Without a subcommand, it makes shapes: see 'drawml help dataset synthesize shapes'.

      Examples:
        drawml dataset synthesize --output more-shapes --count 200 --seed 7
        drawml dataset synthesize canvases --from timed-drawings --output canvases.ndjson
      """,
    subcommands: [DatasetSynthesizeShapesCommand.self, DatasetSynthesizeCanvasesCommand.self],
    defaultSubcommand: DatasetSynthesizeShapesCommand.self)
}
