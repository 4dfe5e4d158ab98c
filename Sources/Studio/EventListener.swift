internal import Foundation
internal import Hummingbird
internal import Synchronization

/// Somebody who listens to what happens: one stream of server-sent events.
///
/// Events wait here until the network takes them. A listener who is too slow for that is cut off, and begins anew with
/// a snapshot.
final class EventListener: Sendable {
  /// The events, as they go over the line.
  let events: AsyncStream<ByteBuffer>
  private let continuation: AsyncStream<ByteBuffer>.Continuation

  /// - Parameter most: How many events may wait.
  init(waiting most: Int) {
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(most))
  }

  /// Sends an event.
  func send(_ event: ByteBuffer) {
    if case .dropped = continuation.yield(event) { finish() }
  }

  /// Ends the stream; what waits is still sent.
  func finish() { continuation.finish() }

  /// An event as it goes over the line: its name and its data, which has no line feeds.
  static func event(_ name: String, _ data: some Encodable) throws -> ByteBuffer {
    var buffer = ByteBuffer(string: "event: \(name)\ndata: ")
    buffer.writeBytes(try JSONText.encode(data))
    buffer.writeString("\n\n")
    return buffer
  }
}

/// All who listen, for what concerns everybody: training, and what was changed.
final class EventHub: Sendable {
  private struct State {
    var listeners: [Int: EventListener] = [:]
    var next = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let most: Int

  /// - Parameter most: How many may listen at a time.
  init(most: Int) { self.most = most }

  /// Lets somebody listen.
  ///
  /// - Returns: A number to leave with; nil where there are too many, or all is over.
  func join(_ listener: EventListener) -> Int? {
    state.withLock { state in
      guard state.listeners.count < most, !state.isClosed else { return nil }
      state.next += 1
      state.listeners[state.next] = listener
      return state.next
    }
  }

  /// Somebody listens no more.
  func leave(_ number: Int) {
    state.withLock { $0.listeners[number] = nil }
  }

  /// How many listen.
  var count: Int { state.withLock { $0.listeners.count } }

  /// Tells everybody.
  func send(_ name: String, _ data: some Encodable) {
    guard let event = try? EventListener.event(name, data) else { return }
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.send(event) }
  }

  /// Ends all streams, and takes no more listeners.
  func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}

/// What was changed, so that other tabs look again.
struct ChangedEvent: Encodable {
  /// What can change.
  enum What: String, Encodable {
    case models, labels, samples, settings, history
  }

  var what: What
  var model: String?
}
