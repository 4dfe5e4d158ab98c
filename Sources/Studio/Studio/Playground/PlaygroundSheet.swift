internal import HTTPTypes
internal import Ink
internal import Recognition
internal import Segmentation
internal import Workspace

/// The contents of a playground: the canvas with its shapes, and their ink.
struct PlaygroundSheet: Sendable {
  private(set) var canvas: LiveCanvas
  /// The sheet's size.
  private(set) var size: Drawing.Canvas
  private var ink = InkStore()
  /// The numbers of the strokes that were restored with the sheet.
  private let restoredStrokes: Range<Int>
  /// What was done on it.
  private(set) var log: SheetLog
  /// Whether the recognizer knows any labels.
  private var isTaught: Bool
  /// The restored shapes that were not classified yet.
  private var undecided: Set<Int>
  /// The strokes that were pending when the playground was saved; `resume()` draws them again.
  private var waiting: [(stroke: Stroke, id: String?)]

  /// Restores a saved sheet.
  init(
    _ kept: Playground, recognizer: Recognizer, segmenter: SegmenterModel,
    settings: LiveCanvas.Settings, limits: StudioLimits = .init()
  ) {
    log = SheetLog(mostPoints: limits.playgroundPoints)
    (size, isTaught) = (kept.canvas, !recognizer.labels.isEmpty)
    let waitingItems = isTaught ? Self.stillOpen(kept.items, settings) : []
    waiting = waitingItems.flatMap(\.strokesWithIDs).sorted {
      ($0.stroke.firstTime ?? 0) < ($1.stroke.firstTime ?? 0)
    }
    let numbers = Set(waitingItems.map(\.number))
    let items = kept.items.filter { !numbers.contains($0.number) }
    let restored = Self.restored(items)
    undecided = Set(items.lazy.filter(\.isUndecided).map(\.number))
    canvas = LiveCanvas(
      recognizer: recognizer, model: segmenter, canvas: size, settings: settings,
      keeping: restored.shapes)
    restoredStrokes = restored.strokes.indices
    for (number, stroke) in restored.strokes.enumerated() {
      ink.keep(stroke.stroke, number, id: stroke.id)
    }
  }

  // MARK: Drawing

  /// Applies an action; `id` is the client's id of its stroke.
  mutating func apply(_ action: CanvasAction, id: String? = nil) -> [LiveCanvas.Event] {
    // Time passes by itself when the log is replayed, but while a pen is down a stroke that ended
    // earlier may still come.
    let passes = if case .advance = action { !canvas.isDrawing } else { false }
    if !passes { log.note(action) }
    switch action {
    case .stroke(let stroke, _, _):
      // The stroke's number is known in advance; store its ink first, because the events need it.
      // Events that were due earlier may precede.
      ink.keep(stroke, canvas.strokeCount, id: id)
    case .correct(let id, .reject, let time):
      let due = canvas.advance(to: time)
      let shape = canvas.shapes.first { $0.id == id }
      // Without its ink an emoji cannot be rejected.
      guard let shape, ink.isKnown(shape) else { return due }
      return due + canvas.correct(id, .reject, at: time)
    case .join(let shapes, let time):
      return canvas.join(shapes, at: time, ink: restoredInk)
    case .split(let shape, let strokes, let time):
      return canvas.split(shape, off: strokes, at: time, ink: restoredInk)
    default: break
    }
    do throws(InkError) { return try canvas.apply(action) } catch {
      preconditionFailure("a stroke that was read is refused: \(error)")
    }
  }

  /// The ink of strokes that were restored with the sheet, which the canvas does not know.
  private var restoredInk: (Int) -> Stroke? {
    let (ink, restored) = (ink, restoredStrokes)
    return { number in
      restored.contains(number) && !ink[number].points.isEmpty ? ink[number] : nil
    }
  }

  /// Lifts all pens, without ink.
  mutating func liftPens() -> [LiveCanvas.Event] {
    canvas.pensDown.flatMap { apply(.cancel(pen: $0, milliseconds: canvas.milliseconds ?? 0)) }
  }

