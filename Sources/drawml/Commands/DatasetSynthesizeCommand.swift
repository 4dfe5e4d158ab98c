internal import ArgumentParser

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
