internal import Datasets
internal import Foundation
internal import Ink
internal import Numbers
internal import Synthesis

/// A change of canvases, to measure a segmenter's robustness.
package enum CanvasVariant: String, CaseIterable {
  case withoutTimes = "without times"
  case quarter = "a quarter as large"
  case fourTimes = "four times as large"
  case twoTempos = "two people’s tempos"
  case haste = "without pauses between shapes"
  case anyOrder = "strokes in any order"
  case shapesInAnyOrder = "shapes in any order, without times"
  case anyOrderWithoutTimes = "in any order, without times"

  /// Those that only change the order: the strokes of each shape stay together, then they do not.
  package static let orders: [CanvasVariant] = [.shapesInAnyOrder, .anyOrderWithoutTimes]

  /// The seed of all variants.
  static let seed: UInt64 = 1

  /// The changed canvas; the same number and canvas give the same result.
  func change(_ canvas: LabeledCanvas, number: Int) -> LabeledCanvas {
    var generator = SeededGenerator(seed: Self.seed, stream: number)
    switch self {
    case .withoutTimes: return canvas.withoutTimes()
    case .quarter: return canvas.scaled(by: 0.25)
    case .fourTimes: return canvas.scaled(by: 4)
    case .twoTempos:
      // One person is up to twice as slow as usual, the other up to twice as fast.
      let people = [exp(generator.uniform(0...0.7)), exp(generator.uniform(-0.7...0))]
      return canvas.retimed(tempos: canvas.shapes.map { _ in generator.pick(people) })
    case .haste:
      // More than half of the pauses within shapes are that short.
      return canvas.retimed { generator.uniform(CanvasSettings().hastyPause) }
    case .anyOrder:
      return canvas.reordered(generator.permutation(canvas.drawing.strokes.count))
    case .shapesInAnyOrder:
      // Times would contradict the order.
      let groups = canvas.strokesByShape
      return canvas.reordered(generator.permutation(groups.count).flatMap { groups[$0] })
        .withoutTimes()
    case .anyOrderWithoutTimes:
      return canvas.reordered(generator.permutation(canvas.drawing.strokes.count)).withoutTimes()
    }
  }
}
