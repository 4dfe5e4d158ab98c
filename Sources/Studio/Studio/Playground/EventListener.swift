internal import Foundation
internal import Hummingbird
internal import Synchronization

/// A listener to events: one stream of server-sent events.
///
/// Events are queued until the network takes them. A listener that is too slow is disconnected;
/// when it reconnects, it gets a snapshot.
final class EventListener: Sendable {
  private let events: AsyncStream<ByteBuffer>
  private let continuation: AsyncStream<ByteBuffer>.Continuation
  private let waiting = Mutex(0)
  private let most: Int
  private let cutOff: @Sendable () -> Void

  /// Creates a listener.
  ///
  /// - Parameters:
  ///   - most: The maximum number of queued bytes when another event comes.
  ///   - cutOff: Called if there are more, to close the stalled connection.
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

  /// Ends the stream; queued events are still sent.
  func finish() { continuation.finish() }

  /// Passes the events to `take` as they come, until the stream ends.
  func forEach(_ take: (ByteBuffer) async throws -> Void) async throws {
    for await event in events {
      try await take(event)
      waiting.withLock { $0 -= event.readableBytes }
    }
  }

  /// An event in wire format: its name and its data, which has no line feeds.
  static func event(_ name: String, _ data: some Encodable) -> ByteBuffer {
    event(name) { try JSONText.encode(data) }
  }

  /// An event with the JSON that `encoded` returns.
  static func event(_ name: String, _ encoded: () throws -> Data) -> ByteBuffer {
    let text: Data
    do { text = try encoded() } catch {
      // A non-finite number cannot be encoded: report it rather than drop the event.
      return event("problem", StudioError.unforeseen(error, in: name))
    }
    var buffer = ByteBuffer(string: "event: \(name)\ndata: ")
    buffer.writeBytes(text)
    buffer.writeString("\n\n")
    return buffer
  }
}

/// All listeners, for events that concern every client: trainings and changes.
final class EventHub: Sendable {
  private struct State {
    var listeners: [ObjectIdentifier: EventListener] = [:]
    /// Those of `listeners` that are guests.
    var guests: Set<ObjectIdentifier> = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let most: Int
  private let mostGuests: Int

  /// - Parameters:
  ///   - most: The maximum number of concurrent listeners.
  ///   - mostGuests: How many of them may be guests.
  init(most: Int, mostGuests: Int) { (self.most, self.mostGuests) = (most, mostGuests) }

  /// Adds a listener.
  ///
  /// - Returns: Whether it was added; false if the hub is closed, or full for such a listener.
  func join(_ listener: EventListener, isGuest: Bool = false) -> Bool {
    state.withLock { state in
      guard hasRoom(state, isGuest: isGuest) else { return false }
      state.listeners[ObjectIdentifier(listener)] = listener
      if isGuest { state.guests.insert(ObjectIdentifier(listener)) }
      return true
    }
  }

  /// Removes a listener.
  func leave(_ listener: EventListener) {
    state.withLock { state in
      state.listeners[ObjectIdentifier(listener)] = nil
      state.guests.remove(ObjectIdentifier(listener))
    }
  }

  /// Whether another listener can join.
  func hasRoom(isGuest: Bool) -> Bool { state.withLock { hasRoom($0, isGuest: isGuest) } }

  private func hasRoom(_ state: State, isGuest: Bool) -> Bool {
    let isFull = state.listeners.count >= most || isGuest && state.guests.count >= mostGuests
    return !isFull && !state.isClosed
  }

  /// The number of listeners.
  var count: Int { state.withLock { $0.listeners.count } }

  /// Sends an event to all listeners.
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

/// A change, so that other tabs reload the data.
struct ChangedEvent: Encodable {
  /// The kind of data that changed.
  enum What: String, Encodable {
    case models, labels, samples, settings, history, templates
  }

  var what: What
  var model: String?
}
