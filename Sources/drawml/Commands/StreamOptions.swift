internal import ArgumentParser
internal import Datasets
internal import Recognition
internal import Report
internal import Training

/// Options for training on more drawings than fit in memory.
struct StreamOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    help: "Read the drawings from their files in every epoch, instead of keeping them in memory.")
  var stream: Bool?
  @Option(
    help: ArgumentHelp(
      """
      With --stream: the size of the buffer that shuffles drawings (default: \
      \(TrainingSettings(hasBase: false).shuffleBuffer)).
      """, valueName: "count"), in: TrainingSettings.Limits.shuffleBuffer)
  var shuffleBuffer: Int?
  @Option(
    help: ArgumentHelp(
      """
      With --stream: how many drawings of each label stay in memory (default: \
      \(TrainingSettings(hasBase: false).keep)).
      """, valueName: "count"), in: TrainingSettings.Limits.keep)
  var keep: Int?
  @Option(
    help: ArgumentHelp(
      "With --stream: examples per epoch (default: as many as drawings).",
      valueName: "count"), in: TrainingRecipe.Limits.examples)
  var examplesPerEpoch: Int?

  /// Puts what was given into settings.
  func set(_ settings: inout TrainingSettings) {
    if let stream { settings.stream = stream }
    if let shuffleBuffer { settings.shuffleBuffer = shuffleBuffer }
    if let keep { settings.keep = keep }
    if let examplesPerEpoch { settings.training.examplesPerEpoch = examplesPerEpoch }
  }

  /// A first pass through all files.
  ///
  /// - Throws: The error of a drawing that cannot be read, unless invalid ones are skipped.
  static func survey(
    _ samples: SampleArguments, _ settings: TrainingSettings
  ) throws -> StreamSurvey {
    let bar = ProgressBar("Reading the files")
    defer { bar.finish() }
    do {
      let survey = try StreamSurvey(
        samples.samples, kept: settings.keep, seed: settings.seed,
        skippingInvalid: samples.skipInvalid
      ) {
        bar.update($0.filesDone, of: $0.files, counted($0.drawings, "drawing"))
      }
      if survey.skippedCount > 0 { bar.note(SampleArguments.skippedText(survey.skippedCount)) }
      return survey
    } catch let error as DatasetError {
      throw InvalidDrawing.explaining(error)
    } catch let error as SampleSetError {
      throw InvalidDrawing(error)
    }
  }
}
