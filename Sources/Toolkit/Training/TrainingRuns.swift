internal import Files
package import Foundation
internal import JSON
internal import NeuralNetwork
internal import Report

/// Runs of `drawml train`, read from their logs, to be compared.
package struct TrainingRuns: Encodable, Sendable {
  /// One training, also if it was stopped and resumed. Its JSON keys are the properties' names and
  /// stay as they are; rates are fractions in 0...1.
  struct Run: Encodable, Sendable {
    /// The log's path.
    var log: String
    /// When it started, in ISO 8601, UTC.
    var started: String
    /// "finished" or "stopped"; one that is still training is "stopped", too.
    var state = "stopped"
    /// The model that it writes.
    @OrNull var output: String?
    @OrNull var seed: UInt64?
    /// The SHA-256 of the drawings, of those that judge if they are others, and of the base.
    @OrNull var data: String?
    @OrNull var validation: String?
    @OrNull var base: String?
    /// The accuracy of the finished model on the validation drawings; of logs of old versions, and
    /// where it was stopped, that of the last epoch, if there is one network.
    @OrNull var accuracy: Double?
    /// All settings as JSON, by keys such as "training.batchSize"; empty in logs of old versions.
    var settings: [String: String] = [:]
    /// The time of all its parts.
    var seconds = 0.0
    /// The epochs of each network.
    var curves: [LearningCurve] = []
  }

  var runs: [Run]

  /// The log of a run.
  ///
  /// - Parameters:
  ///   - path: A file, or a folder that gets a new file for each run.
  ///   - output: The model that is trained, whose name the file has.
  ///   - resumes: Whether the newest log of this model goes on.
  ///   - time: When it starts.
  /// - Returns: The path of the file.
  /// - Throws: `FileError` when the folder cannot be made or read.
  package static func file(
    _ path: String, of output: String, resumes: Bool, at time: Date
  ) throws -> String {
    guard path.hasSuffix("/") || FolderListing.isFolder(path) else { return path }
    let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
    try AtomicFile.makeFolder(folder, withParents: true)
    let model = URL(fileURLWithPath: output).deletingPathExtension().lastPathComponent
    let stamp = time.formatted(
      Date.VerbatimFormatStyle(
        format: """
          \(year: .padded(4))\(month: .twoDigits)\(day: .twoDigits)T\
          \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))\(minute: .twoDigits)\
          \(second: .twoDigits)
          """, timeZone: .gmt, calendar: Calendar(identifier: .gregorian)))
    let own = try logs(in: folder).filter { log in
      let name = URL(fileURLWithPath: log).lastPathComponent
      guard name.hasPrefix(model + "-"),
        name.dropFirst(model.count + 1).prefixMatch(of: /\d{8}T\d{6}(-\d+)?\.jsonl/) != nil
      else { return false }
      // Models of several folders may have one name.
      return resumes && (try? runs(in: log).last).map { ($0.output ?? output) == output } == true
    }
    if let last = own.last { return last }
    return (1...).lazy.map { "\(folder)/\(model)-\(stamp)\($0 == 1 ? "" : "-\($0)").jsonl" }
      .first { !AtomicFile.exists($0) } ?? path
  }

  /// The logs in a folder and below, in the order of their names without their extension: the
  /// second of a time has a name that goes on.
  private static func logs(in folder: String) throws -> [String] {
    (try FolderListing.files(below: folder) ?? []).filter { $0.hasSuffix(".jsonl") }
      .map { String($0.dropLast(6)) }.sorted().map { "\(folder)/\($0).jsonl" }
  }

  /// Reads logs.
  ///
  /// - Parameter paths: Logs, and folders of them.
  /// - Throws: `FileError` for a file that cannot be read, and `JobProblem` for one that is no log or
  ///   no run at all.
  package init(reading paths: [String]) throws {
    runs = []
    for path in paths {
      let isFolder = FolderListing.isFolder(path)
      for log in isFolder ? try Self.logs(in: path) : [path] {
        let found = try Self.runs(in: log)
        guard !found.isEmpty || isFolder else {
          throw JobProblem("\(log) is not a training log: give one that 'train --log' wrote")
        }
        runs += found
      }
    }
    guard !runs.isEmpty else {
      throw JobProblem("there is no training log in \(paths.joined(separator: ", "))")
    }
  }

  /// What of a log's line is needed.
  private struct Line: Decodable {
    struct Run: Decodable {
      var output: String?
      var seed: UInt64
      var data: String
      var validation: String?
      var base: String?
    }

    var event: String
    var format: String?
    var network: String?
    var time: String
    var seconds: Double
    var step: Int
    var accuracy: Double?
    var run: Run?
  }

  /// The runs of a log; a last line that is not whole is left out.
  private static func runs(in path: String) throws -> [Run] {
    var runs = LoggedRuns()
    for bytes in try AtomicFile.read(path).split(separator: 0x0a) {
      guard let document = try? JSONDocument(Array(bytes)),
        let line = try? document.decode(Line.self)
      else {
        if runs.isEmpty { return [] }
        continue
      }
      switch line.event {
      case "run":
        var run = Run(log: path, started: line.time)
        (run.output, run.seed, run.data) = (line.run?.output, line.run?.seed, line.run?.data)
        (run.validation, run.base) = (line.run?.validation, line.run?.base)
        for member in document.root.members ?? [] where member.key == "run" {
          for part in member.value.members ?? [] where part.key == "settings" {
            run.settings = flat(part.value, "")
          }
        }
        runs.next = run
      case "start":
        guard line.format == TrainingLog.format else { return [] }
        runs.start(
          line.network, at: line.step, orElse: Run(log: path, started: line.time))
      case "epoch":
        runs.tell(line.seconds)
        if let epoch = try? document.decode(LearningCurve.Epoch.self) {
          runs.add(epoch, of: line.network)
        }
      case "finish": runs.tell(line.seconds, isFinished: !runs.hasEnds)
      case "end": runs.tell(line.seconds, isFinished: true, accuracy: line.accuracy)
      default: runs.tell(line.seconds)
      }
    }
    return runs.all
  }

  /// Collects the runs of a log line by line.
  private struct LoggedRuns {
    private(set) var all: [Run] = []
    /// The header of the part of a run that begins, from the line before a network's start.
    var next: Run?
    /// The seconds of the parts of the last run before the current one.
    private var before = 0.0
    /// Whether a line says when the model is written; old logs say when a network is trained.
    private(set) var hasEnds = false

    var isEmpty: Bool { all.isEmpty && next == nil }

    /// A network's training begins at a step: it continues the last run, or is the first of a new
    /// one.
    mutating func start(_ network: String?, at step: Int, orElse old: Run) {
      if let last = all.indices.last, continues(all[last], network, at: step) {
        // Those of a resumed run may differ, for example in the number of epochs.
        if let next { all[last].settings = next.settings }
        if next != nil { before = all[last].seconds }
        all[last].state = "stopped"
      } else {
        all.append(next ?? old)
        before = 0
      }
      hasEnds = all[all.count - 1].output != nil
      next = nil
      if !all[all.count - 1].curves.contains(where: { $0.network == network }) {
        all[all.count - 1].curves.append(LearningCurve(network: network, logged: []))
      }
    }

    private func continues(_ last: Run, _ network: String?, at step: Int) -> Bool {
      let isNew = !last.curves.contains { $0.network == network }
      guard let next else { return step > 0 || isNew }
      guard last.state != "finished" || step > 0, next.output == last.output,
        next.seed == last.seed, next.data == last.data, next.base == last.base
      else { return false }
      return step > 0 || (isNew && next.output != nil)
    }

    /// A line with the part's time so far.
    mutating func tell(_ seconds: Double, isFinished: Bool = false, accuracy: Double? = nil) {
      guard let last = all.indices.last else { return }
      all[last].seconds = before + seconds
      all[last].state = isFinished ? "finished" : "stopped"
      all[last].accuracy = accuracy ?? all[last].accuracy
    }

    mutating func add(_ epoch: LearningCurve.Epoch, of network: String?) {
      guard let last = all.indices.last,
        let place = all[last].curves.lastIndex(where: { $0.network == network })
      else { return }
      // A resumed run may repeat its last epoch.
      all[last].curves[place].epochs.removeAll { $0.epoch >= epoch.epoch }
      all[last].curves[place].epochs.append(epoch)
      all[last].accuracy = all[last].curves.count == 1 ? Run.accuracy(epoch) : nil
    }
  }

  /// The values of a JSON object, those of objects in it by keys with dots.
  private static func flat(_ value: JSONValue, _ place: String) -> [String: String] {
    guard let members = value.members else {
      return [place: String(decoding: value.bytes, as: UTF8.self)]
    }
    return members.reduce(into: [:]) { all, member in
      all.merge(flat(member.value, place.isEmpty ? member.key : "\(place).\(member.key)")) { $1 }
    }
  }
}

