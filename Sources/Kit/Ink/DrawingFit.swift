/// The placement of a drawing in a rectangle: aspect ratio kept, centered, as large as fits.
struct DrawingFit {
  /// A power of two that scales all points first, so that no difference overflows or is subnormal.
  private let prescale: Double
  /// The drawing's left and top edges: subtracting these is exact where subtracting its center is
  /// not.
  private let left: Double
  private let top: Double
  /// Half the drawing's extents, after `prescale`.
  private let halfX: Double
  private let halfY: Double
  /// Half the drawing's extent in the limiting axis, after `prescale`; 1 for a dot.
  private let half: Double
  /// Half the target's extent in that axis; 0 for a dot.
  private let halfTarget: Double
  private let middleX: Double
  private let middleY: Double

  /// Fits `drawing` into `width` × `height` less `inset` on every side.
  ///
  /// - Throws: `InkError.emptyDrawing`, or `.invalidNumber` for a coordinate that is not finite.
  init(_ drawing: Drawing, width: Int, height: Int, inset: Double) throws(InkError) {
    try self.init(drawing, width: Double(width), height: Double(height), inset: inset)
  }

  /// Fits `drawing` into `width` × `height` less `inset` on every side.
  init(_ drawing: Drawing, width: Double, height: Double, inset: Double) throws(InkError) {
    var (left, right) = (Double.infinity, -Double.infinity)
    var (top, bottom) = (left, right)
    // A non-finite number times 0 is NaN, and NaN propagates through the sum.
    var check = 0.0
    for stroke in drawing.strokes {
      for point in stroke.points {
        left = min(left, point.x)
        right = max(right, point.x)
        top = min(top, point.y)
        bottom = max(bottom, point.y)
        check += point.x * 0 + point.y * 0
      }
    }
    if check != 0 {
      for (index, stroke) in drawing.strokes.enumerated() { try stroke.checkFinite(index) }
    }
    guard left <= right else { throw .emptyDrawing }
    self.init(
      left: left, right: right, top: top, bottom: bottom, width: width, height: height,
      inset: inset)
  }

  /// Fits the box with these finite edges into `width` × `height` less `inset` on every side.
  init(
    left: Double, right: Double, top: Double, bottom: Double, width: Double, height: Double,
    inset: Double
  ) {
    let extent = max(right - left, bottom - top)
    prescale = extent > 0x1p1000 ? 0x1p-10 : extent < 0x1p-900 ? 0x1p600 : 1
    // Coordinates scaled by 2^600 are themselves below 2^-800, or all points coincide.
    guard extent > 0 else {
      (self.left, self.top, halfX, halfY, half, halfTarget) = (left, top, 0, 0, 1, 0)
      (middleX, middleY) = (width / 2, height / 2)
      return
    }
    (self.left, self.top) = (left * prescale, top * prescale)
    halfX = (right * prescale - self.left) / 2
    halfY = (bottom * prescale - self.top) / 2
    let (targetX, targetY) = (max(0, width / 2 - inset), max(0, height / 2 - inset))
    // halfX / targetX >= halfY / targetY, without the divisions that may overflow.
    let xDecides = halfX * targetY >= halfY * targetX
    half = xDecides ? halfX : halfY
    halfTarget = xDecides ? targetX : targetY
    (middleX, middleY) = (width / 2, height / 2)
  }

  /// Leaves points where they are.
  static let identity = DrawingFit(
    left: -1, right: 1, top: -1, bottom: 1, width: 0, height: 0, inset: -1)

  /// The place of `point` in the target.
  @inline(__always)
  func callAsFunction(_ point: Point) -> (x: Double, y: Double) {
    guard halfTarget > 0 else { return (middleX, middleY) }
    return (
      middleX + (point.x * prescale - left - halfX) / half * halfTarget,
      middleY + (point.y * prescale - top - halfY) / half * halfTarget
    )
  }

  /// The place of `point` in the target, rounded.
  @inline(__always)
  func place(_ point: Point) -> SIMD2<Float> {
    let place = self(point)
    return SIMD2(Float(place.x), Float(place.y))
  }
}
