import Foundation
import GRDB
import Ink
import NeuralNetwork
import Numbers
import Recognition
import Synchronization
import Testing

@testable import Workspace

/// A folder with a workspace in it, that goes away with its last owner.
final class Place: Sendable {
  let folder: String
  /// Milliseconds since 1970; one more with each read.
  private let time = Atomic<Int64>(1_700_000_000_000)
  private let ids = Atomic<Int>(0)

  init() {
    folder = FileManager.default.temporaryDirectory.path + "/workspace-" + UUID().uuidString
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A place with a new workspace.
  static func opened() async throws -> (Place, Workspace) {
    let place = Place()
    return (place, try await place.open())
  }

  /// A place with a new workspace, and the id of its model, with some doodles of each label.
  static func fresh(doodles: Int = 0) async throws -> (Place, Workspace, String) {
    let (place, workspace) = try await opened()
    let model = try await workspace.activeModel().id
    if doodles > 0 { try await workspace.addSamples(Doodles.additions(doodles), to: model) }
    return (place, workspace, model)
  }

  /// A workspace with something of everything: a trained model, an untrained one, history, a
  /// playground, templates, an artwork, settings.
  static func filled() async throws -> (Place, Workspace, [String]) {
    let (place, workspace, first) = try await fresh()
    let second = try await workspace.createModel(named: "Zweites").id
    try await workspace.changeModel(second, activating: true)
    try await workspace.addSamples(Doodles.additions(3), to: first)
    try await workspace.changeLabel("circle", name: "ring", of: first)
    try await workspace.changeModel(first, refusalRate: 0.1)
    try await workspace.train(first)
    try await workspace.addSample(Doodles.ink("line", 50), label: "➖", id: "late", to: first)
    try await workspace.addSample(Doodles.ink("cross", 51), label: "✖️", id: "x", to: second)
    for index in 0..<3 {
      try await workspace.record(
        Doodles.ink("line", index), decision: index == 1 ? .recognized : .unrecognized,
        label: index == 0 ? nil : "line", confidence: index == 0 ? nil : 0.25, of: first)
    }
    try await workspace.save(
      Playground(
        id: "play", model: first, canvas: .init(width: 10, height: 20),
        items: [
          PlaygroundItem(
            number: 4, label: "➖", confidence: 0.5, x: 1, y: 2, side: 3,
            strokes: Doodles.ink().strokes, ids: ["a"])
        ]))
    try await workspace.addTemplate(try TemplateTests.picture(), named: "cat")
    try await workspace.addTemplate(try TemplateTests.lines(), named: "lines")
    try await ArtworkStoreTests.add(to: workspace)
    var patch = WorkspaceSettings.Patch()
    patch.theme = .dark
    try await workspace.update(patch)
    return (place, workspace, [first, second])
  }

  /// Opens the workspace; every time another value on the same folder.
  func open(in subfolder: String = "data") async throws -> Workspace {
    try open(in: subfolder, base: await Small.base, everyday: await Small.everyday)
  }

  /// Opens the workspace with another base.
  func open(
    in subfolder: String = "data", base: BaseModel, everyday: BaseModel = .everyday,
    busyTime: Duration = .seconds(20)
  ) throws(WorkspaceError) -> Workspace {
    try Workspace(
      folder: "\(folder)/\(subfolder)", base: base, everyday: everyday,
      now: { [self] in
        Date(
          milliseconds: time.add(1, ordering: .relaxed).newValue)
      },
      newID: { [self] in Self.id(ids.add(1, ordering: .relaxed).newValue) },
      busyTime: busyTime)
  }

  /// The id with the given number.
  static func id(_ number: Int) -> String {
    String(format: "00000000-0000-4000-8000-%012x", number)
  }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// The database of the workspace.
  var database: String { path("data/workspace.sqlite") }

  /// Opens another workspace, and imports a file into it.
  func open(in subfolder: String, importing name: String) async throws -> Workspace {
    let workspace = try await open(in: subfolder)
    try await workspace.import(from: path(name))
    return workspace
  }

  /// Rescues the workspace into the file `rescued`.
  @discardableResult
  func rescue() throws(WorkspaceError) -> RescueReport {
    try Workspace.rescue(path("data"), to: path("rescued"))
  }

  /// Changes a database as another program would.
  func edit(
    _ name: String = "data/workspace.sqlite", _ change: (Database) throws -> Void
  ) throws {
    let database = try DatabaseQueue(path: path(name))
    try database.writeWithoutTransaction(change)
    try database.close()
  }

  func makeFolder(_ name: String = "") throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
  }

  /// The names of what is in a folder, in ascending order.
  func contents(of name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }

  /// The names of the files in the folder of models, those of locks left out.
  var modelFiles: [String] { files(in: "data/models") }

  /// The names of the files in a folder, which may be missing, those of locks left out.
  func files(in name: String) -> [String] {
    ((try? contents(of: name)) ?? []).filter { !$0.hasSuffix(".lock") }
  }
}

/// A clock that a test sets.
final class TestClock: Sendable {
  private let time: Mutex<Date>

  init(_ time: Date) { self.time = Mutex(time) }

  /// A clock that begins at a time such as "2026-11-25T22:59:00Z".
  convenience init(_ time: String) throws {
    self.init(try Date(time, strategy: .iso8601))
  }

  var now: Date {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}

/// Four simple shapes, each time a little different.
enum Doodles {
  static let labels = ["circle", "cross", "line", "zigzag"]

