internal import Ink
internal import Segmentation

/// A drawing and its classified shape.
struct DecidedDrawing: Sendable {
  var drawing: Drawing
  var shape: LiveShape
}

/// The unsaved changes of a playground: one task saves them, and changes meanwhile are saved
/// together afterwards.
struct PlaygroundKeeping: Sendable {
  private var isDue = false
  /// Decided drawings not yet recorded in the history.
  private var decided: [DecidedDrawing] = []
  /// The task that saves; nil if there is nothing to save.
  private(set) var task: Task<Void, Never>?

  /// Adds a drawing to record with the next save.
  mutating func remember(_ drawing: DecidedDrawing) { decided.append(drawing) }

  /// Requests a save. `keep` has to save as long as `next()` returns non-nil.
  mutating func ask(_ keep: @escaping @Sendable () async -> Void) {
    isDue = true
    if task == nil { task = Task { await keep() } }
  }

  /// The drawings to record with this save; nil if nothing is left to save.
  mutating func next() -> [DecidedDrawing]? {
    guard isDue else {
      task = nil
      return nil
    }
    defer { decided = [] }
    isDue = false
    return decided
  }
}
