internal import Datasets
internal import Files
internal import Foundation
internal import HDF5
package import Ink
internal import Interchange
internal import NeuralNetwork
internal import Numbers
internal import Pictures
internal import Recognition
internal import Segmentation
internal import Synchronization
internal import TestTools
internal import Text
internal import Training
internal import Vectorizing

/// Sound files of every kind, small, so that a fuzzer soon finds what each byte is for.
package enum Samples {
  // MARK: Drawings

  /// A cross, some way from the corner.
  package static let drawing = cross(0)

  private static func cross(_ shift: Double) -> Drawing {
    Drawing(
      id: "cross-\(shift)", label: "cross",
      strokes: [
        Stroke([Point(x: 10 + shift, y: 12, t: 0), Point(x: 90, y: 80, t: 90)]),
        Stroke([Point(x: 80, y: 15, t: 200), Point(x: 12, y: 90 - shift, t: 320)]),
      ])
  }

  private static func line(_ shift: Double) -> Drawing {
    Drawing(
      id: "line-\(shift)", label: "line",
      strokes: [Stroke([Point(x: 5, y: 50 + shift), Point(x: 95, y: 48), Point(x: 97, y: 50)])])
  }

  package static let labeled = (0..<4).flatMap { [cross(Double($0)), line(Double($0))] }

  static let strokeJSON: [[UInt8]] = [
    #"{"id":"a","label":"⭐","canvas":{"width":640,"height":480},"strokes":[[[1,2.5],[3,-4e2],[0,16]],[[40],[60]]]}"#,
    #"{"key_id":"5","word":"star","recognized":true,"drawing":[[[0,12,40],[7,90,3]]]}"#,
    #"{"id":"b","strokes":[[{"x":1,"y":2,"t":0},{"x":5,"y":2.5,"t":16}]],"shapes":[{"strokes":[0],"label":"cat"}]}"#,
    #"[{"strokes":[[[1],[2]]]},{"alphabet":"A","character":"c\u00e9","strokes":[[[1,2],[2,3]]]}]"#,
    """
    {"strokes":[[[1],[2]]],"other":{"a":[null,true,"\\ud83d\\ude00"]}}\n\n{"strokes":[]}\n
    """,
  ].map { Array($0.utf8) }

  /// The first of `strokeJSON`, shortened, as `gzip -9n` packs it.
  static let packedJSON: [[UInt8]] = [
    [
      31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 202, 76, 81, 178, 82, 74,
      84, 210, 81, 202, 73, 76, 74, 205, 1, 178, 31, 173, 157, 0, 228, 21, 151, 20,
      229, 103, 167, 22, 43, 89, 69, 71, 71, 27, 234, 24, 233, 153, 198, 234, 68, 27,
      235, 232, 154, 164, 26, 1, 25, 6, 58, 134, 102, 177, 64, 58, 218, 196, 0, 72,
      154, 25, 196, 198, 198, 214, 114, 1, 0, 227, 134, 73, 113, 75, 0, 0, 0,
    ]
  ]

  static let omniglotStrokes = Array(
    "START\n19.0,-27.5,40.0\n20.0,-30,52\nBREAK\n7,0,400\nBREAK\n".utf8)

  static let quickDrawBinary: [UInt8] =
    [1, 2, 3, 4, 5, 6, 7, 8, 0x55, 0x53, 1, 0xf0, 0xd1, 0x5e, 0x5a, 2, 0]
    + [3, 0, 1, 2, 3, 4, 5, 6] + [1, 0, 9, 9]

  static let numpyBitmaps: [UInt8] = {
    let text = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 784), }"
    let header = text + String(repeating: " ", count: 117 - text.utf8.count) + "\n"
    let picture = (0..<784).map { UInt8($0 % 28 > 10 && $0 % 28 < 13 ? 255 : 0) }
    return [0x93] + Array("NUMPY".utf8) + [1, 0, 118, 0] + Array(header.utf8) + picture + picture
  }()

  /// Sets as h5py writes them; first one that is read.
  static let othersHDF5 =
    fixtures("DatasetsTests/Fixtures/hdf5", ending: "as-h5py-writes-lists.h5")
    + fixtures("DatasetsTests/Fixtures/hdf5", ending: ".h5")

  static let sketchRNN = fixtures("DatasetsTests/Fixtures", ending: ".npz").filter { bytes in
    // The one of other arrays is there to be refused.
    (try? SketchRNNDrawings(bytes, path: "a.npz")) != nil
  }

  /// An array of one drawing, as numpy 1 and numpy 2 write it.
  static let sketchRNNParts: [[UInt8]] = fixtures("DatasetsTests/Fixtures", ending: "-objects.npy")

  static func drawingsFile() throws -> [UInt8] {
    try written("drawings.h5") { path in
      try HDF5Drawings.write(labeled, to: path)
    }
  }

  /// Two records of a shard: a dot, and a timed line of tenths with a canvas.
  static let shardRecords: [UInt8] =
    [7, 0, 0, 0xf0, 1, 1, 2, 4] + [29, 0, 0x36, 0x01, 1, 0x61]
    + [0, 0, 0, 0, 0, 0, 0x59, 0x40, 0, 0, 0, 0, 0, 0, 0x59, 0x40] + [1, 2, 20, 40, 40, 9, 0, 32]

  /// Puts records, as the only block of the only shard of a set, into a folder of its own.
  ///
  /// - Returns: The path of the manifest.
  static func shardedSet(_ records: [UInt8]) throws -> String {
    func little(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
    func digest(_ bytes: [UInt8]) -> [UInt8] {
      var fingerprint = Fingerprint()
      fingerprint.update(bytes)
      return fingerprint.digest()
    }
    // As many records as their lengths say, which are mostly one byte.
    var (count, place) = (0, 0)
    while place < records.count {
      place += Int(records[place]) + 1
      count += 1
    }
    let folder = try Target.folder() + "/sharded"
    try AtomicFile.makeFolder(folder)
    let head = little(records.count) + little(count) + digest(records)
    let shard = Array("DrawML shard".utf8) + little(1) + head + records + head
    try AtomicFile.write(shard, to: folder + "/shard-000")
    let index = Fingerprint.sha256(head)
    var fingerprint = Fingerprint()
    for text in ["DrawML shards 1 \(count)", "a", "\(count)", "\(shard.count) 1 \(index)"] {
      fingerprint.update(text)
    }
    let manifest = """
      {"drawings":\(count),"fingerprint":"\(fingerprint.hexadecimal())","format":"drawml-shards",
      "labels":[{"drawings":\(count),"name":"a"}],
      "shards":[{"blocks":1,"bytes":\(shard.count),"index":"\(index)"}],"version":1}
      """
    try AtomicFile.write(manifest, to: folder + "/drawings.shards")
    return folder + "/drawings.shards"
  }

  static func shardManifest() throws -> [UInt8] { try AtomicFile.read(shardedSet(shardRecords)) }

  static func pictures() throws -> [[UInt8]] {
    let tones = (0..<400).map { UInt8($0 % 20 == 9 || $0 / 20 == 9 ? 0 : 255) }
    let colors: [UInt8] = tones.flatMap { tone -> [UInt8] in [tone, tone, 128, 255 - tone] }
    return [
      try PNG.encode(tones, width: 20, height: 20, as: .gray),
      try PNG.encode(colors, width: 20, height: 20, as: .rgba),
    ] + fixtures("VectorizingTests/Fixtures/png", ending: ".png")
  }

  static func photographs() -> [[UInt8]] {
    fixtures("VectorizingTests/Fixtures/jpeg", ending: ".jpg").filter { bytes in
      // The one with colors for print is there to be refused.
      (try? GrayPicture(jpeg: bytes)) != nil
    }
  }

  static let svg: [[UInt8]] = [
    #"""
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" data-label="a" data-id="b">
    <g transform="translate(1 2) rotate(30)" fill="none" style="stroke:#000"><path data-times="0 5"
    d="M1 2L3 4"/><path d="m1,2c3 4 5 6 7 8s1-2 3-4q1 1 2 2t3 3a4 5 30 011 2h3v4z"/></g>
    <rect x="1" y="2" width="3" height="4" rx="1"/><ellipse cx="3" cy="4" rx="1" ry="2"/>
    <polygon points="1 2 3 4 5 6"/><line x2="3px"/></svg>
    """#,
    #"""
    <!DOCTYPE svg [<!ENTITY n "http://www.w3.org/2000/svg"><!ATTLIST path fill CDATA "none">]>
    <svg xmlns="&n;" width="2in" height="50mm" viewBox="0 0 99 99" preserveAspectRatio="xMinYMax">
    <style>.a,g>#b{display:none!important}path.c{stroke:rgb(0 0 0/50%);stroke-width:1em}</style>
    <rect width="100%" height="100%" fill="#fff"/><symbol id="s" viewBox="0 0 9 9"><path class="c"
    d="M1 1L9 9zh2"/></symbol><use href="#s" x="10%" width="50" height="40"/><svg x="9" overflow="visible">
    <g transform="rotate(9)" transform-origin="center"><path stroke="red" d="M1 1L2 2"/><path
    stroke="red" stroke-dasharray="1 2" d="M2 2L3 3"/></g></svg><path stroke="#fff" stroke-width="9"
    stroke-linecap="round" d="M0 9H99"/><clipPath id="k"><rect width="9" height="9"/></clipPath><switch>
    <g systemLanguage="de"/><a clip-path="url(#k)" fill="url(#no) red"><path d="M1 1H9V9"/></a></switch>
    </svg>
    """#,
  ].map { Array($0.utf8) }

  static let inkML: [[UInt8]] = [
    #"""
    <ink xmlns="http://www.w3.org/2003/InkML"><traceFormat><channel name="X"/><channel name="Y"/>
    <channel name="T" units="s"/></traceFormat><traceGroup><annotation type="truth">a</annotation>
    <trace xml:id="t0">1 2 0, 3 4 .5</trace><traceGroup><annotation type="truth">b</annotation>
    <traceView traceDataRef="#t0"/></traceGroup></traceGroup></ink>
    """#,
    #"<ink><trace>1 2,'3'4,"5"-6,!7!8,#a #b</trace><annotation type="canvas">3 4</annotation></ink>"#,
    #"""
    <ink><definitions><context id="c" timestampRef="#n"><inkSource><traceFormat>
    <channel name="X" type="integer"/><channel name="Y" units="mm"/><channel name="T" respectTo="#n"/>
    <intermittentChannels><channel name="B" type="boolean" default="F"/></intermittentChannels>
    </traceFormat><channelProperties><channelProperty channel="X" name="resolution" value="1000"
    units="1/in"/></channelProperties><sampleRate uniform="true" value="100"/></inkSource></context>
    <timestamp id="n" timeString="2026-11-28T12:00:00Z"/><brush id="e"><brushProperty name="eraser"
    value="true"/></brush><trace id="t" contextRef="#c">1 2 0 T,* 3'5,'1"1 *F</trace></definitions>
    <traceView traceDataRef="#t" from="1" to="2"/><trace brushRef="#e">1 2</trace><trace
    id="a" continuation="begin" timeOffset="5" duration="9">1 2</trace><traceGroup id="g"><annotation
    type="truth">a</annotation><trace continuation="end" priorRef="#a">3 4,5 6</trace></traceGroup>
    <traceView traceDataRef="#g" from="1:1" to="1:2"><annotation type="label">b</annotation>
    </traceView></ink>
    """#,
  ].map { Array($0.utf8) }

  static let gestureXML: [[UInt8]] = [
    #"""
    <?xml version="1.0" encoding="utf-8"?><Gesture Name="arrow~01"><Stroke index="1">
    <Point X="1" Y="2" T="5"/><Point X="3" Y="4" T="9"/></Stroke></Gesture>
    """#
  ].map { Array($0.utf8) }

  static let pointTable: [[UInt8]] = [
    "drawing,label,stroke,x,y,t\na,\"b,\"\"c\",0,1,2,0\na,\"b,\"\"c\",1,3,4,16\nd,e,0,5,6,\n",
    "sep=;\nx;y;pen;color\n0,5;1;1;red\n2,5;3;0;red\n4;5;1;\"r\ned\"\n6;7;1;red\n",
    "x,y,event\n0,1,pointerdown\n2,3,pointermove\n4,5,pointerup\n",
    "key_id,word,drawing,recognized\n1,vee,\"[[[0, 5], [0, 9]], [[3], [4]]]\",True\n",
  ].map { Array($0.utf8) }

  static let excalidraw: [[UInt8]] = [
    #"""
    {"type":"excalidraw","version":2,"elements":[{"type":"freedraw","x":1,"y":2.5,"angle":0.5,
    "strokeColor":"#1e1e1e","opacity":100,"points":[[0,0],[3,4]],"pressures":[],"isDeleted":false},
    {"type":"arrow","x":1,"y":2,"points":[[0,0],[5,5],[9,0]],"roundness":{"type":2},
    "startArrowhead":"dot","endArrowhead":"triangle"},{"type":"text","text":"a"},
    {"type":"rectangle","x":1,"y":2,"width":30,"height":40,"roundness":{"type":3}},
    {"type":"ellipse","x":1,"y":2,"width":30,"height":40}],"appState":{"gridSize":null}}
    """#,
    #"""
    {"type":"excalidrawlib","libraryItems":[{"name":"a","elements":[{"type":"diamond","x":0,"y":0,
    "width":3,"height":4,"strokeSharpness":"round"}]}]}
    """#,
  ].map { Array($0.utf8) }

  static let tldraw: [[UInt8]] = [
    #"""
    {"tldrawFileFormatVersion":1,"records":[{"id":"page:p","typeName":"page","index":"a1"},
    {"id":"shape:d","typeName":"shape","type":"draw","x":1,"y":2,"rotation":0.5,"index":"a1",
    "parentId":"shape:g","props":{"segments":[{"type":"free","path":"AAAAAAAAAAAAAAA/AEkARQAAQEkAxQC0"},
    {"points":[{"x":1,"y":2,"z":0.5}]},{"points":"AAAAAAA4AEkARQA4IE0AAAA0"}],"isClosed":true}},
    {"id":"shape:g","typeName":"shape","type":"group","x":1,"y":2,"parentId":"page:p","props":{}},
    {"id":"shape:r","typeName":"shape","type":"geo","x":1,"y":2,"index":"a2","parentId":"page:p",
    "props":{"geo":"star","w":9,"h":8,"growY":0,"text":"a"}},
    {"id":"shape:a","typeName":"shape","type":"arrow","x":1,"y":2,"index":"a3","parentId":"page:p",
    "props":{"start":{"x":0,"y":0},"end":{"x":90,"y":9},"bend":4,"arrowheadEnd":"arrow","size":"s"}},
    {"id":"binding:b","typeName":"binding","fromId":"shape:a","toId":"shape:r",
    "props":{"terminal":"end","normalizedAnchor":{"x":0.5,"y":0.5},"isExact":false}},
    {"id":"shape:l","typeName":"shape","type":"line","x":1,"y":2,"index":"a4","parentId":"page:p",
    "props":{"spline":"cubic","points":{"a1":{"index":"a1","x":0,"y":0},"a2":{"index":"a2","x":7,"y":8}}}}]}
    """#
  ].map { Array($0.utf8) }

  static let xournal: [[UInt8]] = [
    #"""
    <xournal creator="Xournal++ 1.2.0" fileversion="4"><page width="595.27" height="841.89">
    <background type="solid" color="#ffffffff" style="lined"/><layer>
    <stroke tool="pen" color="#3333ccff" width="1.41 0.8">100.5 200.25 101 201</stroke>
    <stroke tool="eraser" color="white" width="10">1 1 2 2</stroke><text>a</text></layer></page></xournal>
    """#
  ].map { Array($0.utf8) }

  static let remarkable: [[UInt8]] =
    fixtures("DatasetsTests/Fixtures", ending: ".rm") + [
      Array("reMarkable .lines file, version=5          ".utf8)
        + [1, 1, 17, 0, 0, 2, 0, 1].flatMap { [$0, 0, 0, 0] } + [UInt8](repeating: 0, count: 24)
    ]

  static let penCharacters: [[UInt8]] = [
    ".SEGMENT DIGIT 0-1 ? \"4\"\n.PEN_DOWN\n 8 3\n 2 9\n.PEN_UP\n.DT 100\n",
    "47,100,27,81,57,37,26,0,0,23,56,53,100,90,40,98,8\n",
    "// a\nWORD a trn_UJI_W01-01\n  NUMSTROKES 1\n  POINTS 2 # 1 2 3 4\n",
  ].map { Array($0.utf8) }

  // MARK: Models

  /// A model with a picture and class means; one with strokes beside it, two priors, and an
  /// adaptation.
  package static func models() throws -> [[UInt8]] { try storedModels.get() }

  private static let storedModels = Result {
    var generator = SeededGenerator(seed: 18)
    let picture = try EmbeddingMember(
      view: .picture(Rasterizer(width: 12, height: 12, strokeWidth: 1.2, margin: 0.5)),
      network: network([12, 12], &generator))
    let strokes = try EmbeddingMember(
      view: .sequence(StrokeSequence(steps: 16)), network: network([1, 16], &generator), weight: 2)
    var plain = Recognizer(
      embedding: try Embedding([picture]), head: .nearestNeighbors(count: 3, weights: .uniform),
      provenance: provenance)
    try teach(&plain)
    let both = try Embedding([picture, strokes])
    var statistics = Recognizer(
      embedding: both, priors: try ["north", "south"].map { try prior($0, of: both) },
      head: .twoCovariance, provenance: provenance)
    try teach(&statistics)
    let files = try [plain, statistics].map { model in
      try written("model") { try ModelFile.write(model, to: $0) }
    }
    // Training adapts a model only where that helps; here it is to be read in any case.
    let adapted = try HDF5Edits.adding(to: Array(files[1].dropFirst(SealedFile.headerLength))) {
      try $0.write([300.0], shape: [1], at: "/adaptation/weight")
      try $0.write(Array(0..<labeled.count), shape: [labeled.count], at: "/adaptation/samples")
    }
    return [files[0], SealedFile(kind: "DrawML model", version: 2).seal(adapted)]
  }

  private static let provenance = Provenance(
    software: "fuzzing", seed: 1, threads: 1, dataFingerprint: "none", trainingDrawings: 0,
    validationDrawings: 0, validationAccuracy: nil, recipes: [])

  private static func network(
    _ size: [Int], _ generator: inout SeededGenerator
  ) throws -> Network {
    let isPicture = size[0] > 1
    let channels = isPicture ? Rasterizer().shape[2] : StrokeSequence().shape[2]
    let rows = isPicture ? 3 : 1
    return try Network(
      .init(
        inputShape: size + [channels],
        layers: [
          .convolution(channels: 3, kernel: 3, rows: rows, bias: false), .batchNormalization(),
          .relu, .maxPool(rows: isPicture ? 2 : 1),
          .residual(
            body: [.convolution(channels: 4, kernel: 3, rows: rows), .relu],
            shortcut: [.convolution(channels: 4, kernel: 1)]),
          .branches([[.globalAveragePool], [.globalAveragePool, .dense(features: 2)]]),
          .dense(features: 4), .l2Normalize(),
        ]), using: &generator)
  }

  private static func prior(_ name: String, of embedding: Embedding) throws -> PLDAPrior {
    var generator = SeededGenerator(seed: 5)
    let (classes, dimension) = ((0..<24).map { $0 / 4 }, embedding.dimension)
    let centers = (0..<(6 * dimension)).map { _ in generator.normal(deviation: 0.4) }
    let vectors = classes.flatMap { label in
      (0..<dimension).map { k in
        Float(centers[label * dimension + k] + generator.normal(deviation: 0.1))
      }
    }
    let model = try TwoCovarianceModel(fittedTo: vectors, dimension: dimension, classes: classes)
    return PLDAPrior(
      named: name, model: model,
      calibration: try Calibration(
        of: model, vectors: vectors, classes: classes, questions: 50, seed: 1))
  }

  private static func teach(_ recognizer: inout Recognizer) throws {
    let samples = labeled.map {
      TaughtSample(id: $0.id, label: $0.label ?? "", digest: $0.digest)
    }
    let vectors = try labeled.flatMap { try recognizer.embedding.vector(of: $0) }
    recognizer.update(with: samples, vectors: vectors)
  }

  static func checkpoint() throws -> [UInt8] {
    try written("checkpoint") { path in
      try Blocking.run {
        let recipe = EmbeddingRecipe(
          view: .picture(Rasterizer(width: 8, height: 8, strokeWidth: 1.2, margin: 0.5)),
          network: NetworkShape(channels: [2], dimension: 2),
          training: TrainingSchedule(
            epochs: 1, batchSize: 8, learningRate: 0.01, weightDecay: 0, warmUpEpochs: 0,
            labelSmoothing: 0, averagingDecay: 0.5, checkpointInterval: 1))
        _ = try await EmbeddingTrainer(recipe).fit(
          training: labeled, validation: [], seed: 1, threads: 1
        ) { event in
          if case .checkpoint(let checkpoint) = event { try checkpoint.write(to: path) }
        }
      }
    }
  }

  // MARK: Settings

  static let episodes = Array(
    #"{"episodes":[{"support":[{"id":"a","label":"cat"}],"query":[{"id":"b","label":"cat"}],"unknown":["c"]}]}"#
      .utf8)

  static let canvasLog: [UInt8] = {
    let actions: [CanvasAction] = [
      .begin(pen: 1, milliseconds: 0), .stroke(drawing.strokes[0], pen: 1, milliseconds: 90),
      .cancel(pen: 1, milliseconds: 100), .stroke(drawing.strokes[1], pen: 2, milliseconds: 400),
      .undo(milliseconds: 500), .advance(milliseconds: 2500), .clear(milliseconds: 3000),
    ]
    let log = CanvasLog(canvas: .init(width: 100, height: 100), actions: actions)
    return (try? log.ndjson()) ?? []
  }()

  static let segmenter = Result { try SegmenterModel.standard() }

  static func segmenterJSON() throws -> [UInt8] { try segmenter.get().json() }

  /// A network, and classifiers of one network and of two.
  static func coreML() throws -> [[UInt8]] {
    fixtures("InterchangeTests/Fixtures", ending: ".mlmodel").prefix(1)
      + (try exportedCoreML.get())
  }

  /// Graphs of one network and of two, with samples, and those of others.
  static func onnx() throws -> [[UInt8]] {
    try exportedONNX.get() + fixtures("InterchangeTests/Fixtures", ending: ".onnx")
  }

  private static let exportedCoreML = Result {
    try neighborModels().map { try CoreMLExport.bytes(of: $0, software: "fuzzing") }
  }

  private static let exportedONNX = Result {
    try neighborModels().map { try ONNXExport.bytes(of: $0, software: "fuzzing") }
  }

  private static func neighborModels() throws -> [Recognizer] {
    try models().map { file in
      var model = try ModelFile.read(file, named: "model")
      model.replaceHead(with: .nearestNeighbors(count: 2, weights: .inverseDistance))
      return model
    }
  }

  /// The recipe of the base model.
  static func recipe() throws -> [UInt8] {
    try AtomicFile.read(Repository.path + "/models/base-recipe.json")
  }

  /// Configurations of a training: all settings, and a few in other forms of YAML.
  static func configurations() throws -> [[UInt8]] {
    [
      Array(try TrainingSettings(hasBase: false).yaml(hasBase: false).joined(separator: "\n").utf8),
      Array(
        """
        # of another
        seed: 0x1f
        view: {sequence: {steps: 48}}
        "network":
          channels:
          - 8
          - 16
        refuse: ~
        uniform: yes
        """.utf8),
    ]
  }

  // MARK: Files

  /// The files of a folder beside this one, which a checkout has.
  private static func fixtures(_ folder: String, ending: String) -> [[UInt8]] {
    let folder = "\(Repository.path)/Tests/\(folder)"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(ending) }.sorted().compactMap {
      try? AtomicFile.read("\(folder)/\($0)")
    }
  }

  /// The bytes of a file that `write` makes.
  private static func written(
    _ name: String, _ write: (_ path: String) throws -> Void
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try write(folder.file(name))
    return try AtomicFile.read(folder.file(name))
  }
}

/// Waits for work that is asynchronous, which a fuzzer is not.
package enum Blocking {
  package static func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Value, any Error>?>(nil)
    Task {
      let found: Result<Value, any Error>
      do { found = .success(try await work()) } catch { found = .failure(error) }
      result.withLock { $0 = found }
      done.signal()
    }
    done.wait()
    guard let found = result.withLock({ $0 }) else { throw CancellationError() }
    return try found.get()
  }
}
