internal import ArgumentParser

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
