internal import ArgumentParser
internal import Datasets

struct DatasetSplitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "split",
    abstract: "Cut a set into parts to train on, to choose by and to judge by.",
    discussion: """
      --by class puts whole labels in one part each, so that the test part shows labels that were \
      never trained on; which part a label goes to depends on the labels' names and the seed alone. \
      --by drawing cuts every label by the same shares. The folders train, validation and test get \
      a file a label.

      Examples:
        drawml dataset split drawings/ --by class --seed 3 --output parts
        drawml dataset split drawings/ --by drawing --test 0.2 --output parts
        drawml train parts/train --output m.drawml
      """)

  @OptionGroup var samples: SampleArguments
  @Option(help: "What stays together: class or drawing.")
  var by: SplitJob.Unit = .class
  @Option(help: "The share of the validation part.", in: 0...0.99)
  var validation = 0.15
  @Option(help: "The share of the test part.", in: 0...0.99)
  var test = 0.15
  @Option(help: "Another seed, another cut.", in: .seeds)
  var seed: UInt64 = 1
  @Option(name: .shortAndLong, help: "The folder that the parts go to; made if it is not there.")
  var output: String
  @OptionGroup var format: FormatOption

  func validate() throws {
    guard validation + test < 1 else {
      throw ValidationError(
        "--validation and --test must be less than 1 together, so that something is left to train on."
      )
    }
  }

  func run() throws {
    let set = try samples.readSamples().samples
    let job = SplitJob(
      unit: by, splitter: Splitter(validation: validation, test: test, seed: seed), output: output)
    let report = try job.run(on: set)
    try format.print(report, report.lines)
  }
}

extension SplitJob.Unit: ExpressibleByArgument {}
