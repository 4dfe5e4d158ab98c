import Testing

@testable import Ink

@Suite("Drawings in flat arrays")
struct StrokeArraysTests {
  private func drawings(
    _ points: [Double], columns: Int = 2, strokes: [Int64], drawings: [Int64]
  ) throws(StrokeArraysError) -> [Drawing] {
    try StrokeArrays.drawings(
      points: points.span, columns: columns, strokeStarts: strokes.span,
      drawingStarts: drawings.span)
  }

  @Test("Strokes of several drawings, and those without points are dropped")
  func strokes() throws {
    let found = try drawings(
      [0, 1, 2, 3, 4, 5], strokes: [0, 2, 2, 3], drawings: [0, 2, 3])
    let first = [Stroke([Point(x: 0, y: 1), Point(x: 2, y: 3)])]
    #expect(
      found == [Drawing(strokes: first), Drawing(strokes: [Stroke([Point(x: 4, y: 5)])])])
    #expect(try drawings([], strokes: [0], drawings: [0]) == [])
  }

  @Test("Times, and a stroke that has none")
  func times() throws {
    let found = try drawings(
      [0, 1, 10, 2, 3, 20, 4, 5, .nan], columns: 3, strokes: [0, 2, 3], drawings: [0, 2])
    #expect(found[0].strokes.map { $0.points.map(\.t) } == [[10, 20], [nil]])
    let error = #expect(throws: StrokeArraysError.self) {
      try drawings([0, 1, 10, 2, 3, .nan], columns: 3, strokes: [0, 2], drawings: [0, 1])
    }
    #expect(error == .drawing(0, .invalidNumber(stroke: 0, point: 1, axis: .t)))
  }

  @Test("The rules for numbers are those of stroke JSON")
  func rules() throws {
    for (number, text) in [
      (1e-101, "1e-101"), (-0.0, "-0"), (1e100, "1e100"), (1.1e100, "1.1e100"),
    ] {
      let json = Result { try StrokeJSON.parse(Array(#"{"strokes":[[[0,\#(text)],[3,4]]]}"#.utf8)) }
      let arrays = Result {
        try drawings([0, 3, number, 4], strokes: [0, 2], drawings: [0, 1])[0]
      }
      switch (json, arrays) {
      case (.success(let a), .success(let b)):
        #expect(a == b)
        #expect(a.strokes[0].points[1].x.sign == b.strokes[0].points[1].x.sign)
      case (.failure(let a), .failure(let b)): #expect("\(b)" == "drawing 0: \(a)")
      default: Issue.record("\(json) and \(arrays)")
      }
    }
  }

  @Test("An error names drawing, stroke and point, or the list of starts")
  func errors() {
    func error(
      _ points: [Double], columns: Int = 2, strokes: [Int64], drawings: [Int64]
    ) -> String? {
      do {
        _ = try self.drawings(points, columns: columns, strokes: strokes, drawings: drawings)
        return nil
      } catch { return error.description }
    }
    #expect(
      error([0, 0, 1, 1, 2, .infinity], strokes: [0, 1, 3], drawings: [0, 1, 2])
        == "drawing 1: stroke 0, point 1: y is not a finite number")
    #expect(
      error([0, 0], strokes: [0, 0, 1], drawings: [0, 1, 2])
        == "drawing 0: the drawing has no points")
    #expect(
      error([0, 0], columns: 1, strokes: [0, 2], drawings: [0, 1])
        == "a point has 1 numbers; it must have x and y, or x, y and t")
    #expect(
      error([0, 0, 0], strokes: [0, 1], drawings: [0, 1])
        == "3 numbers are not points of 2 numbers each")
    let bounds = "the starts of strokes must go from 0 to the number of points, 1"
    for starts: [Int64] in [[], [1], [0, 2], [-1, 1], [0, .max], [.min, 1]] {
      #expect(error([0, 0], strokes: starts, drawings: [0, 1]) == bounds)
    }
    #expect(
      error([0, 0], strokes: [0, 5, -3, 1], drawings: [0, 3])
        == "the starts of strokes must ascend; number 2 is below the one before")
    #expect(
      error([0, 0], strokes: [0, .max, 1], drawings: [0, 2])
        == "the starts of strokes must ascend; number 2 is below the one before")
    #expect(
      error([0, 0], strokes: [0, 1], drawings: [0, 2])
        == "the starts of drawings must go from 0 to the number of strokes, 1")
  }
}
