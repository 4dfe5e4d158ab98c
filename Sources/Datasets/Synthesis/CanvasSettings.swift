public import Ink
public import Support

/// How the shapes of a synthetic canvas lie to each other.
public enum CanvasKind: String, CaseIterable, Sendable, Codable {
  /// Every shape in a place of its own.
  case spread
  /// Each shape a few pixels beside an earlier one.
  case tight
  /// New shapes across earlier ones.
  case over
}

/// What synthetic canvases are like.
public struct CanvasSettings: Sendable, Hashable {
  /// The sheet's width, in pixels.
  public var width = 1280.0
  /// The sheet's height, in pixels.
  public var height = 960.0
  /// How many shapes a canvas has.
  public var shapes = 3...8
  /// How much of each kind there is, in the order of `CanvasKind.allCases`; any scale.
  public var mix: [CanvasKind: Double] = [.spread: 0.6, .tight: 0.25, .over: 0.15]
  /// The share of canvases in which a shape gets a stroke after another one was begun, in 0...1.
  public var lateShare = 0.1
  /// The share of shapes of unknown labels, in 0...1; where there are any a canvas has one at
  /// least.
  public var unknownShare = 0.1
  /// How many people draw, each with a tempo of their own: 1 or 2.
  public var people = 1
  /// The longer side of a shape, in pixels.
  public var side = 90.0...240
  /// The pause between shapes, in milliseconds.
  public var pause = 500.0...2500
  /// The gap between shapes of a tight canvas, in pixels: between their boxes, or for `nestedShare`
  /// from ink to ink.
  public var tightGap = 4.0...12
  /// The share of later shapes of a tight canvas that are slid to an earlier one until ink is near
  /// ink, in 0...1.
  public var nestedShare = 0.0
  /// The least gap between the boxes of shapes that are not meant to be near, in pixels.
  public var spreadGap = 40.0
  /// The share of later shapes of an "over" canvas that lie across an earlier one.
  public var overShare = 0.75
  /// The share of spread canvases whose shapes stand in rows, all of about one size, as people draw
  /// lists, in 0...1.
  public var tidyShare = 0.0
  /// The share of canvases on which one label is drawn again and again, also by the same drawing,
  /// in 0...1.
  public var repeatShare = 0.0
  /// The share of canvases that are drawn in haste, with `hastyPause` between shapes, in 0...1.
  public var hastyShare = 0.0
  /// The pause between shapes that are drawn in haste, in milliseconds: no longer than those within
  /// shapes.
  public var hastyPause = 50.0...500

  /// Canvases of middling difficulty. With a spread gap of 20 pixels in place of 40, groupings of
  /// consecutive strokes kept about 41 % of the shapes whole by pause, 66 % by distance and 75 % by
  /// both; their borders were chosen on the same 300 canvases.
  public init() {}

  /// Whether the numbers are ones that a canvas can be made with.
  var isSound: Bool {
    let shares = [
      lateShare, unknownShare, overShare, nestedShare, tidyShare, repeatShare, hastyShare,
    ]
    return width > 0 && height > 0 && shapes.lowerBound >= 1 && (1...2).contains(people)
      && shares.allSatisfy { (0...1).contains($0) } && side.lowerBound > 0
      && side.upperBound <= min(width, height) && pause.lowerBound >= 0
      && hastyPause.lowerBound >= 0
      && mix.values.allSatisfy { $0 >= 0 && $0.isFinite } && mix.values.contains { $0 > 0 }
  }
}

/// Why canvases cannot be made of some drawings.
public enum CanvasSynthesisError: DescribedError, Equatable {
  /// There is no drawing to place.
  case noDrawings
  /// A drawing's points have no times.
  case untimed(id: String)

  /// One sentence for people: what, and what to do.
  public var description: String {
    switch self {
    case .noDrawings: "there are no drawings to place on canvases"
    case .untimed(let id):
      "the drawing \"\(id)\" has points without times; "
        + "canvases need the pauses of real pens: give timed drawings"
    }
  }
}

/// A synthetic canvas and where it comes from.
public struct SyntheticCanvas: Sendable, Hashable {
  /// The strokes in the order of their times, with the true shapes; its label is the kind's name.
  public var drawing: Drawing
  /// How its shapes lie.
  public var kind: CanvasKind
  /// The id of each shape's drawing, in the order of the shapes.
  public var sources: [String]
}
