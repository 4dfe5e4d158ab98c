internal import ArgumentParser
internal import Files
internal import JSON
internal import Recognition
internal import Report
internal import Segmentation
internal import Text

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Replay a canvas log and print its events.",
    discussion: """
      A log holds strokes, undos and clears with their times (see docs/FORMATS.md); 'segment \
      --live --record' writes one. With the same model it gives the same events, one JSON object \
      per line. The log names the models it was recorded with; with others, a warning is printed. \
      The replay ends with the last line of the log: shapes that are still pending stay so, unless \
      --finish waits for them.

      Examples:
        drawml replay page.log --model shapes.drawml
        drawml replay page.log --model shapes.drawml --finish
      """)

  @Argument(help: "The log; '-' is standard input.")
  var log: String
  @Option(name: .shortAndLong, help: "The taught model.")
  var model: String
  @Option(help: "A segmenter written by 'train-segmenter' (default: the one built into drawml).")
  var segmenter: String?
  @OptionGroup var refusal: RefusalOption
  @Flag(help: "After the log's end, wait until nothing is pending.")
  var finish = false

  func run() throws {
    var recognizer = try ModelFile.read(model)
    if let policy = refusal.policy { recognizer.policy = policy }
    var reader = try CanvasLogReader(path: log)
    let grouping = try segmenter.map { try SegmenterModel(path: $0) } ?? .standard()
    if let recorded = reader.models {
      warn(recorded, try .init(recognizer: recognizer, segmenter: grouping))
    }
    var canvas = LiveCanvas(
      recognizer: recognizer, model: grouping, canvas: reader.canvas, settings: reader.settings)
    var restored = 0
    while let action = try reader.next() {
      let events = try canvas.apply(action)
      for case .undone(_, let shapes, _) in events.map(\.kind) {
        restored += shapes.reduce(0) { $0 + $1.strokes.count }
      }
      guard restored <= Self.mostRestored else {
        throw FileError(
          "replay", path: log,
          reason: .malformed(
            "undone clears restore more than \(grouped(Self.mostRestored)) "
              + "strokes"))
      }
      try show(events)
    }
    if finish { try show(canvas.finish()) }
  }

  /// The maximum number of strokes that undo may restore in total. Each undo reports all of them,
  /// so a log of a megabyte could produce hundreds of megabytes.
  private static let mostRestored = 100_000

  private func warn(_ recorded: CanvasLog.Models, _ given: CanvasLog.Models) {
    let place = log == "-" ? "The log" : log
    if recorded.recognizer != given.recognizer {
      printToStandardError(
        "Warning: \(place) was recorded with another model than \(model), or another refusal rate "
          + "(--refuse); the events may differ.")
    }
    if recorded.segmenter != given.segmenter {
      printToStandardError(
        "Warning: \(place) was recorded with another segmenter than "
          + "\(segmenter ?? "the one built into drawml"); the events may differ.")
    }
  }

  private func show(_ events: [LiveCanvas.Event]) throws {
    for event in events { try printToStandardOutput(jsonText: try event.json()) }
  }
}
