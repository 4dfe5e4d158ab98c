internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Foundation
internal import Ink
internal import Report
internal import Text
internal import Training

struct DatasetInfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Count labels, strokes and points, and list odd drawings.",
    discussion: """
      If no drawing has a label, it reports whatever needs none. Of canvases with the truth under \
      "shapes" it also reports how large the shapes are, and how they lie relative to each other. \
      --report shows drawings of each label, odd ones and copies. Of a folder of shards ('dataset \
      pack') all blocks are checked, in little memory; odd drawings and copies are not looked for, \
      unless --report asks for a page.

      Examples:
        drawml dataset info datasets/starter
        drawml dataset info quickdraw/ --skip-invalid --format json
        drawml dataset info quickdraw/ --report quickdraw.html
        drawml dataset info quickdraw-shards
      """)

  @OptionGroup var samples: SampleArguments
  @Option(help: "How many labels and odd drawings to list at most.", in: 0...1_000_000)
  var rows = 20
  @OptionGroup var page: PageOutput

  func run() throws {
    try page.check()
    if page.report == nil, samples.samples.count == 1, ShardedDrawings.isSet(samples.samples[0]) {
      let set = try ShardedDrawings(samples.samples[0])
      let bar = ProgressBar("Reading")
      defer { bar.finish() }
      let summary = try ShardedSummary(set) { bar.update($0, of: set.count) }
      bar.finish()
      return try page.format.print(summary, summary.lines(rows: rows))
    }
    var contents = try samples.read()
    let scenes = try Self.scenes(contents)
    if !contents.drawings.isEmpty, contents.drawings.allSatisfy({ $0.label == nil }) {
      guard page.report == nil else {
        throw ValidationError("--report shows labels, and none of these drawings has one.")
      }
      let summary = try SampleSummary(unlabeled: contents.drawings, origins: contents.origins)
      let info = Info(summary: summary, scenes: scenes)
      return try page.format.print(info, info.lines(rows: rows))
    }
    let unlabeled = samples.skipInvalid ? 0 : contents.removeUnlabeled()
    let set = try samples.samples(of: &contents).samples
    let info = Info(summary: SampleSummary(set, unlabeled: unlabeled), scenes: scenes)
    try page.finish(
      info, info.lines(rows: rows),
      page: DatasetPage.html(
        set, info.summary, paths: samples.samples, date: Date.now.formatted(.iso8601)))
  }

  /// The facts of canvases; nil unless all drawings are canvases with the truth. Tells why canvases
  /// have none.
  private static func scenes(_ contents: DatasetFiles.Contents) throws -> SceneFacts? {
    let drawings = contents.drawings
    guard !drawings.isEmpty, drawings.allSatisfy({ !$0.shapes.isEmpty }) else { return nil }
    do {
      return try SceneFacts(try contents.labeledCanvases())
    } catch {
      printToStandardError("No facts of scenes: \(error)")
      return nil
    }
  }
}

/// The JSON of `dataset info`: a summary, and the facts of scenes.
private struct Info: Encodable {
  var summary: SampleSummary
  var scenes: SceneFacts?

  private enum CodingKeys: CodingKey { case scenes }

  func encode(to encoder: any Encoder) throws {
    try summary.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(scenes, forKey: .scenes)
  }

  func lines(rows: Int) -> [String] {
    summary.lines(rows: rows) + (scenes.map { [""] + $0.lines } ?? [])
  }
}

extension SampleSummary {
  /// A few lines and tables for people.
  func lines(rows: Int) -> [String] {
    let labels = classes.isEmpty ? "without labels" : "of \(counted(classes.count, "label"))"
    var lines = ["\(counted(drawings, "drawing")) \(labels), data \(fingerprint.prefix(12))"]
    if repeats > 0 { lines.append("\(counted(repeats, "repeated line")) left out") }
    if unlabeled > 0 {
      lines.append("\(counted(unlabeled, "drawing")) without a label left out")
    }
    if duplicates > 0 {
      lines.append("\(counted(duplicates, "drawing")) with the same strokes as an earlier one")
    }
    if nearDuplicates > 0 {
      lines.append("\(counted(nearDuplicates, "drawing")) nearly the same as an earlier one")
    }
    if withoutTimes > 0 { lines.append("\(counted(withoutTimes, "drawing")) without times") }
    if notGuessed > 0 {
      lines.append("\(counted(notGuessed, "drawing")) not guessed in the game of origin")
    }
    lines += Self.tables(
      (classes.isEmpty ? [] : [("drawings a label", drawingsPerClass)])
        + [("strokes a drawing", strokesPerDrawing), ("points a drawing", pointsPerDrawing)],
      classes, rows: rows)
    if !findings.isEmpty {
      lines += ["", "\(counted(findings.count, "drawing")) to look at:"]
      lines += findings.prefix(rows).map { finding in
        let label = finding.label.isEmpty ? "" : " (\(finding.label))"
        return "  \(finding.id)\(label): \(finding.kind.text)"
      }
    }
    if !copies.isEmpty {
      lines += ["", "\(copies.count == 1 ? "1 copy" : "\(grouped(copies.count)) copies"):"]
      lines += copies.prefix(rows).map { copy in
        "  \(copy.id) (\(copy.label)): \(copy.isExact ? "the same strokes as" : "nearly") \(copy.of)"
      }
      if copies.count > rows { lines.append("and \(grouped(copies.count - rows)) more (--rows)") }
    }
    return lines
  }
}

extension SampleSummary {
  /// Quantiles, and the labels with their numbers of drawings.
  fileprivate static func tables(
    _ quantiles: [(name: String, numbers: Quantiles)], _ classes: [ClassCount], rows: Int
  ) -> [String] {
    var table = TextTable([
      ("", .left), ("min", .right), ("quartile", .right), ("median", .right),
      ("quartile", .right), ("max", .right),
    ])
    for (name, numbers) in quantiles {
      table.add(
        [name]
          + [
            numbers.minimum, numbers.lowerQuartile, numbers.median, numbers.upperQuartile,
            numbers.maximum,
          ].map(grouped))
    }
    var lines = [""] + table.lines
    let sorted = classes.sorted { ($1.drawings, $0.label) < ($0.drawings, $1.label) }
    if !classes.isEmpty { lines.append("") }
    lines += wrappedWords(sorted.prefix(rows).map { "\($0.label) \(grouped($0.drawings))" })
    return lines + unlisted(classes.count - rows, "label")
  }
}

extension ShardedSummary {
  /// A few lines and tables for people.
  fileprivate func lines(rows: Int) -> [String] {
    var lines = [
      "\(counted(drawings, "drawing")) of \(counted(classes.count, "label")) in "
        + "\(counted(shards, "shard")), data \(fingerprint.prefix(12))",
      "\(megabytes(bytes)), \(grouped(bytes / max(1, drawings))) bytes a drawing; all are as they "
        + "were written",
    ]
    if withoutTimes > 0 { lines.append("\(counted(withoutTimes, "drawing")) without times") }
    if notGuessed > 0 {
      lines.append("\(counted(notGuessed, "drawing")) not guessed in the game of origin")
    }
    return lines
      + SampleSummary.tables(
        [
          ("drawings a label", drawingsPerClass), ("strokes a drawing", strokesPerDrawing),
          ("points a drawing", pointsPerDrawing),
        ], classes, rows: rows)
  }
}
