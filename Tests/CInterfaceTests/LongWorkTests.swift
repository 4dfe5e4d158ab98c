import Foundation
import Recognition
import TestTools
import Testing
import Training

@testable import CInterface

@Suite("Training and evaluation by the C interface")
struct LongWorkTests {
  private static let base = "\(Repository.path)/models/base-slim.drawml"
  private static let stopped =
    "the call was stopped, and nothing was kept; call again to start from the beginning"

  /// Six drawings of each label, of other sizes for other numbers.
  private func drawings(_ labels: String?..., numbers: Range<Int> = 0..<6) throws -> UInt64 {
    let lines = labels.enumerated().flatMap { kind, label in
      numbers.map { number in
        #"{"id":"\#(kind)-\#(number)","strokes":[[[0,\#(10 + number),20],[0,\#(kind * 9),5]]]"#
          + (label.map { #","label":"\#($0)"}"# } ?? "}")
      }
    }
    let text = Array(lines.joined(separator: "\n").utf8)
    var handle: UInt64 = 0
    try #require(told(parseDrawings(text, Int64(text.count), &handle)) == nil)
    return handle
  }

  private func release(_ handles: UInt64...) {
    for handle in handles { #expect(told(CInterface.release(handle)) == nil) }
  }

  @Test("A model is that of the program's job, byte for byte; its steps and epochs are told")
  func training() async throws {
    let drawings = try drawings("bow", "line")
    var model: UInt64 = 0
    var events: [String] = []
    let problem = withUnsafeMutablePointer(to: &events) { events in
      told(
        train(
          drawings, nil, #"{"seed":7,"training":{"epochs":2}}"#, 2,
          { event, context in
            if let event {
              context?.assumingMemoryBound(to: [String].self).pointee.append(String(cString: event))
            }
            return 0
          }, events, &model))
    }
    #expect(problem == nil)
    for kind in [#""event":"step""#, #""event":"epoch""#] {
      #expect(events.count { $0.contains(kind) } == 2, "\(events)")
    }
    #expect(events.contains { $0.hasPrefix(#"{"done":"#) && $0.contains(#""part":"Teaching""#) })

    let folder = try TemporaryFolder()
    let (ours, theirs) = (folder.file("ours.drawml"), folder.file("theirs.drawml"))
    #expect(told(saveModel(model, ours)) == nil)
    var settings = TrainingSettings(hasBase: false)
    settings.seed = 7
    settings.training.epochs = 2
    _ = try await TrainingJob(
      output: theirs, base: nil, settings: settings, threads: 2, resumes: false
    ).run(on: try Handles.drawings(drawings).samples()) { _ in }
    #expect(try Data(contentsOf: URL(filePath: ours)) == Data(contentsOf: URL(filePath: theirs)))
    release(drawings, model)
  }

  @Test("With a base, drawings are taught to its embedding by the chosen head")
  func trainingWithBase() throws {
    let drawings = try drawings("bow", "line")
    var model: UInt64 = 0
    let settings = #"{"head":"knn","neighbors":3,"refuse":0.2}"#
    #expect(told(train(drawings, Self.base, settings, 1, nil, nil, &model)) == nil)
    let recognizer = try Handles.model(model).recognizer
    #expect(recognizer.labels == ["bow", "line"])
    #expect(
      recognizer.head.configuration == .nearestNeighbors(count: 3, weights: .inverseDistance))
    #expect(recognizer.policy.refusalRate == 0.2)
    release(drawings, model)
  }

  @Test(
    "A wrong setting is named",
    arguments: [
      (#"{"sed":1}"#, "the settings of drawml train: sed is not a setting"),
      (#"{"training":{"epochs":0}}"#, "training.epochs is 0; it must be from 1 to"),
      (#"{"head":"tree"}"#, "the settings of drawml train: head"),
      (#"{"stream":true}"#, "stream and training.examplesPerEpoch are for files"),
      (#"{"seed":"#, "is not JSON"), ("[1]", "must be keys with values"),
    ])
  func wrongSettings(json: String, problem: String) throws {
    let drawings = try drawings("bow", "line")
    var model: UInt64 = 0
    let told = told(train(drawings, nil, json, 1, nil, nil, &model))
    #expect(told?.contains(problem) == true, "\(told ?? "")")
    #expect(model == 0)
    release(drawings)
  }

  @Test("Drawings, numbers and files that cannot be used are errors")
  func wrongArguments() throws {
    let (drawings, alone, unlabeled) = (
      try drawings("bow", "line"), try self.drawings("bow"), try self.drawings("bow", nil)
    )
    var model: UInt64 = 0
    var text: OwnedText?
    func problem(_ drawings: UInt64, base: String? = nil) -> String? {
      told(train(drawings, base, nil, 1, nil, nil, &model))
    }
    for threads: Int64 in [0, -1, 257, .max] {
      let range = "the number of threads is \(threads); it must be from 1 to 256"
      #expect(told(train(drawings, nil, nil, threads, nil, nil, &model)) == range)
      #expect(told(evaluate(model, drawings, 0, threads, nil, nil, &text)) == range)
    }
    #expect(told(train(drawings, nil, nil, 1, nil, nil, nil)) == "the place for the handle is NULL")
    #expect(problem(alone)?.contains("bow") == true)
    #expect(problem(unlabeled)?.contains("label") == true)
    #expect(problem(drawings, base: "\(Self.base)x")?.contains("No such file") == true)
    #expect(problem(0)?.contains("no object with the handle 0") == true)
    #expect(model == 0 && text == nil)
    release(drawings, alone, unlabeled)
  }

  @Test("A function that says so stops the work, and there is no result")
  func stopping() throws {
    let drawings = try drawings("bow", "line")
    var model: UInt64 = 0
    for base in [nil, Self.base] {
      #expect(told(train(drawings, base, nil, 1, { _, _ in 1 }, nil, &model)) == Self.stopped)
    }
    #expect(model == 0)
    model = Handles.keep(.model(try SharedModel(path: Self.base).untaught()))
    var text: OwnedText?
    #expect(told(updateModel(model, drawings, &text)) == nil)
    #expect(told(text) != nil)
    text = nil
    let more = try self.drawings("bow", "line", numbers: 6..<9)
    #expect(told(evaluate(model, more, 0, 1, { _, _ in -1 }, nil, &text)) == Self.stopped)
    #expect(text == nil)
    release(drawings, more, model)
  }

  @Test("Work that is silent for a while can be stopped, too")
  func silence() {
    #expect(throws: InterfaceError.stopped) {
      try Waiting.result(onEvent: { (event: Int?) in event != nil }) { _ in
        try await Task.sleep(for: .seconds(600))
      }
    }
  }

  @Test("Events are told in their order, on the thread that waits, before the result")
  func events() throws {
    let thread = Thread.current
    var events: [Int] = []
    let result = try Waiting.result(
      onEvent: { (event: Int?) in
        #expect(Thread.current === thread)
        if let event { events.append(event) }
        return true
      },
      of: { report in
        for number in 0..<1000 { report(number) }
        return "done"
      })
    #expect(result == "done" && events == Array(0..<1000))
  }

  @Test("An evaluation leaves out what the model was taught, unless it is asked not to")
  func evaluation() throws {
    let model = Handles.keep(.model(try SharedModel(path: Self.base).untaught()))
    let (taught, fresh) = (
      try drawings("bow", "line"), try drawings("bow", "line", numbers: 4..<9)
    )
    var text: OwnedText?
    #expect(
      told(evaluate(model, fresh, 0, 1, nil, nil, &text))
        == "the model knows no label: teach it some drawings first")
    #expect(told(updateModel(model, taught, &text)) == nil)
    #expect(told(text) != nil)
    #expect(
      told(evaluate(model, taught, 0, 1, nil, nil, &text))?.hasPrefix(
        "the model was taught or trained on all 12 drawings") == true)
    for (includesTaught, count) in [(Int32(0), 6), (1, 10)] {
      #expect(told(evaluate(model, fresh, includesTaught, 2, nil, nil, &text)) == nil)
      let json = Data(try #require(told(text)).utf8)
      let object = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
      #expect(object["count"] as? Int == count)
      #expect(object["accuracy"] as? Double != nil)
    }
    #expect(try Handles.model(model).recognizer.memory.samples.count == 12)
    release(model, taught, fresh)
  }
}
