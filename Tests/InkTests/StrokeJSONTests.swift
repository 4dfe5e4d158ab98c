import Ink
import Numbers
import Testing

private func parse(_ text: String) throws(InkError) -> Drawing {
  try StrokeJSON.parse(Array(text.utf8))
}

/// What `parse` throws for `text`, or nil.
private func failure(_ text: String) -> InkError? {
  failure(Array(text.utf8))
}

private func failure(_ bytes: [UInt8]) -> InkError? {
  do throws(InkError) {
    _ = try StrokeJSON.parse(bytes)
    return nil
  } catch { return error }
}

/// Whether `text` is refused as broken syntax, with `part` in the reason if it is given.
private func isSyntax(_ text: String, _ part: String? = nil) -> Bool {
  guard case .syntax(let what, _) = failure(text) else { return false }
  return part.map { what.contains($0) } ?? true
}

@Suite("Stroke JSON")
struct StrokeJSONTests {
  @Test("Our own form is read whole")
  func ownForm() throws {
    let drawing = try parse(
      """
      {"id":"a1","label":"⭐","canvas":{"width":1024,"height":768.5},
       "strokes":[[[1,2.5,-3],[4,5,6e2],[0,10,20]], [[7],[8]]],
       "shapes":[{"strokes":[0],"label":"cat"},{"strokes":[1,0],"label":"dog"}]}
      """)
    #expect(
      drawing
        == Drawing(
          id: "a1", label: "⭐",
          strokes: [
            Stroke([
              Point(x: 1, y: 4, t: 0), Point(x: 2.5, y: 5, t: 10), Point(x: -3, y: 600, t: 20),
            ]),
            Stroke([Point(x: 7, y: 8)]),
          ], canvas: .init(width: 1024, height: 768.5),
          shapes: [.init(strokes: [0], label: "cat"), .init(strokes: [1, 0], label: "dog")]))
  }

  @Test("Quick, Draw! lines are read, whatever the order of their keys")
  func quickDraw() throws {
    let expected = Drawing(
      id: "4514", label: "star",
      strokes: [Stroke([Point(x: 64, y: 87), Point(x: 114, y: 0)])], wasGuessed: true)
    #expect(
      try parse(
        #"{"word":"star","key_id":"4514","countrycode":null,"timestamp":"2017","#
          + #""recognized":true,"drawing":[[[64,114],[87,0]]]}"#) == expected)
    #expect(
      try parse(
        #" { "drawing" : [ [ [ 64 , 114 ] , [ 87 , 0 ] ] ] , "recognized" : true ,"#
          + "\r\n\t" + #""key_id" : 4514 , "word" : "star" } "#) == expected)
  }

  @Test("Omniglot lines are named by alphabet and character")
  func omniglot() throws {
    let drawing = try parse(
      #"{"alphabet":"Balinese","character":"character01","drawer":"01","file":"B/1.txt","#
        + #""drawing":[[[19.0,19.7],[1,2],[0,33]]]}"#)
    #expect(drawing.label == "Balinese/character01")
    #expect(drawing.id == "B/1.txt")
    #expect(drawing.strokes[0].points[1] == Point(x: 19.7, y: 2, t: 33))
  }

  @Test("Points may be objects, with or without time")
  func objects() throws {
    let drawing = try parse(
      #"{"strokes":[[{"x":1,"y":2,"t":0},{"y":4,"pressure":[1,{"a":2}],"x":3}]]}"#)
    #expect(drawing.strokes == [Stroke([Point(x: 1, y: 2, t: 0), Point(x: 3, y: 4)])])
    #expect(drawing.label == nil)
    #expect(drawing.id == "")
  }

  @Test("Our label and id go before those of other formats; null and empty ones are none")
  func precedence() throws {
    let strokes = #""strokes":[[[1],[2]]]"#
    #expect(try parse(#"{"word":"a","label":"b","key_id":1,"id":2,\#(strokes)}"#).label == "b")
    #expect(try parse(#"{"word":"a","label":"b","key_id":1,"id":2,\#(strokes)}"#).id == "2")
    #expect(try parse(#"{"label":null,"word":"a","recognized":null,\#(strokes)}"#).label == "a")
    #expect(try parse(#"{"label":"",\#(strokes)}"#).label == nil)
    #expect(try parse(#"{"id":12345678901234567890,\#(strokes)}"#).id == "12345678901234567890")
  }

  @Test("Labels that differ only in Unicode normal form become the same bytes")
  func normalForm() throws {
    let composed = try parse("{\"label\":\"caf\u{e9}\",\"strokes\":[[[1],[2]]]}")
    let decomposed = try parse("{\"label\":\"cafe\u{301}\",\"strokes\":[[[1],[2]]]}")
    let escaped = try parse(#"{"label":"cafe\u0301","strokes":[[[1],[2]]]}"#)
    for drawing in [composed, decomposed, escaped] {
      #expect(Array((drawing.label ?? "").utf8) == Array("caf\u{e9}".utf8))
    }
  }

  @Test("Escapes are undone, surrogate pairs too, and lone surrogates refused")
  func escapes() throws {
    let text = #"{"label":"\"\\\/\b\f\n\r\t\u00e9\ud83c\udf1F!","strokes":[[[1],[2]]]}"#
    #expect(try parse(text).label == "\"\\/\u{8}\u{c}\n\r\t\u{e9}\u{1f31f}!")
    // A key may be written with escapes as well.
    #expect(try parse(#"{"\u0073trokes":[[[1],[2]]]}"#).pointCount == 1)
    for bad in [#"\ud83c"#, #"\ud83cx"#, #"\ud83c\u0041"#, #"\udf1f"#, #"\ud83c\n"#] {
      #expect(isSyntax(#"{"skipped":"\#(bad)","strokes":[[[1],[2]]]}"#, "lone surrogate"))
    }
    #expect(isSyntax(#"{"label":"\x","strokes":[[[1],[2]]]}"#, "escape"))
    #expect(isSyntax(#"{"label":"\u12g4","strokes":[[[1],[2]]]}"#, "hexadecimal"))
    #expect(isSyntax("{\"label\":\"a\nb\",\"strokes\":[[[1],[2]]]}", "control"))
  }

  @Test("Strokes without points are dropped, and shapes still name the strokes they named")
  func emptyStrokes() throws {
    let drawing = try parse(
      #"{"strokes":[[],[[1],[2]],[[],[]],[[3],[4]]],"shapes":[{"strokes":[0,1,3],"label":"a"}]}"#)
    #expect(drawing.strokes == [Stroke([Point(x: 1, y: 2)]), Stroke([Point(x: 3, y: 4)])])
    #expect(drawing.shapes == [.init(strokes: [0, 1], label: "a")])
  }

  @Test(
    "A drawing without any point is refused",
    arguments: [#"{"strokes":[]}"#, #"{"drawing":[[[],[]]]}"#, #"{"strokes":[[],[[],[],[]]]}"#])
  func emptyDrawing(text: String) {
    #expect(failure(text) == .emptyDrawing)
  }

  @Test("Unequal columns and missing coordinates are named with stroke and point")
  func lengths() {
    #expect(
      failure(#"{"strokes":[[[1],[2]],[[1,2,3],[4,5]]]}"#)
        == .unequalLengths(stroke: 1, x: 3, y: 2, t: nil))
    #expect(
      failure(#"{"strokes":[[[1,2],[4,5],[0]]]}"#) == .unequalLengths(stroke: 0, x: 2, y: 2, t: 1))
    #expect(
      failure(#"{"strokes":[[[1,2]]]}"#) == .missingCoordinate(stroke: 0, point: 0, axis: .y))
    #expect(
      failure(#"{"strokes":[[[1],[1]],[{"x":1,"y":2},{"y":3}]]}"#)
        == .missingCoordinate(stroke: 1, point: 1, axis: .x))
    #expect(
      failure(#"{"strokes":[[{"x":1}]]}"#) == .missingCoordinate(stroke: 0, point: 0, axis: .y))
    #expect(isSyntax(#"{"strokes":[[[1],[2],[3],[4]]]}"#, "behind its x, y and t"))
  }

  /// Whether a number is refused by `fault` in a column of x, in one of y, and as a point's t.
  private func isRefused(
    _ token: String, as fault: (_ stroke: Int, _ point: Int, _ axis: InkError.Axis) -> InkError
  ) -> Bool {
    failure("{\"strokes\":[[[1],[2]],[[1,2,\(token)],[1,2,3]]]}") == fault(1, 2, .x)
      && failure("{\"strokes\":[[[1,2],[1,\(token)],[1,2]]]}") == fault(0, 1, .y)
      && failure("{\"strokes\":[[{\"x\":1,\"y\":2,\"t\":\(token)}]]}") == fault(0, 0, .t)
  }

  @Test(
    "What is no finite number is refused, with its place",
    arguments: ["\"1\"", "null", "true", "NaN", "Infinity", "-Infinity", "1e999", "-1e400", "[1]"])
  func numbers(token: String) {
    #expect(isRefused(token, as: InkError.invalidNumber))
  }

  @Test(
    "Numbers whose sums would be no numbers are refused, with their place",
    arguments: ["1.1e100", "-1.1e100", "1e308", "-1.7976931348623157e308"])
  func largeNumbers(token: String) {
    #expect(isRefused(token, as: InkError.numberTooLarge))
    #expect(
      isSyntax(
        "{\"strokes\":[[[1],[2]]],\"canvas\":{\"width\":\(token),\"height\":1}}",
        "a width and a height, both above 0 and at most 1e100"))
  }

  @Test(
    "A canvas without extent is refused, with what to do",
    arguments: [("0", "100"), ("100", "0"), ("0", "0"), ("-1", "5"), ("1e-101", "5")])
  func canvasWithoutExtent(width: String, height: String) {
    #expect(
      isSyntax(
        "{\"strokes\":[[[1],[2]]],\"canvas\":{\"width\":\(width),\"height\":\(height)}}",
        "both above 0 and at most 1e100; leave it out if it is not known"))
  }

  @Test(
    "Numbers that JSON does not have are broken syntax",
    arguments: ["01", "1.", "1e", "1e+", "1.e3", "-01"])
  func numberSyntax(token: String) {
    #expect(isSyntax("{\"strokes\":[[[\(token)],[1]]]}"))
  }

  @Test("Numbers are read as the standard library reads them")
  func numberValues() throws {
    var generator = SeededGenerator(seed: 11)
    var texts = [
      "0", "-0", "0.1", "1E2", "123456789012345678901234567890", "0.000000000000000000000001",
      "9007199254740993", "1e-100", "1e100", "-1e100", "1e-400", "0e999999999999999999999", "1e22",
      "1e23", "123456789.123456789e-5",
    ]
    for _ in 0..<3000 {
      let digits = (0...generator.integer(below: 20)).map { _ in generator.integer(below: 10) }
      var text = "\(generator.integer(below: 10) == 0 ? 0 : 1 + generator.integer(below: 9))"
      if text != "0" { text += digits.map(String.init).joined() }
      if generator.chance(0.5) { text += ".\(generator.integer(below: 1_000_000_000))" }
      if generator.chance(0.4) { text += "e\(generator.integer(below: 60) - 30)" }
      texts.append(generator.chance(0.3) ? "-" + text : text)
    }
    for text in texts {
      let point = try parse("{\"strokes\":[[[\(text)],[0]]]}").strokes[0].points[0]
      #expect(point.x == Double(text), "\(text)")
    }
  }

  @Test(
    "Numbers nearer to 0 than 1e-100 are read as 0, in columns and points",
    arguments: [
      ("5e-324", 0), ("2.2250738585072014e-308", 0), ("9.9e-101", 0), ("1e-100", 1e-100), ("-0", 0),
    ] as [(String, Double)])
  func smallNumbers(token: String, value: Double) throws {
    let negative = token.hasPrefix("-") ? token : "-" + token
    for strokes in [
      "[[[\(token)],[\(negative)],[\(token)]]]",
      "[[{\"x\":\(token),\"y\":\(negative),\"t\":\(token)}]]",
    ] {
      let drawing = try parse("{\"strokes\":" + strokes + "}")
      #expect(drawing.strokes == [Stroke([Point(x: value, y: -value, t: value)])])
    }
  }

  @Test("Every cut of a drawing's text is refused")
  func truncated() {
    let text = Array(
      #"{"word":"é\n","key_id":1.5e3,"x":{"a":[true,false,null]},"drawing":[[[1,2],[3,4]]]}"#.utf8)
    #expect(failure(text) == nil)
    for length in 0..<text.count {
      #expect(failure(Array(text[..<length])) != nil, "the first \(length) bytes were read")
    }
  }

  @Test("Text behind the drawing and other broken JSON is refused, with its place")
  func garbage() {
    let sound = #"{"strokes":[[[1],[2]]]}"#
    #expect(
      failure(sound + " x") == .syntax("found \"x\" where the end of the text is due", byte: 24))
    #expect(
      failure("") == .syntax("the text ends where a drawing's \"{\" is due", byte: 0))
    #expect(failure("[]") == .drawingList(byte: 0))
    for text in [
      "3", "null", "\"a\"", sound + sound, #"{"strokes":[[[1,],[2]]]}"#,
      #"{"strokes":[[[1],[2]]],}"#, #"{"strokes":[[[1],[2]]] "id":1}"#, #"{strokes:[]}"#,
      #"{"strokes":null}"#, #"{"strokes":[[1,2]]}"#, #"{"strokes":{}}"#, #"{"label":"a"}"#,
      #"{"label":{},"strokes":[[[1],[2]]]}"#, #"{"canvas":{"width":1},"strokes":[[[1],[2]]]}"#,
      #"{"a":tru,"strokes":[[[1],[2]]]}"#, #"{"a":.5,"strokes":[[[1],[2]]]}"#,
      #"{"shapes":[{"label":"a"}],"strokes":[[[1],[2]]]}"#,
      #"{"shapes":[{"label":"a","strokes":[0.5]}],"strokes":[[[1],[2]]]}"#,
    ] { #expect(isSyntax(text), "\(text)") }
  }

  @Test("A shape that names a stroke that is not there is refused")
  func unknownStroke() {
    #expect(
      failure(#"{"shapes":[{"label":"a","strokes":[0,1]}],"strokes":[[[1],[2]]]}"#)
        == .unknownStroke(shape: 0, stroke: 1))
    #expect(
      failure(#"{"strokes":[[[1],[2]]],"shapes":[{"label":"a","strokes":[-1]}]}"#)
        == .unknownStroke(shape: 0, stroke: -1))
  }

  @Test("A known key that comes twice is refused, an unknown one is not")
  func duplicates() throws {
    let strokes = #""strokes":[[[1],[2]]]"#
    #expect(isSyntax("{\(strokes),\(strokes)}", "second list of strokes"))
    #expect(isSyntax(#"{\#(strokes),"drawing":[[[1],[2]]]}"#, "second list of strokes"))
    #expect(isSyntax(#"{"label":"a",\#(strokes),"label":"a"}"#, "comes twice"))
    #expect(isSyntax(#"{"strokes":[[{"x":1,"y":2,"x":1}]]}"#, "comes twice"))
    #expect(try parse(#"{"a":1,"a":2,\#(strokes)}"#).pointCount == 1)
  }

  @Test("Invalid UTF-8 is refused anywhere, also in what is skipped")
  func invalidUTF8() {
    let bad: [[UInt8]] = [
      [0x80], [0xc0, 0x80], [0xc3], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x8c],
      [0xf4, 0x90, 0x80, 0x80], [0xff], [0xe2, 0x82, 0x28],
    ]
    let rest = Array(#"","strokes":[[[1],[2]]]}"#.utf8)
    for (bytes, key) in bad.flatMap({ [($0, "label"), ($0, "other")] }) {
      #expect(
        failure(Array("{\"\(key)\":\"".utf8) + bytes + rest)
          == .syntax("the text is not UTF-8", byte: 10))
    }
    #expect(failure([0x7b, 0xff]) == .syntax("the text is not UTF-8", byte: 1))
    // Sound text outside a string is broken syntax, not broken text.
    #expect(isSyntax("{é", "0xc3"))
  }

  @Test("Deep nesting in a skipped value ends in an error, not in a full stack")
  func nesting() throws {
    let sound =
      #"{"a":"# + String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
      + #","strokes":[[[1],[2]]]}"#
    #expect(try parse(sound).pointCount == 1)
    #expect(isSyntax(#"{"a":"# + String(repeating: "[", count: 1_000_000), "nest"))
    #expect(isSyntax(#"{"a":"# + String(repeating: #"{"b":"#, count: 1000), "nest"))
  }

  @Test("What is written is the shortest, and is read back")
  func written() throws {
    let drawing = Drawing(
      id: "a\"\u{1}", label: "⭐",
      strokes: [
        Stroke([Point(x: 1, y: -0.1, t: 0), Point(x: 1e30, y: 123_456_789, t: 16.5)]),
        Stroke([Point(x: -2, y: 1e-100)]),
        Stroke([Point(x: 1, y: 2), Point(x: 3, y: 4, t: 5)]),
      ], canvas: .init(width: 10, height: 20.5), shapes: [.init(strokes: [0, 2], label: "b")],
      wasGuessed: false)
    let text = String(decoding: StrokeJSON.encode(drawing), as: UTF8.self)
    #expect(
      text == #"{"id":"a\"\u0001","label":"⭐","recognized":false,"#
        + #""canvas":{"width":10,"height":20.5},"#
        + #""strokes":[[[1,1e+30],[-0.1,123456789],[0,16.5]],[[-2],[1e-100]],"#
        + #"[{"x":1,"y":2},{"x":3,"y":4,"t":5}]],"shapes":[{"strokes":[0,2],"label":"b"}]}"#)
    #expect(try parse(text) == drawing)
  }

  @Test("Random drawings survive writing and reading")
  func roundTrip() throws {
    for seed in 0..<300 {
      var generator = SeededGenerator(seed: 21, stream: seed)
      let drawing = Drawing.random(&generator)
      #expect(try StrokeJSON.parse(StrokeJSON.encode(drawing)) == drawing, "seed \(seed)")
    }
  }

  @Test("A line with random damage gives a drawing or an error, never a trap")
  func fuzz() {
    let seeds = [
      #"{"word":"star","key_id":"45","recognized":true,"drawing":[[[64,114],[87,0]],[[1],[2]]]}"#,
      #"{"id":7,"label":"é\ud83c\udf1f","canvas":{"width":1,"height":2},"strokes":"#
        + #"[[{"x":1.5e3,"y":-2,"t":0}]],"shapes":[{"strokes":[0],"label":"a"}]}"#,
    ].map { Array($0.utf8) }
    let tokens = ["\"", "[", "]", "{", "}", ",", "\\u", "-", "e9", "null", "é", ":", "0.", "\\"]
    var generator = SeededGenerator(seed: 31)
    var outcomes = (read: 0, refused: 0)
    for _ in 0..<20_000 {
      var bytes = generator.pick(seeds)
      for _ in 0...generator.integer(below: 3) where !bytes.isEmpty {
        let place = generator.integer(below: bytes.count)
        switch generator.integer(below: 4) {
        case 0: bytes[place] = UInt8(generator.integer(below: 256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: generator.pick(tokens).utf8, at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + generator.integer(below: 9)))
        }
      }
      if failure(bytes) == nil { outcomes.read += 1 } else { outcomes.refused += 1 }
    }
    #expect(outcomes.read > 100)
    #expect(outcomes.refused > 10_000)
  }

  @Test("A stroke of a million points is read in one go")
  func longStroke() throws {
    let count = 1_000_000
    var text = Array("{\"strokes\":[[[0".utf8)
    let column = [UInt8](repeatElement([0x2c, 0x37], count: count - 1).joined())
    text += column + Array("],[0".utf8) + column + Array("]]]}".utf8)
    let drawing = try StrokeJSON.parse(text)
    #expect(drawing.pointCount == count)
    #expect(drawing.strokes[0].points.last == Point(x: 7, y: 7))
  }
}
