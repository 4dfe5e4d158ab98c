import Datasets
import Ink
import Pictures
import Testing

/// What of a picture is ink.
@Suite("Ink of SVG")
struct SVGInkTests {
  private static let line = "<path d='M1 1L2 2' stroke='#000'/>"

  @Test(
    "What nobody sees is not read",
    arguments: [
      "<path d='M0 0h24v24z' fill='none'/>", "<path style='fill: none' d='M0 0h24'/>",
      "<g display='none'><path d='M0 0h24v9'/></g>", "<path visibility='hidden' d='M0 0h24v9'/>",
      "<defs><path d='M0 0h24v9'/></defs>", "<clipPath><rect width='9' height='9'/></clipPath>",
      "<text>star</text>", "<path/>", "<rect width='0' height='4'/>",
      "<g opacity='0.0'><path d='M0 0h24v9'/></g>",
      "<path style='DISPLAY: none !important' d='M0 0h24v9'/>",
      "<path fill='none' stroke='red' stroke-width='0px' d='M0 0h24'/>",
      "<path fill='NONE' stroke='red' stroke-opacity='0' d='M0 0h24'/>",
      "<path fill='rgba(0, 0, 0, 0)' stroke='#0000' d='M0 0h24'/>",
      "<g stroke='none'><path fill='none' stroke='inherit' d='M0 0h24'/></g>",
      "<path fill-opacity='0%' d='M0 0h24v9'/>", "<path fill='rgb(0 0 0 / 0)' d='M0 0h24v9'/>",
      "<g stroke='red' fill='none' stroke-width='0em'><path stroke-opacity='1' d='M0 0h24'/></g>",
      // Negative widths and opacities.
      "<path fill='none' stroke='red' stroke-width='-2' d='M0 0h24'/>",
      "<path fill='none' stroke='red' stroke-opacity='-0.5' d='M0 0h24'/>",
      "<g opacity='-1'><path d='M0 0h24v9'/></g>", "<path fill='rgba(0,0,0,-1)' d='M0 0h24v9'/>",
      // Paint that refers to nothing.
      "<path fill='url(#no)' d='M0 0h24v9'/>", "<path fill='none' stroke='url(#no)' d='M0 0h24'/>",
      "<path fill='url(#no) none' d='M0 0h24v9'/>", "<path fill='url(a.svg#b)' d='M0 0h24v9'/>",
      "<linearGradient id='empty'/><path fill='url(#empty)' d='M0 0h24v9'/>",
      // Lines have no area, and without a stroke nothing is left.
      "<line x1='3' x2='9'/>", "<path d='M3 0h24' stroke='none'/>",
      "<polyline points='3 3 9 9'/>",
      // Lines without length need caps.
      "<path d='M5 5L5 5' stroke='red'/>", "<path d='M5 5z' stroke='red'/>",
      "<line x1='5' x2='5' stroke='red' stroke-linecap='butt'/>", "<path d='M5 5' stroke='red'/>",
      "<circle r='-4'/>", "<ellipse rx='0' ry='4'/>", "<rect width='-4' height='4'/>",
    ])
  func invisible(hidden: String) throws {
    #expect(try SVGSample(hidden + Self.line).places == ["1,1 2,2"])
  }

