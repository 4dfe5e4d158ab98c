public import Ink
public import Recognition

/// A canvas on which many shapes are drawn, one after another and over each other. It takes strokes
/// as they are drawn and returns events (F-012 … F-015).
///
/// Each stroke is in exactly one shape. A shape is decided after a pause; the surer the recognizer,
/// the shorter the pause. It is either recognized, and an emoji replaces it, or rejected. A later
/// stroke of a rejected shape makes it pending again. An emoji stays: later strokes that the
/// grouping assigns to it form a pending shape, which joins the emoji when it is decided, if that
/// is likelier than a separate shape. After `Settings.reopenMilliseconds` without ink a shape is
/// closed and gets no more strokes.
///
/// The clock is an argument: times are milliseconds of one clock with any start, for points and
/// calls. Times never run backwards: an earlier time counts as the latest one. The events depend
/// only on strokes, undos, clears and their times: `advance(to:)` returns the events that are due,
/// whenever it is called, and no call is needed before `nextDeadline`. While a pen is down,
/// only recognized shapes away from its start are decided.
///
/// Value type: copies are independent. A closed shape is stored as one `LiveShape`; ink is stored
/// only for strokes that grouping still uses or that can be undone.
public struct LiveCanvas: Sendable {
  /// The canvas's size; nil for an unbounded one.
  public internal(set) var canvas: Drawing.Canvas?
  /// How long it waits, and what it keeps.
  public let settings: Settings
  /// The latest time given to a call; nil before the first.
  public private(set) var milliseconds: Double?

  var segmenter: Segmenter
  var state: State
  var closed: [LiveShape] = []
  var steps: [Step] = []
  /// The newest stroke; nil after any other action.
  var newest: Newest?
  /// Whether the segmenter lacks the window's strokes, because an undone step was drawn before the
  /// recognizer was replaced.
  var isBehind = false
  /// The number of groups the recognizer has classified, repetitions included.
  var readingCount = 0
  /// The maximum number of pens whose position is stored, because each pending shape is compared
  /// with each pen; other pens may be anywhere.
  private static let mostPlaces = 16

  /// The pens that are down, by their numbers.
  var pens: [Int: Pen] = [:]

  /// An empty canvas.
  ///
  /// - Parameters:
  ///   - recognizer: Classifies shapes and helps to group strokes; nil for grouping only.
  ///   - model: The fitted model for grouping.
  ///   - canvas: Its size, so that emojis are kept inside; nil for an unbounded one.
  ///   - settings: Waiting times and limits; valid ones.
  public init(
    recognizer: Recognizer?, model: SegmenterModel, canvas: Drawing.Canvas? = nil,
    settings: Settings = Settings()
  ) {
    precondition(settings.isSound, "the settings of a live canvas are out of range: \(settings)")
    (self.canvas, self.settings) = (canvas, settings)
    var limits = Segmenter.Limits()
    limits.reach = settings.reach
    segmenter = Segmenter(recognizer: recognizer, model: model, limits: limits)
    state = State(tempo: Tempo(settle: settings.settleMilliseconds))
  }

  // MARK: What is on it

  /// All shapes, in the order of their first strokes.
  public var shapes: [LiveShape] {
    (closed + state.open.map(\.shape)).sorted { $0.id < $1.id }
  }

  /// The emojis, in the order of their shapes' first strokes (D-007).
  public var items: [PlacedItem] { shapes.compactMap(\.item) }

  /// The number of strokes so far, those of cleared shapes included; also the next stroke's number.
  public var strokeCount: Int { state.strokeCount }

  /// The points of the stroke with the given number; nil if its shape is closed.
  public func ink(of stroke: Int) -> Stroke? {
    state.place(of: stroke).map { state.window[$0].stroke }
  }

  /// The candidates for a pending shape, best first; empty if it was not classified yet.
  public func guesses(about shape: Int) -> [Candidate] {
    let open = state.open.first { $0.shape.id == shape && $0.shape.isPending }
    return open?.answer?.candidates ?? []
  }

  /// The settle time in milliseconds, which adapts to the writer.
  public var settleMilliseconds: Double {
    guard settings.adapts else { return settings.settleMilliseconds }
    let range = settings.settleRange
    return max(range.lowerBound, min(range.upperBound, state.tempo.settle))
  }

  /// When to call `advance(to:)` next; nil if nothing is pending, or if pens that are down may
  /// continue everything pending.
  public var nextDeadline: Double? {
    let settle = settleMilliseconds
    return state.open.lazy.filter { $0.shape.isPending && $0.isAway(from: pens) }
      .map { $0.deadline(settle, settings) }.min()
  }

  /// Whether a pen is down.
  public var isDrawing: Bool { !pens.isEmpty }

  /// The pens that are down, in ascending order.
  package var pensDown: [Int] { pens.keys.sorted() }

  /// Whether there is something to undo.
  public var canUndo: Bool { !steps.isEmpty || !pens.isEmpty }

  // MARK: Drawing

  /// A pen goes down.
  ///
  /// - Parameters:
  ///   - point: Its position and time; a point with a non-finite coordinate is not ink.
  ///   - pen: The pen's number, for several pens; if it is down already, it comes up first.
  /// - Returns: The events that were due before.
  public mutating func begin(at point: Point, pen: Int = 0) -> [Event] {
    begin(pen: pen, place: point, at: point.finiteTime) + extend(with: [point], pen: pen)
  }

