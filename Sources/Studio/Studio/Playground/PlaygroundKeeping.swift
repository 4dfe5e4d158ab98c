internal import Ink
internal import Segmentation

/// A drawing and its classified shape.
struct DecidedDrawing: Sendable {
  var drawing: Drawing
  var shape: LiveShape
}

/// The unsaved changes of a playground. One task at a time saves them; changes meanwhile are saved
/// together by the next one.
struct PlaygroundKeeping: Sendable {
  /// Decided drawings not yet recorded in the history.
  private var decided: [DecidedDrawing] = []
  /// The last save that began.
  private var current: Task<Void, Never>?
  /// The save that begins after it.
  private var next: Task<Void, Never>?

  /// Adds a drawing to record with the next save.
  mutating func remember(_ drawing: DecidedDrawing) { decided.append(drawing) }

  /// Requests a save by `keep`, which has to call `begin()` first.
  mutating func ask(_ keep: @escaping @Sendable () async -> Void) {
    guard next == nil else { return }
    next = Task { [current] in
      await current?.value
      await keep()
    }
  }

  /// The last requested save, after which all changes until now are saved; nil before the first.
  var latest: Task<Void, Never>? { next ?? current }

  /// Begins the requested save: what changes from now on needs another one.
  ///
  /// - Returns: The drawings to record with it.
  mutating func begin() -> [DecidedDrawing] {
    (current, next) = (next, nil)
    defer { decided = [] }
    return decided
  }
}
