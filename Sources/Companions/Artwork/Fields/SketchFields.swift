internal import Ink

/// What all filters need to know about a sketch, computed once.
public struct SketchFields: Sendable {
  /// A stroke in pixels.
  struct Placed: Sendable {
    /// The parts of it that are on or near the picture.
    let lines: [[LinePoint]]
    let color: SketchColor
    let tone: Tone
    let tool: SketchPen.Tool
    /// The larger side of its bounding box, in pixels.
    let extent: Float

    init(_ line: Sketch.Line, in frame: SketchFrame) {
      lines = frame.placed(line)
      (color, tool) = (line.pen.color, line.pen.tool)
      tone = Tone(color)
      let places = lines.joined().map(\.place)
      let (x, y) = (places.map(\.x), places.map(\.y))
      extent = max((x.max() ?? 0) - (x.min() ?? 0), (y.max() ?? 0) - (y.min() ?? 0))
    }
  }

  /// An enclosed area.
  struct Region: Sendable {
    /// Its color: that of its outline, else the tint of the shape, else one of `coloring`.
    var tone: Tone
    /// Regions of one color have one number, from 0 by size.
    var group = 0
    /// Pixels.
    var area = 0
    /// The mean of its pixels' places.
    var center = SIMD2<Float>.zero
    /// The largest distance of a pixel from the ink, in pixels.
    var depth: Float = 0
  }

  /// Columns and rows of all fields.
  static let side = SketchPicture.side

  /// The strokes in drawing order, erasers included.
  let strokes: [Placed]
  /// The opacity of the ink, 0...1.
  let ink: Plane
  /// The stroke of each ink pixel: an index into `strokes`; -1 without ink.
  let owners: [Int16]
  /// The unit direction of the stroke at each ink pixel.
  let directions: [SIMD2<Float>]
  /// The distance of each pixel from the ink, and the nearest ink pixel.
  let distance: DistanceField
  /// The region of each pixel, ink included: 0 outside.
  let labels: [Int16]
  /// The regions by label; the first is the outside.
  let regions: [Region]
  /// How far a shape of soft clay would rise above each pixel, in pixels: rounded over each region,
  /// 0 outside.
  let relief: Plane

  /// The fields of a sketch.
  ///
  /// - Parameters:
  ///   - sketch: Strokes and canvas.
  ///   - tints: Colors for the regions of recognized shapes whose outlines are black, gray or white;
  ///     of several for one region, the one with most of the region's outline.
  /// - Complexity: O(pixels + length × width of all strokes).
  public init(_ sketch: Sketch, tints: [SketchTint] = []) {
    let frame = SketchFrame(sketch.canvas, side: Self.side)
    let strokes = sketch.lines.prefix(Int(Int16.max)).map { Placed($0, in: frame) }
    self.strokes = strokes
    let count = Self.side * Self.side
    var ink = Plane(side: Self.side)
    var owners = [Int16](repeating: -1, count: count)
    var directions = [SIMD2<Float>](repeating: .zero, count: count)
    var painter = StrokePainter(frame)
    for (stroke, placed) in strokes.enumerated() {
      painter.stroke(placed.lines) { index, coverage, direction in
        guard placed.tool != .eraser else {
          ink.values[index] *= 1 - coverage
          if ink.values[index] < 0.25 { owners[index] = -1 }
          return
        }
        // A marker lets a pen's line show through.
        let isBelow = placed.tool == .marker && owners[index] >= 0 && ink.values[index] > 0.8
        let opacity = placed.tool == .marker ? coverage * 0.5 : coverage
        ink.values[index] += opacity * (1 - ink.values[index])
        guard coverage >= 0.5, !isBelow else { return }
        owners[index] = Int16(stroke)
        directions[index] = direction
      }
    }
    (self.ink, self.owners, self.directions) = (ink, owners, directions)
    var isWall = owners.map { $0 >= 0 }
    let distance = DistanceField(side: Self.side, isSite: isWall)
    OutlineGaps(frame: frame, owners: owners).close(strokes, &isWall)
    let map = RegionMap(side: Self.side, distances: distance.distances, isWall: isWall)
    (self.distance, labels) = (distance, map.labels)
    regions = RegionColors(tints: tints, strokes: strokes)
      .regions(map, distance: distance, owners: owners)
    relief = Self.relief(labels: map.labels, distances: distance.distances)
  }

  /// Rounded shapes: the mean of the mask, blurred with several radii, within the mask. (A height
  /// from the distance to the outline would have ridges.)
  private static func relief(labels: [Int16], distances: [Float]) -> Plane {
    let mask = Plane(side: side) { _, _, index in
      labels[index] > 0 && distances[index] > 1 ? 1 : 0
    }
    .halved()
    let near = mask.blurred(radius: 3)
    let middle = mask.blurred(radius: 9)
    let wide = mask.halved().blurred(radius: 14).doubled()
    let height = Plane(side: side / 2) { _, _, index in
      let level = (near[index] * 0.2 + middle[index] * 0.4 + wide[index] * 0.4) * mask[index]
      // Flat outside, steep at the outline, flat on top.
      let above = max(0, level - 0.2) * 1.25
      return 90 * (above * (2 - above))
    }
    return height.blurred(radius: 2).doubled()
  }
}

// MARK: What filters ask of a pixel

extension SketchFields {
  /// The color of the stroke nearest to a pixel; black if there is none.
  @inline(__always)
  func inkTone(_ index: Int) -> Tone {
    let site = distance.nearest[index]
    return site < 0 ? .zero : strokes[Int(owners[Int(site)])].tone
  }

  /// Whether a pixel is in an enclosed area.
  @inline(__always)
  func isInside(_ index: Int) -> Bool { labels[index] > 0 }

  /// Light on the relief from above left, as on clay.
  ///
  /// - Parameter steepness: How much of the relief's slope counts.
  /// - Returns: About -1 (turned away) ... 1 (toward the light), 0 where it is flat.
  func light(steepness: Float) -> Plane {
    Plane(side: Self.side) { x, y, _ in
      let dx = relief[clamped: x + 2, y] - relief[clamped: x - 2, y]
      let dy = relief[clamped: x, y + 2] - relief[clamped: x, y - 2]
      // The normal is (-dx, -dy, 4 / steepness), the light comes from (-0.6, -0.8) in the plane.
      let (u, v, w) = (-dx * steepness, -dy * steepness, Float(4))
      return (-0.6 * u - 0.8 * v) / (u * u + v * v + w * w).squareRoot()
    }
  }
}
