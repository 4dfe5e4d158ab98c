public import Ink
public import Text

/// The layout of the shapes on a synthetic canvas.
public enum CanvasKind: String, CaseIterable, Sendable, Codable {
  /// Separate shapes.
  case spread
  /// Each shape a few pixels from an earlier one.
  case tight
  /// New shapes overlap earlier ones.
  case over
  /// Objects as in a scene that is drawn freely: of very different sizes, inside, across and beside
  /// each other.
  case scene
}

/// The settings of synthetic canvases.
public struct CanvasSettings: Sendable, Hashable {
  /// The sheet's width, in pixels.
  public var width = 1280.0
  /// The sheet's height, in pixels.
  public var height = 960.0
  /// The number of shapes per canvas.
  public var shapes = 3...8
  /// The relative frequency of each kind, in any scale.
  public var mix: [CanvasKind: Double] = [.spread: 0.6, .tight: 0.25, .over: 0.15]
  /// The share of canvases in which a shape gets a stroke after a later shape was begun, in 0...1.
  public var lateShare = 0.1
  /// The share of shapes of unknown labels, in 0...1; with unknown drawings, every canvas has at
  /// least one.
  public var unknownShare = 0.1
  /// The number of people drawing, each with their own tempo: 1 or 2.
  public var people = 1
  /// Whether points have times; without, drawings need none.
  public var hasTimes = true
  /// The longer side of a shape, in pixels.
  public var side = 90.0...240
  /// The pause between shapes, in milliseconds.
  public var pause = 500.0...2500
  /// Whether the logarithms of pauses are uniformly distributed, instead of the pauses: most are
  /// short then, in a wide range too.
  public var pausesAreLogarithmic = false
  /// The gap between shapes of a tight canvas, in pixels: between their boxes, or between their ink
  /// for shapes of `nestedShare`.
  public var tightGap = 4.0...12
  /// The share of later shapes of a tight canvas that are moved toward an earlier one until their
  /// ink is near, in 0...1.
  public var nestedShare = 0.0
  /// The minimum gap between the boxes of separate shapes, in pixels.
  public var spreadGap = 40.0
  /// The share of later shapes of an "over" canvas that overlap an earlier one.
  public var overShare = 0.75
  /// The share of spread canvases with shapes of about one size in rows, like a list, in 0...1.
  public var tidyShare = 0.0
  /// The share of canvases with one label repeated, possibly by the same drawing, in 0...1.
  public var repeatShare = 0.0
  /// The share of canvases drawn hastily, with `hastyPause` between shapes, in 0...1.
  public var hastyShare = 0.0
  /// The pause between hastily drawn shapes, in milliseconds: no longer than pauses within shapes.
  public var hastyPause = 50.0...500

  /// Canvases of medium difficulty. With a spread gap of 20 pixels instead of 40, grouping
  /// consecutive strokes kept about 41 % of the shapes whole by pause, 66 % by distance and 75 % by
  /// both, with thresholds chosen on the same 300 canvases.
  public init() {}

  /// Whether the settings are valid.
  var isValid: Bool {
    let shares = [
      lateShare, unknownShare, overShare, nestedShare, tidyShare, repeatShare, hastyShare,
    ]
    return width > 0 && height > 0 && shapes.lowerBound >= 1 && (1...2).contains(people)
      && shares.allSatisfy { (0...1).contains($0) } && side.lowerBound > 0
      && side.upperBound <= min(width, height) && pause.lowerBound >= 0
      && hastyPause.lowerBound >= 0
      && (!pausesAreLogarithmic || min(pause.lowerBound, hastyPause.lowerBound) > 0)
      && mix.values.allSatisfy { $0 >= 0 && $0.isFinite } && mix.values.contains { $0 > 0 }
  }
}

/// Why canvases cannot be synthesized.
public enum CanvasSynthesisError: DescribedError, Equatable {
  /// There are no drawings to place.
  case noDrawings
  /// A drawing has points without times.
  case untimed(id: String)
  /// A drawing has a coordinate or time that is too far from 0.
  case tooFar(id: String)

  /// The farthest coordinate or time: the sums of many, such as a canvas's times, can be read.
  static let farthest = 1e15

  /// One sentence for people: what, and what to do.
  public var description: String {
    switch self {
    case .noDrawings: "there are no drawings to place on canvases"
    case .untimed(let id):
      "the drawing \"\(id)\" has points without times; "
        + "canvases need the pauses of real pens: give timed drawings"
    case .tooFar(let id):
      "the drawing \"\(id)\" has a coordinate or time beyond \(Self.farthest); "
        + "give drawings in smaller units"
    }
  }
}

/// A synthetic canvas and the drawings it was made from.
public struct SyntheticCanvas: Sendable, Hashable {
  /// The strokes in the order of their times, with the true shapes; its label is the kind's name.
  public var drawing: Drawing
  /// The layout of its shapes.
  public var kind: CanvasKind
  /// The id of each shape's source drawing, in the order of the shapes.
  public var sources: [String]
}