  @Test(
    "What is painted is read",
    arguments: [
      "stroke='#00f'", "stroke='#0000ff'", "stroke='#00f8'", "stroke='rgba(0,0,255,0.5)'",
      "stroke='hsl(120, 100%, 25%)'", "stroke='DarkOrange'", "stroke='url(#no) red'",
      "stroke='url(#sky)'", "stroke='oklch(0.5 0.1 20)'", "color='red' stroke='currentColor'",
      "stroke='red' stroke-width='2mm'", "stroke='red' stroke-width='invalid'",
      "stroke='red' opacity='50%'", "stroke='red' visibility='visible'",
    ])
  func visible(paint: String) throws {
    let sky = "<radialGradient id='sky'><stop offset='0'/></radialGradient>"
    #expect(
      try SVGSample(
        sky + "<g visibility='hidden'><path fill='none' \(paint) d='M1 1L2 2'/></g>"
          + (paint.contains("visibility") ? "" : "<path fill='none' \(paint) d='M1 1L2 2'/>")
      ).places
        == ["1,1 2,2"])
  }

  @Test("A line without length is a dot with round and square caps")
  func dots() throws {
    for cap in ["round", "square"] {
      let sample = SVGSample(
        "<g stroke='red' stroke-linecap='\(cap)'><path d='M5 6L5 6'/><path d='M7 8z'/>"
          + "<path d='M1 1M2 2h0'/></g>")
      #expect(try sample.places == ["5,6", "7,8", "2,2"], "\(cap)")
    }
  }

  @Test("Pieces that begin where the last one ended continue its stroke")
  func pieces() throws {
    func pieces(_ second: String, _ first: String = "fill='none' stroke='#000'") throws -> Int {
      try SVGSample(
        "<path \(first) stroke-width='1' d='M1 1L2 2'/><path \(second) d='M2 2L3 1'/>"
      ).drawing.strokes.count
    }
    #expect(try pieces("fill='none' stroke='#000' stroke-width='1.4'") == 1)
    #expect(try pieces("fill='none' stroke='black' opacity='0.5' stroke-width='2'") == 1)
    #expect(try pieces("style='fill:none;stroke:rgb(0,0,0);stroke-opacity:.3'") == 1)
    #expect(try pieces("fill='none' stroke='red'") == 2)
    #expect(try pieces("fill='none' stroke='#000' stroke-linecap='round'") == 2)
    #expect(try pieces("fill='none' stroke='#000' transform='translate(1)'") == 2)
    let mixed = """
      <g fill="none" stroke="#000"><line x1="1" y1="1" x2="2" y2="2"/>
      <polyline points="2,2 3,1 4,2" stroke-width="3"/><g><path d="m4 2 1 1m0 0 1-1"/></g>
      <path d="M6 2l1 1z"/><path d="M6 2h9"/></g>
      """
    // What is closed ends a stroke.
    #expect(try SVGSample(mixed).places == ["1,1 2,2 3,1 4,2 5,3 6,2", "6,2 7,3 6,2", "6,2 15,2"])
    let many = (0..<5000).map { "<path d='M\($0 % 100) \($0)L\(($0 + 1) % 100) \($0 + 1)'/>" }
    let stroke = try SVGSample(
      "<g stroke='red' fill='none'>\(many.joined())</g>", "viewBox='0 0 5000 5001'"
    ).drawing.strokes
    #expect(stroke.count == 1 && stroke[0].points.count == 5001)
  }

  @Test("Strokes of DrawML's own pictures that touch stay apart, also outside of the canvas")
  func own() throws {
    let drawing = Drawing(
      strokes: [
        Stroke([Point(x: 1, y: 1), Point(x: 2, y: 2)]),
        Stroke([Point(x: 2, y: 2), Point(x: 130, y: 1)]),
      ], canvas: Drawing.Canvas(width: 100, height: 100))
    #expect(try SVGSample(document: SVGWriter.text(drawing)).drawing.strokes == drawing.strokes)
  }

  @Test(
    "Paper is not ink, however it is drawn",
    arguments: [
      "<rect width='100%' height='100%' fill='#fff'/>", "<rect width='100' height='100'/>",
      "<path d='M0 0H100V100H0z' fill='beige'/>", "<polygon points='-5,-5 105,-5 105,105 -5,105'/>",
      "<g transform='translate(0,100) scale(1,-1)'><rect width='100' height='100'/></g>",
      "<g transform='rotate(90 50 50)'><rect width='100' height='100' fill='#eee'/></g>",
      "<g transform='rotate(45 50 50)'><rect x='-50' y='-50' width='200' height='200'/></g>",
      "<circle cx='50' cy='50' r='80' fill='gold'/>", "<rect width='100' height='100' rx='9'/>",
      "<rect x='.5' y='.5' width='99' height='99' fill='#eee'/>",
    ])
  func paper(paper: String) throws {
    let line = "<path d='M1 1L2 2' stroke='red'/>"
    #expect(try SVGSample(paper + line).places == ["1,1 2,2"])
  }

  @Test("A rectangle over the whole canvas is ink where it is stroked or too small")
  func frames() throws {
    let frame = "<rect width='100' height='100' fill='#fff' stroke='red'/>"
    #expect(try SVGSample(frame + Self.line).drawing.strokes.count == 2)
    #expect(try SVGSample("<rect width='100' height='80'/>").drawing.strokes.count == 1)
    let whole = "<rect width='100%' height='100%' fill='#fff'/>"
    #expect(try SVGSample(whole + Self.line, "").drawing.strokes.count == 1)
  }

  @Test("Ink in the color of what is below it is left out")
  func contrast() throws {
    let white = "<path d='M20 10H30' stroke='#fff'/>"
    let sheet = "<rect width='100' height='100' fill='#fff'/>"
    #expect(try SVGSample(sheet + Self.line + white).places == ["1,1 2,2"])
    #expect(try SVGSample(Self.line + white).places == ["1,1 2,2"], "a page is white by itself")
    #expect(try SVGSample(Self.line + white).notes.count == 1)
    let nearly = "<circle cx='50' cy='50' r='9' fill='#fefefe'/>"
    #expect(try SVGSample(sheet + Self.line + nearly).places == ["1,1 2,2"])
    // On a black sheet, black is not seen, and white is.
    let black = "<rect width='100' height='100'/>"
    #expect(try SVGSample(black + Self.line + white).places == ["20,10 30,10"])
    // White on something black is seen, and black in it is not.
    let disk = "<rect x='10' y='5' width='40' height='20'/>"
    #expect(try SVGSample(disk + white).drawing.strokes.count == 2)
    let hole = disk + "<rect x='15' y='6' width='30' height='10' fill='white'/>"
    #expect(try SVGSample(hole + white).drawing.strokes.count == 2)
    // A white icon is for dark pages.
    #expect(try SVGSample(white).places == ["20,10 30,10"])
  }

  @Test("Lines in the color of the paper erase the thinner ones that they cover")
  func erasers() throws {
    func rest(_ eraser: String) throws -> [String] {
      try SVGSample("<path d='M10 50H90' fill='none' stroke='#000' stroke-width='2'/>" + eraser)
        .places
    }
    let across = "<path d='M50 20V80' fill='none' stroke='#fff' stroke-width="
    #expect(try rest(across + "'20'/>") == ["10,50 40,50", "60,50 90,50"])
    #expect(try rest(across + "'1'/>") == ["10,50 90,50"], "it is thinner")
    let along = "<path d='M0 51H100' stroke='#fff' stroke-width='20'/>"
    #expect(try rest("<path d='M1 1H9' stroke='red'/>" + along) == ["1,1 9,1"])
    #expect(try rest(along + "<path d='M10 50H20' stroke='red'/>") == ["10,50 20,50"])
    // The round end of an eraser.
    #expect(
      try rest("<path d='M-9 50H20' stroke='#fff' stroke-width='20' stroke-linecap='round'/>")
        == ["30,50 90,50"])
  }

  @Test("Ink outside of the picture is left out, and cut at its edge")
  func edges() throws {
    let frame = "<rect x='-5' y='-5' width='110' height='110' fill='#fff' stroke='#000'/>"
    #expect(try SVGSample(frame + Self.line).places == ["1,1 2,2"])
    let line = "<path d='M50 50H150' stroke='red'/>"
    #expect(try SVGSample(line).places == ["50,50 100,50"])
    #expect(try SVGSample(line).notes.count == 1)
    #expect(try SVGSample(line, "viewBox='10 10 100 100'").places == ["40,40 100,40"])
    #expect(try SVGSample(line, "width='80' height='70'").places == ["50,50 80,50"])
    #expect(
      try SVGSample(line, "viewBox='0 0 100 100' overflow='visible'").places == ["50,50 150,50"])
    // A line out and in again is two; a loop that leaves once is one.
    #expect(
      try SVGSample("<path d='M90 10H110V20H90' fill='none' stroke='red'/>").places
        == ["90,10 100,10", "100,20 90,20"])
    #expect(
      try SVGSample("<path d='M90 10H110V20H90z' fill='none' stroke='red'/>").places
        == ["100,20 90,20 90,10 100,10"])
    // A frame on the edge is half to be seen.
    #expect(
      try SVGSample("<rect width='100' height='100' fill='none' stroke='red'/>").drawing.strokes
        .count == 1)
    // A viewport of another shape shows more than the viewBox, or less.
    let wide = "viewBox='0 0 100 100' width='200' height='100'"
    #expect(try SVGSample(line, wide).places == ["50,50 150,50"])
    #expect(
      try SVGSample(
        "<path d='M10 5V50' stroke='red'/>", wide + " preserveAspectRatio='xMidYMid slice'"
      )
      .places == ["10,25 10,50"])
  }

  @Test("A note tells of dashes, texts, pictures, markers, masks and clips")
  func notes() throws {
    for (content, words) in [
      ("<path d='M1 5H9' stroke='red' stroke-dasharray='4 2'/>", "dashed"),
      ("<g stroke-dasharray='3'><path d='M1 5H9' stroke='red'/></g>", "dashed"),
      ("<text>a</text>", "texts"), ("<image href='a.png' width='9' height='9'/>", "pictures"),
      ("<path d='M1 5H9' stroke='red' marker-end='url(#arrow)'/>", "markers"),
      ("<g mask='url(#m)'><path d='M1 5H9' stroke='red'/></g>", "masks"),
      ("<g clip-path='circle(9px)'><path d='M1 5H9' stroke='red'/></g>", "clips"),
    ] {
      let notes = try SVGSample(Self.line + content).notes
      #expect(notes.count == 1 && notes[0].contains(words), "\(content): \(notes)")
    }
    for dashes in ["none", "0", "5 0", "0 0", "-1 2", "1' pathLength='1"] {
      let sample = SVGSample("<path d='M1 5H9' stroke='red' stroke-dasharray='\(dashes)'/>")
      #expect(try sample.notes.isEmpty, "\(dashes)")
    }
  }

  @Test("Paths without any stroke in the picture are read as lines")
  func bare() throws {
    let sample = SVGSample("<path d='M1 2L3 4'/><path d='M5 5L7 9 9 5'/>")
    #expect(try sample.places == ["1,2 3,4", "5,5 7,9 9,5"])
    #expect(try sample.notes.count == 1)
    let filled = SVGSample("<path d='M1 2L3 4'/><path d='M5 5L7 9 9 5z' fill='red'/>")
    #expect(try filled.places == ["5,5 7,9 9,5 5,5"])
    let stroked = SVGSample("<path d='M1 2L3 4'/><path d='M5 5L7 9 9 5' stroke='red'/>")
    #expect(try stroked.places == ["5,5 7,9 9,5"])
  }
}
