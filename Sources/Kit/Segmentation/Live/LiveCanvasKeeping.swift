public import Ink
public import Recognition

// A canvas that continues with earlier shapes, or with a recognizer that was taught more.
extension LiveCanvas {
  /// A canvas with shapes that were drawn earlier. They are closed: ink over them never joins them,
  /// and undo does not affect them. A clear removes them, and its undo restores them.
  ///
  /// - Parameters:
  ///   - recognizer: Classifies shapes and helps to group strokes; nil for grouping only.
  ///   - model: The fitted model for grouping.
  ///   - canvas: Its size, so that emojis are kept inside; nil for an unbounded one.
  ///   - settings: Waiting times and limits; valid ones.
  ///   - shapes: The shapes, with distinct numbers and strokes. A pending one becomes unrecognized.
  public init(
    recognizer: Recognizer?, model: SegmenterModel, canvas: Drawing.Canvas? = nil,
    settings: Settings = Settings(), keeping shapes: [LiveShape]
  ) {
    self.init(recognizer: recognizer, model: model, canvas: canvas, settings: settings)
    closed = shapes.sorted { $0.id < $1.id }
    for index in closed.indices where closed[index].isPending {
      closed[index].state = .unrecognized(best: nil)
    }
    state.closedCount = closed.count
    state.shapeCount = (closed.last?.id ?? -1) + 1
    state.strokeCount = (closed.lazy.flatMap(\.strokes).max() ?? -1) + 1
  }

  /// Replaces the recognizer, for example after it was taught more.
  ///
  /// Decided shapes stay unchanged and are closed; pending ones are grouped again.
  ///
  /// - Parameter recognizer: The new recognizer; nil for grouping only.
  /// - Returns: The pending shapes whose grouping changed.
  public mutating func replaceRecognizer(with recognizer: Recognizer?) -> [Event] {
    segmenter = segmenter.cleared(with: recognizer)
    for step in steps.indices { steps[step].forgetRecognizer() }
    for step in newest?.pushedOut.indices ?? 0..<0 { newest?.pushedOut[step].forgetRecognizer() }
    closeDecidedShapes()
    rebuildSegmenter()
    return state.open.isEmpty ? [] : regroup()
  }

  /// Classifies closed shapes without an emoji again, such as those drawn before the recognizer was
  /// taught anything. Shapes recognized now get emojis; the others stay unchanged.
  ///
  /// - Parameter ink: Returns a shape's ink; nil to skip the shape, or if its ink is no longer
  ///   known.
  /// - Returns: The shapes that are recognized now.
  public mutating func decideAgain(ink: (LiveShape) -> Drawing?) -> [Event] {
    var events: [Event] = []
    for index in closed.indices where closed[index].item == nil {
      guard let drawing = ink(closed[index]),
        let found = try? segmenter.segments(of: drawing), found.count == 1,
        case .recognized(let best) = found[0].answer?.decision
      else { continue }
      closed[index].state = .recognized(
        best.fromModel, Placement(for: closed[index].box, on: canvas))
      // Undo may go back to when it was open.
      for step in steps.indices { steps[step].state.learn(closed[index]) }
      for step in newest?.pushedOut.indices ?? 0..<0 {
        newest?.pushedOut[step].state.learn(closed[index])
      }
      events.append(event(.recognized(closed[index])))
    }
    return events
  }
}

extension LiveCanvas.Step {
  /// Drops the answers of a recognizer that was replaced.
  fileprivate mutating func forgetRecognizer() {
    segmenter = nil
    for index in state.open.indices { state.open[index].answer = nil }
  }
}

extension LiveCanvas.State {
  /// Updates a shape's answer, if it is open here and has the same strokes.
  fileprivate mutating func learn(_ known: LiveShape) {
    guard let index = open.firstIndex(where: { $0.shape.id == known.id }),
      open[index].shape.strokes == known.strokes
    else { return }
    open[index].shape.state = known.state
    open[index].answer = nil
  }
}
