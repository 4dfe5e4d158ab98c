internal import ArgumentParser
internal import Benchmarks
internal import Foundation
internal import Training

struct BenchmarkLearningCurveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learning-curve",
    abstract: "Measure whether more drawings of each label would help.",
    discussion: """
      Models are trained as by 'train' on more and more drawings of each label, and judged on \
      held-out drawings. Each repetition holds out other drawings. Labels with fewer drawings give \
      all they have. With --base it takes seconds; without, a full training for each point.

      Examples:
        drawml benchmark learning-curve my-shapes/ --base models/base.drawml
        drawml benchmark learning-curve my-shapes/ --base models/base.drawml \\
          --report curve.html
        drawml benchmark learning-curve my-shapes/ --sizes 10,50,200 --epochs 20
      """)

  @OptionGroup var samples: SampleArguments
  @Option(
    help: ArgumentHelp(
      "Drawings of each label, ascending (default: 1, 2, 5, 10, 20 and so on).",
      valueName: "n,n,…"))
  var sizes: NumberList?
  @Option(help: "How many repetitions, each with other drawings held out.", in: 1...1000)
  var repeats = 5
  @Option(help: "The share of each label's drawings that is held out.", in: 0.01...0.9)
  var test = 0.2
  @OptionGroup var training: TrainingOptions
  @OptionGroup var page: PageOutput

  func run() async throws {
    training.kernels.select()
    let settings = try training.settings()
    if let problem = settings.holdOutProblem("Drawings are held out by --test") {
      throw ValidationError(problem + ".")
    }
    if try training.prints(settings) { return }
    try page.check()
    let drawings = try samples.readSamples().samples
    let benchmark = LearningCurveBenchmark(
      base: training.base, settings: settings, sizes: sizes?.numbers, repetitions: repeats,
      testShare: test, paths: samples.samples, threads: training.threads.count,
      date: Date.now.formatted(.iso8601))
    let result = try await showing(hint: { "nothing was measured" }) {
      try await benchmark.run(on: drawings, progress: $0)
    }
    try page.finish(result, result.lines, page: result.page())
  }
}

/// Numbers from 1 up, ascending, with commas between them.
struct NumberList: ExpressibleByArgument {
  var numbers: [Int]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    let numbers = parts.compactMap(\.self)
    guard numbers.count == parts.count, (numbers.first ?? 0) > 0,
      zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    self.numbers = numbers
  }
}