extension TrainingRuns.Run {
  /// The last epoch of its last network.
  fileprivate var last: LearningCurve.Epoch? { curves.last?.epochs.last }

  /// The accuracy that judges an epoch.
  fileprivate static func accuracy(_ epoch: LearningCurve.Epoch) -> Double? {
    epoch.validationAccuracy ?? epoch.fewShotAccuracy
  }

  /// The epoch of its only network with the highest accuracy; nil if it has several.
  fileprivate var best: (epoch: Int, accuracy: Double)? {
    guard curves.count == 1 else { return nil }
    return curves[0].epochs.compactMap { epoch in
      Self.accuracy(epoch).map { (epoch.epoch, $0) }
    }.max { $0.1 < $1.1 }
  }
}

extension TrainingRuns {
  private typealias Numbers = ReportNumbers

  /// The settings in which the runs differ, ascending.
  private var keys: [String] {
    let known = runs.filter { !$0.settings.isEmpty }
    return Set(known.flatMap(\.settings.keys)).sorted().filter { key in
      Set(known.map { $0.settings[key] }).count > 1
    }
  }

  /// Whether their validation drawings differ: they have other drawings, or a separate validation
  /// set.
  private var isJudgedByOthers: Bool {
    Set(runs.map { [$0.data ?? "", $0.validation ?? ""] }).count > 1
  }

