import Files
import Foundation
import Ink
import Numbers
import Recognition
import TestTools
import Testing

@testable import Segmentation

@Suite("Canvas log")
struct CanvasLogTests {
  private static let header = #"{"format":"drawml-canvas-log","version":1}"# + "\n"

  /// Reads a log with the given text.
  private func read(_ text: String) throws -> CanvasLog {
    let folder = try TemporaryFolder()
    let path = try folder.put(text, "log")
    do {
      return try CanvasLog(path: path)
    } catch {
      var error = error
      error.path = "log"
      throw error
    }
  }

  private let actions: [CanvasAction] = [
    .begin(pen: 2, milliseconds: -1.5),
    .stroke(
      Stroke([Point(x: 0.1, y: 2e-7, t: -1.5), Point(x: 3, y: 4, t: 100)]), pen: 2,
      milliseconds: 100),
    .stroke(Stroke([Point(x: 1, y: 2), Point(x: 3, y: 4)]), pen: 0, milliseconds: 250),
    .cancel(pen: 3, milliseconds: 300), .advance(milliseconds: 1e6), .undo(milliseconds: 1e6),
    .clear(milliseconds: 1_000_001), .correct(shape: 3, .label("⭐"), milliseconds: 1_000_002),
    .correct(shape: 4, .reject, milliseconds: 1_000_003),
    .correct(
      shape: 5, .place(BoundingBox(x: 1, y: 2, width: 30, height: 30)), milliseconds: 1_000_004),
    .correct(shape: 5, .place(nil), milliseconds: 1_000_005),
    .correct(shape: 5, .remove, milliseconds: 1_000_006),
    .begin(pen: 3, at: Point(x: 1.5, y: -2), milliseconds: 1_000_007),
  ]

