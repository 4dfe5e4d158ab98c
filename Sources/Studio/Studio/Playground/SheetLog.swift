internal import Ink
internal import Segmentation

/// The newest actions on a sheet since it got its size, for a canvas log.
struct SheetLog: Sendable {
  /// The actions, in order.
  private(set) var actions: [CanvasAction] = []
  private var points = 0
  private var pensDown: Set<Int> = []
  /// The maximum number of points; other actions count as one, corrections as more.
  private let mostPoints: Int

  /// An empty log of at most `mostPoints` points.
  init(mostPoints: Int) { self.mostPoints = mostPoints }

  /// The log of a sheet that begins now.
  func emptied() -> SheetLog { SheetLog(mostPoints: mostPoints) }

  /// Adds an action. Beyond the limit the older half goes.
  mutating func note(_ action: CanvasAction) {
    switch action {
    // Time passes by itself when the log is replayed, but while a pen is down a stroke that ended
    // earlier may still come.
    case .advance where pensDown.isEmpty: return
    case .begin(let pen, _, _): pensDown.insert(pen)
    case .cancel(let pen, _), .stroke(_, let pen, _): pensDown.remove(pen)
    default: break
    }
    actions.append(action)
    points += Self.size(of: action)
    guard points > mostPoints else { return }
    var dropped = 0
    let kept = actions.firstIndex { action in
      guard points - dropped > mostPoints / 2 else { return true }
      dropped += Self.size(of: action)
      return false
    }
    actions.removeFirst(kept ?? actions.count)
    points -= dropped
  }

  /// Notes that all pens were lifted without ink.
  mutating func liftPens(at milliseconds: Double) {
    for pen in pensDown.sorted() { note(.cancel(pen: pen, milliseconds: milliseconds)) }
  }

  /// The weight of an action: its points, or the number of points that takes the memory of its
  /// label.
  private static func size(of action: CanvasAction) -> Int {
    switch action {
    case .stroke(let stroke, _, _): max(1, stroke.points.count)
    case .correct: 20
    case .join(let numbers, _), .split(_, let numbers, _): 20 + numbers.count / 2
    case .begin, .cancel, .undo, .clear, .advance: 1
    }
  }
}
