import Ink
import Testing

@testable import Segmentation

@Suite("Ink in sight of a group")
struct VisibleInkTests {
  /// `lines` lines below one another, of `count` points each.
  private func ink(lines: Int, of count: Int) -> VisibleInk {
    var ink = VisibleInk()
    for index in 0..<lines {
      let line = Stroke(
        (0..<count).map { Point(x: Double($0), y: Double(index), t: Double($0)) })
      ink.add(
        line, BoundingBox(x: 0, y: Double(index), width: Double(count - 1), height: 0), at: index)
    }
    return ink
  }

  private let frame = BoundingBox(x: 0, y: 0, width: 1000, height: 1000)

  @Test("Little of it is seen as it is")
  func little() {
    let (own, others) = ink(lines: 4, of: 1024).seen([1, 3], in: frame)
    #expect(own.map(\.points.count) == [1024, 1024])
    #expect(others.map(\.points.count) == [1024, 1024])
  }

  @Test("Of very much every stroke is seen from end to end, in no more points than a picture shows")
  func much() {
    let (own, others) = ink(lines: 64, of: 512).seen([5, 63], in: frame)
    #expect(own.count == 2 && others.count == 62)
    for stroke in own + others {
      #expect(stroke.points.count == VisibleInk.mostPoints / 64)
      #expect(stroke.points.first?.x == 0 && stroke.points.last?.x == 511)
      #expect(stroke.points.map(\.x) == stroke.points.map(\.x).sorted())
    }
    let crowd = ink(lines: 2000, of: 3).seen(
      [1999], in: BoundingBox(x: 0, y: 0, width: 2000, height: 2000))
    #expect((crowd.own + crowd.others).allSatisfy { $0.points.count == 2 })
  }
}
