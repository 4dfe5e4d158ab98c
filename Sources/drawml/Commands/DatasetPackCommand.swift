internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Files
internal import Report
internal import Text
internal import Training

struct DatasetPackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Put labeled drawings of any number into a folder of shards.",
    discussion: """
      Training on more drawings than fit into memory (train --stream) needs such a folder; all \
      commands read it like files of drawings. Drawings keep all that training sees: points, \
      times, labels, ids and canvases, in about 100 bytes each if they are like Quick, Draw!'s. \
      Files are read once, several at a time, so that labels are mixed; memory does not grow with \
      their number.

      After Ctrl-C, a crash or a full disk, the same command with --resume continues, and gives \
      the same bytes as an uninterrupted one.

      Examples:
        drawml dataset pack quickdraw/ --output quickdraw-shards
        drawml dataset pack quickdraw/ --output quickdraw-shards --shards 64 --resume
        drawml train quickdraw-shards --stream --output large.drawml
      """)

  @OptionGroup var samples: SampleArguments
  @Option(name: .shortAndLong, help: "The folder for the shards; new or empty.")
  var output: String
  @Option(help: "How many files of nearly equal size to make.", in: 1...512)
  var shards = Self.standardShards
  @Flag(help: "Continue where the packing into this folder was stopped, if it was.")
  var resume = false
  @OptionGroup var format: FormatOption

  static let standardShards = 16

  struct Report: Encodable {
    var output: String
    var packed: ShardPacker.Report
    var seconds: Double
    var peakMemoryBytes: Int

    func encode(to encoder: any Encoder) throws {
      try packed.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(output, forKey: .output)
      try container.encode(seconds, forKey: .seconds)
      try container.encode(peakMemoryBytes, forKey: .peakMemoryBytes)
    }

    private enum CodingKeys: CodingKey { case output, seconds, peakMemoryBytes }

    var lines: [String] {
      return [
        "\(output): \(counted(packed.drawings, "drawing")) of \(counted(packed.labels, "label")) "
          + "in \(counted(packed.shards, "shard")), data \(packed.fingerprint.prefix(12))",
        "  \(megabytes(packed.bytes)), \(grouped(packed.bytes / max(1, packed.drawings))) bytes a "
          + "drawing, in \(duration(seconds)); peak memory \(megabytes(peakMemoryBytes))",
      ]
    }
  }

  func run() async throws {
    guard !resume || !samples.samples.contains("-") else {
      throw ValidationError("--resume reads files again, and '-' can be read only once.")
    }
    let started = ContinuousClock.now
    let packed = try await Self.pack(
      samples, to: output, shards: shards, resumes: resume,
      hint: "the same command with --resume continues")
    let report = Report(
      output: output, packed: packed, seconds: (ContinuousClock.now - started) / .seconds(1),
      peakMemoryBytes: Resources.peakMemoryBytes)
    try format.print(report, report.lines)
  }

  /// Packs drawings, showing the progress.
  ///
  /// - Parameters:
  ///   - samples: The drawings.
  ///   - output: The folder for the shards.
  ///   - shards: How many files to make.
  ///   - resumes: Whether a packing that was stopped goes on.
  ///   - hint: What to do after an interruption.
  /// - Returns: What was packed.
  /// - Throws: `InvalidDrawing`, `SampleSetError`, `FileError`, and `CancellationError`.
  static func pack(
    _ samples: SampleArguments, to output: String, shards: Int = standardShards,
    resumes: Bool = false, hint: String
  ) async throws -> ShardPacker.Report {
    let bar = ProgressBar("Packing")
    defer { bar.finish() }
    do {
      let packer = try ShardPacker(
        samples.samples, to: output, shards: shards, skippingInvalid: samples.skipInvalid,
        resumes: resumes)
      let packed = try await interruptible(
        hint: {
          bar.finish()
          return hint
        },
        {
          var packer = packer
          return try await packer.run(
            skipped: { errors in
              for error in errors { bar.note("skipped: \(error)") }
            },
            progress: {
              bar.update(
                $0.bytes >> 20, of: max(1, $0.of >> 20), counted($0.drawings, "drawing"))
            })
        })
      bar.finish()
      if packed.skipped > 0 { bar.note(SampleArguments.skippedText(packed.skipped)) }
      return packed
    } catch let error as DatasetError {
      throw InvalidDrawing.explaining(error)
    } catch let error as SampleSetError {
      throw error == .empty ? error : InvalidDrawing(error)
    }
  }
}
