package import Foundation
internal import NeuralNetwork
internal import Report
internal import Support

/// Runs of `drawml train`, as their logs tell of them, to be compared.
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
    @OrNull var seed: UInt64?
    /// The SHA-256 of the drawings.
    @OrNull var data: String?
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
      return name.hasPrefix(model + "-")
        && name.dropFirst(model.count + 1).prefixMatch(of: /\d{8}T\d{6}(-\d+)?\.jsonl/) != nil
    }
    if resumes, let last = own.last { return last }
    return (1...).lazy.map { "\(folder)/\(model)-\(stamp)\($0 == 1 ? "" : "-\($0)").jsonl" }
      .first { !AtomicFile.exists($0) } ?? path
  }

  /// The logs in a folder and below, in the order of their names.
  private static func logs(in folder: String) throws -> [String] {
    (try FolderListing.files(below: folder) ?? []).filter { $0.hasSuffix(".jsonl") }
      .map { "\(folder)/\($0)" }
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
          throw JobProblem("\(log) is no log of a training: name one that 'train --log' wrote")
        }
        runs += found
      }
    }
    guard !runs.isEmpty else {
      throw JobProblem("there is no log of a training in \(paths.joined(separator: ", "))")
    }
  }

  /// What of a log's line is needed.
  private struct Line: Decodable {
    struct Run: Decodable {
      var seed: UInt64
      var data: String
    }

    var event: String
    var format: String?
    var network: String?
    var time: String
    var seconds: Double
    var step: Int
    var run: Run?
  }

  /// The runs of a log; a last line that is not whole is left out.
  private static func runs(in path: String) throws -> [Run] {
    var runs: [Run] = []
    var next: Run?
    // The seconds of the parts of the last run before the current one.
    var before = 0.0
    for bytes in try AtomicFile.read(path).split(separator: 0x0a) {
      guard let document = try? JSONDocument(Array(bytes)),
        let line = try? document.decode(Line.self)
      else {
        if runs.isEmpty && next == nil { return [] }
        continue
      }
      switch line.event {
      case "run":
        var run = Run(log: path, started: line.time)
        (run.seed, run.data) = (line.run?.seed, line.run?.data)
        for member in document.root.members ?? [] where member.key == "run" {
          for part in member.value.members ?? [] where part.key == "settings" {
            run.settings = flat(part.value, "")
          }
        }
        next = run
      case "start":
        guard line.format == TrainingLog.format else { return [] }
        let isNew = runs.last?.curves.contains { $0.network == line.network } ?? true
        if runs.isEmpty || (line.step == 0 && (next != nil || isNew)) {
          runs.append(next ?? Run(log: path, started: line.time))
          before = 0
        } else {
          before = runs[runs.count - 1].seconds
          runs[runs.count - 1].state = "stopped"
        }
        next = nil
        if !runs[runs.count - 1].curves.contains(where: { $0.network == line.network }) {
          runs[runs.count - 1].curves.append(LearningCurve(network: line.network, logged: []))
        }
      default:
        guard !runs.isEmpty, !runs[runs.count - 1].curves.isEmpty else { continue }
        runs[runs.count - 1].seconds = before + line.seconds
        runs[runs.count - 1].state = line.event == "finish" ? "finished" : "stopped"
        guard line.event == "epoch", let epoch = try? document.decode(LearningCurve.Epoch.self),
          let place = runs[runs.count - 1].curves.lastIndex(where: { $0.network == line.network })
        else { continue }
        // A resumed run may repeat its last epoch.
        runs[runs.count - 1].curves[place].epochs.removeAll { $0.epoch >= epoch.epoch }
        runs[runs.count - 1].curves[place].epochs.append(epoch)
      }
    }
    return runs
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

  /// The epoch of its last network with the highest accuracy.
  fileprivate var best: (epoch: Int, accuracy: Double)? {
    (curves.last?.epochs ?? []).compactMap { epoch in
      Self.accuracy(epoch).map { (epoch.epoch, $0) }
    }.max { $0.1 < $1.1 }
  }

  fileprivate var lastAccuracy: Double? { last.flatMap(Self.accuracy) }
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

  private var hasSeveralSets: Bool { Set(runs.compactMap(\.data)).count > 1 }

  private var headings: [String] {
    let data = hasSeveralSets ? ["data"] : []
    return ["run", "started"] + data + keys + ["epochs", "accuracy", "best", "loss", "time"]
  }

  private func cells(_ run: Run) -> [String] {
    func share(_ value: Double?) -> String { value.map { Numbers.percent($0) } ?? "–" }
    let name = URL(fileURLWithPath: run.log).deletingPathExtension().lastPathComponent
    let epochs = "\(run.last?.epoch ?? 0)" + (run.state == "finished" ? "" : ", stopped")
    let best = run.best.map { "\(Numbers.percent($0.accuracy)) (\($0.epoch))" }
    let loss = run.last.map { Numbers.decimal($0.trainingLoss, 3) }
    var cells = [name, String(run.started.prefix(19)).replacingOccurrences(of: "T", with: " ")]
    if hasSeveralSets { cells.append(String((run.data ?? "–").prefix(8))) }
    for key in keys {
      cells.append(run.settings[key]?.trimmingCharacters(in: ["\""]) ?? "–")
    }
    return cells + [
      epochs, share(run.lastAccuracy), best ?? "–", loss ?? "–", duration(run.seconds),
    ]
  }

  private var advice: String {
    hasSeveralSets
      ? "The runs are of other drawings, so their accuracies do not compare."
      : "Accuracy is of the last epoch on the validation drawings, which choosing among many runs "
        + "flatters: judge the chosen one on others."
  }

  /// The table of the runs, in the order of their logs.
  package var lines: [String] {
    var table = TextTable(headings.enumerated().map { ($1, $0 < 2 ? .left : .right) })
    for run in runs { table.add(cells(run)) }
    return table.lines + ["", advice]
  }

  /// The page with the table and the curves of each run.
  package func page() -> String {
    let best = runs.compactMap(\.lastAccuracy).max()
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
