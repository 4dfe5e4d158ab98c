public import Ink
public import Recognition

// A canvas that goes on: with what was drawn on it earlier, and with a recognizer that was taught
// more.
extension LiveCanvas {
  /// A canvas that begins with shapes that were drawn earlier. They are closed: what is drawn over
  /// them is never mixed with them, and undo does not reach them, but clearing takes them off, and
  /// its undo brings them back.
  ///
  /// - Parameters:
  ///   - recognizer: Says what shapes are, and helps to find them; nil where only grouping is asked
  ///     for.
  ///   - model: What grouping was fitted to.
  ///   - canvas: Its size, so that emojis are kept inside; nil for one without edges.
  ///   - settings: How long it waits, and what it keeps; sound ones.
  ///   - shapes: Each with another number, and none of them with another's strokes. One that was
  ///     pending is not recognized.
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

  /// Puts another recognizer in the old one's place, such as the same one after it was taught more.
  ///
  /// Shapes that were decided on stay as they are, and are closed; pending ones are grouped again.
  ///
  /// - Parameter recognizer: The new one; nil where only grouping is asked for.
  /// - Returns: Which pending shapes are grouped otherwise now.
  public mutating func replaceRecognizer(with recognizer: Recognizer?) -> [Event] {
    segmenter = segmenter.cleared(with: recognizer)
    for step in steps.indices { steps[step].forgetRecognizer() }
    for step in newest?.pushedOut.indices ?? 0..<0 { newest?.pushedOut[step].forgetRecognizer() }
    closeDecidedShapes()
    rebuildSegmenter()
    return state.open.isEmpty ? [] : regroup()
  }

  /// Asks the recognizer about closed shapes that are no emoji, such as those that were drawn
  /// before it was taught anything. Those recognized now get their emojis; the others stay as
  /// they are.
  ///
  /// - Parameter ink: What was drawn of a shape; nil for one that is not asked about, or whose ink
  ///   is not known any more.
  /// - Returns: Which are recognized.
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
  /// Forgets what a recognizer said that was replaced since.
  fileprivate mutating func forgetRecognizer() {
    segmenter = nil
    for index in state.open.indices { state.open[index].answer = nil }
  }
}

extension LiveCanvas.State {
  /// Takes what is known of a shape now, where it is open here and has the same strokes.
  fileprivate mutating func learn(_ known: LiveShape) {
    guard let index = open.firstIndex(where: { $0.shape.id == known.id }),
      open[index].shape.strokes == known.strokes
    else { return }
    open[index].shape.state = known.state
    open[index].answer = nil
  }
}
