internal import Ink
internal import Segmentation

/// The newest actions on a sheet since it got its size, for a canvas log.
struct SheetLog: Sendable {
  /// The actions, in order.
  private(set) var actions: [CanvasAction] = []
  private var points = 0
  /// The maximum number of points; other actions count as one, corrections as more.
  private let mostPoints: Int

  /// An empty log of at most `mostPoints` points.
  init(mostPoints: Int) { self.mostPoints = mostPoints }

  /// The log of a sheet that begins now.
  func emptied() -> SheetLog { SheetLog(mostPoints: mostPoints) }

  /// Adds an action. Beyond the limit the older half goes.
  mutating func note(_ action: CanvasAction) {
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
