internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Report
internal import Support

/// Options for training on more drawings than fit in memory.
struct StreamOptions: ParsableArguments {
  @Flag(help: "Read the drawings again in every epoch, however many there are.")
  var stream = false
  @Option(
    help: ArgumentHelp(
      "With --stream: how many drawings wait in the buffer that shuffles them.",
      valueName: "count"), in: 1...1_000_000)
  var shuffleBuffer = 10_000
  @Option(
    help: ArgumentHelp(
      "With --stream: how many drawings of each label stay in memory.", valueName: "count"),
    in: 2...100_000)
  var keep = 100
  @Option(
    help: ArgumentHelp(
      "With --stream: examples an epoch; as many as there are drawings where not given.",
      valueName: "count"), in: 1...100_000_000)
  var examplesPerEpoch: Int?

  func validate() throws {
    guard stream || examplesPerEpoch == nil else {
      throw ValidationError("--examples-per-epoch goes with --stream.")
    }
  }

  /// How to stream `samples`.
  func settings(for samples: SampleArguments) -> StreamedDrawings.Settings {
    StreamedDrawings.Settings(
      paths: samples.samples, buffer: shuffleBuffer, skipsInvalid: samples.skipInvalid)
  }

  /// A first pass through all files.
  ///
  /// - Throws: The error of a drawing that cannot be read, unless invalid ones are skipped.
  func survey(_ samples: SampleArguments, seed: UInt64) throws -> StreamSurvey {
    let bar = ProgressBar("Looking through the files")
    defer { bar.finish() }
    do {
      let survey = try StreamSurvey(
        samples.samples, kept: keep, seed: seed, skippingInvalid: samples.skipInvalid
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
