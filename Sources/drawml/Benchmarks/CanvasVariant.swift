internal import Datasets
internal import Glibc
internal import Ink
internal import Support

/// A way in which canvases could have been otherwise, to see how much a segmenter minds.
enum CanvasVariant: String, CaseIterable {
  case withoutTimes = "without times"
  case quarter = "a quarter as large"
  case fourTimes = "four times as large"
  case twoTempos = "two people’s tempos"
  case haste = "without pauses between shapes"
  case anyOrder = "strokes in any order"
  case anyOrderWithoutTimes = "in any order, without times"

  /// The canvas changed; the same number and canvas give the same.
  func change(_ canvas: LabelledCanvas, number: Int) -> LabelledCanvas {
    var generator = SeededGenerator(seed: 1, stream: number)
    switch self {
    case .withoutTimes: return canvas.withoutTimes()
    case .quarter: return canvas.scaled(by: 0.25)
    case .fourTimes: return canvas.scaled(by: 4)
    case .twoTempos:
      // One person up to twice as slow as usual, the other up to twice as fast.
      let people = [exp(generator.uniform(0...0.7)), exp(generator.uniform(-0.7...0))]
      return canvas.retimed(tempos: canvas.shapes.map { _ in generator.pick(people) })
    case .haste:
      // More than half of the pauses within shapes are as short.
      return canvas.retimed { generator.uniform(CanvasSettings().hastyPause) }
    case .anyOrder:
      return canvas.reordered(generator.permutation(canvas.drawing.strokes.count))
    case .anyOrderWithoutTimes:
      return canvas.reordered(generator.permutation(canvas.drawing.strokes.count)).withoutTimes()
    }
  }
}
