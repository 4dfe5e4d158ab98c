internal import ArgumentParser
internal import Benchmarks
internal import Datasets
internal import Files
internal import Ink
internal import Numbers
internal import Pictures
internal import Recognition
internal import Report
internal import Synthesis
internal import Text
internal import Training

struct DatasetSynthesizeCanvasesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "canvases",
    abstract: "Make labeled canvases by placing real drawings on sheets.",
    discussion: """
      Writes stroke JSON with "shapes", one canvas per line; a canvas's label is its kind: spread, \
      tight (gaps of a few pixels), over (shapes across earlier ones) or scene (as people fill a \
      sheet freely: shapes of very different sizes, inside, across and beside each other). A \
      canvas depends only on the seed, its number, the drawings and the options. --fewest, --most \
      and the options of the layout (--gap, --apart, --rows, --repeats, --nested, --across) do not \
      change scenes.

      With --held-out, the drawings are split by their ids first, and two files are written that \
      share no drawing.

      Examples:
        drawml dataset synthesize canvases --from timed/ --output canvases.ndjson --count 300
        drawml dataset synthesize canvases --from timed/ --output fit.ndjson --held-out 0.3 \
      --held-out-output judge.ndjson --model taught.drawml --picture judge.png
        drawml dataset synthesize canvases --from quickdraw/ --output scenes.ndjson --mix 0,0,0,1 \
      --no-times --picture scenes.png
      """)

  @Option(
    parsing: .upToNextOption,
    help: "Files or folders of labeled drawings, with times unless --no-times.")
  var from: [String]
  @Option(name: .shortAndLong, help: "The file to write: .ndjson, .json or .h5.")
  var output: String
  @Option(help: "How many canvases.", in: 1...100_000)
  var count = 300
  @Option(help: "The seed of the canvases.", in: .seeds)
  var seed: UInt64 = 1
  @Option(help: "Relative numbers of spread,tight,over,scene canvases; the last may be left out.")
  var mix = "60,25,15"
  @Flag(help: "Write no times; the drawings need none.")
  var noTimes = false
  @Option(help: "Minimum number of shapes on a canvas.", in: 1...100)
  var fewest = 3
  @Option(help: "Maximum number of shapes on a canvas.", in: 1...100)
  var most = 8
  @Option(help: "The share of canvases on which a shape gets a late stroke.", in: 0...1)
  var late = 0.1
  @Option(help: "The gap between the shapes of tight canvases, in pixels: from,to.")
  var gap = "4,12"
  @Option(
    help: "Minimum gap between other shapes, in pixels.", in: 0...500)
  var apart = CanvasSettings().spreadGap
  @Option(
    help: "The share of spread canvases with rows of shapes of about one size.", in: 0...1)
  var rows = CanvasSettings().tidyShare
  @Option(help: "The share of canvases on which one label is repeated.", in: 0...1)
  var repeats = CanvasSettings().repeatShare
  @Option(
    help: "The share of canvases drawn in haste, with short pauses between shapes.", in: 0...1)
  var hasty = CanvasSettings().hastyShare
  @Option(
    help: "The share of tight shapes that are moved until their ink is near other ink.", in: 0...1)
  var nested = CanvasSettings().nestedShare
  @Option(
    help: "The share of shapes of over canvases that lie across another shape.", in: 0...1)
  var across = CanvasSettings().overShare
  @Option(help: "How many people draw, each with their own tempo.", in: 1...2)
  var people = 1
  @Option(
    help: """
      A taught model: its labels are known, all others are unknown. Drawings that it was taught, \
      or that trained its embedding, are left out.
      """)
  var model: String?
  @Option(
    help: "How many labels, chosen by the seed, are known; all others are unknown.",
    in: 1...1_000_000)
  var taught: Int?
  @Option(
    help: "The share of shapes with unknown labels, if there are any: at least one per canvas.",
    in: 0...1)
  var unknown = 0.1
  @Option(help: "The share of drawings that are reserved for --held-out-output.", in: 0.001...0.999)
  var heldOut: Double?
  @Option(help: "The file for canvases of the held-out drawings, as many as in --output.")
  var heldOutOutput: String?
  @Option(help: "Also draw the first 40 canvases, each shape in a color of its own (.png).")
  var picture: String?
  @OptionGroup var overwrite: OverwriteOption

  func validate() throws {
    try PictureFile.check(picture, "--picture")
    guard fewest <= most else {
      throw ValidationError("--fewest must not be above --most.")
    }
    guard model == nil || taught == nil else {
      throw ValidationError("Say which labels are known: either --model or --taught.")
    }
    guard (heldOut == nil) == (heldOutOutput == nil) else {
      throw ValidationError("--held-out and --held-out-output go together.")
    }
    try OverwriteOption.requireDistinct(output, heldOutOutput, picture)
    _ = try settings()
  }

  func run() throws {
    let replacement = try overwrite.check(output, for: nil, reading: from)
    let heldOutReplacement = try overwrite.check(heldOutOutput, for: nil, reading: from)
    try overwrite.check(picture, for: .picture, reading: from)
    let recognizer = try model.map { try ModelFile.read($0) }
    let samples = try SampleArguments.read(from).samples()
    let known = knownLabels(samples, recognizer)
    let seen = samples.seen(by: recognizer.map { [$0] } ?? [])
    func make(_ part: [Int], seed: UInt64) throws -> [SyntheticCanvas] {
      let drawings = part.filter { !seen.contains($0) }.map { samples.drawings[$0] }
      let isKnown = { (drawing: Drawing) in drawing.label.map { known.contains($0) } ?? false }
      let synthesizer = try CanvasSynthesizer(
        drawings: drawings.filter(isKnown), unknowns: drawings.filter { !isKnown($0) },
        settings: settings())
      return (0..<count).map { synthesizer.canvas($0, seed: seed) }
    }
    var canvases: [SyntheticCanvas]
    if let heldOut, let heldOutOutput {
      let split = Splitter(validation: 0, test: heldOut, seed: seed).byDrawing(samples)
      canvases = try make(split.train, seed: seed)
      try DatasetFiles.write(canvases.map(\.drawing), to: output, replacing: replacement)
      canvases = try make(split.test, seed: seed &+ 1)
      try DatasetFiles.write(
        canvases.map(\.drawing), to: heldOutOutput, replacing: heldOutReplacement)
    } else {
      canvases = try make(Array(samples.drawings.indices), seed: seed)
      try DatasetFiles.write(canvases.map(\.drawing), to: output, replacing: replacement)
    }
    for path in [output, heldOutOutput].compactMap(\.self) {
      tellWritten(count == 1 ? "1 canvas" : "\(grouped(count)) canvases", to: path)
    }
    if let picture { try draw(canvases.map(\.drawing), to: picture) }
  }

  private func knownLabels(_ samples: SampleSet, _ recognizer: Recognizer?) -> Set<String> {
    if let recognizer { return Set(recognizer.labels) }
    guard let taught else { return Set(samples.classes) }
    var generator = SeededGenerator(seed: seed, stream: -1)
    let order = generator.permutation(samples.classes.count)
    return Set(order.prefix(taught).map { samples.classes[$0] })
  }

  private func settings() throws -> CanvasSettings {
    let shares = mix.split(separator: ",").map { Double($0) }
    guard (3...4).contains(shares.count),
      shares.allSatisfy({ $0.map((0...1e6).contains) ?? false }),
      shares.contains(where: { $0 ?? 0 > 0 })
    else {
      throw ValidationError(
        "--mix is three or four numbers from 0 to 1000000, as in 60,25,15, not all 0.")
    }
    var settings = CanvasSettings()
    settings.shapes = fewest...most
    for (kind, share) in zip(CanvasKind.allCases, shares) { settings.mix[kind] = share }
    let ends = gap.split(separator: ",").compactMap { Double($0) }
    guard ends.count == 2, 0 <= ends[0], ends[0] <= ends[1], ends[1] <= 100 else {
      throw ValidationError("--gap is two numbers from 0 to 100, as in 4,12.")
    }
    settings.tightGap = ends[0]...ends[1]
    (settings.nestedShare, settings.overShare, settings.spreadGap) = (nested, across, apart)
    (settings.tidyShare, settings.repeatShare) = (rows, repeats)
    (settings.hastyShare, settings.hasTimes) = (hasty, !noTimes)
    (settings.lateShare, settings.unknownShare, settings.people) = (late, unknown, people)
    return settings
  }

  private func draw(_ canvases: [Drawing], to path: String) throws {
    var sheet = CanvasPicture(count: canvases.count, of: .groups)
    for canvas in canvases.prefix(CanvasPicture.Content.groups.most) {
      sheet.add(canvas, groups: canvas.shapes.map(\.strokes))
    }
    try AtomicFile.write(try sheet.png(), to: path)
  }
}
