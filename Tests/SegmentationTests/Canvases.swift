import Ink
import Numbers

@testable import Segmentation

/// A stroke from place to place, with times from `start` on, a millisecond for each unit of length.
func line(_ points: [(Double, Double)], from start: Double?) -> Stroke {
  var time = start
  var result: [Point] = []
  for (x, y) in points {
    if let last = result.last { time = time.map { $0 + last.distance(to: Point(x: x, y: y)) } }
    result.append(Point(x: x, y: y, t: time))
  }
  return Stroke(result)
}

/// Canvases of crosses: two strokes within 100 ms, and a second or more between crosses, 60 apart
/// or more.
func crosses(_ count: Int, seed: UInt64, timed: Bool = true) -> LabeledCanvas? {
  var generator = SeededGenerator(seed: seed)
  var (strokes, shapes, time) = ([Stroke](), [Drawing.Shape](), 0.0)
  for number in 0..<count {
    let (x, y) = (Double(number % 3) * 160, Double(number / 3) * 160)
    let side = generator.uniform(60...100)
    for points in [[(x, y), (x + side, y + side)], [(x, y + side), (x + side, y)]] {
      strokes.append(line(points, from: timed ? time : nil))
      time += 200
    }
    time += generator.uniform(1000...2000)
    shapes.append(.init(strokes: [2 * number, 2 * number + 1], label: "cross"))
  }
  return try? LabeledCanvas(Drawing(strokes: strokes, shapes: shapes))
}

extension SegmenterModel {
  /// A model that takes no notice of places and times.
  ///
  /// - Parameters:
  ///   - join: The log-odds that a stroke joins a shape, the same for each, rather than none.
  ///   - single: What a shape of one stroke adds to a grouping's score.
  /// - Returns: The model.
  static func everywhere(join: Float, single: Float = 0) -> SegmenterModel {
    let model = JoinModel(
      means: [Float](repeating: 0, count: JoinFeatures.count),
      deviations: [Float](repeating: 1, count: JoinFeatures.count),
      first: [Float](repeating: 0, count: JoinFeatures.count + 1), second: [0, 0],
      output: [0, join])
    var weights = [Float(1)] + [Float](repeating: 0, count: GroupFeatures.count)
    weights[1 + GroupFeatures.isSingle.rawValue] = single
    return SegmenterModel(join: model, weights: weights, wholeness: nil)
  }
}

/// What a fit on places and times alone gives for crosses.
enum Fitted {
  static let model: SegmenterModel? = {
    let canvases = (0..<12).compactMap { crosses(5, seed: UInt64($0)) }
    var generator = SeededGenerator(seed: 1)
    let mixed = canvases.map { canvas in
      canvas.reordered(generator.permutation(canvas.drawing.strokes.count)).withoutTimes()
    }
    let joinings = (canvases + canvases.map { $0.withoutTimes() } + mixed).flatMap {
      Joining.all(on: $0, reach: 64)
    }
    var fit = JoinFit(seed: 1)
    (fit.units, fit.steps, fit.batch) = (4, 300, 64)
    let weights = [Float(1)] + [Float](repeating: 0, count: GroupFeatures.count)
    return SegmenterModel(join: fit(joinings), weights: weights, wholeness: nil)
  }()
}
