internal import NIOCore

/// The listeners of a playground, and the number of the last event sent to them.
struct EventBroadcaster: Sendable {
  /// The number of the last event.
  private(set) var sequence = 0
  private var listeners: [ObjectIdentifier: EventListener] = [:]

  /// Whether there are no listeners.
  var hasNoListeners: Bool { listeners.isEmpty }

  /// Numbers events and sends them to all listeners.
  ///
  /// - Parameter events: The events, without numbers.
  mutating func tell(_ events: [EventAnswer]) {
    for var event in events.withoutSuperseded {
      sequence += 1
      event.sequence = sequence
      guard !listeners.isEmpty else { continue }
      let line = EventListener.event("canvas-event", event)
      for listener in listeners.values { listener.send(line) }
    }
  }

  /// Sends all listeners a snapshot.
  func tell(_ snapshot: @autoclosure () -> ByteBuffer) {
    guard !listeners.isEmpty else { return }
    let event = snapshot()
    for listener in listeners.values { listener.send(event) }
  }

  /// Adds a listener, which gets a snapshot, then events.
  mutating func join(_ listener: EventListener, _ snapshot: ByteBuffer) {
    listeners[ObjectIdentifier(listener)] = listener
    listener.send(snapshot)
  }

  /// Removes a listener.
  mutating func leave(_ listener: EventListener) {
    listeners[ObjectIdentifier(listener)] = nil
  }

  /// Ends the streams of all listeners.
  mutating func end() {
    for listener in listeners.values { listener.finish() }
    listeners = [:]
  }
}
