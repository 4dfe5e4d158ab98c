import Artwork
import Files
import Ink
import Testing

@Suite("Filters")
struct ArtFilterTests {
  private static func digest(_ picture: RGBPicture) -> String {
    String(Fingerprint.sha256(picture.bytes).prefix(16))
  }

  // The picture changes when a filter is changed: look at it, then put the new digest here.
  @Test("TF-030: The same sketch and seed give the same bytes on every machine")
  func golden() {
    let fields = SketchFields(Sketches.square)
    for (filter, digest) in Self.digests {
      let picture = filter.picture(of: fields, seed: 1)
      #expect(picture.width == 1024 && picture.height == 1024)
      #expect(Self.digest(picture) == digest, "\(filter)")
    }
    #expect(Set(Self.digests.map(\.key)).count == 10)
  }

  @Test(
    "TF-030: Once more is the same; another seed is another picture", arguments: ArtFilter.allCases)
  func seeds(_ filter: ArtFilter) {
    let first = filter.picture(of: Sketches.square, seed: 1)
    #expect(first == filter.picture(of: Sketches.square, seed: 1))
    // 2 and 9: the order of pop art's panels has four values.
    #expect(
      first != filter.picture(of: Sketches.square, seed: 2)
        || first != filter.picture(of: Sketches.square, seed: 9))
  }

  @Test("TF-030: A closed shape has its outline's color; black and gray ones the shape's tint")
  func fills() {
    let tint = SketchTint(strokes: [0, 99], color: SketchColor(0x2e9e4f))
    for tints in [[], [tint]] {
      let red = ArtFilter.anime.picture(of: Sketches.square, tints: tints)[512, 460]
      #expect(red.red > 180 && red.green < 120 && red.blue < 120)
    }
    var black = Sketches.square
    black.lines[0].pen.color = .black
    let green = ArtFilter.anime.picture(of: black, tints: [tint])[512, 460]
    #expect(green.green > 120 && green.red < 100 && green.blue < 120)
    #expect(ArtFilter.anime.picture(of: black)[512, 460] != green)
  }

  @Test("TF-030: A wall has the color of its outline, not that of many windows in it")
  func windows() {
    let wall = Sketches.line(
      [(15, 15), (85, 15), (85, 85), (15, 85), (15, 15)], color: SketchColor(0xe53935), width: 2)
    let windows = [22.0, 37, 52, 67].flatMap { x in
      [22.0, 67].map { y in
        Sketches.line(
          [(x, y), (x + 11, y), (x + 11, y + 11), (x, y + 11), (x, y)],
          color: SketchColor(0x1e62d0), width: 2)
      }
    }
    let red = ArtFilter.anime.picture(of: Sketches.sketch([wall] + windows))[512, 512]
    #expect(red.red > 180 && red.green < 120 && red.blue < 120)
  }

  @Test("TF-030: An outline with a small gap is closed; a line encloses nothing")
  func gaps() {
    let open = Sketches.line(
      [(30, 22), (75, 20), (75, 70), (25, 70), (25, 24)], color: SketchColor(0xe53935))
    let filled = ArtFilter.anime.picture(of: Sketches.sketch([open]))[512, 460]
    #expect(filled.red > 180 && filled.green < 120)
    let angle = Sketches.line([(25, 20), (75, 20), (75, 70)], color: SketchColor(0xe53935))
    let sky = ArtFilter.anime.picture(of: Sketches.sketch([angle]))[512, 460]
    #expect(sky.blue > 180)
  }

  @Test("TF-030: Pixel art has cells of 8 × 8 pixels and at most 32 colors")
  func pixels() {
    let picture = ArtFilter.pixelArt.picture(of: Sketches.square)
    var colors: Set<SketchColor> = []
    for row in 0..<128 {
      for column in 0..<128 {
        let color = picture[column * 8, row * 8]
        colors.insert(color)
        #expect(picture[column * 8 + 6, row * 8 + 6] == color)
      }
    }
    #expect(colors.count <= 32)
  }

  @Test("TF-030: Empty, tiny, crowded and far too large sketches", arguments: ArtFilter.allCases)
  func hostile(_ filter: ArtFilter) {
    let huge = Drawing.Canvas(width: 1e100, height: 1e-100)
    let sketches = [
      Sketches.sketch([]),
      Sketches.sketch([Sketches.line([])]),
      Sketches.sketch([Sketches.line([(50, 50)])]),
      Sketches.sketch([Sketches.line([(50, 50), (50, 50), (50, 50)], width: 0)]),
      Sketches.sketch([Sketches.line([(-1e100, -1e100), (1e100, 1e100)], width: 12)]),
      Sketches.sketch([Sketches.line([(.nan, 1), (.infinity, 2)], width: .nan)]),
      Sketches.sketch([Sketches.line([(0, 0), (100, 100)], width: 1e300)]),
      Sketches.sketch([Sketches.line([(10, 10), (90, 90)], tool: .eraser)]),
      Sketches.sketch([Sketches.line([(0, 0), (1e100, 0)], width: 1e99)], canvas: huge),
      Sketches.scribble(500),
    ]
    for sketch in sketches {
      #expect(filter.picture(of: sketch).bytes.count == 1024 * 1024 * 3)
    }
  }

  private static let digests: KeyValuePairs<ArtFilter, String> = [
    .photorealistic: "c01cbaa0e79c1b2f",
    .watercolor: "5b3f9a056e588ae8",
    .anime: "9830ca20f70c0793",
    .pixelArt: "7e8b051c4ef6961b",
    .fantasy: "ad2951912fd11b68",
    .comic: "eacb9ab44c669140",
    .oil: "5e7bd588684b597d",
    .pencil: "2e2b35b7c1610f3b",
    .popArt: "99c8741a961d880b",
    .storybook: "eddbd94da1d39e29",
  ]
}
