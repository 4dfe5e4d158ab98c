internal import ArgumentParser
internal import Datasets
internal import Report

struct DatasetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dataset",
    abstract: "Look at, convert, split and make sets of drawings.",
    discussion: """
      Examples:
        drawml dataset info datasets/starter
        drawml dataset convert full_binary_cat.bin --output cat.ndjson
        drawml dataset split drawings/ --by class --seed 3 --output parts
        drawml dataset synthesize --output more-shapes --count 200 --seed 7
        drawml dataset synthesize canvases --from timed-drawings --output canvases.ndjson
      """,
    subcommands: [
      DatasetInfoCommand.self, DatasetConvertCommand.self, DatasetSplitCommand.self,
      DatasetSynthesizeCommand.self,
    ])
}

struct DatasetConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Turn drawings of one format into another.",
    discussion: """
      Reads stroke JSON, Quick, Draw! (simplified, raw and binary), Omniglot strokes, all of them \
      also packed by gzip, and HDF5; writes stroke JSON (.ndjson, .json) and HDF5 (.h5).

      Examples:
        drawml dataset convert full_binary_cat.bin --output cat.ndjson
        drawml dataset convert omniglot/strokes --from omniglot-strokes --output omniglot.ndjson
        drawml dataset convert my-shapes/ --output my-shapes.h5
      """)

  @OptionGroup var samples: SampleArguments
  @Option(name: .shortAndLong, help: "The file to write; its ending names the format.")
  var output: String
  @Option(help: "The format of the input (default: as the files' endings tell).")
  var from: DatasetFormat?
  @Option(help: "The format of the output (default: as its ending tells).")
  var to: DatasetFormat?
  @OptionGroup var overwrite: OverwriteOption

  func run() throws {
    try overwrite.check(output, for: to, reading: samples.samples)
    let contents = try samples.read(as: from)
    try DatasetFiles.write(contents.drawings, to: output, as: to)
    printToStandardError("\(output): \(counted(contents.drawings.count, "drawing"))")
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
