import Foundation
import Ink
import Numbers
import Segmentation
import Synchronization
import Testing
import Workspace

@testable import Studio

/// The state of a listener that follows the events as docs/studio-api.yaml says.
private struct Follower {
  private(set) var shapes: [Int: NSDictionary] = [:]
  /// The total number of ink points that it received.
  private(set) var points = 0
  private(set) var sequences: [Int] = []

  mutating func apply(_ told: ReceivedEvent) {
    guard let value = told.follow as? [String: Any] else { return }
    guard told.name == "canvas-event" else {
      shapes = [:]
      for shape in value["shapes"] as? [[String: Any]] ?? [] { take(shape) }
      return
    }
    sequences.append(value["sequence"] as? Int ?? -1)
    for shape in value["absorbed"] as? [Int] ?? [] { shapes[shape] = nil }
    for shape in value["removed"] as? [Int] ?? [] { shapes[shape] = nil }
    for shape in value["restored"] as? [[String: Any]] ?? [] { take(shape) }
    if value["event"] as? String == "cleared" { shapes = [:] }
    if value["shape"] != nil { take(value) }
  }

  private mutating func take(_ value: [String: Any]) {
    let keys = ["shape", "strokes", "state", "label", "boundingBox", "placement", "ink"]
    let shape = value.filter { keys.contains($0.key) }
    for columns in shape["ink"] as? [[[Double]]] ?? [] { points += columns[0].count }
    if let number = shape["shape"] as? Int { shapes[number] = shape as NSDictionary }
  }

  /// The shapes of a playground in the same words.
  static func shapes(_ reply: Reply) -> [Int: NSDictionary] {
    var follower = Follower()
    follower.apply(ReceivedEvent("event: canvas\ndata: \(reply.text)"))
    return follower.shapes
  }
}

extension ReceivedEvent {
  fileprivate var follow: Any? { try? JSONSerialization.jsonObject(with: body) }
}

/// A line through the middle of a scribble, of `count` points; all of them are one shape.
private func scribble(_ number: Int, _ count: Int = 2, from start: Double) -> String {
  let x = Double(number % 40) * 2
  let points = (0..<count).map { step in
    let share = Double(step) / Double(max(1, count - 1))
    return Point(
      x: (100 + x + (80 - 2 * x) * share).rounded(), y: (100 + 80 * share).rounded(),
      t: (start + 40 * share).rounded())
  }
  return """
    {"action":"stroke","milliseconds":\(start + 40),"strokes":\(Shapes.json(Stroke(points)))}
    """
}

private func body(_ actions: [String], now: Double) -> String {
  #"{"now":\#(now),"actions":[\#(actions.joined(separator: ","))]}"#
}

@Suite("Many actions in one request")
struct ManyActionsTests {
  @Test("Of a shape that many actions change its last state is told, to all the same")
  func lastState() async throws {
    let (studio, page) = try await TestStudio.withSheet()
    let listener = try await studio.sheetListener()
    let strokes = (0..<12).map { scribble($0, $0 == 0 ? 2000 : 2, from: Double($0) * 60) }
    let drawn = try await page.draw(body(strokes, now: 720))
    #expect(drawn.count("events") == 1 && drawn.text("events", 0, "event") == "pending")
    #expect(drawn.number("sequence") == 1 && drawn.number("events", 0, "sequence") == 1)
    #expect(drawn.count("events", 0, "strokes") == 12)
    #expect(drawn.count("events", 0, "ink", 0, 0) == 2000)
    let heard = try await listener.told()
    #expect(heard.map(\.name) == ["canvas", "canvas-event"])
    #expect(
      heard[1].follow as? NSDictionary
        == (drawn["events", 0] as? [String: Any]).map { $0 as NSDictionary })
  }

  @Test(
    "Whatever takes ink off and brings it back, an answer is about as large as the canvas",
    arguments: ["undo", "cancel", "clear"])
  func backAndForth(_ action: String) async throws {
    let (studio, page) = try await TestStudio.withSheet()
    try await page.act(body([scribble(0, 5000, from: 0)], now: 40))
    studio.time.advance(by: 100)
    let actions = (0..<125).flatMap { round in
      let stroke = scribble(round, from: 100)
      let back = #"{"action":"\#(action)","milliseconds":140}"#
      return action == "clear"
        ? [back, #"{"action":"undo","milliseconds":140}"#, stroke, scribble(round, from: 100)]
        : [stroke, back, stroke, back]
    }
    let drawn = try await page.draw(body(actions, now: 140))
    let canvas = try await page.sheet
    #expect(drawn.status == 200)
    #expect(drawn.body.count < canvas.body.count + 500 * 300)
    let numbers = (0..<(drawn.count("events") ?? 0)).compactMap {
      drawn.number("events", $0, "sequence")
    }
    #expect(numbers == (0..<numbers.count).map { Double($0 + 2) })
    #expect(drawn.number("sequence") == numbers.last)
  }

  @Test("A client that follows the events has the canvas’s shapes and ink", arguments: 0..<6)
  func follow(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: 40 + seed)
    let (studio, page) = try await TestStudio.withSheet(taught: true)
    let listener = try await studio.sheetListener()
    var requests: [(body: String, takes: Double)] = []
    var time = 0.0
    for _ in 0..<12 {
      let start = time
      let actions = (0...generator.integer(below: 12)).map { _ in
        time += generator.pick([20, 60, 60, 400, 1500, 6000])
        let pen = generator.integer(below: 2)
        switch generator.integer(below: 10) {
        case 0: return #"{"action":"undo","milliseconds":\#(time)}"#
        case 1: return #"{"action":"cancel","pen":\#(pen),"milliseconds":\#(time)}"#
        case 2 where generator.integer(below: 3) == 0:
          return #"{"action":"clear","milliseconds":\#(time)}"#
        default:
          let shape = Shapes.stroke(
            generator.pick(Shapes.labels), x: generator.pick([0, 40, 90, 300]), from: time,
            generator.integer(below: 40))
          // Parts of shapes as well, which join and split.
          let stroke = Stroke(Array(shape.points.prefix(generator.pick([2, 8, 30]))))
          time += 200
          return """
            {"action":"stroke","pen":\(pen),"milliseconds":\(time),
            "strokes":\(Shapes.json(stroke))}
            """
        }
      }
      requests.append((body(actions, now: time), time - start))
    }
    for (body, takes) in requests {
      studio.time.advance(by: takes)
      #expect(try await page.act(body).status == 200)
    }
    let canvas = try await page.sheet
    var follower = Follower()
    for event in try await listener.told() { follower.apply(event) }
    #expect(follower.shapes == Follower.shapes(canvas), "seed \(seed)")
    #expect(follower.sequences == Array(1...max(1, follower.sequences.count)))
  }
}

