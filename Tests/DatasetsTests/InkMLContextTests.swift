import Datasets
import Ink
import TestTools
import Testing

@Suite("InkML: contexts, units and times")
struct InkMLContextTests {
  private func strokes(_ content: String) throws -> [Stroke] {
    try ink(content).drawings.flatMap(\.strokes)
  }

  private func times(_ content: String) throws -> [[Double?]] {
    try strokes(content).map { $0.points.map(\.t) }
  }

  private func error(_ content: String) -> String { refusal { try ink(content) } }

  private func format(_ x: String = "", _ y: String = "", more: String = "") -> String {
    "<traceFormat><channel name='X' \(x)/><channel name='Y' \(y)/>\(more)</traceFormat>"
  }

  /// A context whose device has resolutions of X and Y.
  private func context(_ name: String, _ x: String, _ y: String, _ format: String) -> String {
    let properties = [("X", x), ("Y", y)].filter { !$0.1.isEmpty }.map {
      "<channelProperty channel='\($0)' name='resolution' \($1)/>"
    }
    return "<context xml:id='\(name)'><inkSource>\(format)<channelProperties>"
      + "\(properties.joined())</channelProperties></inkSource></context>"
  }

  @Test("Each trace is read by the context that it, or its group, names")
  func contexts() throws {
    let force =
      "<traceFormat><channel name='F'/><channel name='Y'/><channel name='X'/></traceFormat>"
    let definitions =
      "<definitions><context id='a'><inkSource id='s'>\(force)</inkSource></context>"
      + "<context xml:id='b' contextRef='#a'/><context xml:id='c' inkSourceRef='#s'/>"
      + "<traceFormat xml:id='f'><channel name='Y'/><channel name='X'/></traceFormat>"
      + "<context xml:id='d' contextRef='#a' traceFormatRef='#f'/></definitions>"
    let traces =
      "<trace>1 2</trace><trace contextRef='#a'>9 2 1</trace>"
      + "<traceGroup contextRef='b'><trace>9 2 1</trace><trace contextRef='#d'>2 1</trace></traceGroup>"
      + "<trace contextRef='#c'>9 2 1</trace><trace contextRef='#DefaultContext'>1 2</trace>"
    let all = [Stroke](repeating: stroke((1, 2)), count: 6)
    #expect(try strokes(definitions + traces) == all)
    #expect(try strokes(traces + definitions) == all, "definitions may come last")
    #expect(
      error("<trace contextRef='#x'>1 2</trace>").contains("trace 0: it refers to the context x"))
    let loop = "<context id='a' contextRef='#b'/><context id='b' contextRef='#a'/>"
    #expect(
      error("<definitions>\(loop)</definitions><trace contextRef='#a'>1 2</trace>").contains(
        "refer to each other without an end"))
  }

  @Test("A format in the ink holds for what follows; one in definitions only where it is named")
  func formatsInOrder() throws {
    let turned = "<traceFormat><channel name='Y'/><channel name='X'/></traceFormat>"
    #expect(
      try strokes("<trace>1 2</trace>\(turned)<trace>2 1</trace>\(format())<trace>1 2</trace>")
        == [Stroke](repeating: stroke((1, 2)), count: 3))
    #expect(
      try strokes("<context>\(turned)</context><trace>2 1</trace><context/><trace>2 1</trace>")
        == [stroke((1, 2)), stroke((1, 2))])
    let unused = "<definitions>\(turned.replacing("<traceFormat", with: "<traceFormat id='f'"))"
    #expect(try strokes("\(unused)</definitions><trace>1 2</trace>") == [stroke((1, 2))])
    let unsound = "<definitions><traceFormat><channel name='Z'/></traceFormat></definitions>"
    #expect(try strokes(unsound + "<trace>1 2</trace>") == [stroke((1, 2))])
    // Some programs define their only format and do not name it.
    let forced = "<definitions>\(format(more: "<channel name='F'/>"))</definitions>"
    #expect(try strokes(forced + "<trace>1 2 9</trace>") == [stroke((1, 2))])
  }

  @Test(
    "An inch is an inch on both axes, in the unit of X",
    arguments: [
      ("value='1000' units='1/in'", "value='2000' units='1/in'", 0.5),
      ("value='1000' units='1/in'", "value='500' units='1/IN'", 2),
      ("value='100' units='1/cm'", "value='20' units='1/mm'", 0.5),
      ("value='0.01' units='cm'", "value='0.1' units='mm'", 1),
      ("value='0.001' units='in'", "value='2000' units='1/in'", 0.5),
      ("value='1000' units='1/in'", "", 1),
      ("value='0' units='1/cm'", "value='5' units='1/dev'", 1),
      ("", "", 1),
    ])
  func resolutions(x: String, y: String, factor: Double) throws {
    let square = format("type='integer'", "type='integer'")
    let definitions = "<definitions>\(context("c", x, y, square))</definitions>"
    let found = try strokes(definitions + "<trace contextRef='#c'>0 0, 1000 2000</trace>")
    #expect(found[0].points[1].x == 1000)
    #expect(abs(found[0].points[1].y - 2000 * factor) < 1e-9)
  }

  @Test("Units of channels, and those of several contexts, are brought to one")
  func units() throws {
    let mixed = try strokes(format("units='cm'", "units='mm'") + "<trace>1 10, 2 40</trace>")
    #expect(mixed == [stroke((1, 1), (2, 4))])
    let points = try strokes(format("units='in'", "units='pt'") + "<trace>1 36</trace>")[0].points
    #expect(points == [Point(x: 1, y: 0.5)])
    #expect(
      try strokes(format("units='dev'", "units='%'") + "<trace>1 2</trace>") == [stroke((1, 2))])
    // Whole numbers are what the device counts, whatever unit stands beside them.
    let counted = format("type='integer' units='cm'", "type='integer' units='cm'")
    let fine = context("fine", "value='100' units='1/mm'", "value='100' units='1/mm'", counted)
    let coarse = context("coarse", "value='10' units='1/mm'", "value='10' units='1/mm'", counted)
    #expect(
      try strokes(
        "<definitions>\(fine)\(coarse)</definitions><trace contextRef='#fine'>100 200</trace>"
          + "<trace contextRef='#coarse'>10 20</trace>") == [
          stroke((100, 200)), stroke((100, 200)),
        ])
  }

  @Test(
    "Times have units",
    arguments: [
      ("units='s'", 1000.0), ("units='ms'", 1), ("", 1), ("units='dev'", 1), ("units='us'", 0.001),
      ("units='µs'", 0.001), ("units='ns'", 0.000_001),
    ])
  func timeUnits(units: String, factor: Double) throws {
    let timed = format(more: "<channel name='T' \(units)/>")
    let found = try times(timed + "<trace>1 2 0, 3 4 16, 5 6 32</trace>")
    #expect(found == [[0, 16 * factor, 32 * factor]])
  }

  @Test("Offsets, durations and timestamps say when strokes were drawn")
  func offsets() throws {
    #expect(
      try times(
        "<trace timeOffset='100' duration='50'>1 2, 3 4, 5 6</trace>"
          + "<trace timeOffset='400'>1 2, 3 4</trace>") == [[0, nil, 50], [300, nil]])
    let timed = format(more: "<channel name='T'/>")
    #expect(
      try times(
        timed + "<trace timeOffset='100'>1 2 0, 3 4 8</trace>"
          + "<trace timeOffset='400'>1 2 0, 3 4 8</trace>") == [[0, 8], [300, 308]])
    let stamps =
      "<definitions><timestamp xml:id='a' timeString='2026-11-28T12:00:00+01:00'/>"
      + "<timestamp xml:id='b' time='1795863600500'/>"
      + "<timestamp xml:id='c' timestampRef='#a' timeOffset='2000'/>"
      + "<traceFormat xml:id='fc'><channel name='X'/><channel name='Y'/>"
      + "<channel name='T' respectTo='#c'/></traceFormat>"
      + ["a", "b", "c"].map { "<context xml:id='c\($0)' timestampRef='#\($0)'/>" }.joined()
      + "<context xml:id='f' traceFormatRef='#fc'/></definitions>"
    #expect(
      try times(
        stamps + "<trace contextRef='#ca' timeOffset='10'>1 2</trace>"
          + "<trace contextRef='#cb' timeOffset='10'>1 2</trace>"
          + "<trace contextRef='#cc' timeOffset='10'>1 2</trace>"
          + "<trace contextRef='#f' timeOffset='5'>1 2 10</trace>") == [[0], [500], [2000], [2000]])
    let rate =
      "<inkSource><sampleRate uniform='true' value='100'/>\(format())</inkSource>"
      + "<trace timeOffset='5'>1 2, 3 4, 5 6</trace>"
    #expect(try times(rate) == [[0, 10, 20]])
  }

  @Test("A transformation of the canvas is told, since it is not applied")
  func transformation() throws {
    let turned =
      "<canvasTransform><mapping type='affine'><affine>1 0 0, 0 -1 9</affine></mapping>"
      + "</canvasTransform><trace>1 2</trace>"
    #expect(try ink(turned).notes.count == 1)
    #expect(try ink(turned.replacing("affine'", with: "identity'")).notes.isEmpty)
  }

  @Test("XML is read by its first element, whatever it is called")
  func namedXML() throws {
    let folder = try TemporaryFolder()
    for (text, label) in [
      ("<ink><annotation type='truth'>a</annotation><trace>1 2</trace></ink>", "a"),
      ("<!-- one --><Gesture Name='b'><Point X='1' Y='2'/></Gesture>", "b"),
      ("<svg data-label='c'><path d='M1 2L3 4'/></svg>", "c"),
    ] {
      let path = try folder.put(text, "\(label).xml")
      #expect(try DatasetFiles.read([path]).drawings.map(\.label) == [label])
    }
    let path = try folder.put("<plist/>", "d.xml")
    let message = refusal(DatasetError.self) { try DatasetFiles.read([path]) }
    #expect(message.contains("line 1: its first element is plist, not Gesture, ink (InkML) or svg"))
  }
}
