internal import Foundation
internal import Ink
internal import NIOCore
internal import Recognition
internal import Segmentation
internal import Workspace

/// A playground in memory: its canvas, its listeners, and a task that sleeps until something is
/// due.
///
/// There is at most one such task, and none while nothing is pending.
actor LivePlayground {
  /// The services that it uses.
  struct Tools: Sendable {
    var segmenter: SegmenterModel
    var settings: LiveCanvas.Settings
    var time: StudioTime
    var limits: StudioLimits
    /// The id of this run of the server.
    var run: String
    /// Saves the playground; throws if that fails.
    var save: @Sendable (Playground) async throws -> Void
    /// Records drawings and their predictions by the model with that id (D-006).
    var remember: @Sendable ([DecidedDrawing], _ model: String) async -> Void
  }

  nonisolated let id: String
  private let queue = ActorQueue("playground")
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe queue.asUnownedSerialExecutor()
  }

  private let tools: Tools
  private var model: RecognizerSnapshot { didSet { cachedAnswer = nil } }
  /// The moment at which the model was read; snapshots read earlier are ignored.
  private var modelMoment = 0
  private var sheet: PlaygroundSheet { didSet { cachedAnswer = nil } }
  private var broadcaster = EventBroadcaster()
  private var keeping = PlaygroundKeeping()
  /// Why the last save failed; nil if it did not.
  private var saveError: (any Error)?
  private var clock = ClientClock()
  private var applied = AppliedActions()
  private var sleeper: (due: Double, task: Task<Void, Never>)?
  /// The playground as JSON with the number of the last event, cached until the sheet changes: with
  /// much ink it is slow to encode, and many readers must not delay strokes.
  private var cachedAnswer: (sequence: Int, text: Data)?

  /// Restores a saved playground.
  init(_ kept: Playground, model: RecognizerSnapshot, tools: Tools) {
    id = kept.id
    var tools = tools
    tools.limits = tools.limits.ofPlayground(kept.id)
    (self.model, self.tools) = (model, tools)
    sheet = PlaygroundSheet(
      kept, recognizer: model.recognizer, segmenter: tools.segmenter, settings: tools.settings,
      limits: tools.limits)
  }

  /// Resumes from an earlier run of the server: strokes that were pending then are pending again.
  func resume() {
    publish(sheet.resume())
    if let time = sheet.canvas.milliseconds {
      clock.resume(at: time, received: tools.time.milliseconds())
    }
    sleepUntilDue()
  }

  // MARK: Drawing

  /// Switches to another model, read at `moment`, and to another size if the canvas is blank with
  /// nothing to undo: shapes keep their places regardless of a viewer's window.
  func adopt(_ model: RecognizerSnapshot, size: Drawing.Canvas, asOf moment: Int) {
    let changesSize = !sheet.canvas.canUndo && sheet.canResize(to: size)
    if changesSize { sheet.resize(to: size) }
    if model.model.id == self.model.model.id {
      follow(model, asOf: moment)
      guard changesSize else { return }
    } else {
      (self.model, modelMoment) = (model, max(modelMoment, moment))
      publish(sheet.follow(model.recognizer))
      sleepUntilDue()
    }
    broadcaster.tell(snapshot)
    save()
  }

  /// Switches to a newer version of the same model; shapes stay as they are. A snapshot read before
  /// the current one is ignored, even if it arrives later.
  func follow(_ model: RecognizerSnapshot, asOf moment: Int) {
    guard model.model.id == self.model.model.id, moment > modelMoment else { return }
    modelMoment = moment
    guard model.model.version != self.model.model.version else { return }
    self.model = model
    publish(sheet.follow(model.recognizer))
    sleepUntilDue()
  }

  /// The model's id.
  var modelID: String { model.model.id }

  /// Applies a client's actions, and waits until they are saved.
  ///
  /// - Throws: `StudioError` if the canvas is full, or the client refers to another run of the
  ///   server; nothing has changed then. `CancellationError` if the server stops: the actions until
  ///   then are applied and saved. `WorkspaceError` if the actions are applied but cannot be saved;
  ///   sent again, they are only saved.
  func perform(_ batch: ActionBatch) async throws -> ActionAnswer {
    let answer = try apply(batch)
    try await waitUntilSaved()
    return answer
  }

  private func apply(_ batch: ActionBatch) throws -> ActionAnswer {
    let received = tools.time.milliseconds()
    // A client that has not noticed a restart of the server may refer to strokes that are missing
    // here.
    guard batch.run.map({ $0 == tools.run }) ?? true else { throw StudioError.otherRun }
    // Actions whose answer was lost have their room.
    let news = zip(batch.actions, batch.ids).filter { !applied.contains($1) }
    try sheet.makeRoom(for: news.map(\.0), tools.limits)
    let shift = clock.shift(
      sentAt: batch.now ?? batch.actions.last?.milliseconds ?? received, received: received)
    let now = canvasTime(received)
    // Send all events together: otherwise many actions on one shape would each send its ink.
    var events: [EventAnswer] = []
    defer {
      broadcaster.tell(events)
      sheet.prune()
      sleepUntilDue()
    }
    for (action, id) in news where !applied.contains(id) {
      // Hundreds of strokes on a crowded canvas take seconds.
      try Task.checkCancellation()
      var action = action.moved(by: shift, upTo: now)
      if case .stroke(let stroke, let pen, let time) = action {
        // The first stroke on a blank sheet sets the sheet's size.
        if let canvas = batch.canvas, sheet.canResize(to: canvas) {
          sheet.resize(to: canvas)
          broadcaster.tell(events)
          events = []
          broadcaster.tell(snapshot)
          save()
        }
        action = .stroke(place(stroke, from: batch.canvas), pen: pen, milliseconds: time)
      } else if case .begin(let pen, let place?, let time) = action {
        let view = SheetView(of: sheet.size, in: batch.canvas ?? sheet.size)
        action = .begin(pen: pen, at: view.place(place), milliseconds: time)
      }
      events += take(sheet.apply(action, id: id), by: batch.client)
      applied.insert(id)
    }
    broadcaster.tell(events)
    events = []
    return ActionAnswer(sequence: broadcaster.sequence)
  }

  /// Converts a stroke to sheet coordinates.
  private func place(_ stroke: Stroke, from canvas: Drawing.Canvas?) -> Stroke {
    let own = SheetView(of: sheet.size, in: canvas ?? sheet.size)
    return Stroke(stroke.points.map { own.place($0) })
  }

  /// Clears the canvas now, and waits until that is saved.
  ///
  /// - Throws: `WorkspaceError` if it cannot be saved.
  func clear() async throws {
    let time =
      clock.lead == nil
      ? sheet.canvas.milliseconds ?? 0 : canvasTime(tools.time.milliseconds())
    publish(sheet.apply(.clear(milliseconds: time)))
    sleepUntilDue()
    try await waitUntilSaved()
  }

  /// Lifts all pens, for clients that will no longer do so.
  func liftPens() {
    guard sheet.canvas.isDrawing else { return }
    publish(sheet.liftPens())
    sleepUntilDue()
  }

  /// Converts the server's time to the canvas's clock.
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
    // Never before the deadline: conversion between the clocks rounds.
    let now = canvasTime(tools.time.milliseconds())
    let end = sheet.canvas.nextDeadline.map { max(now, $0) } ?? now
    publish(sheet.apply(.advance(milliseconds: end)))
    sleepUntilDue()
  }

  /// Whether a task is sleeping until something is due.
  var isWaiting: Bool { sleeper != nil }

  // MARK: Sending

  /// The playground as JSON of a `PlaygroundAnswer`.
  func answer() throws -> Data {
    if let cachedAnswer, cachedAnswer.sequence == broadcaster.sequence { return cachedAnswer.text }
    let text = try JSONText.encode(
      PlaygroundAnswer(
        id: id, model: model.model.id, canvas: sheet.size, shapes: sheet.shapes,
        run: tools.run, sequence: broadcaster.sequence, strokeCount: sheet.canvas.strokeCount,
        canUndo: sheet.canvas.canUndo, isDrawing: sheet.canvas.isDrawing))
    cachedAnswer = (broadcaster.sequence, text)
    return text
  }

  /// The snapshot event for listeners.
  private var snapshot: ByteBuffer { EventListener.event("canvas") { try answer() } }

  /// The drawing of a shape, without strokes if its ink is no longer kept.
  ///
  /// - Throws: `StudioError` if there is no such shape.
  func drawing(of shape: Int) throws -> Drawing {
    guard let found = sheet.canvas.shapes.first(where: { $0.id == shape }) else {
      throw StudioError.notFound("There is no such shape.")
    }
    return sheet.drawing(of: found) ?? Drawing(strokes: [], canvas: sheet.size)
  }

  /// The emojis on it.
  var items: [ItemAnswer] { sheet.items }

  /// The actions since it was opened or got its size, as a canvas log. It names no models, because
  /// trainings may have changed them meanwhile.
  var log: CanvasLog {
    CanvasLog(
      canvas: sheet.size, settings: sheet.canvas.settings, actions: sheet.log.actions)
  }

  /// Sends events to all listeners, and saves the changes.
  private func publish(_ events: [LiveCanvas.Event]) { broadcaster.tell(take(events)) }

  /// Converts events for sending, with the current ink, and saves the changes.
  private func take(_ events: [LiveCanvas.Event], by client: String? = nil) -> [EventAnswer] {
    // The history is the owner's: what guests draw would push their own drawings out of it.
    for shape in events.compactMap(\.decided) where !Visitor.isGuests(playground: id) {
      guard let drawing = sheet.drawing(of: shape) else { continue }
      keeping.remember(DecidedDrawing(drawing: drawing, shape: shape))
    }
    if events.contains(where: \.changesSavedState) { save() }
    return events.map {
      EventAnswer(event: $0, client: client, shapes: $0.shapes.map(sheet.answer))
    }
  }

  /// Adds a listener, which gets a snapshot, then events.
  func join(_ listener: EventListener) { broadcaster.join(listener, snapshot) }

  /// Removes a listener and lifts all pens: its pen would block the canvas for everyone. Strokes of
  /// others are still accepted when they arrive.
  func leave(_ listener: EventListener) {
    broadcaster.leave(listener)
    liftPens()
  }

  /// Whether there are no listeners and nothing is pending, so that it can be unloaded.
  var isIdle: Bool { broadcaster.hasNoListeners && sleeper == nil }

  /// Lifts all pens, so that pending shapes are decided.
  ///
  /// - Returns: Whether it is idle now.
  func becomeIdle() -> Bool {
    liftPens()
    return isIdle
  }

  // MARK: Keeping

  private func save() { keeping.ask { [self] in await saveNow() } }

  private func saveNow() async {
    let news = keeping.begin()
    let model = model.model.id
    do {
      try await tools.save(Playground(id: id, model: model, canvas: sheet.size, items: sheet.kept))
      saveError = nil
    } catch { saveError = error }
    if !news.isEmpty { await tools.remember(news, model) }
  }

  /// Waits until all changes until now are saved, again if the last attempt failed.
  private func waitUntilSaved() async throws {
    if saveError != nil { save() }
    await keeping.latest?.value
    if let saveError { throw saveError }
  }

  /// Stops without saving, because the playground was deleted with its model. Ends the streams, so
  /// that clients reconnect.
  func end() {
    sleeper?.task.cancel()
    sleeper = nil
    broadcaster.end()
  }

  /// Stops, and waits until everything is saved. Pending shapes are saved as such and are pending
  /// again when the playground is opened, since more strokes may follow.
  func close() async {
    sleeper?.task.cancel()
    sleeper = nil
    save()
    await keeping.latest?.value
  }
}

extension CanvasAction {
  /// The action with its times shifted, and clamped to `latest`; those of its points too.
  fileprivate func moved(by shift: Double, upTo latest: Double) -> CanvasAction {
    let time = min(milliseconds + shift, latest)
    switch self {
    case .begin(let pen, let place, _): return .begin(pen: pen, at: place, milliseconds: time)
    case .cancel(let pen, _): return .cancel(pen: pen, milliseconds: time)
    case .undo: return .undo(milliseconds: time)
    case .correct(let shape, let correction, _):
      return .correct(shape: shape, correction, milliseconds: time)
    case .join(let shapes, _): return .join(shapes: shapes, milliseconds: time)
    case .split(let shape, let strokes, _):
      return .split(shape: shape, strokes: strokes, milliseconds: time)
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