@Suite("Playgrounds compute apart from requests")
struct PlaygroundThreadTests {
  /// A playground of an empty workspace, and the batch of two strokes that it may be given.
  private func playground(
    _ studio: TestStudio, milliseconds: @escaping @Sendable () -> Double = { 0 },
    save: @escaping @Sendable (Playground) throws -> Void = { _ in }
  ) async throws -> (playground: LivePlayground, batch: ActionBatch) {
    let model = try await studio.workspace.activeModel().id
    let tools = LivePlayground.Tools(
      segmenter: try .standard(), settings: .init(),
      time: StudioTime(milliseconds: milliseconds, sleep: { _ in throw CancellationError() }),
      limits: StudioLimits(), run: "run", save: { try save($0) },
      remember: { _, _ in })
    let playground = LivePlayground(
      Playground(id: "p", model: model, canvas: .init(width: 600, height: 400)),
      model: try await studio.services.recognizers.snapshot(of: model), tools: tools)
    let body = """
      {"actions":[
      {"action":"stroke","id":"a","milliseconds":0,"strokes":[[[0,50],[0,50]]]},
      {"action":"stroke","id":"b","milliseconds":0,"strokes":[[[0,50],[50,0]]]}]}
      """
    let batch = try ActionBatch(Array(body.utf8), DrawingInput(limits: StudioLimits()))
    return (playground, batch)
  }

  @Test(
    "However many playgrounds compute, other tasks go on: six heavy requests stopped the studio",
    .timeLimit(.minutes(3)))
  func ownThreads() async throws {
    let studio = try await TestStudio()
    let gate = DispatchSemaphore(value: 0)
    let (begun, counter) = AsyncStream.makeStream(of: Void.self)
    let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 2
    try await withThrowingTaskGroup(of: Int.self) { group in
      // However this ends, the group waits for them; on a busy machine some ask more than once.
      func open() { for _ in 0..<100 * count { gate.signal() } }
      defer { open() }
      for _ in 0..<count {
        let (playground, batch) = try await playground(studio) {
          counter.yield()
          gate.wait()
          return 0
        }
        group.addTask { try await playground.perform(batch).sequence }
      }
      // All of them compute at the same time, and this task still runs.
      var waiting = 0
      for await _ in begun {
        waiting += 1
        if waiting == count { break }
      }
      open()
      for try await sequence in group { #expect(sequence == 1) }
    }
  }

  @Test("Ink that cannot be saved is not confirmed; sent again, it is saved and not drawn twice")
  func unsaved() async throws {
    let isFull = Mutex(true)
    let saved = Mutex<[Playground]>([])
    let (playground, batch) = try await playground(
      try await TestStudio(),
      save: { playground in
        if isFull.withLock({ $0 }) { throw WorkspaceError(.savePlayground, .diskFull) }
        saved.withLock { $0.append(playground) }
      })
    for _ in 0..<2 {
      let error = await #expect(throws: WorkspaceError.self) { try await playground.perform(batch) }
      #expect(error?.reason == .diskFull)
    }
    isFull.withLock { $0 = false }
    #expect(try await playground.perform(batch).sequence == 1)
    #expect(saved.withLock { $0.map { $0.items.map(\.strokes.count) } } == [[2]])
  }

  @Test("A server that stops does not wait for the rest of a request's actions")
  func stopping() async throws {
    let (playground, batch) = try await playground(try await TestStudio())
    let stopped = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await playground.perform(batch)
    }
    await #expect(throws: CancellationError.self) { try await stopped.value }
    let answer = try await Task { try await playground.perform(batch) }.value
    #expect(answer.sequence == 1)
  }
}
