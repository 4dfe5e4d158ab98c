internal import Foundation
internal import HTTPTypes
internal import Ink
internal import Recognition
internal import Segmentation
internal import Workspace

/// A playground that somebody draws on: the canvas, who listens to it, and a task that sleeps until something is due.
///
/// There is one such task at most, and none while nothing is pending.
actor LivePlayground {
  /// What it needs of the house around it.
  struct Tools: Sendable {
    var segmenter: SegmenterModel
    var settings: LiveCanvas.Settings
    var time: StudioTime
    var limits: StudioLimits
    /// Keeps what lies on it.
    var save: @Sendable (Playground) async -> Void
    /// Remembers what drawings were taken for, by the model with that id (D-006).
    var remember: @Sendable ([Decided], _ model: String) async -> Void
  }

  /// A drawing, and what it was taken for.
  struct Decided: Sendable {
    var drawing: Drawing
    var shape: LiveShape
  }

  nonisolated let id: String
  private let tools: Tools
  private var model: RecognizerSnapshot
  /// When the model was read: what was read before that is not followed.
  private var modelMoment = 0
  private var canvas: LiveCanvas
  private var size: Drawing.Canvas
  private var ink = InkStore()
  private var sequence = 0
  private var clock = ClientClock()
  private var clients = ClientMemory()
  private var listeners: [ObjectIdentifier: EventListener] = [:]
  private var sleeper: (due: Double, task: Task<Void, Never>)?
  private var saving: Task<Void, Never>?
  private var isUnsaved = false
  /// What was decided on and is not remembered yet.
  private var decided: [Decided] = []

  /// A playground with what was kept of it.
  init(_ kept: Playground, model: RecognizerSnapshot, tools: Tools) {
    id = kept.id
    (self.model, self.tools, size) = (model, tools, kept.canvas)
    let restored = Self.restored(kept.items)
    canvas = LiveCanvas(
      recognizer: model.recognizer, model: tools.segmenter, canvas: kept.canvas,
      settings: tools.settings, keeping: restored.shapes)
    for (number, stroke) in restored.strokes.enumerated() { ink.keep(stroke, number) }
  }

  /// Shapes of what was kept, and their strokes by number.
  private static func restored(
    _ items: [PlaygroundItem]
  ) -> (shapes: [LiveShape], strokes: [Stroke]) {
    var strokes: [Stroke] = []
    let shapes = items.map { item in
      let square = BoundingBox(x: item.x, y: item.y, width: item.side, height: item.side)
      let best = item.label.map { Candidate(label: $0, confidence: item.confidence ?? 0) }
      guard let best else {
        let numbers = Array(strokes.count..<(strokes.count + item.strokes.count))
        strokes += item.strokes
        return LiveShape(
          id: item.number, strokes: numbers,
          box: BoundingBox(item.strokes.lazy.flatMap(\.points)) ?? square,
          state: .unrecognized(best: nil))
      }
      return LiveShape(
        id: item.number, strokes: [], box: square,
        state: .recognized(best, Placement(x: item.x, y: item.y, side: max(item.side, 1e-9))))
    }
    return (shapes, strokes)
  }

  // MARK: Drawing

  /// Goes on with another model, read at `moment`, and, where there is nothing on it and nothing to undo, with another size:
  /// what lies on a canvas stays where it is, whoever looks at it.
  func adopt(_ model: RecognizerSnapshot, size: Drawing.Canvas, asOf moment: Int) {
    let takesSize = size != self.size && canvas.shapes.isEmpty && !canvas.canUndo
    guard takesSize || model.model.id != self.model.model.id else {
      return follow(model, asOf: moment)
    }
    (self.model, modelMoment) = (model, max(modelMoment, moment))
    if takesSize {
      self.size = size
      ink = InkStore()
      canvas = LiveCanvas(
        recognizer: model.recognizer, model: tools.segmenter, canvas: size,
        settings: tools.settings)
    } else {
      _ = publish(canvas.replaceRecognizer(with: model.recognizer))
    }
    sleepUntilDue()
    for listener in listeners.values { sendSnapshot(to: listener) }
    save()
  }

  /// Goes on with a recogniser that was taught more, if this is one. Shapes stay as they are. One that was read at a
  /// `moment` before that of another is not the newest, though it comes later.
  func follow(_ model: RecognizerSnapshot, asOf moment: Int) {
    guard model.model.id == self.model.model.id, moment > modelMoment else { return }
    modelMoment = moment
    guard model.version != self.model.version else { return }
    self.model = model
    _ = publish(canvas.replaceRecognizer(with: model.recognizer))
    sleepUntilDue()
  }

  /// The model's id.
  var modelID: String { model.model.id }

  /// Does what a client did.
  ///
  /// - Throws: `StudioError` where there is too much on the canvas already; nothing has changed then.
  func perform(_ batch: ActionBatch) throws -> ActionAnswer {
    let received = tools.time.milliseconds()
    try makeRoom(for: batch.actions)
    let shift = clock.shift(
      sentAt: batch.now ?? batch.actions.last?.milliseconds ?? received, received: received)
    let now = canvasTime(received)
    var (events, numbers) = ([EventAnswer](), [Int?]())
    for (index, action) in batch.actions.enumerated() {
      if let number = clients.isKnown(batch.client, batch.first + index) {
        if case .stroke = action { numbers.append(number) }
        continue
      }
      let action = action.moved(by: shift, upTo: now)
      events += publish(apply(action))
      var number: Int?
      if case .stroke = action {
        number = canvas.strokeCount - 1
        numbers.append(number)
      }
      clients.note(batch.client, batch.first + index, number)
    }
    ink.prune(canvas)
    sleepUntilDue()
    return ActionAnswer(events: events, sequence: sequence, strokes: numbers)
  }

  private func apply(_ action: CanvasAction) -> [LiveCanvas.Event] {
    switch action {
    case .clear:
      // What was still pending is told of before.
      let due = canvas.advance(to: action.milliseconds)
      ink.clear(canvas)
      return due + canvas.clear(at: action.milliseconds)
    case .undo:
      ink.undo()
      return canvas.undo(at: action.milliseconds)
    case .stroke(let stroke, let pen, let time):
      // Its number is known beforehand, so that its ink is there for the events. What is due before may come first.
      ink.keep(stroke, canvas.strokeCount)
      do throws(InkError) { return try canvas.add(stroke, pen: pen, at: time) } catch {
        preconditionFailure("a stroke that was read is refused: \(error)")
      }
    case .begin(let pen, let time):
      do throws(InkError) {
        return try canvas.apply(.begin(pen: pen, milliseconds: time))
      } catch { return [] }
    case .advance(let time): return canvas.advance(to: time)
    }
  }

  /// Takes everything off, now.
  func clear() {
    let time = clock.lead == nil ? canvas.milliseconds ?? 0 : canvasTime(tools.time.milliseconds())
    _ = publish(apply(.clear(milliseconds: time)))
    sleepUntilDue()
  }

  private func makeRoom(for actions: [CanvasAction]) throws {
    let limits = tools.limits
    // What is cleared makes room for what comes behind.
    let clearing = actions.lastIndex { if case .clear = $0 { true } else { false } }
    let strokes = actions[(clearing ?? 0)...].compactMap { action in
      if case .stroke(let stroke, _, _) = action { stroke } else { nil }
    }
    guard !strokes.isEmpty else { return }
    let points = strokes.reduce(0) { $0 + $1.points.count }
    func isFull() -> Bool {
      let (held, heldPoints, shapes) =
        clearing == nil ? (ink.count, ink.pointCount, canvas.shapes.count) : (0, 0, 0)
      return held + strokes.count > limits.playgroundStrokes
        || heldPoints + points > limits.playgroundPoints
        || shapes + strokes.count > limits.playgroundShapes
    }
    // Undo may bring back shapes whose ink is gone then: better than none that can be drawn.
    if isFull() { ink.prune(canvas, to: .seen) }
    guard !isFull() else {
      throw StudioError(
        .contentTooLarge, "canvasFull", "The canvas is full. Clear it to go on.",
        detail: "It takes \(limits.playgroundShapes) shapes and \(limits.playgroundPoints) points.")
    }
  }

  /// Pens that are down come up: who put them down will not say so any more.
  func liftPens() {
    guard canvas.isDrawing else { return }
    _ = publish(canvas.liftPens())
    sleepUntilDue()
  }

  /// The canvas's clock at a time of the server's.
  private func canvasTime(_ time: Double) -> Double { time - (clock.lead ?? time) }

  // MARK: Time

  private func sleepUntilDue() {
    let due = canvas.nextDeadline.map { $0 + (clock.lead ?? 0) }
    guard due != sleeper?.due else { return }
    sleeper?.task.cancel()
    sleeper = due.map { due in
      let task = Task { [weak self, time = tools.time] in
        do { try await time.sleep(due) } catch { return }
        await self?.wake(due)
      }
      return (due, task)
    }
  }

  private func wake(_ due: Double) {
    guard sleeper?.due == due else { return }
    sleeper = nil
    // The sum and the difference may have been rounded.
    let now = canvasTime(tools.time.milliseconds())
    _ = publish(canvas.advance(to: canvas.nextDeadline.map { max(now, $0) } ?? now))
    sleepUntilDue()
  }

  /// Whether a task sleeps.
  var isWaiting: Bool { sleeper != nil }

  // MARK: Telling

  /// All of it.
  var answer: PlaygroundAnswer {
    PlaygroundAnswer(
      id: id, model: model.model.id, canvas: CanvasSize(size), shapes: canvas.shapes.map(answer),
      sequence: sequence, strokeCount: canvas.strokeCount, canUndo: canvas.canUndo,
      isDrawing: canvas.isDrawing)
  }

  private func answer(_ shape: LiveShape) -> ShapeAnswer {
    ShapeAnswer(shape: shape, ink: ink.ink(of: shape))
  }

  /// The emojis on it.
  var items: [ItemAnswer] {
    canvas.items.map { item in
      ItemAnswer(
        number: item.shape, label: item.label, confidence: item.confidence,
        x: item.placement.x, y: item.placement.y, side: item.placement.side)
    }
  }

  /// Numbers events and tells them to all who listen.
  private func publish(_ events: [LiveCanvas.Event]) -> [EventAnswer] {
    guard !events.isEmpty else { return [] }
    let answers = events.map { event in
      sequence += 1
      return EventAnswer(event: event, sequence: sequence, shapes: event.shapes.map(answer))
    }
    if !listeners.isEmpty {
      for answer in answers {
        let line = EventListener.event("canvas-event", answer)
        for listener in listeners.values { listener.send(line) }
      }
    }
    for shape in events.compactMap(\.decided) {
      let strokes = shape.strokes.map { ink[$0] }.filter { !$0.points.isEmpty }
      guard !strokes.isEmpty else { continue }
      decided.append(Decided(drawing: Drawing(strokes: strokes, canvas: size), shape: shape))
    }
    if events.contains(where: \.isWorthSaving) { save() }
    return answers
  }

  /// Lets somebody listen: all of it first, then what happens.
  func join(_ listener: EventListener) {
    listeners[ObjectIdentifier(listener)] = listener
    sendSnapshot(to: listener)
  }

  private func sendSnapshot(to listener: EventListener) {
    listener.send(EventListener.event("canvas", answer))
  }

  /// Somebody listens no more. A pen of theirs that is down would stop the canvas for all others; another one's stroke is
  /// taken whole when it comes.
  func leave(_ listener: EventListener) {
    listeners[ObjectIdentifier(listener)] = nil
    liftPens()
  }

  /// Whether nobody listens and nothing is pending: it can be kept and left.
  var isIdle: Bool { listeners.isEmpty && sleeper == nil }

  /// Pens that are down come up, so that what waits for them is decided.
  ///
  /// - Returns: Whether it is idle now.
  func comeToRest() -> Bool {
    liftPens()
    return isIdle
  }

  // MARK: Keeping

  /// What is to be kept of it.
  private var kept: Playground {
    Playground(
      id: id, model: model.model.id, canvas: size,
      items: canvas.shapes.map { shape in
        let place = shape.item?.placement
        return PlaygroundItem(
          number: shape.id, label: shape.item?.label, confidence: shape.item?.confidence,
          x: place?.x ?? shape.box.x, y: place?.y ?? shape.box.y,
          side: place?.side ?? max(shape.box.width, shape.box.height),
          strokes: (ink.ink(of: shape) ?? []).filter { !$0.points.isEmpty })
      })
  }

  /// Keeps it; what happens meanwhile is kept afterwards, all at once.
  private func save() {
    isUnsaved = true
    guard saving == nil else { return }
    saving = Task { await self.saveAll() }
  }

  private func saveAll() async {
    while isUnsaved {
      isUnsaved = false
      let (news, model) = (decided, model.model.id)
      decided = []
      await tools.save(kept)
      if !news.isEmpty { await tools.remember(news, model) }
    }
    saving = nil
  }

  /// Stops, and keeps nothing: it went with its model. Who listens begins anew, and is told so.
  func end() {
    sleeper?.task.cancel()
    sleeper = nil
    for listener in listeners.values { listener.finish() }
    listeners = [:]
  }

  /// Stops, and waits until all is kept.
  func close() async {
    sleeper?.task.cancel()
    sleeper = nil
    save()
    await saving?.value
  }
}

extension CanvasAction {
  /// The same by another clock, not later than `latest`; points neither.
  fileprivate func moved(by shift: Double, upTo latest: Double) -> CanvasAction {
    let time = min(milliseconds + shift, latest)
    switch self {
    case .begin(let pen, _): return .begin(pen: pen, milliseconds: time)
    case .undo: return .undo(milliseconds: time)
    case .clear: return .clear(milliseconds: time)
    case .advance: return .advance(milliseconds: time)
    case .stroke(var stroke, let pen, _):
      for index in stroke.points.indices {
        if let t = stroke.points[index].t { stroke.points[index].t = min(t + shift, time) }
      }
      return .stroke(stroke, pen: pen, milliseconds: time)
    }
  }
}
