/// Converts drawings to sequences of points in drawing order, which a raster discards.
///
/// `steps` points are distributed along the drawing's strokes: at least one on each, the others by
/// length. A point has six numbers in -1...1: x and y, with the drawing centered and its larger
/// side from -1 to 1; the cosine and sine of the direction in which the pen moved; 1 where a stroke
/// begins, else 0; and the position along its stroke, from -1 to 1. Times and the pen's width are
/// ignored.
///
/// A drawing with more strokes than steps keeps its longest ones.
public struct StrokeSequence: Hashable, Sendable {
  /// Points per drawing.
  public let steps: Int

  /// The shape of what `draw` writes: [1, steps, 6].
  public var shape: [Int] { [1, steps, Self.channels] }

  /// Numbers per point.
  public static let channels = 6

  /// Sequences of `steps` points, 2...65536.
  public init(steps: Int = 96) {
    precondition(Self.range.contains(steps), "a sequence has 2...65536 points, got \(steps)")
    self.steps = steps
  }

  fileprivate static let range = 2...65_536

  /// Writes the sequence of `drawing` into `batch`.
  ///
  /// - Parameters:
  ///   - drawing: What was drawn.
  ///   - batch: Numbers, row-major, shape [N, steps, 6].
  ///   - offset: The first element to write; the steps · 6 from there on are overwritten.
  ///   - scratch: Working memory, reused from call to call.
  /// - Throws: `InkError.emptyDrawing`, or `.invalidNumber` for a coordinate that is not finite.
  public func draw(
    _ drawing: Drawing, into batch: inout MutableSpan<Float>, at offset: Int = 0,
    using scratch: inout Scratch
  ) throws(InkError) {
    precondition(
      offset >= 0 && offset <= batch.count - steps * Self.channels,
      "a sequence of \(steps) points does not fit at \(offset) of \(batch.count)")
    let fit = try DrawingFit(drawing, width: 2, height: 2, inset: 0)
    scratch.take(drawing, fit, limit: steps)
    var next = 0
    for (number, line) in scratch.lines.enumerated() {
      let end = boundary(after: number, scratch)
      scratch.walk(line, count: end - next) { step, place, direction, progress in
        let start = offset + (next + step) * Self.channels
        batch[start] = place.x
        batch[start + 1] = place.y
        batch[start + 2] = direction.x
        batch[start + 3] = direction.y
        batch[start + 4] = step == 0 ? 1 : 0
        batch[start + 5] = progress
      }
      next = end
    }
  }

  /// The end index of the points of stroke `number`: one for each stroke, the others by length,
  /// without accumulating rounding errors.
  private func boundary(after number: Int, _ scratch: Scratch) -> Int {
    let count = scratch.lines.count
    guard number + 1 < count else { return steps }
    let total = scratch.lines[count - 1].end
    let share = total > 0 ? scratch.lines[number].end / total : Float(number + 1) / Float(count)
    return number + 1 + Int((Float(steps - count) * share).rounded())
  }

  /// Working memory that calls of `draw(_:into:at:using:)` share.
  public struct Scratch: Sendable {
    /// A stroke: its points, its length, and the cumulative length up to its end.
    fileprivate struct Line {
      var points: Range<Int>
      var length: Float
      var end: Float
    }

    fileprivate var lines: [Line] = []
    private var places: [SIMD2<Float>] = []

    /// Empty memory, which grows with use.
    public init() {}

    fileprivate mutating func take(_ drawing: Drawing, _ fit: DrawingFit, limit: Int) {
      lines.removeAll(keepingCapacity: true)
      places.removeAll(keepingCapacity: true)
      for stroke in drawing.strokes where !stroke.points.isEmpty {
        let first = places.count
        var length: Float = 0
        for point in stroke.points {
          let (x, y) = fit(point)
          let place = SIMD2(Float(x - 1), Float(y - 1))
          if places.count > first { length += (place - places[places.count - 1]).length }
          places.append(place)
        }
        lines.append(Line(points: first..<places.count, length: length, end: 0))
      }
      if lines.count > limit {
        let kept = lines.indices.sorted {
          (lines[$1].length, $0) < (lines[$0].length, $1)
        }.prefix(limit).sorted()
        lines = kept.map { lines[$0] }
      }
      var end: Float = 0
      for index in lines.indices {
        end += lines[index].length
        lines[index].end = end
      }
    }

    /// Calls `body` with `count` points at equal distances along a stroke.
    fileprivate func walk(
      _ line: Line, count: Int,
      _ body: (
        _ step: Int, _ place: SIMD2<Float>, _ direction: SIMD2<Float>, _ progress: Float
      ) -> Void
    ) {
      var (index, before) = (line.points.lowerBound, Float(0))
      // The piece from `index` to the next point, which begins `before` along the stroke.
      func piece() -> (start: SIMD2<Float>, way: SIMD2<Float>, length: Float) {
        guard index + 1 < line.points.upperBound else { return (places[index], .zero, 0) }
        let way = places[index + 1] - places[index]
        return (places[index], way, way.length)
      }
      var current = piece()
      for step in 0..<count {
        let progress = count > 1 ? Float(step) / Float(count - 1) : 0
        let target = line.length * progress
        // Pieces of length 0 have no direction; rounding must not step past the last piece.
        while index + 2 < line.points.upperBound,
          current.length == 0 || before + current.length < target
        {
          before += current.length
          index += 1
          current = piece()
        }
        guard current.length > 0 else {
          body(step, current.start, .zero, 2 * progress - 1)
          continue
        }
        let fraction = max(0, min(1, (target - before) / current.length))
        body(
          step, current.start + fraction * current.way, current.way / current.length,
          2 * progress - 1)
      }
    }
  }
}

extension SIMD2<Float> {
  fileprivate var length: Float { (x * x + y * y).squareRoot() }
}

extension StrokeSequence: Codable {
  private enum CodingKeys: CodingKey { case steps }

  /// Decodes the number of steps; one out of range is a decoding error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let steps = try container.decode(Int.self, forKey: .steps)
    guard Self.range.contains(steps) else {
      throw DecodingError.dataCorruptedError(
        forKey: .steps, in: container,
        debugDescription: "is \(steps); it must be from 2 to \(Self.range.upperBound)")
    }
    self.init(steps: steps)
  }
}
