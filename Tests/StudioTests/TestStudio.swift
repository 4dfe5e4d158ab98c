import Foundation
import HTTPTypes
import Hummingbird
import Ink
import NIOCore
import Segmentation
import StudioTesting
import Synchronization
import Testing
import Workspace

@testable import Studio

/// The owner's token of the studios that have one.
let token = "0123456789abcdef0123"

/// A studio on a folder of its own, which goes away with it.
final class TestStudio: Sendable {
  let folder: String
  let workspace: Workspace
  let studio: Studio
  let time: ManualTime
  /// The studio that was on the folder earlier; the first one takes the folder along when it goes.
  private let earlier: TestStudio?

  /// A studio that would listen at `host`, with limits as `change` makes them; without a `time`,
  /// over the system's.
  init(
    token: String? = nil, host: String = "127.0.0.1", time: ManualTime? = ManualTime(),
    hasCamera: Bool = false, change: (inout StudioLimits) -> Void = { _ in },
    fetch: Studio.Fetch? = nil, commandForOthers: Studio.CommandForOthers? = nil
  ) async throws {
    folder = FileManager.default.temporaryDirectory.path + "/studio-" + UUID().uuidString
    earlier = nil
    workspace = try Workspace(folder: folder, base: try await Shapes.base)
    var limits = StudioLimits()
    change(&limits)
    self.time = time ?? ManualTime()
    studio = Studio(
      workspace: workspace, address: .init(host: host, port: 0, token: token),
      segmenter: try .standard(), settings: .init(), time: time?.time ?? .system, version: "test",
      limits: limits, hasCamera: hasCamera, fetch: fetch, commandForOthers: commandForOthers)
  }

  /// Opens another studio on the same folder, such as after a restart.
  init(again other: TestStudio) async throws {
    (folder, earlier) = (other.folder, other)
    workspace = try Workspace(folder: folder, base: try await Shapes.base)
    time = ManualTime()
    studio = Studio(
      workspace: workspace, address: .init(port: 0), segmenter: try .standard(), settings: .init(),
      time: time.time, version: "test", limits: StudioLimits())
  }

  /// A studio that was taught `count` drawings of each shape, a page of it, and its model's id.
  static func taught(
    _ count: Int = 4
  ) async throws -> (studio: TestStudio, page: Browser, model: String) {
    let studio = try await TestStudio()
    let model = try await studio.teach(count)
    return (studio, try await studio.page(), model)
  }

  deinit { if earlier == nil { try? FileManager.default.removeItem(atPath: folder) } }

  var services: Studio { studio }

  /// A page that sends its requests to the router, without a socket.
  func page() async throws -> Browser {
    Browser(client: try await RouteClient(studio.application(running: { _ in })), studio: self)
  }

  /// Adds samples of both shapes, trains, and refuses nothing that is believed.
  ///
  /// - Returns: The active model's id.
  @discardableResult
  func teach(_ count: Int = 4, as labels: [String] = Shapes.labels) async throws -> String {
    let model = try await workspace.activeModel().id
    try await workspace.changeModel(model, refusalRate: 0)
    try await workspace.addSamples(
      zip(Shapes.labels, labels).flatMap { shape, label in
        (0..<count).map { index in
          let drawing = Shapes.drawing(shape, index)
          return SampleAddition(id: drawing.id, label: label, drawing: drawing)
        }
      }, to: model)
    try await workspace.train(model)
    return model
  }
}

extension Playgrounds {
  /// The playground with that id, which may leave the memory when others come.
  func find(_ id: String) async throws -> LivePlayground { try await use(id) { $0 } }
}

extension EventListener {
  /// A listener that is never disconnected.
  convenience init(waiting most: Int = 4 << 20) { self.init(waiting: most, cutOff: {}) }
}

/// Sends requests as the page does, or a page that should not.
struct Browser: Sendable {
  let client: RouteClient
  /// The studio that it shows, whose folder stays as long as it does.
  var studio: TestStudio?
  /// What it shows to be let in: a token, which a browser's id may follow.
  var token: String?

