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
  /// - Returns: The events as they were told.
  mutating func tell(_ events: [EventAnswer]) -> [EventAnswer] {
    let answers = events.withoutSuperseded.map { event in
      sequence += 1
      var event = event
      event.sequence = sequence
      return event
    }
    if !listeners.isEmpty {
      for answer in answers {
        let line = EventListener.event("canvas-event", answer)
        for listener in listeners.values { listener.send(line) }
      }
    }
    return answers
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