  /// Switches to another recognizer.
  mutating func follow(_ recognizer: Recognizer) -> [LiveCanvas.Event] {
    let wasTaught = isTaught
    isTaught = !recognizer.labels.isEmpty
    let events = canvas.replaceRecognizer(with: recognizer)
    // Shapes drawn before the first training were not classified.
    guard isTaught, !wasTaught else { return events }
    undecided.formUnion(canvas.shapes.lazy.filter { $0.item == nil }.map(\.id))
    return events + decideUndecided()
  }

  /// Resumes a restored sheet: classifies undecided shapes, and draws pending strokes again at
  /// their original times, so that an unfinished drawing can be finished.
  mutating func resume() -> [LiveCanvas.Event] {
    let events = decideUndecided()
    guard let first = waiting.first?.stroke else { return events }
    defer { waiting = [] }
    // While a pen is down that may be anywhere, nothing is decided: the pauses between these
    // strokes do not split them now either. The pens are not a client's, so no client's cancel can
    // take back strokes from before the restart.
    let (waitingPen, drawingPen) = (-1, -2)
    let begun = apply(.begin(pen: waitingPen, milliseconds: first.firstTime ?? 0))
    let drawn = waiting.flatMap { stroke, id in
      apply(.stroke(stroke, pen: drawingPen, milliseconds: stroke.lastTime ?? 0), id: id)
    }
    let end = canvas.milliseconds ?? 0
    return events + begun + drawn + apply(.cancel(pen: waitingPen, milliseconds: end))
  }

  /// Classifies undecided shapes if the model knows any labels.
  private mutating func decideUndecided() -> [LiveCanvas.Event] {
    guard isTaught, !undecided.isEmpty else { return [] }
    let newest = Set(undecided.sorted().suffix(Self.mostReclassified))
    undecided = []
    let (ink, size) = (ink, size)
    return canvas.decideAgain { shape in
      newest.contains(shape.id) ? Self.drawing(of: shape, ink, size) : nil
    }
  }

  /// The maximum number of undecided shapes that are classified, so that many of them cause no
  /// delay.
  private static let mostReclassified = 40

  /// Whether the sheet can take another size: it differs, and the canvas is blank.
  func canResize(to size: Drawing.Canvas) -> Bool { size != self.size && canvas.isBlank }

  /// Resizes the sheet if `canResize`; the undo history is discarded.
  mutating func resize(to size: Drawing.Canvas) {
    guard canResize(to: size), canvas.resize(to: size) else { return }
    self.size = size
    ink = InkStore()
    log = log.emptied()
  }

  /// Makes room for the strokes of `actions`.
  ///
  /// - Throws: `StudioError` if the canvas is full; nothing visible has changed then.
  mutating func makeRoom(for actions: [CanvasAction], _ limits: StudioLimits) throws {
    // Only strokes after the last clear need room.
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
    // Undo may then restore shapes without ink, which is better than refusing new strokes.
    if isFull() { ink.prune(canvas, onlySeen: true) }
    guard !isFull() else {
      throw StudioError(
        .contentTooLarge, "canvasFull", "The canvas is full. Clear it to continue.",
        detail:
          "It can hold \(limits.playgroundShapes) shapes, \(limits.playgroundStrokes) strokes and "
          + "\(limits.playgroundPoints) points.")
    }
  }

  /// Removes ink that is no longer needed.
  mutating func prune() { ink.prune(canvas) }

  // MARK: Contents

  /// The shape in the API's form.
  func answer(_ shape: LiveShape) -> ShapeAnswer {
    ShapeAnswer(
      shape: shape, ids: ink.ids(of: shape), ink: ink.ink(of: shape), isTaught: isTaught,
      guesses: Array(canvas.guesses(about: shape.id).prefix(Self.mostGuesses)))
  }

  /// The maximum number of candidates sent for a pending shape.
  private static let mostGuesses = 3

  /// All shapes in the API's form.
  var shapes: [ShapeAnswer] { canvas.shapes.map(answer) }

  /// The emojis on it.
  var items: [ItemAnswer] {
    canvas.items.map { item in
      ItemAnswer(
        number: item.shape, label: item.label, confidence: item.confidence,
        x: item.placement.x, y: item.placement.y, side: item.placement.side)
    }
  }

  /// The shape's drawing; nil if some of its ink is no longer known.
  func drawing(of shape: LiveShape) -> Drawing? {
    ink.isKnown(shape) ? Self.drawing(of: shape, ink, size) : nil
  }

