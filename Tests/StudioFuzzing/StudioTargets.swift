internal import Files
public import Fuzzing
internal import Foundation
internal import GRDB
internal import HTTPTypes
internal import Hummingbird
internal import Ink
internal import NIOCore
internal import Pictures
internal import Recognition
internal import Segmentation
internal import Studio
internal import StudioTesting
internal import Trace
internal import Workspace

extension Target {
  /// What comes to the studio: files of models to import, and the bodies of requests.
  public static let ofStudio = [
    Target("workspace-import", ending: ".drawmlworkspace", seeds: { [try FuzzedStudio.exported()] })
    {
      try FuzzedStudio.take($0)
    },
    Target(
      "workspace-import-rows", ending: ".drawmlworkspace",
      seeds: { [[], [1, 2, 3, 4, 5, 6], Array(0...63)] }
    ) { path in
      let script = try AtomicFile.read(path)
      try AtomicFile.write(FuzzedStudio.exported(), to: path)
      try FuzzedStudio.changeRows(of: path, by: script)
      try FuzzedStudio.take(path)
    },
    Target("http-bodies", seeds: { FuzzedStudio.bodies }) { try FuzzedStudio.post($0) },
  ]
}

/// A studio on a workspace of its own.
private enum FuzzedStudio {
  static let workspace = Result {
    try Workspace(
      folder: Target.folder() + "/workspace",
      base: BaseModel {
        try ModelFile.read(Samples.models()[1], named: "base").untaught()
      })
  }

  // MARK: Import

  /// A file that the studio exports: a model that was taught, with samples, templates, and a
  /// picture made of a sketch.
  static func exported() throws -> [UInt8] { try stored.get() }

  private static let stored = Result {
    let path = try Target.folder() + "/exported"
    try Blocking.run {
      let workspace = try workspace.get()
      let model = try await workspace.activeModel().id
      try await workspace.addSamples(
        Samples.labeled.map {
          SampleAddition(
            id: UUID().uuidString.lowercased(), label: $0.label ?? "", drawing: $0)
        }, to: model)
      try await workspace.train(model)
      let picture = try PNG.encode([0, 255], width: 2, height: 1, as: .gray)
      for file in [picture, Array("<svg><path d='M1 2L3 4'/></svg>".utf8)] {
        try await workspace.addTemplate(try TemplateContents(file: file), named: "a")
      }
      try await workspace.addArtwork(
        picture, of: Array(#"{"strokes":[[[1,2],[3,4]]]}"#.utf8), style: "pencil", maker: nil,
        labels: ["a"])
      _ = try await workspace.export(to: path)
    }
    return try AtomicFile.read(path)
  }

  /// One import at a time: another would remove what this one brought.
  private static let turn = NSLock()

  /// Imports a file, and removes what it brought.
  static func take(_ path: String) throws {
    turn.lock()
    defer { turn.unlock() }
    try Blocking.run {
      let workspace = try workspace.get()
      let own = try await workspace.importedTemplates().map(\.id)
      let ownArtworks = try await workspace.artworks().map(\.id)
      let report = try await workspace.import(from: path)
      for model in report.added { _ = try await workspace.deleteModel(model.id) }
      for template in try await workspace.importedTemplates() where !own.contains(template.id) {
        try await workspace.deleteTemplate(template.id)
      }
      for artwork in try await workspace.artworks() where !ownArtworks.contains(artwork.id) {
        try await workspace.deleteArtwork(artwork.id)
      }
    }
  }

  /// Puts other values into rows of a database, whatever its rules are.
  static func changeRows(of path: String, by bytes: [UInt8]) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let database = try DatabaseQueue(path: path, configuration: configuration)
    try database.write { db in
      try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      var rest = bytes[...]
      func next() -> Int { Int(rest.popFirst() ?? 0) }
      while rest.count > 2 {
        let table = tables[next() % tables.count]
        let columns = try db.columns(in: table).map(\.name)
        let column = columns[next() % columns.count]
        let value: (any DatabaseValueConvertible)? =
          switch next() % 6 {
          case 0: nil
          case 1: Int64(next()) - 128
          case 2: Int64.max
          case 3: Double.nan
          case 4: Data((0..<(next() % 32)).map { _ in UInt8(next()) })
          default: String(decoding: (0..<(next() % 32)).map { _ in UInt8(next()) }, as: UTF8.self)
          }
        let row = "(SELECT rowid FROM \"\(table)\" LIMIT 1 OFFSET \(next() % 4))"
        // What a rule of the table refuses is no input.
        try? db.execute(
          sql: "UPDATE \"\(table)\" SET \"\(column)\" = ? WHERE rowid = \(row)", arguments: [value])
      }
    }
    try database.close()
  }

  // MARK: Requests

  /// Where a body goes: the first byte of an input says which. No training: it would go on behind
  /// the input.
  private static let places = Result {
    let model = try Blocking.run { try await workspace.get().activeModel().id }
    return [
      (HTTPRequest.Method.post, "/api/playgrounds/\(playground)/actions"), (.post, "/api/models"),
      (.post, "/api/models/\(model)/samples"), (.post, "/api/models/\(model)/classify"),
      (.patch, "/api/settings"), (.patch, "/api/models/\(model)"),
      (.patch, "/api/models/\(model)/labels/cross"), (.post, "/api/playgrounds"),
    ]
  }
  private static let playground = "00000000-0000-4000-8000-000000000001"

  static let bodies: [[UInt8]] = [
    #"{"actions":[{"action":"begin","pen":1,"milliseconds":0},{"action":"stroke","pen":1,"milliseconds":90,"strokes":[[[1,20],[2,30],[0,16]]]}],"now":100,"client":"a","first":0}"#,
    #"{"name":"New"}"#,
    #"{"id":"a","label":"cat","canvas":{"width":80,"height":80},"strokes":[[[10,70],[10,70]]]}"#,
    #"{"canvas":{"width":80,"height":80},"strokes":[[[10,70],[10,70]],[[70,10],[10,70]]]}"#,
    #"{"theme":"dark"}"#, #"{"refusalRate":0.05,"name":"Mine"}"#,
    #"{"label":"x","name":null,"merge":true}"#, #"{"model":"a","canvas":{"width":80,"height":80}}"#,
  ].enumerated().map { [UInt8($0)] + Array($1.utf8) }

  /// Sends a body as the page does.
  static func post(_ input: [UInt8]) throws {
    let places = try places.get()
    let (method, place) = places[Int(input.first ?? 0) % places.count]
    let client = try client.get()
    try Blocking.run {
      let answer = try await client.execute(
        uri: place, method: method, headers: [.contentType: "application/json"],
        body: ByteBuffer(bytes: input.dropFirst()))
      precondition(answer.status.code < 500, "\(method) \(place) answers \(answer.status.code)")
      guard answer.status.code < 300 else { throw CancellationError() }
      // So that the workspace stays as small as it was.
      guard place == "/api/models" else { return }
      let workspace = try workspace.get()
      let active = try await workspace.activeModel().id
      for model in try await workspace.models() where model.id != active {
        _ = try await workspace.deleteModel(model.id)
      }
    }
  }

  /// A client of a studio.
  private static let client = Result {
    let studio = Studio(
      workspace: try workspace.get(), segmenter: try SegmenterModel.standard())
    return try Blocking.run {
      let client = try await RouteClient(studio.application(running: { _ in }))
      _ = try await client.execute(
        uri: "/api/playgrounds", method: .post, headers: [.contentType: "application/json"],
        body: ByteBuffer(
          string: #"{"id":"\#(playground)","canvas":{"width":80,"height":80}}"#))
      return client
    }
  }
}