  mutating func begin(pen: Int, place: Point? = nil, at time: Double?) -> [Event] {
    var events = pens[pen] == nil ? [] : end(pen: pen, at: time)
    events += touch(at: time)
    // What is canceled from now on is what this pen draws now, also where others lift it before.
    if newest?.pen == pen { newest = nil }
    let isPlace = place.map { $0.x.isFinite && $0.y.isFinite } ?? false
    let isKept = isPlace && pens.count < Self.mostPlaces
    pens[pen] = Pen(place: isKept ? place : nil, start: milliseconds ?? 0)
    return events
  }

  /// A pen moves; if it is up, it goes down.
  ///
  /// - Returns: What was due.
  public mutating func extend(with points: [Point], pen: Int = 0) -> [Event] {
    guard pens[pen] != nil else {
      guard let first = points.first else { return [] }
      return begin(at: first, pen: pen) + extend(with: Array(points.dropFirst()), pen: pen)
    }
    for point in points where point.x.isFinite && point.y.isFinite {
      pens[pen]?.points.append(Point(x: point.x, y: point.y, t: point.finiteTime))
    }
    return points.lazy.compactMap(\.finiteTime).max().map { advance(to: $0) } ?? []
  }

  /// A pen comes up and completes its stroke.
  ///
  /// - Parameters:
  ///   - pen: The pen's number; without effect if it is up.
  ///   - milliseconds: The time (default: that of its last point).
  /// - Returns: The events of the stroke, and those that were due.
  public mutating func end(pen: Int = 0, at milliseconds: Double? = nil) -> [Event] {
    let events = milliseconds.map { advance(to: $0) } ?? []
    guard let drawn = pens.removeValue(forKey: pen) else { return events }
    guard !drawn.points.isEmpty else { return events + due() }
    return events + put(Stroke(drawn.points), pen: pen, start: drawn.start) + due()
  }

  /// Adds a whole stroke.
  ///
  /// - Parameters:
  ///   - stroke: A stroke; its times may be missing.
  ///   - pen: The pen's number; if the pen is down, it comes up, and this replaces its points so
  ///     far.
  ///   - milliseconds: When the pen came up (default: the time of its last point).
  /// - Returns: The events that were due before the pen went down, those of the stroke, and those
  ///   due then.
  /// - Throws: `InkError` for a stroke without points or with a number that is not finite; the
  ///   canvas is unchanged then.
  public mutating func add(
    _ stroke: Stroke, pen: Int = 0, at milliseconds: Double? = nil
  ) throws(InkError) -> [Event] {
    guard let first = stroke.points.first else { throw .emptyDrawing }
    for (index, point) in stroke.points.enumerated() {
      for (axis, value) in [(InkError.Axis.x, point.x), (.y, point.y), (.t, point.t ?? 0)]
      where !value.isFinite {
        throw .invalidNumber(stroke: strokeCount, point: index, axis: axis)
      }
    }
    var events: [Event] = []
    if pens[pen] == nil {
      events = touch(at: first.t ?? milliseconds)
      pens[pen] = Pen(place: first, start: self.milliseconds ?? 0)
    }
    for time in [stroke.points.lazy.compactMap(\.finiteTime).max(), milliseconds] {
      if let time { events += advance(to: time) }
    }
    let start = pens.removeValue(forKey: pen)?.start ?? 0
    return events + put(stroke, pen: pen, start: start) + due()
  }

  /// Lets time pass.
  ///
  /// - Returns: What was due.
  public mutating func advance(to milliseconds: Double) -> [Event] {
    guard milliseconds.isFinite else { return [] }
    if self.milliseconds == nil { self.milliseconds = milliseconds }
    let events = due(until: milliseconds)
    move(to: milliseconds)
    return events
  }

  /// Advances the time until nothing is pending; pens that are down come up.
  public mutating func finish() -> [Event] {
    var events = liftPens()
    while let deadline = nextDeadline { events += advance(to: deadline) }
    return events
  }

  /// All pens that are down come up.
  ///
  /// - Parameter milliseconds: The time (default: the latest time known).
  /// - Returns: The events of their strokes, and those that were due.
  public mutating func liftPens(at milliseconds: Double? = nil) -> [Event] {
    pensDown.flatMap { end(pen: $0, at: milliseconds) }
  }

  // MARK: Inside

  func event(_ kind: Event.Kind) -> Event {
    Event(milliseconds: milliseconds ?? 0, kind: kind)
  }

  /// The clock goes on, never back.
  mutating func move(to time: Double?) {
    guard let time, time.isFinite else { return }
    milliseconds = max(milliseconds ?? time, time)
  }

  /// The events that are due before a pen goes down; shapes that it can no longer join are closed.
  private mutating func touch(at time: Double?) -> [Event] {
    let events = advance(to: time ?? milliseconds ?? 0)
    if pens.isEmpty { closeOldShapes() }
    return events
  }

  /// Decides all shapes that are due, in order, each at its time.
  mutating func due(until end: Double? = nil) -> [Event] {
    var events: [Event] = []
    while let deadline = nextDeadline, let now = milliseconds, deadline <= end ?? now {
      milliseconds = max(now, deadline)
      events += decideDueShapes()
    }
    return events
  }

  private mutating func put(_ stroke: Stroke, pen: Int, start: Double) -> [Event] {
    guard let box = BoundingBox(stroke.points) else { return [] }
    if isBehind { rebuildSegmenter() }
    let item = WindowStroke(
      number: state.strokeCount, stroke: stroke, box: box, start: start, end: milliseconds ?? 0)
    newest = Newest(pen: pen, pushedOut: remember(.stroke(item)))
    let finished = finishShapes(before: stroke)
    state.window.append(item)
    state.strokeCount += 1
    give(stroke)
    return finished + regroup() + finishPassedShapes()
  }
}

extension Point {
  /// The time where it is a finite number.
  fileprivate var finiteTime: Double? { t.flatMap { $0.isFinite ? $0 : nil } }
}
