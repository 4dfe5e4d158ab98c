internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Ink
internal import Recognition

/// What a training by recipe needs besides the recipe.
struct RecipeOptions: ParsableArguments {
  @Option(
    help: """
      A recipe that trains a base model, such as models/base-recipe.json; the samples are then its sources, in \
      its order or as name=path.
      """)
  var recipe: String?
  @Option(
    help: "With --recipe: a Core ML network to learn from, where the recipe asks for a teacher.")
  var teacher: String?
  @Option(
    help: """
      With --recipe: drawings that are only mixed with others; their labels are not learnt. May be given again.
      """)
  var unlabelled: [String] = []
  @Option(
    help: """
      With --recipe: a file of the labels to keep out, in place of the recipe's own cut: JSON with \
      "validation" and "test", a JSON list, or one label a line.
      """)
  var holdOutClasses: String?
  @Option(
    help: ArgumentHelp(
      "With --recipe: a base model by it, whose embedding is kept; only how labels differ is learned anew.",
      valueName: "model"))
  var statisticsOf: String?
  @Flag(help: "With --recipe: teach the model the training drawings too.")
  var teach = false

  /// Refuses what needs a recipe where there is none.
  func validate() throws {
    guard
      recipe != nil
        || (teacher == nil && unlabelled.isEmpty && holdOutClasses == nil && statisticsOf == nil
          && !teach)
    else {
      throw ValidationError(
        "--teacher, --unlabelled, --hold-out-classes, --statistics-of and --teach need --recipe.")
    }
    guard statisticsOf == nil || (teacher == nil && unlabelled.isEmpty && !teach) else {
      throw ValidationError(
        "With --statistics-of nothing is trained or taught: leave out --teacher, --unlabelled and --teach."
      )
    }
  }

  /// The paths of each source: "name=path" names one, paths without a name stand for the sources in
  /// order.
  ///
  /// - Throws: `JobProblem` when a source has none or paths are left over.
  static func paths(
    _ arguments: [String], for sources: [TrainingRecipe.Source]
  ) throws(JobProblem) -> [String: [String]] {
    var paths: [String: [String]] = [:]
    var plain: [String] = []
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2, sources.contains(where: { $0.name == parts[0] }) {
        paths[parts[0], default: []].append(parts[1])
      } else {
        plain.append(argument)
      }
    }
    let open = sources.map(\.name).filter { paths[$0] == nil }
    guard open.count == plain.count else {
      let names = sources.map(\.name).joined(separator: ", ")
      throw JobProblem(
        "the recipe has the sources \(names): name the files of each in this order, or as "
          + "\(sources[0].name)=PATH")
    }
    for (name, path) in zip(open, plain) { paths[name] = [path] }
    return paths
  }
}

extension BaseTrainingJob.Data {
  /// Reads all drawings that the options name.
  init(
    _ options: RecipeOptions, _ samples: SampleArguments, for recipe: TrainingRecipe
  ) throws {
    var sources: [String: SampleSet] = [:]
    for (name, paths) in try RecipeOptions.paths(samples.samples, for: recipe.sources)
      .sorted(by: { $0.key < $1.key })
    {
      var part = samples
      part.samples = paths
      sources[name] = try part.readSamples().samples
    }
    var unlabelled: [Drawing] = []
    if !options.unlabelled.isEmpty {
      var part = samples
      part.samples = options.unlabelled
      unlabelled = try part.read().drawings
    }
    self.init(
      sources: sources, unlabelled: unlabelled,
      heldOut: try options.holdOutClasses.map { try HeldOutLabels(path: $0) })
  }
}
