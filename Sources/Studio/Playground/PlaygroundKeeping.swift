internal import Ink
internal import Segmentation

/// A drawing, and what it was taken for.
struct DecidedDrawing: Sendable {
  var drawing: Drawing
  var shape: LiveShape
}

/// What of a playground is not kept yet: one task keeps it, and what happens meanwhile is kept
/// afterwards, all at once.
struct PlaygroundKeeping: Sendable {
  private var isDue = false
  /// What was decided on and is not remembered yet.
  private var decided: [DecidedDrawing] = []
  /// The task that keeps it; nil where nothing is to be kept.
  private(set) var task: Task<Void, Never>?

  /// A drawing is to be remembered, with what is kept next.
  mutating func remember(_ drawing: DecidedDrawing) { decided.append(drawing) }

  /// The playground is to be kept; `keep` does so for as long as `next()` has something.
  mutating func ask(_ keep: @escaping @Sendable () async -> Void) {
    isDue = true
    if task == nil { task = Task { await keep() } }
  }

  /// The drawings to be remembered with what is kept now; nil where all is kept.
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
