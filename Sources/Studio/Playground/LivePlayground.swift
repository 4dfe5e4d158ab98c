internal import Foundation
internal import Ink
internal import NIOCore
internal import Recognition
internal import Segmentation
internal import Workspace

/// A playground that somebody draws on: the canvas, who listens to it, and a task that sleeps until
/// something is due.
///
/// There is one such task at most, and none while nothing is pending.
actor LivePlayground {
  /// The services that it uses.
  struct Tools: Sendable {
    var segmenter: SegmenterModel
    var settings: LiveCanvas.Settings
    var time: StudioTime
    var limits: StudioLimits
    /// Names this run of the server.
    var run: String
    /// Keeps what lies on it.
    var save: @Sendable (Playground) async -> Void
    /// Remembers what drawings were taken for, by the model with that id (D-006).
    var remember: @Sendable ([DecidedDrawing], _ model: String) async -> Void
  }

  nonisolated let id: String
  private let tools: Tools
  private var model: RecognizerSnapshot { didSet { cachedAnswer = nil } }
  /// When the model was read: what was read before that is not followed.
  private var modelMoment = 0
  private var sheet: PlaygroundSheet { didSet { cachedAnswer = nil } }
  private var broadcaster = EventBroadcaster()
  private var keeping = PlaygroundKeeping()
  private var clock = ClientClock()
  private var clients = ClientMemory()
  private var sleeper: (due: Double, task: Task<Void, Never>)?
  /// All of it as JSON, with the number of the last event, until the sheet changes: with much ink
  /// it takes long to make, and no stroke waits for many who only look.
  private var cachedAnswer: (sequence: Int, text: Data)?

  /// A playground with what was kept of it.
  init(_ kept: Playground, model: RecognizerSnapshot, tools: Tools) {
    id = kept.id
    (self.model, self.tools) = (model, tools)
    sheet = PlaygroundSheet(
      kept, recognizer: model.recognizer, segmenter: tools.segmenter, settings: tools.settings)
  }

  /// Goes on where an earlier run of the server left it: what waited at its end waits again.
  func resume() {
    publish(sheet.resume())
    if let time = sheet.canvas.milliseconds {
      clock.resume(at: time, received: tools.time.milliseconds())
    }
    sleepUntilDue()
  }

  // MARK: Drawing

  /// Goes on with another model, read at `moment`, and, where there is nothing on it and nothing to
  /// undo, with another size: what lies on a canvas stays where it is, whoever looks at it.
  func adopt(_ model: RecognizerSnapshot, size: Drawing.Canvas, asOf moment: Int) {
    let takesSize = !sheet.canvas.canUndo && sheet.takes(size)
    if takesSize { sheet.resize(to: size) }
    if model.model.id == self.model.model.id {
      follow(model, asOf: moment)
      guard takesSize else { return }
    } else {
      (self.model, modelMoment) = (model, max(modelMoment, moment))
      publish(sheet.follow(model.recognizer))
      sleepUntilDue()
    }
    broadcaster.tell(snapshot)
    save()
  }

  /// Goes on with a recognizer that was taught more, if this is one. Shapes stay as they are. One
  /// that was read at a `moment` before that of another is not the newest, though it comes later.
  func follow(_ model: RecognizerSnapshot, asOf moment: Int) {
    guard model.model.id == self.model.model.id, moment > modelMoment else { return }
    modelMoment = moment
    guard model.version != self.model.version else { return }
    self.model = model
    publish(sheet.follow(model.recognizer))
    sleepUntilDue()
  }

  /// The model's id.
  var modelID: String { model.model.id }

  /// Does what a client did.
  ///
  /// - Throws: `StudioError` where there is too much on the canvas already, or the client speaks to
  ///   another run of the server; nothing has changed then.
  func perform(_ batch: ActionBatch) throws -> ActionAnswer {
    let received = tools.time.milliseconds()
    // Whoever does not know yet that the server was started again may have drawn what is not here.
    guard batch.run.map({ $0 == tools.run }) ?? true else { throw StudioError.otherRun }
    try sheet.makeRoom(for: batch.actions, tools.limits)
    let shift = clock.shift(
      sentAt: batch.now ?? batch.actions.last?.milliseconds ?? received, received: received)
    let now = canvasTime(received)
    // They are told all together: many actions on one shape would tell of its ink as often.
    var events: [EventAnswer] = []
    for (index, action) in batch.actions.enumerated() {
      guard !clients.isDone(batch.client, batch.first + index) else { continue }
      var action = action.moved(by: shift, upTo: now)
      if case .stroke(let stroke, let pen, let time) = action {
        // The first one on an empty sheet brings the sheet that it was drawn on with it.
        if let canvas = batch.canvas, sheet.takes(canvas) {
          sheet.resize(to: canvas)
          broadcaster.tell(events)
          events = []
          broadcaster.tell(snapshot)
          save()
        }
        action = .stroke(place(stroke, from: batch.canvas), pen: pen, milliseconds: time)
      }
      events += take(sheet.apply(action, id: batch.ids[index]), by: batch.client)
      clients.note(batch.client, batch.first + index)
    }
    broadcaster.tell(events)
    sheet.prune()
    sleepUntilDue()
    return ActionAnswer(sequence: broadcaster.sequence)
  }

  /// A stroke as it lies on the sheet.
  private func place(_ stroke: Stroke, from canvas: Drawing.Canvas?) -> Stroke {
    let own = SheetView(of: sheet.size, in: canvas ?? sheet.size)
    return Stroke(stroke.points.map { own.place($0) })
  }

  /// Takes everything off, now.
  func clear() {
    let time =
      clock.lead == nil
      ? sheet.canvas.milliseconds ?? 0 : canvasTime(tools.time.milliseconds())
    publish(sheet.apply(.clear(milliseconds: time)))
    sleepUntilDue()
  }

  /// Pens that are down come up: who put them down will not say so any more.
  func liftPens() {
    guard sheet.canvas.isDrawing else { return }
    publish(sheet.liftPens())
    sleepUntilDue()
  }

  /// The canvas's clock at a time of the server's.
  private func canvasTime(_ time: Double) -> Double { time - (clock.lead ?? time) }

  // MARK: Time

  private func sleepUntilDue() {
    let due = sheet.canvas.nextDeadline.map { $0 + (clock.lead ?? 0) }
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
    let end = sheet.canvas.nextDeadline.map { max(now, $0) } ?? now
    publish(sheet.apply(.advance(milliseconds: end)))
    sleepUntilDue()
  }

  /// Whether a task sleeps.
  var isWaiting: Bool { sleeper != nil }

  // MARK: Telling

  /// All of it, as JSON of a `PlaygroundAnswer`.
  func answer() throws -> Data {
    if let cachedAnswer, cachedAnswer.sequence == broadcaster.sequence { return cachedAnswer.text }
    let text = try JSONText.encode(
      PlaygroundAnswer(
        id: id, model: model.model.id, canvas: CanvasSize(sheet.size), shapes: sheet.shapes,
        run: tools.run, sequence: broadcaster.sequence, strokeCount: sheet.canvas.strokeCount,
        canUndo: sheet.canvas.canUndo, isDrawing: sheet.canvas.isDrawing))
    cachedAnswer = (broadcaster.sequence, text)
    return text
  }

  /// All of it, for who listens.
  private var snapshot: ByteBuffer { EventListener.event("canvas") { try answer() } }

  /// The emojis on it.
  var items: [ItemAnswer] { sheet.items }

  /// Tells events to all who listen, and sees to it that what they changed is kept.
  private func publish(_ events: [LiveCanvas.Event]) { broadcaster.tell(take(events)) }

  /// Events as they are to be sent, with the ink that is there now; what they changed is kept.
  private func take(_ events: [LiveCanvas.Event], by client: String? = nil) -> [EventAnswer] {
    for shape in events.compactMap(\.decided) {
      guard let drawing = sheet.drawing(of: shape) else { continue }
      keeping.remember(DecidedDrawing(drawing: drawing, shape: shape))
    }
    if events.contains(where: \.isWorthSaving) { save() }
    return events.map {
      EventAnswer(event: $0, client: client, shapes: $0.shapes.map(sheet.answer))
    }
  }

  /// Lets somebody listen: all of it first, then what happens.
  func join(_ listener: EventListener) { broadcaster.join(listener, snapshot) }

  /// Somebody listens no more. A pen of theirs that is down would stop the canvas for all others;
  /// another one's stroke is taken whole when it comes.
  func leave(_ listener: EventListener) {
    broadcaster.leave(listener)
    liftPens()
  }

  /// Whether nobody listens and nothing is pending: it can be kept and left.
  var isIdle: Bool { broadcaster.isUnheard && sleeper == nil }

  /// Pens that are down come up, so that what waits for them is decided.
  ///
  /// - Returns: Whether it is idle now.
  func comeToRest() -> Bool {
    liftPens()
    return isIdle
  }

  // MARK: Keeping

  private func save() { keeping.ask { [self] in await saveAll() } }

  private func saveAll() async {
    while let news = keeping.next() {
      let model = model.model.id
      await tools.save(Playground(id: id, model: model, canvas: sheet.size, items: sheet.kept))
      if !news.isEmpty { await tools.remember(news, model) }
    }
  }

  /// Stops, and keeps nothing: it went with its model. Who listens begins anew, and is told so.
  func end() {
    sleeper?.task.cancel()
    sleeper = nil
    broadcaster.end()
  }

  /// Stops, and waits until all is kept. What waits is kept as it is, and waits again when the
  /// playground is opened: more strokes of it may come.
  func close() async {
    sleeper?.task.cancel()
    sleeper = nil
    save()
    await keeping.task?.value
  }
}

extension CanvasAction {
  /// The same by another clock, not later than `latest`; points neither.
  fileprivate func moved(by shift: Double, upTo latest: Double) -> CanvasAction {
    let time = min(milliseconds + shift, latest)
    switch self {
    case .begin(let pen, _): return .begin(pen: pen, milliseconds: time)
    case .cancel(let pen, _): return .cancel(pen: pen, milliseconds: time)
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
