internal import Ink
internal import Recognition
internal import Support

extension Segmenter {
  /// The best of the kept groupings in which each of `fixed` is a group; nil where there is none.
  func grouping(keeping fixed: [[Int]]) -> [Segment]? {
    let kept = hypotheses.filter { keeps(fixed, $0) }
    guard let best = kept.first else { return nil }
    return segments(of: best, among: kept).sorted { $0.strokes[0] < $1.strokes[0] }
  }

  private func keeps(_ fixed: [[Int]], _ hypothesis: Hypothesis) -> Bool {
    guard !fixed.isEmpty else { return true }
    var members: [Int: [Int]] = [:]
    for number in hypothesis.groups {
      if let strokes = groups[number]?.group.strokes { members[strokes[0]] = strokes }
    }
    return fixed.allSatisfy { members[$0[0]] == $0 }
  }
}

extension LiveCanvas {
  /// A stroke that grouping still looks at.
  struct WindowStroke: Hashable, Sendable {
    /// Its number on the canvas.
    var number: Int
    var stroke: Stroke
    /// The box around all of its points; that of a `Segment` is of its outline's.
    var box: BoundingBox
    /// When the pen went down and came up, by the canvas's clock.
    var start: Double
    var end: Double
    /// Whether its shape is closed: no later stroke joins it.
    var isClosed = false
  }

  /// A shape that can still change.
  struct OpenShape: Hashable, Sendable {
    var shape: LiveShape
    /// When it changed last.
    var since: Double
    /// What the recognizer says of it.
    var decision: Recognition.Decision?
    var sureness: Double
    /// The highest number among the strokes whose pauses the tempo has learned.
    var learned = -1
    /// Its least settle-time multiplier.
    var patience = 1.0
    /// Its strokes if it is recognized: grouping ignores them, and only a `Revision` adds to them.
    /// Otherwise empty; the window has them.
    var ink: [WindowStroke] = []

    /// Whether it is recognized, so that its emoji is on the canvas.
    var isStanding: Bool { !ink.isEmpty }

    var lastStroke: Int { shape.strokes[shape.strokes.count - 1] }
  }

  /// All that a stroke changes, and undoing it restores; the segmenter follows from it.
  struct State: Hashable, Sendable {
    /// With this many strokes of closed shapes the segmenter restarts without them.
    static let fewClosedStrokes = 32

    /// The strokes that the segmenter was given, in its order.
    var window: [WindowStroke] = []
    /// The groups of closed shapes whose strokes are in the window: indices into it.
    var closedGroups: [[Int]] = []
    /// With how many closed strokes that is tried next: they must stay where open shapes hang on
    /// them.
    var forgetsAt = Self.fewClosedStrokes
    /// In the order of their first strokes.
    var open: [OpenShape] = []
    /// How many shapes are closed.
    var closedCount = 0
    var strokeCount = 0
    var shapeCount = 0
    var tempo: Tempo

    /// The index in the window of the stroke with the given number; numbers ascend in it.
    func place(of number: Int) -> Int? {
      let place = window.partitioningIndex { $0.number >= number }
      return place < window.count && window[place].number == number ? place : nil
    }

    /// The strokes of an open shape.
    func ink(of open: OpenShape) -> [WindowStroke] {
      open.isStanding
        ? open.ink : open.shape.strokes.compactMap { place(of: $0).map { window[$0] } }
    }

    /// The window without the strokes of closed shapes.
    func withoutClosed() -> State {
      var copy = self
      copy.window.removeAll(where: \.isClosed)
      copy.closedGroups = []
      copy.forgetsAt = Self.fewClosedStrokes
      return copy
    }
  }

  /// What was before the newest stroke.
  struct Newest: Sendable {
    /// The pen that drew it.
    var pen: Int
    var state: State
    var segmenter: Segmenter?
    /// Those that could be undone: the stroke may have pushed out the oldest.
    var steps: [Step]
  }

  /// What undoing goes back to.
  struct Step: Sendable {
    var state: State
    /// The segmenter with that window: whoever undoes and draws by turns would wait for a whole
    /// window of strokes each time. Nil where it had to follow, or another recognizer looks now.
    var segmenter: Segmenter?
    /// The shapes that were closed before a clearing; nil for a stroke.
    var cleared: [LiveShape]?
    /// How many points the stroke has.
    var points: Int
  }
}
