internal import Foundation
internal import Hummingbird
internal import Synchronization

/// Somebody who listens to what happens: one stream of server-sent events.
///
/// Events wait here until the network takes them. A listener who is too slow for that is cut off,
/// and begins anew with a snapshot.
final class EventListener: Sendable {
  private let events: AsyncStream<ByteBuffer>
  private let continuation: AsyncStream<ByteBuffer>.Continuation
  private let waiting = Mutex(0)
  private let most: Int
  private let cutOff: @Sendable () -> Void

  /// A listener.
  ///
  /// - Parameters:
  ///   - most: How many bytes may wait when another event comes.
  ///   - cutOff: Called where there are more: the connection is to be closed, as it takes nothing.
  init(waiting most: Int, cutOff: @escaping @Sendable () -> Void) {
    (self.most, self.cutOff) = (most, cutOff)
    (events, continuation) = AsyncStream.makeStream()
  }

  /// Sends an event.
  func send(_ event: ByteBuffer) {
    let isInTime = waiting.withLock { waiting in
      guard waiting <= most else { return false }
      waiting += event.readableBytes
      return true
    }
    if isInTime {
      continuation.yield(event)
    } else {
      finish()
      cutOff()
    }
  }

  /// Ends the stream; what waits is still sent.
  func finish() { continuation.finish() }

  /// Gives the events to `take` as they come, until the stream ends.
  func forEach(_ take: (ByteBuffer) async throws -> Void) async throws {
    for await event in events {
      try await take(event)
      waiting.withLock { $0 -= event.readableBytes }
    }
  }

  /// An event as it goes over the line: its name and its data, which has no line feeds.
  static func event(_ name: String, _ data: some Encodable) -> ByteBuffer {
    event(name) { try JSONText.encode(data) }
  }

  /// An event whose data are the JSON that `encoded` gives.
  static func event(_ name: String, _ encoded: () throws -> Data) -> ByteBuffer {
    let text: Data
    do { text = try encoded() } catch {
      // A number that is none: better told than left out without a word.
      return event("problem", StudioError.unforeseen(error, in: name))
    }
    var buffer = ByteBuffer(string: "event: \(name)\ndata: ")
    buffer.writeBytes(text)
    buffer.writeString("\n\n")
    return buffer
  }
}

/// All who listen, for what concerns everybody: training, and what was changed.
final class EventHub: Sendable {
  private struct State {
    var listeners: [ObjectIdentifier: EventListener] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())
  private let most: Int

  /// - Parameter most: How many may listen at a time.
  init(most: Int) { self.most = most }

  /// Lets somebody listen.
  ///
  /// - Returns: Whether there was room; there is none once all is over.
  func join(_ listener: EventListener) -> Bool {
    state.withLock { state in
      guard state.listeners.count < most, !state.isClosed else { return false }
      state.listeners[ObjectIdentifier(listener)] = listener
      return true
    }
  }

  /// Somebody listens no more.
  func leave(_ listener: EventListener) {
    state.withLock { $0.listeners[ObjectIdentifier(listener)] = nil }
  }

  /// How many listen.
  var count: Int { state.withLock { $0.listeners.count } }

  /// Whether nobody else can listen.
  var isFull: Bool { state.withLock { $0.listeners.count >= most || $0.isClosed } }

  /// Tells everybody.
  func send(_ name: String, _ data: some Encodable) {
    let event = EventListener.event(name, data)
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
