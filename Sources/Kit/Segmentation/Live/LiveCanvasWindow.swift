internal import CLibrary
internal import Ink
internal import Numbers
internal import Recognition
internal import Text

extension Segmenter {
  /// The best of the kept groupings that contain all groups of `fixed`; nil if none does.
  func grouping(keeping fixed: [[Int]]) -> [Segment]? {
    let kept = hypotheses.filter { keeps(fixed, $0) }
    guard let best = kept.first else { return nil }
    return segments(of: best, among: kept).sorted { $0.strokes[0] < $1.strokes[0] }
  }

  /// Compares two views of some strokes by the weights of the kept groupings.
  ///
  /// - Parameters:
  ///   - whole: The strokes as one group.
  ///   - parts: Other groups that share strokes with `whole`.
  ///   - fixed: Groups that all compared groupings contain.
  /// - Returns: Whether `whole` is likelier to be a group than `parts`.
  func isLikelier(_ whole: [Int], than parts: [[Int]], keeping fixed: [[Int]]) -> Bool {
    let kept = hypotheses.filter { keeps(fixed, $0) }
    func weight(of groups: [[Int]]) -> Float {
      kept.lazy.filter { keeps(groups, $0) }.reduce(0) { $0 + expf($1.score - kept[0].score) }
    }
    return weight(of: [whole]) > weight(of: parts)
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
    /// Whether its shape is closed: grouping does not change it.
    var isClosed = false
  }

  /// A shape that can still get strokes.
  struct OpenShape: Hashable, Sendable {
    var shape: LiveShape
    /// When it changed last.
    var since: Double
    /// The numbers of the strokes of its group, including strokes of emojis that it may belong to.
    var group: [Int]
    /// The recognizer's answer for the group; nil once the shape is decided, because undo stores
    /// many of these.
    var answer: Answer?
    var sureness: Double
    /// The highest number among the strokes whose pauses the tempo has learned.
    var learned = -1
    /// Late dots among its strokes, by their former shapes; the segmenter's group has the other
    /// strokes.
    var dots: [[Int]] = []

    /// The strokes that the segmenter has in one group.
    var grouped: [Int] {
      guard !dots.isEmpty else { return shape.strokes }
      let late = Set(dots.joined())
      return shape.strokes.filter { !late.contains($0) }
    }

    /// Whether it was recognized.
    var isEmoji: Bool { shape.item != nil }

    /// Whether it may belong to emojis.
    var isBesideEmojis: Bool { group != shape.strokes }

    /// When it is decided, if it is pending.
    ///
    /// - Parameters:
    ///   - settle: The settle time in milliseconds.
    ///   - settings: The canvas's.
    /// - Returns: The time in milliseconds.
    func deadline(_ settle: Double, _ settings: Settings) -> Double {
      guard let answer else { return since + settle }
      guard answer.decision.isRecognized else {
        return since + settle * settings.unrecognizedFactor
      }
      guard answer.isSure else { return since + settle * settings.unsureFactor }
      // Many shapes begin with a stroke that is a shape, too.
      return since + (group.count == 1 ? settle : min(settle, settings.quickMilliseconds))
    }

    /// Whether pens that are down do not delay it: it is recognized, and each of them began farther
    /// from its box than half the box's longer side.
    func isAway(from pens: [Int: Pen]) -> Bool {
      guard !pens.isEmpty else { return true }
      // What is beside emojis may change them, too.
      guard answer?.decision.isRecognized ?? false, !isBesideEmojis else { return false }
      return pens.values.allSatisfy { pen in
        guard let place = pen.place else { return false }
        let there = BoundingBox(x: place.x, y: place.y, width: 0, height: 0)
        return there.gap(to: shape.box) > shape.box.longerSide / 2
      }
    }

    var lastStroke: Int { shape.strokes[shape.strokes.count - 1] }
  }

  /// A pen that is down.
  struct Pen: Sendable {
    /// Where it began; nil if unknown.
    var place: Point?
    /// When it went down, by the canvas's clock.
    var start: Double
    /// The points of its stroke so far.
    var points: [Point] = []
  }

  /// All state that a stroke changes and undo restores; the segmenter is derived from it.
  struct State: Hashable, Sendable {
    /// With this many strokes of closed shapes the segmenter restarts without them.
    static let fewClosedStrokes = 32

    /// The strokes that the segmenter was given, in its order.
    var window: [WindowStroke] = []
    /// The groups of closed shapes whose strokes are in the window: indices into it.
    var closedGroups: [[Int]] = []
    /// The number of closed strokes at which the segmenter restarts without them; raised if that
    /// would have changed the groups of open shapes.
    var forgetsAt = Self.fewClosedStrokes
    /// In the order of their first strokes.
    var open: [OpenShape] = []
    /// How many shapes are closed.
    var closedCount = 0
    var strokeCount = 0
    var shapeCount = 0
    var tempo: Tempo

    /// How many strokes in the window are of open shapes.
    var openStrokeCount: Int { window.count { !$0.isClosed } }

    /// The index in the window of the stroke with the given number; numbers ascend in it.
    func place(of number: Int) -> Int? {
      let place = window.partitioningIndex { $0.number >= number }
      return place < window.count && window[place].number == number ? place : nil
    }

    /// The indices in the window of strokes with the given numbers.
    func places(of numbers: [Int]) -> [Int] { numbers.compactMap { place(of: $0) } }

    /// The strokes of an open shape.
    func ink(of shape: LiveShape) -> [WindowStroke] { places(of: shape.strokes).map { window[$0] } }

    /// The window without the strokes of closed shapes.
    func withoutClosed() -> State {
      var copy = self
      copy.window.removeAll(where: \.isClosed)
      copy.closedGroups = []
      copy.forgetsAt = Self.fewClosedStrokes
      return copy
    }
  }

  /// The newest stroke.
  struct Newest: Sendable {
    /// The pen that drew it.
    var pen: Int
    /// The steps that can no longer be undone because of it, oldest first. Its own step is the last
    /// of these and `steps`.
    var pushedOut: [Step]
  }

  /// What undoing goes back to.
  struct Step: Sendable {
    var state: State
    /// The segmenter with that window: otherwise, alternating undo and drawing would give it a
    /// whole window of strokes each time. Nil if it is behind, or the recognizer was replaced.
    var segmenter: Segmenter?
    var kind: Kind

    /// What was done.
    enum Kind: Sendable {
      case stroke(WindowStroke)
      /// All closed shapes could change: what they were.
      case shapes([LiveShape])
      case corrected(Corrected)
    }

    /// The stroke that was drawn; nil for other steps.
    var stroke: WindowStroke? { if case .stroke(let stroke) = kind { stroke } else { nil } }
    var isStroke: Bool { stroke != nil }
    var points: Int { stroke?.stroke.points.count ?? 0 }
  }
}

extension Answer {
  /// Whether more ink will hardly change it. `docs/research/segmentation.md` measures these and
  /// other limits.
  fileprivate var isSure: Bool {
    (decision.best?.confidence ?? 0) >= 0.9 && (evidence?.typicality ?? 0) >= 0.3
  }
}