  /// Sends a request; of `headers`, those with an empty text are left out.
  func send(
    _ method: HTTPRequest.Method, _ path: String, _ json: String? = nil,
    bytes: Data? = nil, headers: [String: String] = [:]
  ) async throws -> Reply {
    var fields = HTTPFields()
    if json != nil { fields[.contentType] = "application/json" }
    if let token { fields[.authorization] = "Bearer \(token)" }
    for (name, value) in headers {
      fields[try #require(HTTPField.Name(name))] = value.isEmpty ? nil : value
    }
    let response = try await client.execute(
      uri: path, method: method, headers: fields,
      body: json.map { ByteBuffer(string: $0) } ?? bytes.map { ByteBuffer(bytes: $0) })
    return Reply(
      status: response.status.code, headers: response.headers,
      body: Data(response.body.readableBytesView))
  }

  /// A browser that shows `token`.
  func showing(_ token: String) -> Browser {
    var other = self
    other.token = token
    return other
  }

  func get(_ path: String) async throws -> Reply { try await send(.get, path) }

  func post(_ path: String, _ json: String? = nil) async throws -> Reply {
    try await send(.post, path, json)
  }

  func patch(_ path: String, _ json: String) async throws -> Reply {
    try await send(.patch, path, json)
  }

  func delete(_ path: String) async throws -> Reply { try await send(.delete, path) }

  /// The id of the active model.
  var model: String {
    get async throws { try #require(try await get("/api/state").text("activeModel", "id")) }
  }
}

/// Something with JSON in it.
protocol HasJSON {
  var body: Data { get }
}

extension HasJSON {
  /// A value of the JSON, by the keys and indices that lead to it; NSNull for null.
  subscript(path: any PathStep...) -> Any? { follow(path) }
  /// A text of the JSON.
  func text(_ path: any PathStep...) -> String? { follow(path) as? String }
  /// A number of the JSON.
  func number(_ path: any PathStep...) -> Double? { (follow(path) as? NSNumber)?.doubleValue }
  /// How many elements a list of the JSON has.
  func count(_ path: any PathStep...) -> Int? { (follow(path) as? [Any])?.count }

  private func follow(_ path: [any PathStep]) -> Any? {
    var value: Any? = try? JSONSerialization.jsonObject(with: body)
    for step in path { value = value.flatMap { step.follow($0) } }
    return value
  }
}

/// A response.
struct Reply: HasJSON {
  var status: Int
  var headers: HTTPFields
  var body: Data

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The code of an error.
  var code: String? { text("error", "code") }
  /// The message of an error.
  var message: String? { text("error", "message") }
  /// The detail of an error.
  var detail: String? { text("error", "detail") }
}

/// A key or an index.
protocol PathStep {
  func follow(_ value: Any) -> Any?
}

extension String: PathStep {
  func follow(_ value: Any) -> Any? { (value as? [String: Any])?[self] }
}

extension Int: PathStep {
  func follow(_ value: Any) -> Any? {
    (value as? [Any]).flatMap { $0.indices.contains(self) ? $0[self] : nil }
  }
}

/// A clock that tests control.
final class ManualTime: Sendable {
  private struct State {
    var now = 1000.0
    var sleepers: [Int: (due: Double, wake: CheckedContinuation<Void, any Error>)] = [:]
    var next = 0
    var canceled: Set<Int> = []
  }

  private let state = Mutex(State())

  var time: StudioTime {
    StudioTime(
      milliseconds: { [self] in state.withLock(\.now) },
      sleep: { [self] due in try await sleep(until: due) })
  }

  /// The number of sleeping tasks.
  var sleeperCount: Int { state.withLock(\.sleepers.count) }

  /// Lets time pass.
  func advance(by milliseconds: Double) {
    let due = state.withLock { state in
      state.now += milliseconds
      let due = state.sleepers.filter { $0.value.due <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.sorted { $0.due < $1.due }
    }
    for sleeper in due { sleeper.wake.resume() }
  }

  private func sleep(until due: Double) async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wake in
        let isOver: Result<Void, any Error>? = state.withLock { state in
          if state.canceled.remove(number) != nil { return .failure(CancellationError()) }
          if due <= state.now { return .success(()) }
          state.sleepers[number] = (due, wake)
          return nil
        }
        if let isOver { wake.resume(with: isOver) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: number)
        if sleeper == nil { state.canceled.insert(number) }
        return sleeper
      }
      sleeper?.wake.resume(throwing: CancellationError())
    }
  }
}

/// Waits until a condition holds that other tasks bring about; records an issue after ten seconds.
func eventually(
  _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
  _ holds: () async throws -> Bool
) async throws {
  for _ in 0..<2000 {
    if try await holds() { return }
    try await Task.sleep(for: .milliseconds(5))
  }
  Issue.record(what, sourceLocation: sourceLocation)
}