  @Test("A log is the same after writing and reading; a line is what FORMATS.md shows")
  func roundTrip() throws {
    var settings = LiveCanvas.Settings()
    settings.settleMilliseconds = 333
    settings.settleRange = 100...400
    for canvas in [nil, Drawing.Canvas(width: 600, height: 400.5)] {
      let log = CanvasLog(canvas: canvas, settings: settings, actions: actions)
      let text = String(decoding: try log.ndjson(), as: UTF8.self)
      #expect(try read(text) == log)
    }
    #expect(
      try actions[2...4].map { String(decoding: try CanvasLog.line($0), as: UTF8.self) } == [
        #"{"action":"stroke","milliseconds":250,"pen":0,"strokes":[[[1,3],[2,4]]]}"#,
        #"{"action":"cancel","milliseconds":300,"pen":3}"#,
        #"{"action":"advance","milliseconds":1000000}"#,
      ])
    #expect(
      try actions[7...9].map { String(decoding: try CanvasLog.line($0), as: UTF8.self) } == [
        #"{"action":"label","label":"⭐","milliseconds":1000002,"shape":3}"#,
        #"{"action":"reject","milliseconds":1000003,"shape":4}"#,
        #"{"action":"place","milliseconds":1000004,"placement":{"side":30,"x":1,"y":2},"shape":5}"#,
      ])
    #expect(
      String(decoding: try CanvasLog.line(actions[12]), as: UTF8.self)
        == #"{"action":"begin","milliseconds":1000007,"pen":3,"x":1.5,"y":-2}"#)
    // What a header leaves out is as usual.
    #expect(try read(Self.header) == CanvasLog())
  }

  @Test("A log names the models that it was recorded with; one that does not is read too")
  func models() async throws {
    let model = try #require(Fitted.model)
    var recognizer = try await CanvasDoodles.recognizer
    let models = try CanvasLog.Models(recognizer: recognizer, segmenter: model)
    #expect(models.recognizer == (try ModelFile.fingerprint(of: recognizer)))
    let log = CanvasLog(models: models, actions: actions)
    #expect(try read(String(decoding: try log.ndjson(), as: UTF8.self)) == log)
    #expect(try read(Self.header).models == nil)
    // Recorded without a recognizer is not the same as not known.
    let blind = try CanvasLog.Models(recognizer: nil, segmenter: model)
    #expect(blind.recognizer == nil && blind.segmenter == models.segmenter)
    let text = String(decoding: try CanvasLog(models: blind).ndjson(), as: UTF8.self)
    #expect(text.contains(#""models":{"segmenter":""#))
    #expect(try read(text).models == blind)

    // Other refusals, another sample less, other weights: other models.
    recognizer.policy = DecisionPolicy(refusalRate: 0.2)
    let stricter = try CanvasLog.Models(recognizer: recognizer, segmenter: model)
    #expect(stricter.recognizer != models.recognizer)
    try recognizer.forget(label: "ring")
    let smaller = try CanvasLog.Models(recognizer: recognizer, segmenter: model)
    #expect(smaller.recognizer != stricter.recognizer)
    var other = model
    other.weights[0] += 0.125
    #expect(try other.fingerprint() != model.fingerprint())
    #expect(try SegmenterModel(json: model.json()).fingerprint() == model.fingerprint())
  }

  @Test("Replayed with the same model, a log gives the same events", arguments: 0..<6)
  func replay(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 300 + seed)
    var canvas = try liveCanvas()
    var log = CanvasLog(canvas: canvas.canvas, settings: canvas.settings)
    var events: [LiveCanvas.Event] = []
    var time = 0.0
    for _ in 0..<30 {
      // As a host does it: pens move, and what they did is written when they come up.
      time += generator.uniform(50...2500)
      if generator.chance(0.15) {
        events += canvas.undo(at: time)
        log.actions.append(.undo(milliseconds: time))
        continue
      }
      if generator.chance(0.1) {
        events += canvas.cancel(at: time)
        log.actions.append(.cancel(pen: 0, milliseconds: time))
        continue
      }
      let begun = time
      let place = Point(x: generator.uniform(0...600), y: 100)
      events += canvas.begin(at: Point(x: place.x, y: place.y, t: begun))
      log.actions.append(.begin(pen: 0, at: place, milliseconds: begun))
      for _ in 0..<3 {
        time += generator.uniform(5...400)
        events += canvas.extend(with: [Point(x: generator.uniform(0...600), y: 200, t: time)])
      }
      events += canvas.end(at: time)
      let ink = try #require(canvas.ink(of: canvas.strokeCount - 1))
      log.actions.append(.stroke(ink, pen: 0, milliseconds: time))
    }
    events += canvas.advance(to: time + 9000)
    log.actions.append(.advance(milliseconds: time + 9000))

    let again = try read(String(decoding: try log.ndjson(), as: UTF8.self))
    var other = LiveCanvas(
      recognizer: nil, model: try #require(Fitted.model), canvas: again.canvas,
      settings: again.settings)
    var replayed: [LiveCanvas.Event] = []
    for action in again.actions { replayed += try other.apply(action) }
    #expect(replayed == events, "seed \(seed)")
    #expect(other.shapes == canvas.shapes)
    #expect(events.contains { if case .unrecognized = $0.kind { true } else { false } })
  }

  /// A log whose header has a fault, and what is said of it.
  private static func inHeader(_ fields: String, _ message: String) -> (String, String) {
    (#"{"format":"drawml-canvas-log","version":1,"# + fields + "}", "line 1: " + message)
  }

  /// A log whose first action has a fault, and what is said of it.
  private static func inAction(_ line: String, _ message: String) -> (String, String) {
    (header + line, "line 2: " + message)
  }

  private static let foreign =
    "line 1: not a canvas log, because its first line lacks \"format\":\"drawml-canvas-log\""

  @Test(
    "Errors name the line and what is wrong with it",
    arguments: [
      ("", foreign), (#"{"strokes":[[[1],[2]]]}"#, foreign),
      (
        #"{"format":"drawml-canvas-log","version":7,"settings":8}"#,
        "line 1: the log has version 7 and this drawml reads up to 1; update drawml"
      ),
      inHeader(#""settings":{"reach":0}"#, "settings.reach is 0; it must be from 1 to 256"),
      inHeader(
        #""settings":{"settleRange":[-1,3e15]}"#,
        "settings.settleRange is -1; it must be from 0 to 1000000000000"),
      inHeader(
        #""settings":{"patience":0.5}"#, "settings.patience is 0.5; it must be from 1 to 100"),
      inHeader(
        #""settings":{"reach":9,"mostOpenStrokes":9}"#,
        "settings.mostOpenStrokes is 9; it must be from 18 to 512"),
      // Such a log of 158 kB took 425 MB.
      inHeader(
        #""settings":{"mostOpenStrokes":512,"undoDepth":1000}"#,
        "settings.undoDepth is 1000; it must be from 0 to 128"),
      inHeader(
        #""settings":{"settleRange":[9,3]}"#,
        "settings.settleRange must be two numbers, the smaller first"),
      inHeader(
        #""canvas":{"width":-1,"height":3}"#,
        "canvas.width is -1.0; it must be from 0 to 1000000000.0"),
      inHeader(#""models":{"recognizer":7}"#, "models.recognizer must be a text"),
      (header + "\n[1]", "line 3: not an action: it must be an object"),
      inAction(#"{"action":"undo"}"#, "not an action: milliseconds is missing"),
      inAction(
        #"{"action":"undo","milliseconds":1e999}"#,
        "not an action: milliseconds is 1e999; it must be from -1e100 to 1e100"),
      inAction(
        #"{"action":"undo","milliseconds":-1e30}"#,
        "milliseconds is -1e+30; it must be from -1000000000000000.0 to 1000000000000000.0"),
      inAction(
        #"{"action":"begin","milliseconds":1,"pen":0.5}"#,
        "not an action: pen is 0.5, which is not a whole number"),
      inAction(#"{"action":"begin","milliseconds":1,"y":5}"#, "not an action: x is missing"),
      inAction(#"{"action":"redo","milliseconds":1}"#, "not an action: action is unknown"),
      inAction(
        #"{"action":"stroke","milliseconds":1,"strokes":[[[1,2],[3]]]}"#,
        "stroke 0: 2 x, 1 y values; lengths must match"),
      inAction(
        #"{"action":"stroke","milliseconds":1,"strokes":[]}"#, "the drawing has no points"),
      inAction(
        #"{"action":"stroke","milliseconds":1,"strokes":[[[1],[3]],[[1],[3]]]}"#,
        "the action has 2 strokes; it must be one"),
      inAction(
        String(repeating: "[", count: 200_000),
        "not an action: it is not JSON: byte 128: values nest more than 128 deep"),
      inAction(
        "\u{0}\u{1}\u{2}",
        "not an action: it is not JSON: byte 0: found byte 0x0 where a value is due"),
    ])
  func errors(text: String, message: String) {
    do {
      let log = try read(text)
      Issue.record("read \(log.actions.count) actions")
    } catch {
      #expect("\(error)".hasPrefix("log, \(message)"), "\(error)")
    }
  }

  @Test("A missing file is an error that names it")
  func missing() {
    let path = "/nowhere/at/all.log"
    let error = #expect(throws: CanvasLogError.self) { try CanvasLog(path: path) }
    #expect(error?.description.contains(path) == true)
  }

  @Test("Any bytes are a log or an error, never a crash", arguments: 0..<40)
  func noise(seed: UInt64) throws {
    var generator = SeededGenerator(seed: 400 + seed)
    var bytes = try CanvasLog(canvas: .init(width: 9, height: 9), actions: actions).ndjson()
    for _ in 0..<(1 + generator.integer(below: 6)) {
      let place = generator.integer(below: bytes.count)
      switch generator.integer(below: 3) {
      case 0: bytes[place] = UInt8(generator.integer(below: 256))
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + 9))
      default: bytes.insert(contentsOf: bytes.prefix(30), at: place)
      }
    }
    let folder = try TemporaryFolder()
    let path = folder.file("log")
    try AtomicFile.write(bytes, to: path)
    do {
      var canvas = try liveCanvas()
      for action in try CanvasLog(path: path).actions { _ = try canvas.apply(action) }
      _ = canvas.finish()
      #expect(canvas.nextDeadline == nil)
    } catch let error as CanvasLogError {
      #expect(error.line >= 1)
    }
  }

  @Test("An event is one line with the keys of FORMATS.md")
  func events() throws {
    let shape = LiveShape(
      id: 2, strokes: [3, 4], box: BoundingBox(x: 1, y: 2, width: 30, height: 40),
      state: .recognized(
        .init(label: "🏠", confidence: 0.5), Placement(x: -4, y: 2, side: 40)))
    func json(_ kind: LiveCanvas.Event.Kind) throws -> String {
      try LiveCanvas.Event(milliseconds: 5, kind: kind).json()
    }
    let body =
      #""boundingBox":{"height":40,"width":30,"x":1,"y":2},"confidence":0.5,"#
    let rest =
      #""placement":{"side":40,"x":-4,"y":2},"shape":2,"state":"recognized","strokes":[3,4]}"#
    #expect(
      try json(.recognized(shape))
        == "{" + body + #""event":"recognized","label":"🏠","milliseconds":5,"# + rest)
    #expect(
      try json(.undone(stroke: nil, restored: [shape], removed: [7]))
        == #"{"event":"undone","milliseconds":5,"removed":[7],"restored":[{"# + body
        + #""label":"🏠","# + rest + #"],"stroke":null}"#)
    #expect(
      try json(.nothingToUndo)
        == #"{"event":"nothingToUndo","message":"Nothing to undo.","milliseconds":5}"#)
    #expect(try json(.cleared) == #"{"event":"cleared","milliseconds":5}"#)
    var pending = shape
    pending.state = .pending
    #expect(
      try json(.pending(pending, absorbed: [1]))
        == #"{"absorbed":[1],"boundingBox":{"height":40,"width":30,"x":1,"y":2},"event":"pending","#
        + #""milliseconds":5,"shape":2,"state":"pending","strokes":[3,4]}"#)
    pending.state = .confused(best: nil)
    #expect(try json(.confused(pending)).contains(#""message":"Try a simpler outline.""#))
  }
}
