import Datasets
import Ink
import Testing

@Suite("InkML: traces")
struct InkMLTraceTests {
  private func strokes(_ content: String) throws -> [Stroke] {
    try ink(content).drawings.flatMap(\.strokes)
  }

  private func error(_ content: String) -> String { refusal { try ink(content) } }

  private func format(_ channels: String) -> String {
    "<traceFormat><channel name='X'/><channel name='Y'/>\(channels)</traceFormat>"
  }

  @Test("* is as before, and goes on by the last difference where these are marked")
  func asBefore() throws {
    #expect(try strokes("<trace>1 2, * 4, 5 *</trace>") == [stroke((1, 2), (1, 4), (5, 4))])
    // X by first differences of 3, Y by second ones: velocities 2, then 2 + 1, 3 + 1, 4 + 1.
    #expect(
      try strokes("<trace>0 0,'3'2,*\"1,* *,* 1</trace>")
        == [stroke((0, 0), (3, 2), (6, 5), (9, 9), (12, 14))])
    let timed = format("<channel name='T'/><channel name='F'/>")
    let points = try strokes(timed + "<trace>1 2 7 5, 3 4 * *, 5 6 '10 ?, 7 8 * *</trace>")[0]
      .points
    #expect(points.map(\.t) == [0, 0, 10, 20] && points.map(\.x) == [1, 3, 5, 7])
    #expect(error("<trace>* 2</trace>").contains("trace 0, point 0: X repeats its last value (*)"))
    let initial = "<traceFormat><channel name='X' default='9'/><channel name='Y'/></traceFormat>"
    #expect(try strokes(initial + "<trace>* 2, 4 5</trace>") == [stroke((9, 2), (4, 5))])
  }

  @Test("Boolean and intermittent channels are skipped; the latter may be left out (InkML, 3.3.1)")
  func otherChannels() throws {
    let boolean = format("<channel name='S' type='boolean'/>")
    #expect(
      try strokes(boolean + "<trace>10 20T, 30 40 *, 50 20 F</trace>")
        == [stroke((10, 20), (30, 40), (50, 20))])
    // Intermittent channels follow the regular ones, wherever the format has them.
    let buttons =
      "<traceFormat><intermittentChannels><channel name='B1' type='boolean'/><channel name='B2'/>"
      + "</intermittentChannels><channel name='X'/><channel name='Y'/></traceFormat>"
    #expect(
      try strokes(buttons + "<trace>1125 18432,'23'43,\"7\"-8 T,3-5*F,7 -3 T 4</trace>")
        == [stroke((1125, 18432), (1148, 18475), (1178, 18510), (1211, 18540), (1251, 18567))])
    #expect(error(buttons + "<trace>1 2 T F 3</trace>").contains("more values than the 4 channels"))
    #expect(error(boolean + "<trace>T 2 F</trace>").contains("the value of X should be a number"))
    let late =
      "<traceFormat><channel name='X'/><channel name='Y'/><intermittentChannels>"
      + "<channel name='T'/></intermittentChannels></traceFormat>"
    #expect(try strokes(late + "<trace>1 2 5, 3 4, 5 6 9</trace>")[0].points.map(\.t) == [0, 0, 4])
  }

  @Test("A trace in several parts is one stroke")
  func continuation() throws {
    let three =
      "<trace id='a' continuation='begin'>10 20, 30 40</trace><trace>0 0</trace>"
      + "<trace xml:id='b' priorRef='#a' continuation='middle'>50 60</trace>"
      + "<trace priorRef='b' continuation='end'>70 20,'1'1</trace>"
    #expect(
      try strokes(three) == [
        stroke((10, 20), (30, 40), (50, 60), (70, 20), (71, 21)), stroke((0, 0)),
      ])
    let unnamed =
      "<trace continuation='begin'/><trace continuation='middle'>1 2</trace>"
      + "<trace continuation='end'>3 4</trace>"
    #expect(try strokes(unnamed) == [stroke((1, 2), (3, 4))])
    #expect(
      error("<trace continuation='end' priorRef='#x'>1 2</trace>").contains(
        "trace 0: it continues trace #x, which is not there before it"))
    #expect(error("<trace continuation='end'>1 2</trace>").contains("a trace that is not there"))
  }

  @Test("Empty traces are left out, and signs, hexadecimals and commas have room")
  func spelling() throws {
    #expect(try strokes("<trace></trace><trace>1 2</trace><trace> </trace>") == [stroke((1, 2))])
    #expect(try strokes("<trace>- 1 2, -#F +3,</trace>") == [stroke((-1, 2), (-15, 3))])
    let shape =
      "<trace id='a'/><trace id='b'>1 2</trace><traceGroup><annotation type='truth'>x</annotation>"
      + "<traceView traceDataRef='#a'/><traceView traceDataRef='#b'/></traceGroup>"
    #expect(try ink(shape).drawings[0].shapes == [.init(strokes: [0], label: "x")])
  }

  @Test("Ink of an eraser is left out and told")
  func erasers() throws {
    let brushes =
      "<definitions><brush xml:id='e'><brushProperty name='eraser' value='true'/></brush>"
      + "<brush xml:id='p'><brushProperty name='eraser' value='false'/></brush></definitions>"
    let found = try ink(
      brushes + "<trace brushRef='#p'>1 2</trace><trace brushRef='#e'>3 4</trace>")
    #expect(found.drawings.map(\.strokes) == [[stroke((1, 2))]])
    #expect(found.notes == ["strokes of an eraser are left out"])
  }
}
