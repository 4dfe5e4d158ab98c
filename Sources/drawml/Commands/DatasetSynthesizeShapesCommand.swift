internal import ArgumentParser
internal import Datasets
internal import Files
internal import Ink
internal import Report
internal import Synthesis

struct DatasetSynthesizeShapesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shapes",
    abstract: "Make human-like drawings of everyday shapes.",
    discussion: """
      Writes one .ndjson file per shape. A drawing depends only on the seed, the shape and its \
      number: a larger set begins with the smaller one.

      Examples:
        drawml dataset synthesize --output more-shapes --count 200 --seed 7
        drawml dataset synthesize --output stars --shapes star,heart
        drawml dataset synthesize --list
      """)

  @Option(name: .shortAndLong, help: "The folder to write to; created if missing.")
  var output: String?
  @Option(help: "How many drawings of each shape.", in: 1...100_000)
  var count = StarterSet.shippedCount
  @Option(help: "The seed of the drawings.", in: .seeds)
  var seed: UInt64 = StarterSet.shippedSeed
  @Option(help: "Names of shapes, separated by commas (default: all of the starter set).")
  var shapes: String?
  @Flag(help: "Write one file, outlines.ndjson, of each shape's clean outline instead.")
  var outlines = false
  @Flag(help: "List the shapes and their labels.")
  var list = false
  @OptionGroup var overwrite: OverwriteOption

  func validate() throws {
    guard list || output != nil else {
      throw ValidationError("Say where to write with --output, or --list the shapes.")
    }
    _ = try kinds()
  }

  func run() throws {
    guard let output, !list else {
      for kind in try kinds() { try printToStandardOutput("\(kind.label)  \(kind.name)") }
      if shapes == nil {
        for kind in ShapeCatalog.extras {
          try printToStandardOutput("\(kind.label)  \(kind.name) (only by name)")
        }
      }
      return
    }
    try AtomicFile.makeFolder(output)
    let kinds = try kinds()
    guard !outlines else {
      let path = "\(output)/outlines.ndjson"
      try overwrite.check(ownName: path, for: .strokes)
      try AtomicFile.write(StarterSet.outlines(of: kinds), to: path)
      return tellWritten(counted(kinds.count, "outline"), to: path)
    }
    for kind in kinds {
      try overwrite.check(ownName: "\(output)/\(StarterSet.fileName(of: kind))", for: .strokes)
    }
    let bar = ProgressBar("Drawing")
    defer { bar.finish() }
    for (index, kind) in kinds.enumerated() {
      for file in StarterSet.files(seed: seed, count: count, kinds: [kind]) {
        try AtomicFile.write(file.bytes, to: "\(output)/\(file.name)", replacesLinks: true)
      }
      bar.update(index + 1, of: kinds.count, kind.name)
    }
    bar.finish()
    tellWritten(counted(kinds.count * count, "drawing"), to: output)
  }

  private func kinds() throws -> [ShapeKind] {
    guard let shapes else { return ShapeCatalog.all }
    var seen: Set<Substring> = []
    return try shapes.split(separator: ",").filter { seen.insert($0).inserted }.map { name in
      guard let kind = ShapeCatalog.kind(named: String(name)) else {
        throw ValidationError("There is no shape named \(name); --list shows them all.")
      }
      return kind
    }
  }
}