  /// The files in which the runs differ.
  private var files: [(name: String, fingerprint: (Run) -> String?)] {
    let all: [(name: String, fingerprint: (Run) -> String?)] = [
      ("data", \.data), ("validation", \.validation), ("base", \.base),
    ]
    return all.filter { Set(runs.map($0.fingerprint)).count > 1 }
  }

  private var headings: [String] {
    ["run", "started"] + files.map(\.name) + keys
      + ["epochs", "accuracy", "best", "loss", "time"]
  }

  private func cells(_ run: Run) -> [String] {
    func share(_ value: Double?) -> String { value.map { Numbers.percent($0) } ?? "–" }
    let name = URL(fileURLWithPath: run.log).deletingPathExtension().lastPathComponent
    let epochs = "\(run.last?.epoch ?? 0)" + (run.state == "finished" ? "" : ", stopped")
    let best = run.best.map { "\(Numbers.percent($0.accuracy)) (\($0.epoch))" }
    let loss = run.last.map { Numbers.decimal($0.trainingLoss, 3) }
    var cells = [name, String(run.started.prefix(19)).replacingOccurrences(of: "T", with: " ")]
    cells += files.map { String(($0.fingerprint(run) ?? "–").prefix(8)) }
    for key in keys {
      cells.append(run.settings[key]?.trimmingCharacters(in: ["\""]) ?? "–")
    }
    return cells + [
      epochs, share(run.accuracy), best ?? "–", loss ?? "–", duration(run.seconds),
    ]
  }

  private var advice: String {
    isJudgedByOthers
      ? "The runs have different validation drawings, so their accuracies are not comparable."
      : "The accuracy on the validation drawings is too optimistic for a run chosen among many: "
        + "evaluate it on other drawings."
  }

  /// The table of the runs, in the order of their logs.
  package var lines: [String] {
    var table = TextTable(headings.enumerated().map { ($1, $0 < 2 ? .left : .right) })
    for run in runs { table.add(cells(run)) }
    return table.lines + ["", advice]
  }

  /// The page with the table and the curves of each run.
  package func page() -> String {
    let best = runs.compactMap(\.accuracy).max()
    let table = PageParts.longTable(
      ["Run"] + headings.dropFirst(),
      runs.map { run in
        let cells = cells(run)
        return (Markup(cells[0]), cells.dropFirst().map { PageParts.cell($0) })
      }, "runs")
    let curves = runs.enumerated().flatMap { number, run in
      run.curves.enumerated().map { place, curve in
        PageParts.section(
          "run-\(number)-\(place)",
          cells(run)[0] + (curve.network.map { ", \($0)" } ?? ""), nil, TrainingPage.parts(curve))
      }
    }
    return PageParts.document(
      title: "DrawML runs", symbols: Markup(),
      body: .joined(
        [
          PageParts.header(
            brand: "runs", number: best.map { Numbers.percent($0) } ?? "–",
            text: "right at best, of \(counted(runs.count, "run"))", gauge: nil,
            sentence: Markup(advice), cards: []),
          PageParts.section("runs", "The runs", nil, table),
        ] + curves))
  }
}
