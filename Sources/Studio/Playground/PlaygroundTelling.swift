/// Who listens to a playground, and how many events they were told.
struct PlaygroundTelling: Sendable {
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
  func tell(_ playground: PlaygroundAnswer) {
    for listener in listeners.values { Self.tell(playground, to: listener) }
  }

  /// Lets somebody listen: all of it first, then what happens.
  mutating func join(_ listener: EventListener, _ playground: PlaygroundAnswer) {
    listeners[ObjectIdentifier(listener)] = listener
    Self.tell(playground, to: listener)
  }

  private static func tell(_ playground: PlaygroundAnswer, to listener: EventListener) {
    listener.send(EventListener.event("canvas", playground))
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
