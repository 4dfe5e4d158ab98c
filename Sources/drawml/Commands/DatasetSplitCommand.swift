internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Files
internal import Report
internal import Text

struct DatasetSplitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "split",
    abstract: "Split drawings into training, validation and test parts.",
    discussion: """
      --by class puts each label into one part, so that the test part has labels that were never \
      trained on; a label's part depends only on the labels' names and the seed. --by drawing \
      splits every label by the same shares. The folders train, validation and test get one file \
      per label.

      Examples:
        drawml dataset split drawings/ --by class --seed 3 --output parts
        drawml dataset split drawings/ --by drawing --test 0.2 --output parts
        drawml train parts/train --output m.drawml
      """)

  /// The unit that is not split.
  enum Unit: String, CaseIterable, ExpressibleByArgument {
    /// Whole labels: the test part then has labels that were not trained on.
    case `class`
    /// Drawings: every label is in every part.
    case drawing
  }

  /// One part.
  struct Part: Encodable {
    /// "train", "validation" or "test"; also the folder's name.
    var name: String
    var drawings: Int
    var labels: [String]
    var fingerprint: String
  }

  struct Report: Encodable {
    var by: String
    var seed: UInt64
    var validation: Double
    var test: Double
    var output: String
    var parts: [Part]
  }

  @OptionGroup var samples: SampleArguments
  @Option(help: "What to split: whole classes, or the drawings of each.")
  var by: Unit = .class
  @Option(help: "The share of the validation part.", in: 0...0.99)
  var validation = 0.15
  @Option(help: "The share of the test part.", in: 0...0.99)
  var test = 0.15
  @Option(help: "The seed of the split.", in: .seeds)
  var seed: UInt64 = 1
  @Option(name: .shortAndLong, help: "The folder for the parts; created if missing.")
  var output: String
  @OptionGroup var format: FormatOption

  func validate() throws {
    guard validation + test < 1 else {
      throw ValidationError(
        """
        --validation and --test must be less than 1 together, so that something is left to train on.
        """
      )
    }
  }

  func run() throws {
    let set = try samples.readSamples().samples
    let report = Report(
      by: by.rawValue, seed: seed, validation: validation, test: test, output: output,
      parts: try write(set))
    try format.print(report, report.lines)
  }

  /// Writes the parts, each a folder with a file per label.
  ///
  /// - Throws: `FileError`, also if a part's folder holds files, which might belong to another part
  ///   of this split; then none of the parts is written.
  private func write(_ samples: SampleSet) throws -> [Part] {
    let splitter = Splitter(validation: validation, test: test, seed: seed)
    let split = by == .class ? splitter.byClass(samples) : splitter.byDrawing(samples)
    let parts = [("train", split.train), ("validation", split.validation), ("test", split.test)]
    let isNew = !AtomicFile.exists(output)
    try AtomicFile.makeFolder(output)
    // Only a failure leaves it empty.
    defer { if isNew { AtomicFolder.removeEmpty(output) } }
    let bar = ProgressBar("Writing")
    defer { bar.finish() }
    var done = 0
    return try AtomicFolder.write(parts.map { "\(output)/\($0.0)" }) { folders throws(FileError) in
      var written: [Part] = []
      for ((name, rows), folder) in zip(parts, folders) {
        let part = samples.subset(rows)
        var names = FileNames()
        for (index, label) in part.classes.enumerated() {
          let members = part.classIndices.indices.filter { part.classIndices[$0] == index }
          try DatasetFiles.write(
            members.map { part.drawings[$0] },
            to: "\(folder)/\(names.next(for: label, ending: ".ndjson"))")
          done += members.count
          bar.update(done, of: samples.count, name)
        }
        written.append(
          Part(
            name: name, drawings: part.count, labels: part.classes, fingerprint: part.fingerprint))
      }
      return written
    }
  }
}

extension DatasetSplitCommand.Report {
  /// The labels of each part, for people.
  var lines: [String] {
    parts.flatMap { part in
      let heading =
        "\(output)/\(part.name): \(counted(part.drawings, "drawing")) of "
        + "\(counted(part.labels.count, "label")), data \(part.fingerprint.prefix(12))"
      return [heading] + wrappedWords(part.labels).map { "  " + $0 }
    }
  }
}

/// The words, separated by three spaces, in lines of about 90 characters.
func wrappedWords(_ words: [String]) -> [String] {
  words.reduce(into: []) { lines, word in
    let word = TextTable.shortened(word).visible
    if let last = lines.last, last.count + word.count < 90 {
      lines[lines.count - 1] = last + "   " + word
    } else {
      lines.append(word)
    }
  }
}