  private static func drawing(
    of shape: LiveShape, _ ink: InkStore, _ size: Drawing.Canvas
  ) -> Drawing? {
    let strokes = shape.strokes.map { ink[$0] }.filter { !$0.points.isEmpty }
    return strokes.isEmpty ? nil : Drawing(strokes: strokes, canvas: size)
  }

  // MARK: Keeping

  /// The items to save.
  var kept: [PlaygroundItem] {
    let ofEmojis = Set(ink.newestEmojis(on: canvas))
    return canvas.shapes.map { shape in
      let place = shape.item?.placement
      let ids = ink.ids(of: shape) ?? shape.strokes.map { _ in nil }
      // Strokes whose ink is no longer known are not saved, and an emoji's only all together.
      let isSaved =
        shape.item == nil || ink.isKnown(shape) && shape.strokes.allSatisfy(ofEmojis.contains)
      let strokes = zip(isSaved ? shape.strokes.map { ink[$0] } : [], ids)
        .filter { !$0.0.points.isEmpty }
      return PlaygroundItem(
        number: shape.id, label: shape.item?.label,
        confidence: shape.item?.confidence
          ?? (shape.isPending || !isTaught ? PlaygroundItem.undecided : nil),
        x: place?.x ?? shape.box.x, y: place?.y ?? shape.box.y,
        side: place?.side ?? max(shape.box.width, shape.box.height),
        strokes: strokes.map(\.0),
        ids: shape.item == nil ? strokes.map(\.1) : ids)
    }
  }

  /// The items that might have got more strokes if the server had not ended: the newest undecided
  /// ones, drawn within a shape's maximum settle time. Items without times do not count.
  private static func stillOpen(
    _ items: [PlaygroundItem], _ settings: LiveCanvas.Settings
  ) -> [PlaygroundItem] {
    let timed = items.filter { item in
      item.isUndecided && !item.strokes.isEmpty
        && item.strokes.allSatisfy { $0.firstTime != nil && $0.lastTime != nil }
    }
    func end(_ item: PlaygroundItem) -> Double {
      item.strokes.lazy.compactMap(\.lastTime).max() ?? 0
    }
    guard let newest = timed.last.map(end) else { return [] }
    // Shapes of an earlier canvas have times of another clock, and an untrained model never decided
    // any.
    let longest =
      settings.settleRange.upperBound * max(settings.unsureFactor, settings.unrecognizedFactor)
    let open = timed.reversed().prefix { abs(newest - end($0)) <= longest }
    return open.prefix(settings.mostOpenStrokes).reversed()
  }

  /// The restored shapes, and their strokes by number, without points where their ink was not kept.
  private static func restored(
    _ items: [PlaygroundItem]
  ) -> (shapes: [LiveShape], strokes: [(stroke: Stroke, id: String?)]) {
    var strokes: [(stroke: Stroke, id: String?)] = []
    let shapes = items.map { item in
      let own = item.strokesWithIDs
      let numbers = Array(strokes.count..<(strokes.count + own.count))
      strokes += own
      let square = BoundingBox(x: item.x, y: item.y, width: item.side, height: item.side)
      let state = item.label.map { label in
        LiveShape.State.recognized(
          Candidate(label: label, confidence: item.confidence ?? 0),
          Placement(x: item.x, y: item.y, side: max(item.side, 1e-9)))
      }
      return LiveShape(
        id: item.number, strokes: numbers,
        box: BoundingBox(item.strokes.lazy.flatMap(\.points)) ?? square,
        state: state ?? .unrecognized(best: nil))
    }
    return (shapes, strokes)
  }
}

extension PlaygroundItem {
  /// Its strokes with their ids; they have no points if the ink of an emoji was not kept.
  fileprivate var strokesWithIDs: [(stroke: Stroke, id: String?)] {
    guard label == nil || !strokes.isEmpty else { return ids.map { (Stroke([]), $0) } }
    return strokes.enumerated().map { ($1, $0 < ids.count ? ids[$0] : nil) }
  }
}

extension Stroke {
  /// The time of its first point; nil if not known.
  fileprivate var firstTime: Double? { points.first?.t }
  /// The time of its last point; nil if not known.
  fileprivate var lastTime: Double? { points.last?.t }
}