  static func drawing(_ label: String, _ index: Int) -> Drawing {
    var generator = SeededGenerator(seed: 1, stream: labels.firstIndex(of: label) ?? 9, index)
    func near(_ value: Double) -> Double { value + generator.normal(deviation: 3) }
    let strokes: [[(Double, Double)]]
    switch label {
    case "circle":
      let start = generator.uniform(0...(2 * .pi))
      strokes = [
        (0...24).map { step in
          let angle = start + Double(step) / 24 * 2 * .pi
          return (50 + near(40) * cos(angle), 50 + near(40) * sin(angle))
        }
      ]
    case "cross":
      strokes = [
        [(near(10), near(10)), (near(90), near(90))], [(near(90), near(10)), (near(10), near(90))],
      ]
    case "line": strokes = [[(near(5), near(50)), (near(50), near(50)), (near(95), near(50))]]
    default:
      strokes = [(0...6).map { (near(Double($0) * 15), near($0 % 2 == 0 ? 20 : 80)) }]
    }
    return Drawing(
      id: "\(label)-\(index)", label: label,
      strokes: strokes.map {
        Stroke($0.enumerated().map { Point(x: $1.0, y: $1.1, t: Double($0) * 8) })
      }, canvas: .init(width: 100, height: 100))
  }

  /// `count` drawings of each label, to add.
  static func additions(
    _ count: Int, from first: Int = 0, of labels: [String] = Self.labels
  ) -> [SampleAddition] {
    labels.flatMap { label in
      (first..<(first + count)).map {
        let drawing = drawing(label, $0)
        return SampleAddition(id: drawing.id, label: label, drawing: drawing)
      }
    }
  }

  /// The ink alone.
  static func ink(_ label: String = "cross", _ index: Int = 0) -> Drawing {
    let drawing = drawing(label, index)
    return Drawing(strokes: drawing.strokes, canvas: drawing.canvas)
  }
}

/// A base that is small enough for tests: random weights, and statistics of doodles.
enum Small {
  private static let made3 = Task { try await made(seed: 3) }.asBase
  private static let made4 = Task { try await made(seed: 4) }.asBase

  static var base: BaseModel { get async throws { try await made3.value } }
  /// Another one, such as a later release brings.
  static var otherBase: BaseModel { get async throws { try await made4.value } }

  /// One that knows circles and crosses from the beginning.
  static var everyday: BaseModel { get async throws { try await knowing.value } }

  private static let knowing = Task<BaseModel, any Error> {
    var recognizer = try await made(seed: 5)
    try await recognizer.update(
      with: ["circle", "cross"].flatMap { label in
        (500..<504).map { index in
          var drawing = Doodles.drawing(label, index)
          drawing.id = "everyday \(drawing.id)"
          return drawing
        }
      })
    recognizer.policy = DecisionPolicy(refusalRate: 0.2)
    let taught = recognizer
    return BaseModel(keepingLabels: true) { taught }
  }

  private static func made(seed: UInt64) async throws -> Recognizer {
    let recipe = EmbeddingRecipe(
      view: .picture(Rasterizer(width: 12, height: 12, strokeWidth: 1.2, margin: 0.5)),
      network: NetworkShape(channels: [6], dimension: 8),
      training: TrainingSchedule(
        epochs: 6, batchSize: 16, learningRate: 1e-2, weightDecay: 0.01, warmUpEpochs: 1,
        labelSmoothing: 0.05, averagingDecay: 0.8, checkpointInterval: 2))
    var generator = SeededGenerator(seed: seed)
    let network = try Network.residual(
      inputShape: recipe.view.shape, channels: recipe.network.channels,
      embedding: recipe.network.dimension,
      classes: 4, using: &generator
    ).dropLast()
    let embedding = try Embedding([EmbeddingMember(view: recipe.view, network: network)])
    let drawings = Doodles.labels.flatMap { label in
      (1000..<1012).map { Doodles.drawing(label, $0) }
    }
    return Recognizer(
      embedding: embedding,
      prior: try await PLDAPrior(of: embedding, base: drawings, fresh: [], seed: 1),
      head: .twoCovariance,
      provenance: Provenance(
        software: "test", seed: seed, threads: 1, dataFingerprint: "", trainingDrawings: 0,
        validationDrawings: 0, validationAccuracy: nil, recipes: [recipe]))
  }
}

extension Task<Recognizer, any Error> {
  /// What is made, as a base.
  fileprivate var asBase: Task<BaseModel, any Error> {
    Task<BaseModel, any Error> {
      let recognizer = try await value
      return BaseModel { recognizer }
    }
  }
}

extension Workspace {
  /// Changes the database as no verb would; where it is `unchecked`, also to values that its tables
  /// do not allow.
  func execute(
    _ sql: String, _ arguments: StatementArguments = [], unchecked: Bool = false
  ) async throws {
    try await database.write { db in
      if unchecked { try db.execute(sql: "PRAGMA ignore_check_constraints = ON") }
      try db.execute(sql: sql, arguments: arguments)
    }
  }

  /// The recognizer of a model.
  func recognizer(of model: String) async throws -> Recognizer {
    try await snapshot(of: model).recognizer
  }

  /// The playgrounds of a model, in ascending order of ids.
  func playgrounds(of model: String) async throws -> [Playground] {
    try await database.read { db in try Self.playgrounds(of: model, db) }
  }
}

/// Expects that `body` throws the given error.
func refused(
  _ operation: WorkspaceError.Operation, _ reason: WorkspaceError.Reason,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> some Any
) async {
  do {
    _ = try await body()
    Issue.record("nothing was thrown", sourceLocation: sourceLocation)
  } catch {
    #expect(
      error as? WorkspaceError == WorkspaceError(operation, reason),
      sourceLocation: sourceLocation)
  }
}
