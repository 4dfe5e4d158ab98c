import Datasets
import Ink
import Testing

@Suite("InkML: definitions and views")
struct InkMLViewTests {
  private func drawings(_ content: String) throws -> [Drawing] { try ink(content).drawings }

  private func error(_ content: String) -> String { refusal { try ink(content) } }

  private func view(_ name: String, _ range: String = "") -> String {
    "<traceView traceDataRef='#\(name)' \(range)/>"
  }

  private func labeled(_ label: String, _ views: String...) -> String {
    "<traceGroup><annotation type='truth'>\(label)</annotation>\(views.joined())</traceGroup>"
  }

  private let line = "<trace xml:id='t'>1 2, 3 4, 5 6, 7 8</trace>"

  private let group =
    "<traceGroup xml:id='g'><trace>11 1, 12 1</trace><traceGroup><trace>21 1, 22 1</trace>"
    + "</traceGroup><trace>31 1, 32 1</trace></traceGroup>"

  @Test("Traces in definitions are ink only where a view shows them")
  func definitions() throws {
    let defined = "<definitions>\(line)\(group)</definitions>"
    #expect(try drawings(defined + "<trace>1 2</trace>").map(\.strokes) == [[stroke((1, 2))]])
    #expect(error(defined).contains("it has no trace"))
    #expect(
      try drawings(defined + view("t", "from='2' to='3'") + view("g", "from='2' to='3:1'"))
        .map(\.strokes) == [[stroke((3, 4), (5, 6)), stroke((21, 1), (22, 1)), stroke((31, 1))]])
    let twice = try drawings(defined + labeled("a", view("t")) + labeled("b", view("t")))
    #expect(twice.map(\.label) == ["a", "b"] && twice[0].strokes == twice[1].strokes)
  }

  @Test("Views of views, and places in them")
  func nested() throws {
    let names =
      "<definitions>\(line)\(group)<traceView xml:id='v' traceDataRef='#g' from='2'/>"
      + "<traceView xml:id='w' traceDataRef='#t' from='2'/><traceView xml:id='u'>\(view("w"))"
      + "\(view("v"))</traceView></definitions>"
    #expect(try drawings(names + view("v", "from='2'"))[0].strokes == [stroke((31, 1), (32, 1))])
    #expect(try drawings(names + view("w", "to='2'"))[0].strokes == [stroke((3, 4), (5, 6))])
    #expect(try drawings(names + view("u"))[0].strokes.count == 3)
    #expect(
      try drawings(names + view("u", "to='1:1'"))[0].strokes == [stroke((3, 4))])
  }

  @Test("A labeled view of some points cuts the stroke")
  func ranges() throws {
    let cut = try drawings(line + labeled("a", view("t", "from='1' to='2'")))
    #expect(cut[0].strokes == [stroke((1, 2), (3, 4)), stroke((5, 6), (7, 8))])
    #expect(cut[0].shapes == [.init(strokes: [0], label: "a")])
    let two = try drawings(
      line + labeled("a", view("t", "to='3'")) + labeled("b", view("t", "from='3'"))
        + labeled("c", view("t")))
    #expect(two[0].strokes == [stroke((1, 2), (3, 4)), stroke((5, 6)), stroke((7, 8))])
    #expect(
      two[0].shapes == [
        .init(strokes: [0, 1], label: "a"), .init(strokes: [1, 2], label: "b"),
        .init(strokes: [0, 1, 2], label: "c"),
      ])
    // Without a label, nothing says that the parts differ.
    #expect(try drawings(line + view("t", "to='2'"))[0].strokes.count == 1)
    for range in ["from='0'", "to='5'", "from='3' to='2'", "from='1:1'", "from='x'"] {
      #expect(error(line + labeled("a", view("t", range))).contains("a traceView is from or to"))
    }
  }

  @Test("Views with annotations are groups, and label a drawing that they show as a whole")
  func labels() throws {
    let symbol = "<traceView><annotation type='truth'>x</annotation>\(view("t"))</traceView>"
    #expect(try drawings(line + symbol)[0].shapes == [.init(strokes: [0], label: "x")])
    let named = "<traceView traceDataRef='#g'><annotation type='truth'>b</annotation></traceView>"
    let two = try drawings(group + "<traceGroup>\(line)</traceGroup>" + named)
    #expect(two.map(\.label) == ["b", nil] && two.allSatisfy(\.shapes.isEmpty))
    #expect(
      error(group + "<traceGroup>\(line)\(labeled("x", view("g")))</traceGroup>").contains(
        "the group of x refers to a trace of another drawing"))
  }

  @Test("What views show that is not there is told, or refused where it has a label")
  func missing() throws {
    #expect(try ink(line + view("no")).notes == ["a traceView shows what is not in the file"])
    #expect(
      error(line + labeled("x", view("no"))).contains("refers to trace no, which is not there"))
  }

  @Test("Views that show each other, or multiply, are refused")
  func hostile() {
    let loop =
      "<definitions><traceView id='a' traceDataRef='#b'/>\(view("a").replacing("traceView ", with: "traceView id='b' "))</definitions>"
    #expect(error(loop + line + view("a")).contains("more than 32 deep"))
    let tenfold = (1...9).map { level in
      "<traceGroup id='g\(level)'>\(String(repeating: view("g\(level - 1)"), count: 10))</traceGroup>"
    }
    let bomb = "<definitions><trace id='g0'>1 2</trace>\(tenfold.joined())</definitions>"
    #expect(error(bomb + view("g9")).contains("again and again"))
    let long = String(repeating: "1 2,", count: 10_000)
    let groups = String(repeating: "<traceGroup>\(view("t"))</traceGroup>", count: 100)
    #expect(
      error("<definitions><trace id='t'>\(long)</trace></definitions>" + groups)
        .contains("again and again"))
  }
}
