internal import ArgumentParser

struct DatasetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dataset",
    abstract: "Look at, convert and make sets of drawings.",
    subcommands: [
      DatasetInfoCommand.self, DatasetConvertCommand.self, DatasetSynthesizeCommand.self,
    ])
}
