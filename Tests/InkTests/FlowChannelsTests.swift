import Foundation
import Ink
import Numbers
import Testing

@Suite("Flow channels")
struct FlowChannelsTests {
  /// Pixels of shape [9, 9, 4].
  private func pixels(_ strokes: [[(Double, Double)]]) throws -> [Float] {
    let rasterizer = Rasterizer(
      width: 9, height: 9, strokeWidth: 1.5, margin: 0.5, channels: .inkAndFlow)
    var values = [Float](repeating: 7, count: 9 * 9 * 4)
    var slot = values.mutableSpan
    var scratch = Rasterizer.Scratch()
    let drawing = Drawing(strokes: strokes.map(Stroke.init(at:)))
    try rasterizer.draw(drawing, into: &slot, using: &scratch)
    return values
  }

  private func pixel(_ values: [Float], _ row: Int, _ column: Int) -> [Float] {
    let start = (row * 9 + column) * 4
    return Array(values[start..<(start + 4)])
  }

  @Test("A line's pixels say its angle, and when the pen was there")
  func literal() throws {
    let across = try pixels([(0...8).map { (Double($0), 0) }])
    #expect(pixel(across, 4, 4)[0] == 1)
    #expect(abs(pixel(across, 4, 4)[1] - 1) < 1e-6)
    #expect(abs(pixel(across, 4, 4)[2]) < 1e-6)
    let orders = (1...7).map { pixel(across, 4, $0)[3] }
    #expect(orders == orders.sorted())
    #expect(orders[0] < -0.7 && orders[6] > 0.7)
    let down = try pixels([[(0, 0), (0, 8)]])
    #expect(abs(pixel(down, 4, 4)[1] + 1) < 1e-6)
    let slanted = try pixels([[(0, 0), (8, 8)]])
    #expect(abs(pixel(slanted, 4, 4)[2] - 1) < 1e-5)
    // Where there is no ink there is nothing, and edges are weighted with their coverage.
    #expect(pixel(across, 0, 4) == [0, 0, 0, 0])
    #expect(pixel(across, 3, 4)[1] == pixel(across, 3, 4)[0])
  }

  @Test("Drawn backwards, the angles stay and the order turns round")
  func backwards() throws {
    // A half circle of segments so short that it does not matter which of two neighbors is nearer
    // at their joint.
    let line = (0...128).map { step in
      let angle = Double(step) / 128 * .pi
      return (10 * cos(angle), 10 * sin(angle))
    }
    let (there, back) = (try pixels([line]), try pixels([line.reversed()]))
    for index in stride(from: 0, to: there.count, by: 4) {
      for part in 0..<3 { #expect(abs(there[index + part] - back[index + part]) < 0.06) }
    }
    let sum = stride(from: 3, to: there.count, by: 4).reduce(Float(0)) { $0 + there[$1] + back[$1] }
    #expect(abs(sum) < 1.5)
  }

  @Test("The ink is that of a raster without flow; a dot has no angle")
  func ink() throws {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<50 {
      let strokes = (0..<3).map { _ in
        (0..<6).map { _ in (generator.unit() * 90, generator.unit() * 90) }
      }
      let values = try pixels(strokes)
      let plain = try Rasterizer(width: 9, height: 9, strokeWidth: 1.5, margin: 0.5)(
        Drawing(strokes: strokes.map(Stroke.init(at:))))
      for index in plain.values.indices {
        #expect(values[index * 4] == plain.values[index])
        let (cosine, sine) = (values[index * 4 + 1], values[index * 4 + 2])
        #expect(abs((cosine * cosine + sine * sine).squareRoot() - plain.values[index]) < 1e-4)
      }
    }
    let dot = try pixels([[(5, 5)]])
    #expect(pixel(dot, 4, 4)[0] > 0.9)
    #expect(pixel(dot, 4, 4)[1] == 0)
  }
}
