internal import NIOCore

/// Who listens to a playground, and how many events they were told.
struct EventBroadcaster: Sendable {
  /// The number of the last event.
  private(set) var sequence = 0
  private var listeners: [ObjectIdentifier: EventListener] = [:]

  /// Whether nobody listens.
  var isUnheard: Bool { listeners.isEmpty }

  /// Numbers events and tells them to all who listen.
  ///
  /// - Parameter events: What happened, without numbers.
  mutating func tell(_ events: [EventAnswer]) {
    for var event in events.withoutSuperseded {
      sequence += 1
      event.sequence = sequence
      guard !listeners.isEmpty else { continue }
      let line = EventListener.event("canvas-event", event)
      for listener in listeners.values { listener.send(line) }
    }
  }

  /// Tells all who listen how everything is now.
  func tell(_ snapshot: @autoclosure () -> ByteBuffer) {
    guard !listeners.isEmpty else { return }
    let event = snapshot()
    for listener in listeners.values { listener.send(event) }
  }

  /// Lets somebody listen: all of it first, then what happens.
  mutating func join(_ listener: EventListener, _ snapshot: ByteBuffer) {
    listeners[ObjectIdentifier(listener)] = listener
    listener.send(snapshot)
  }

  /// Somebody listens no more.
  mutating func leave(_ listener: EventListener) {
    listeners[ObjectIdentifier(listener)] = nil
  }

  /// It is over, and all are told so.
  mutating func end() {
    for listener in listeners.values { listener.finish() }
    listeners = [:]
  }
}
