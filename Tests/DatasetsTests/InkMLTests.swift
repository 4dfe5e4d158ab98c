import Datasets
import Ink
import Numbers
import Testing

/// The drawings of InkML with some content, and what is told about it.
func ink(_ content: String) throws -> (drawings: [Drawing], notes: [String]) {
  var notes = ReadingNotes()
  let text = "<ink xmlns='http://www.w3.org/2003/InkML'>\(content)</ink>"
  let drawings = try InkMLDrawings.parse(
    Array(text.utf8), path: "set/a.inkml", notes: &notes)
  return (drawings, notes.texts)
}

@Suite("InkML")
struct InkMLTests {
  private func drawings(_ content: String) throws -> [Drawing] { try ink(content).drawings }

  private func error(_ content: String) -> String {
    refusal { try drawings(content) }
  }

  private func format(_ channels: String...) -> String {
    "<traceFormat>\(channels.map { "<channel \($0)/>" }.joined())</traceFormat>"
  }

  @Test("Traces in the ink itself are one drawing")
  func one() throws {
    let found = try drawings(
      "<annotation type='truth'>star</annotation><trace> 1 2, 3 -4 ,5.5 6e1</trace>"
        + "<trace type='penUp'>9 9</trace><trace>7 8</trace>")
    #expect(
      found == [
        Drawing(
          id: "a.inkml:1", label: "star",
          strokes: [
            Stroke([Point(x: 1, y: 2), Point(x: 3, y: -4), Point(x: 5.5, y: 60)]),
            Stroke([Point(x: 7, y: 8)]),
          ])
      ])
  }

  @Test("A Y that grows upwards is turned over; times count from the first that is known")
  func clocksAndDirections() throws {
    let upwards = format("name='X'", "name='Y' orientation='-ve'")
    let turned = try drawings(upwards + "<trace>0 0, 10 20</trace>")
    #expect(turned[0].strokes == [Stroke([Point(x: 0, y: 0), Point(x: 10, y: -20)])])
    let timed = format("name='X'", "name='Y'", "name='T'")
    let late = try drawings(timed + "<trace>0 0 ?, 1 2 1600000000000, 3 4 1600000000010</trace>")
    #expect(late[0].strokes[0].points.map(\.t) == [nil, 0, 10])
  }

  @Test("The ink's label is that of the only group, unless it has its own")
  func labelOfTheInk() throws {
    let truth = "<annotation type='truth'>star</annotation>"
    let group = "<traceGroup><trace>1 2, 3 4</trace></traceGroup>"
    #expect(try drawings(truth + group).map(\.label) == ["star"])
    #expect(try drawings(truth + group + group).map(\.label) == [nil, nil])
    let named = group.replacing("<trace>", with: truth.replacing("star", with: "sun") + "<trace>")
    #expect(try drawings(truth + named).map(\.label) == ["sun"])
  }

  @Test("Channels have an order, units and values that may be missing")
  func channels() throws {
    let seconds = format("name='T' units='s'", "name='F'", "name='Y'", "name='X'")
    let found = try drawings(seconds + "<trace>2 .5 20 10,2.5 .5 40 30</trace>")
    #expect(
      found[0].strokes[0].points == [Point(x: 10, y: 20, t: 0), Point(x: 30, y: 40, t: 500)],
      "times begin at 0")
    let twice = "<context>\(seconds)</context>\(seconds)<channel name='Z'/>"
    #expect(try drawings(twice + "<trace>2 .5 20 10</trace>")[0].strokes[0].points.count == 1)
    let untimed = format("name='X'", "name='Y'", "name='T'") + "<trace>1 2 ?,3 4 ?,5 6</trace>"
    #expect(try drawings(untimed)[0].strokes[0].points.allSatisfy { $0.t == nil })
  }

  @Test("Differences, first and second, and digits that nothing separates (InkML, 3.3.1)")
  func differences() throws {
    // 1125, 1160 (+35), then second differences: velocities 35 + 10 = 45 and 45 − 5 = 40.
    let trace = "<trace>1125 18432,'35'43,\"10\"0,-5 1,!9!8,#1F#a</trace>"
    let points = try drawings(trace)[0].strokes[0].points
    #expect(points.map(\.x) == [1125, 1160, 1205, 1245, 9, 31])
    #expect(points.map(\.y) == [18432, 18475, 18518, 18562, 8, 10])
    #expect(try drawings("<trace>1-2,+3-4</trace>")[0].strokes[0].points[1] == Point(x: 3, y: -4))
  }

  @Test("Groups are drawings, and groups that name traces are the shapes of a canvas")
  func groups() throws {
    let group = { (label: String) in
      "<traceGroup><annotation type='truth'>\(label)</annotation><trace>1 2,3 4</trace></traceGroup>"
    }
    let two = try drawings(group("a") + "<traceGroup/>" + group("b"))
    #expect(two.map(\.label) == ["a", "b"] && two.map(\.id) == ["a.inkml:1", "a.inkml:2"])

    // As collections of formulas mark their symbols.
    let canvas = try drawings(
      """
      <annotation type="truth">x2</annotation>
      <trace id="0">1 2</trace><trace id="1">3 4</trace><trace id="2">5 6</trace>
      <traceGroup xml:id="3"><annotation type="truth">Segmentation</annotation>
      <traceGroup><annotation type="truth">x</annotation><traceView traceDataRef="0"/>
      <traceView traceDataRef="2"/><traceView traceDataRef="0"/></traceGroup>
      <traceGroup><annotation type="truth">2</annotation><traceView traceDataRef="1"/></traceGroup>
      </traceGroup>
      """)
    #expect(canvas.count == 1 && canvas[0].label == "x2")
    #expect(
      canvas[0].shapes == [.init(strokes: [0, 2], label: "x"), .init(strokes: [1], label: "2")])
  }

  @Test("Faults are named by line, trace and point")
  func faults() {
    #expect(
      error("<trace>1 2</trace>\n<trace>1 2, 3 x</trace>").contains(
        "line 2: trace 1, point 1: the value of Y should be a number"))
    #expect(error("<trace>1 2 3</trace>").contains("more values than the 2 channels"))
    #expect(error("<trace>1</trace>").contains("no X or Y"))
    #expect(error("<trace> </trace>").contains("it has no trace"))
    #expect(error("<trace>1e99 1,\"9e99 0,9e99 0</trace>").contains("trace 0, point 2"))
    #expect(error(format("name='X'") + "<trace>1</trace>").contains("trace 0: its traceFormat"))
    #expect(
      error(format("name='T' units='month'", "name='X'", "name='Y'") + "<trace>1 2 3</trace>")
        .contains("times in month are not read"))
    #expect(error("").contains("it has no trace"))
    #expect(
      error("<annotation type='canvas'>0 100</annotation><trace>1 2</trace>").contains(
        "a canvas needs a width and a height, both above 0"))
    #expect(
      error(
        "<trace>1 2</trace><traceGroup><annotation type='truth'>x</annotation>"
          + "<traceView traceDataRef='#no'/></traceGroup>"
      ).contains("refers to trace no"))
    let times = format("name='X'", "name='Y'", "name='T'")
    #expect(
      error(times + "<trace>1 2 -1e100,3 4 1e100</trace>").contains(
        "stroke 0, point 1: t must be from -1e100 to 1e100"))
    var notes = ReadingNotes()
    let other = refusal {
      try InkMLDrawings.parse(Array("<svg/>".utf8), path: "a.inkml", notes: &notes)
    }
    #expect(other.contains("its first element is svg"))
  }

  @Test("Drawings and canvases come back from InkML as they were")
  func roundTrip() throws {
    let seed: UInt64 = 23
    var generator = SeededGenerator(seed: seed)
    for round in 0..<60 {
      let drawings = (0..<4).map { index in
        var drawing = randomDrawing(&generator, id: "<\(round).\(index)>")
        drawing.wasGuessed = nil
        if drawing.label?.contains("\n") == true { drawing.label = "\"q\" 'r'" }
        // Times count from the first point.
        if let start = drawing.strokes[0].points[0].t {
          for stroke in drawing.strokes.indices {
            for point in drawing.strokes[stroke].points.indices {
              drawing.strokes[stroke].points[point].t = nil
            }
          }
          drawing.strokes[0].points[0].t = start * 0
        }
        return drawing
      }
      let text = InkMLWriter.text(drawings)
      var notes = ReadingNotes()
      let back = try InkMLDrawings.parse(Array(text.utf8), path: "a.inkml", notes: &notes)
      #expect(back == drawings && notes.texts.isEmpty, "seed \(seed), round \(round)")
    }
  }
}
