internal import ArgumentParser

struct BenchmarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmark",
    abstract: "Measure models on standard tasks.",
    subcommands: [BenchmarkFewShotCommand.self])
}
