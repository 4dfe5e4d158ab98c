import Datasets
import Ink
import Testing

/// How elements, style sheets, copies and units say where ink is.
@Suite("Structure of SVG")
struct SVGStructureTests {
  private static let line = "<path d='M1 0L2 0' stroke='#000'/>"

  @Test("Copies are where and what they say")
  func copies() throws {
    let line = "<defs><path id='p' d='M0 0L2 2' stroke='#000'/></defs>"
    #expect(
      try SVGSample(
        line + "<use href='#p' x='10' y='20'/><use href='#p' transform='scale(2)' x='5'/>"
      )
      .places == ["10,20 12,22", "10,0 14,4"])
    let old = "xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 100 100'"
    #expect(try SVGSample("<use xlink:href='#p'/>" + line, old).places == ["0,0 2,2"])
    // A copy inherits from where it is, not from where its original is.
    let plain = "<defs stroke='none'><path id='q' fill='none' d='M0 0L2 2'/></defs>"
    #expect(
      try SVGSample(plain + "<g stroke='red'><use href='#q'/></g><use href='#q' x='9'/>").places
        == ["0,0 2,2"])
    let group =
      "<g id='g'>\(Self.line)</g><use href='#g' y='5'/><use href='#g' y='9' display='none'/>"
    #expect(try SVGSample(group).places == ["1,0 2,0", "1,5 2,5"])
    let nested =
      line + "<g id='two'><use href='#p'/><use href='#p' y='9'/></g><use href='#two' x='9'/>"
    #expect(try SVGSample(nested).places == ["0,0 2,2", "0,9 2,11", "9,0 11,2", "9,9 11,11"])
  }

  @Test("Symbols are drawn where they are used, in their size")
  func symbols() throws {
    let symbol =
      "<symbol id='s' viewBox='0 0 10 10'>\(Self.line)<path d='M5 5H30' stroke='red'/></symbol>"
    #expect(
      try SVGSample(symbol + "<use href='#s' x='20' y='30' width='20' height='20'/>").places
        == ["22,30 24,30", "30,40 40,40"])
    #expect(try SVGSample(symbol + "<use href='#s'/>").places == ["10,0 20,0", "50,50 100,50"])
    #expect(SVGSample(symbol).error.contains("it has no line"))
  }

  @Test("Copies of themselves, of nothing and of too much are left out or refused")
  func endlessCopies() throws {
    let loop = "<g id='a'>\(Self.line)<use href='#a' x='5'/></g>"
    #expect(try SVGSample(loop).places == ["1,0 2,0"])
    let ring = "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/>\(Self.line)</g>"
    // In turn each holds the other once, without what they are part of.
    #expect(try SVGSample(ring).places.count <= 4)
    #expect(
      try SVGSample(Self.line + "<use href='#no'/><use href='b.svg#c'/><use/>").notes.count == 1)
    let laughs = (1...30).map {
      "<g id='l\($0)'><use href='#l\($0 - 1)'/><use href='#l\($0 - 1)'/></g>"
    }
    let bomb = SVGSample("<defs><g id='l0'/>\(laughs.joined())</defs><use href='#l30'/>")
    #expect(bomb.error.contains("its copies or its style sheet make it too large"))
    let deep = (1...300).map { "<g id='d\($0)'><use href='#d\($0 - 1)'/></g>" }
    #expect(
      SVGSample("<defs><g id='d0'/>\(deep.joined())</defs><use href='#d300'/>").error
        .contains("nest more than 256 deep with their copies"))
  }

  @Test("Pictures within the picture have a place, a size and an edge of their own")
  func pictures() throws {
    func inner(_ attributes: String, _ content: String = "<path d='M0 0L10 10' stroke='#000'/>")
      throws -> [String]
    { try SVGSample("<svg \(attributes)>\(content)</svg>").places }
    #expect(
      try inner("x='60' y='50' width='40' height='40' viewBox='0 0 10 10'") == ["60,50 100,90"])
    #expect(try inner("x='60' y='50'") == ["60,50 70,60"])
    #expect(try inner("x='10%' width='5' height='50%'") == ["10,0 15,5"], "it is cut at its edge")
    #expect(try inner("width='5' height='5' overflow='visible'") == ["0,0 10,10"])
    #expect(
      try inner("width='40' height='20' viewBox='0 0 10 10'") == ["10,0 30,20"],
      "in the middle by default")
    let box = "width='40' height='20' viewBox='0 0 10 10' preserveAspectRatio="
    #expect(try inner(box + "'xMaxYMax'") == ["20,0 40,20"])
    #expect(try inner(box + "'xMinYMin meet'") == ["0,0 20,20"])
    #expect(try inner(box + "'none'") == ["0,0 40,20"])
    #expect(try inner(box + "'xMidYMin slice'") == ["0,0 20,20"])
    #expect(
      try inner("viewBox='0 0 10 10'", "<line x2='50%' y2='1' stroke='red'/>") == ["0,0 50,10"])
    #expect(try SVGSample("<svg width='0'>\(Self.line)</svg>" + Self.line).places == ["1,0 2,0"])
    // The whole picture, stretched.
    let stretched = "viewBox='0 0 100 100' width='200' height='100' preserveAspectRatio='none'"
    #expect(
      try SVGSample("<path d='M1 1L50 50' stroke='red'/>", stretched).places == ["2,1 100,50"])
  }

  @Test("Style sheets hide and paint by type, class, id and what is around")
  func styleSheets() throws {
    func places(_ sheet: String, _ content: String, _ attributes: String = "") throws -> [String] {
      try SVGSample("<style \(attributes)>\(sheet)</style>" + content + Self.line).places
    }
    let hidden = "<g class='guide st0' id='x'><path d='M5 5H9' stroke='red'/></g>"
    for sheet in [
      ".st0{display:none}", "#x { display : none ; }", "g.st0 > path {display:none}",
      ".a, .guide.st0{visibility:hidden}", "svg .st0 path{stroke:none}", "/* } */g#x{opacity:0}",
      "<![CDATA[ .st0 { display: none; } ]]>", "@charset \"a\"; .st0{display:none}",
      "*.st0{display:none}", ".st0{display:inline}.st0{display:none}",
      "#x{display:none}.st0{display:inline}", "g{display:none!important}#x{display:inline}",
    ] {
      #expect(try places(sheet, hidden) == ["1,0 2,0"], "\(sheet)")
    }
    for sheet in [
      ".st{display:none}", ".st0:hover{display:none}", "path.st0{display:none}",
      "g > g > path{display:none}", ".ST0{display:none}", "@media print{g{display:none}}",
      "#x{display:inline}.st0{display:none}", ".st0 {color:red; content:';display:none;'}",
    ] {
      #expect(try places(sheet, hidden) == ["5,5 9,5", "1,0 2,0"], "\(sheet)")
    }
    #expect(try places("g{display:none}", hidden, "media='print'").count == 2)
    #expect(try places("g{display:none}", hidden, "type='text/x'").count == 2)
    // A sheet is stronger than an attribute, and an element's style stronger than a sheet.
    let styled = "<path stroke='red' style='stroke:red' class='b' d='M5 5H9'/>"
    #expect(try places(".b{stroke:none;fill:none}", styled).count == 2)
    #expect(try places(".b{stroke:none!important}", styled).count == 1)
    #expect(try places(".b{stroke:red}", "<path stroke='none' class='b' d='M5 5H9'/>").count == 2)
    #expect(try places("circle{r:9px}", "<circle cx='20' cy='20'/>").count == 2)
  }

  @Test("A rule that is not understood is told by its name")
  func foreignRules() throws {
    for (sheet, name) in [
      ("path:nth-child(2){display:none}", "path:nth-child(2)"), ("[id]{display:none}", "[id]"),
      ("@media print{path{fill:none}}", "@media"), ("@import url(a.css);", "@import"),
      ("g + path{stroke:none}", "g + path"),
    ] {
      let notes = try SVGSample("<style>\(sheet)</style>" + Self.line).notes
      #expect(notes.count == 1 && notes[0].hasSuffix(": \(name)"), "\(notes)")
    }
    #expect(
      try SVGSample(
        "<style>a::before{content:'b'} p:nth-child(1){font-family:c}</style>\(Self.line)"
      )
      .notes.isEmpty, "what it declares does not matter")
  }

  @Test("Of alternatives the first that applies is drawn, and nothing of other namespaces")
  func alternatives() throws {
    let other = "<path d='M5 5H9' stroke='red'/>"
    #expect(try SVGSample("<switch>\(Self.line)\(other)</switch>").places == ["1,0 2,0"])
    #expect(
      try SVGSample(
        "<switch><foreignObject requiredExtensions='a'/><title>b</title>"
          + "<g systemLanguage='de'>\(other)</g><g systemLanguage='fr, en-GB'>\(Self.line)</g>\(other)"
          + "</switch>"
      ).places == ["1,0 2,0"])
    #expect(
      try SVGSample("<g requiredExtensions='a'>\(other)</g>" + Self.line).places == ["1,0 2,0"])
    let foreign =
      "<x:g xmlns:x='http://example.org/x'>\(other)</x:g>"
      + "<rect xmlns='http://example.org/x' width='9' height='9'/><unknown>\(other)</unknown>"
    #expect(try SVGSample(foreign + Self.line).places == ["1,0 2,0"])
    #expect(
      try SVGSample(
        document: "<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:path d='M1 0h1' stroke='red'/>"
          + "<path d='M1 5h1' stroke='red'/></s:svg>"
      ).places == ["1,0 2,0"])
    #expect(try SVGSample(document: "<svg>\(Self.line)</svg>").places == ["1,0 2,0"])
  }

  @Test("A document type may give attributes' defaults and names of namespaces")
  func documentTypes() throws {
    let defaults = """
      <!DOCTYPE svg [<!ATTLIST g xmlns:k CDATA #FIXED "http://example.org/k" k:name CDATA #IMPLIED>
      <!ATTLIST path stroke CDATA "#000"> <!ENTITY ns "http://www.w3.org/2000/svg">
      <!ENTITY st0 "fill:none;"> ]>
      <svg xmlns="&ns;"><g k:name="two"><path style="&st0;" d="M20 20L30 25"/></g></svg>
      """
    #expect(try SVGSample(document: defaults).places == ["20,20 30,25"])
  }

  @Test(
    "Lengths have units",
    arguments: [
      ("10%", 20), ("10", 10), ("10px", 10), ("1in", 96), ("2.54cm", 96), ("25.4mm", 96),
      ("101.6Q", 96), ("3pt", 4), ("1pc", 16), ("2em", 32), ("2ex", 16), ("1rem", 16), ("1e1", 10),
    ])
  func units(length: String, pixels: Double) throws {
    let sample = SVGSample(
      "<line x1='\(length)' x2='150' y2='9' stroke='red'/>", "viewBox='0 0 200 100'")
    #expect(abs(try sample.drawing.strokes[0].points[0].x - pixels) < 1e-9)
  }

  @Test("A percentage is of the width, the height or the diagonal")
  func percentages() throws {
    // The diagonal's share: √((200² + 100²) / 2) is 158.11.
    let sample = SVGSample(
      "<ellipse cx='50%' cy='50%' rx='10%' ry='10%'/><circle cx='50%' cy='50%' r='10%' fill='red'/>",
      "viewBox='0 0 200 100'")
    let boxes = try sample.drawing.strokes.map { try #require(BoundingBox($0.points)) }
    #expect(boxes[0] == BoundingBox(x: 80, y: 40, width: 40, height: 20))
    #expect(abs(boxes[1].width - 31.62) < 0.01)
    #expect(
      try SVGSample("<line x2='1' stroke='red'/>", "width='2in' height='1in'").drawing.canvas
        == Drawing.Canvas(width: 192, height: 96))
    #expect(
      try SVGSample("<g font-size='20'><line x2='2em' y2='1' stroke='red'/></g>").places
        == ["0,0 40,1"])
  }

  @Test("Corners are round where both radii are, and one radius is both")
  func radii() throws {
    let plain = ["20,20 80,20 80,80 20,80 20,20"]
    for radii in [
      "rx='0' ry='20'", "rx='20' ry='0'", "rx='-20'", "rx='-20' ry='-20'", "rx='0'", "rx='auto'",
    ] {
      let sample = SVGSample("<rect x='20' y='20' width='60' height='60' \(radii)/>")
      #expect(try sample.places == plain, "\(radii)")
    }
    func points(_ radii: String) throws -> [Point] {
      try SVGSample("<rect x='20' y='20' width='60' height='60' \(radii)/>").drawing.strokes[0]
        .points
    }
    #expect(try points("rx='10'") == points("rx='10' ry='10'"))
    #expect(try points("rx='10' ry='-1'") == points("ry='10'"))
    #expect(try points("rx='99'") == points("rx='30'"))
    func ellipse(_ radii: String) throws -> [Point] {
      try SVGSample("<ellipse cx='50' cy='50' \(radii)/>").drawing.strokes[0].points
    }
    for radii in ["ry='30'", "rx='30'", "rx='30' ry='auto'", "rx='-1' ry='30'"] {
      #expect(try ellipse(radii) == ellipse("rx='30' ry='30'"), "\(radii)")
    }
  }

  @Test("Transforms have an origin, in numbers, shares and sides")
  func origins() throws {
    for origin in ["50 50", "50px 50px", "center", "50% 50%", "center center", "50"] {
      let sample = SVGSample(
        "<path d='M50 50L60 50' transform='rotate(90)' transform-origin='\(origin)' stroke='red'/>")
      #expect(try sample.places == ["50,50 50,60"], "\(origin)")
    }
    let style = "transform: scale(.5); transform-origin: bottom right"
    #expect(
      try SVGSample("<path d='M0 0L50 50' style='\(style)' stroke='red'/>").places == [
        "50,50 75,75"
      ])
    #expect(
      SVGSample("<g transform='scale(2)' style='transform-origin:0 0;transform-box:fill-box'/>")
        .error
        .contains("transform-box: fill-box is not read"))
    for (transform, expected) in [
      ("rotate(.25turn)", "0,1 0,2"), ("rotate(100grad)", "0,1 0,2"),
      ("translateX(1px)", "2,0 3,0"),
      ("translateY(1in)", "1,96 2,96"), ("scaleX(2)", "2,0 4,0"), ("scale(200%)", "2,0 4,0"),
      ("translate(1px, 2px)", "2,2 3,2"), ("translate(1,2)rotate(0deg) !important", "2,2 3,2"),
      ("NONE", "1,0 2,0"), ("skew(0, 45deg)", "1,1 2,2"),
    ] {
      let sample = SVGSample("<g style='transform: \(transform)'>\(Self.line)</g>")
      #expect(try sample.places == [expected], "\(transform)")
    }
    #expect(
      SVGSample("<g style='transform: translate(5%)'>\(Self.line)</g>").error.contains("transform"))
    let unread = "<path style='display: none; transform: translate(5%)' d='M0 0h24v9'/>"
    #expect(try SVGSample(unread + Self.line).places == ["1,0 2,0"])
    #expect(SVGSample("<g style='rotate: 5deg'/>" + Self.line).error.contains("rotate is not read"))
  }

  @Test("A path is drawn up to the first fault in its data, which is told with its line")
  func badData() throws {
    for (data, expected) in [
      ("M1 1L2 2 3", "1,1 2,2"), ("M1 1L2 2X9 9", "1,1 2,2"), ("M1 1h1,v?", "1,1 2,1"),
      ("M1 1L2 2A1 1 0 2 0 3 3", "1,1 2,2"), ("M1 1L2 2zz9", "1,1 2,2 1,1"),
    ] {
      let sample = SVGSample("\n<path fill='none' stroke='red' d='\(data)'/>")
      #expect(try sample.places == [expected], "\(data)")
      let notes = try sample.notes
      #expect(notes.count == 1 && notes[0].hasPrefix("line 2: d, byte "), "\(notes)")
    }
    let points = SVGSample("<polyline fill='none' stroke='red' points='1,1 2,2 a 3,3'/>")
    #expect(try points.places == ["1,1 2,2"] && points.notes.count == 1)
    #expect(
      try SVGSample("<polyline fill='none' stroke='red' points='1,1 2,2 3'/>").places == ["1,1 2,2"]
    )
  }

  @Test("Clips that are rectangles are applied")
  func clips() throws {
    let line = "<path d='M0 5H90' stroke='red'/>"
    let clip = "<clipPath id='c'><rect x='10' width='20' height='20'/></clipPath>"
    #expect(try SVGSample(clip + "<g clip-path='url(#c)'>\(line)</g>").places == ["10,5 30,5"])
    #expect(
      try SVGSample(clip + "<g clip-path='url(#c)' transform='scale(2)'>\(line)</g>").places
        == ["20,10 60,10"])
    #expect(try SVGSample("<g clip-path='url(#no)'>\(line)</g>").places == ["0,5 90,5"])
  }

  @Test("Encodings of one byte a character are read")
  func encodings() throws {
    for (encoding, byte, label) in [
      ("windows-1252", 0xe9, "é"), ("ISO-8859-15", 0xa4, "€"), ("windows-1251", 0xe6, "ж"),
      ("KOI8-R", 0xc1, "а"), ("macintosh", 0x8e, "é"), ("iso-8859-1", 0xe9, "é"),
    ] as [(String, UInt8, String)] {
      let text = "<?xml version='1.0' encoding='\(encoding)'?><svg data-label='"
      let bytes = Array(text.utf8) + [byte] + Array("'>\(Self.line)</svg>".utf8)
      #expect(try SVGDrawings.parse(bytes, path: "a.svg").label == label, "\(encoding)")
    }
    let unknown = "<?xml version='1.0' encoding='Shift_JIS'?><svg/>"
    #expect(SVGSample(document: unknown).error.contains("encoding is not read; save it as UTF-8"))
  }
}
