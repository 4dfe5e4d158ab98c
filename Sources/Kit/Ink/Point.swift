internal import JSON

/// Where the pen was, and when.
public struct Point: Sendable {
  /// Distance from the left edge, in the drawing's own units.
  public var x: Double
  /// Distance from the top edge, in the drawing's own units: y grows downwards.
  public var y: Double
  /// NaN if the time is not known: an optional would make every point a third larger.
  private var time: Double

  /// Milliseconds since the drawing's first point, or nil if unknown.
  public var t: Double? {
    get { time.isNaN ? nil : time }
    set { time = newValue ?? .nan }
  }

  /// A point; `t` in milliseconds.
  public init(x: Double, y: Double, t: Double? = nil) {
    self.x = x
    self.y = y
    time = t ?? .nan
  }
}

extension Point {
  /// The accepted range of coordinates and times in files: sums and products of a few such numbers
  /// are finite.
  package static let readable = JSONScanner.numbers

  /// The point as it is read from a file, with coordinates and time flushed to zero.
  package var flushed: Point {
    var point = self
    (point.x, point.y, point.time) = (x.flushed, y.flushed, time.flushed)
    return point
  }
}

extension Double {
  /// 0 for a number nearer to 0 than 10^-100: quotients of a few such numbers are finite, too. Zero
  /// keeps its sign, as in `DrawingLineParser`, which reads no number that is so small.
  var flushed: Double { abs(self) < 1e-100 ? self * 0 : self }

  /// The number as it is read as a coordinate or time, flushed to zero.
  ///
  /// - Throws: `InkError.numberTooLarge` or `.invalidNumber` if it is not in `Point.readable`.
  @inline(__always)
  func asRead(stroke: Int, point: Int, _ axis: InkError.Axis) throws(InkError) -> Double {
    guard Point.readable.contains(self) else {
      throw isFinite
        ? .numberTooLarge(stroke: stroke, point: point, axis: axis)
        : .invalidNumber(stroke: stroke, point: point, axis: axis)
    }
    return flushed
  }
}

extension Point: Hashable {
  /// Whether coordinates and times are equal; two missing times are equal.
  public static func == (a: Point, b: Point) -> Bool {
    a.x == b.x && a.y == b.y && a.t == b.t
  }

  /// Feeds coordinates and time into `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(x)
    hasher.combine(y)
    hasher.combine(t)
  }
}

extension Point {
  /// The distance to `other` in the drawing's units.
  public func distance(to other: Point) -> Double {
    let (dx, dy) = (other.x - x, other.y - y)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// The linear interpolation from this point (`fraction` 0) to `other` (1), including the time if
  /// both have one.
  public func interpolated(to other: Point, _ fraction: Double) -> Point {
    let time: Double? =
      if let start = t, let end = other.t { start + (end - start) * fraction } else { nil }
    return Point(x: x + (other.x - x) * fraction, y: y + (other.y - y) * fraction, t: time)
  }
}
