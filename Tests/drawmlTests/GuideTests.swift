import Datasets
import Files
import Foundation
import Ink
import NotebookTools
import Pictures
import Recognition
import TestTools
import Testing
import Text

/// What the guide says is run, so that it stays true.
@Suite("Guide")
struct GuideTests {
  /// The pages of the guide that have commands.
  static let pages = [
    "getting-started", "data", "training", "evaluating", "benchmarks", "classifying", "teaching",
    "pictures", "canvases", "workspace", "export",
  ]

  @Test("every command runs, page by page, on a small set and a small model", arguments: pages)
  func commandsRun(page: String) async throws {
    let commands = try Guide.blocks("console", of: page).flatMap { block in
      block.split(separator: "\n").map { line in
        #expect(line.hasPrefix("$ "), "\(page): a console block holds commands: \(line)")
        return line.dropFirst(2)
      }
    }
    try #require(!commands.isEmpty)
    let folder = try await Guide.preparedFolder()
    try await Guide.run("ln -s '\(Guide.root)/models' models", in: folder)
    for command in commands { try await Guide.run(String(command), in: folder) }
  }

  @Test("every page is linked from the index, and every link leads to a file")
  func linksLeadSomewhere() throws {
    let index = try Guide.text("README")
    for name in try FileManager.default.contentsOfDirectory(atPath: Guide.folder)
    where name != "README.md" {
      #expect(index.contains("(\(name))"), "the index lacks \(name)")
    }
    for page in try Guide.allPages() {
      for match in try page.text.matches(of: Regex(#"\]\(([^)#]+)\)"#)) {
        guard let target = match.output[1].substring, !target.hasPrefix("http") else { continue }
        let path = URL(filePath: page.path).deletingLastPathComponent().appending(path: target)
        #expect(
          FileManager.default.fileExists(atPath: path.path(percentEncoded: false)),
          "\(page.path) links to \(target)")
      }
    }
  }

  @Test("the Swift shown is the Swift that is compiled here")
  func snippetsAreCompiled() throws {
    let compiled = try ["GuideLibrary", "GuidePixels", "GuideCanvas"].map { name in
      let path = URL(filePath: #filePath).deletingLastPathComponent()
      return try String(contentsOf: path.appending(path: "\(name).swift"), encoding: .utf8)
    }
    let shown = try Guide.allPages().flatMap { Guide.blocks("swift", in: $0.text) }
    #expect(shown == compiled)
  }

  @Test("the README's Swift is compiled here, and its commands run")
  func readmeIsTrue() async throws {
    let readme = try String(contentsOfFile: Guide.root + "/README.md", encoding: .utf8)
    let source = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "GuideReadme.swift"), encoding: .utf8)
    let compiled = source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    for line in Guide.blocks("swift", in: readme).flatMap({ $0.split(separator: "\n") }) {
      #expect(
        compiled.contains(line.trimmingCharacters(in: .whitespaces)), "not compiled: \(line)")
    }
    let commands = Guide.blocks("", in: readme).flatMap { $0.split(separator: "\n") }
      .filter { $0.hasPrefix("drawml ") }
    try #require(!commands.isEmpty)
    let folder = try await Guide.preparedFolder()
    try folder.write(
      Fixture.lines("moon", 0..<5).replacing("🌙", with: "🐧"), to: "five-penguins.ndjson")
    for command in [
      "cp -r datasets/starter drawings", "cp -r datasets/starter my-shapes",
      "head -n 1 drawings/heart.ndjson >drawing.json", "cp -r '\(Guide.root)/models' models",
      "drawml dataset synthesize canvases --from drawings --output sheet.json --count 1",
    ] + commands.map(String.init) {
      try await Guide.run(command, in: folder)
    }
  }

  @Test("the library example trains, saves, teaches and answers")
  func libraryExampleWorks() async throws {
    let folder = try await Guide.preparedFolder()
    let model = folder.path + "/library.drawml"
    var recipe = Guide.recipe
    recipe.training.epochs = 20
    let accuracy = try await trainShapes(
      from: folder.path + "/datasets/starter", to: model, recipe: recipe)
    // Four shapes: guessing gives 0.25.
    #expect(accuracy > 0.5)
    let moons = try DatasetFiles.read([Guide.starter + "/moon.ndjson"]).drawings
    let answer = try await teach(
      Array(moons.prefix(5)), to: model, andAskAbout: moons[0].strokes)
    // With so small a model it may be only the closest.
    #expect(answer.contains("🌙"))
    #expect(try ModelFile.read(model).labels == ["❤️", "⭐", "🌙", "🏠", "🐟"])
  }

  @Test("the pixel example gives coverage and a picture")
  func pixelExampleWorks() throws {
    let (values, png) = try pixels(of: #"{"strokes":[[[0,10],[0,0]]]}"#)
    #expect(values.count == 28 * 28)
    // A line along the middle: the rows above and below it are empty.
    #expect(values[..<(12 * 28)].allSatisfy { $0 == 0 })
    #expect(values[(14 * 28 + 14)] > 0.7)
    #expect(try PNG.decode(png, as: .gray).width == 28)
  }

  @Test("the canvas example turns a drawing into an emoji, and back into ink")
  func canvasExampleWorks() async throws {
    let folder = try await Guide.preparedFolder()
    var sheet = try EmojiSheet(model: folder.path + "/shapes.drawml", width: 1024, height: 1024)
    #expect(sheet.nextTick == nil)
    let stars = try DatasetFiles.read([Guide.starter + "/star.ndjson"]).drawings
    var told: [String] = []
    for stroke in stars[0].strokes {
      told += sheet.penDown(at: stroke.points[0])
      #expect(sheet.nextTick == nil)
      told += sheet.penMoves(through: Array(stroke.points.dropFirst()))
      told += sheet.penUp()
    }
    #expect(told.last == "shape 0 may go on")
    let time = try #require(sheet.nextTick)
    #expect(sheet.tick(at: time - 1).isEmpty)
    let decision = sheet.tick(at: time)
    // So small a model may refuse it.
    #expect(decision.count == 1)
    #expect(decision[0].contains(" at ") || decision[0].hasPrefix("shape 0 shakes: "))
    #expect(sheet.nextTick == nil)
    #expect(sheet.undo().count == 1)
    #expect(sheet.nextTick != nil || stars[0].strokes.count == 1)
  }

  @Test("FORMATS.md: what is shown as stroke JSON is read")
  func formatsAreRead() throws {
    let text = try String(
      contentsOfFile: Guide.folder + "/../FORMATS.md", encoding: .utf8)
    let drawings = try Guide.blocks("json", in: text).flatMap { $0.split(separator: "\n") }
      .map { try StrokeJSON.parse(Array($0.utf8)) }
    #expect(drawings.map(\.id) == ["penguin-1", "5891796615823360", "a"])
    #expect(drawings.map(\.label) == ["🐧", "star", "line"])
    // The first is in the form that is written.
    let first = try #require(Guide.blocks("json", in: text).first)
    #expect(String(decoding: StrokeJSON.encode(drawings[0]), as: UTF8.self) + "\n" == first)
  }

  @Test("the errors listed are the program's words")
  func errorsAreTheProgramsWords() throws {
    let page = try Guide.text("troubleshooting")
    let errors: [any Error & CustomStringConvertible] = [
      InkError.emptyDrawing, InkError.unequalLengths(stroke: 0, x: 2, y: 1, t: nil),
      InkError.invalidNumber(stroke: 0, point: 1, axis: .x),
      InkError.missingCoordinate(stroke: 0, point: 0, axis: .y),
      InkError.unknownStroke(shape: 0, stroke: 7), SampleSetError.oneClass("⭐"),
    ]
    for error in errors {
      #expect(page.contains("`\(error.description)`"), "\(error.description)")
    }
    let files: [FileError.Reason] = [
      .wrongLength(expected: 1_661_762, actual: 5000), .checksum,
      .newerVersion(found: 9, supported: 3), .foreign(expected: "DrawML model"),
      .lineTooLong(line: 1, limit: 64 << 20), .system(code: ENOENT), .system(code: EACCES),
      .system(code: ENOSPC),
    ]
    for reason in files {
      let words = FileError("read", path: "f", reason: reason).description
        .replacing("cannot read f: ", with: "")
      let first = words.split(separator: ";").first.map(String.init) ?? words
      #expect(page.contains("`\(first)"), "\(first)")
    }
  }
}

/// The guide's pages, and a place to run their commands.
enum Guide {
  static let root = Repository.path
  static let folder = root + "/docs/guide"
  static let starter = Fixture.starter

  /// Small enough to train in a debug build.
  static var recipe: EmbeddingRecipe {
    var setting = Setting()
    setting.isQuick = true
    return setting.recipe
  }

  /// The bytes of a model of the few drawings; trained once.
  static let model = Task {
    let folder = try folderWithDrawings()
    _ = try await trainShapes(
      from: folder.path + "/datasets/starter", to: folder.path + "/tiny.drawml", recipe: recipe)
    return try folder.read("tiny.drawml")
  }

  static func text(_ page: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(page).md", encoding: .utf8)
  }

  static func allPages() throws -> [(path: String, text: String)] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
      ("\(folder)/\(name)", try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
    }
  }

  static func blocks(_ kind: String, of page: String) throws -> [String] {
    blocks(kind, in: try text(page))
  }

  /// The contents of the fenced blocks of a kind, each with its last line feed.
  static func blocks(_ kind: String, in text: String) -> [String] {
    var blocks: [String] = []
    var current: String?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let block = current { blocks.append(block) }
        current = current == nil && line == "```\(kind)" ? "" : nil
      } else if current != nil {
        current? += line + "\n"
      }
    }
    return blocks
  }

  /// A folder like the repository's, with a few drawings of four shapes.
  static func folderWithDrawings() throws -> TestFolder {
    let folder = try TestFolder()
    for shape in ["star", "heart", "house", "fish"] {
      try folder.write(Fixture.lines(shape, 0..<16), to: "datasets/starter/\(shape).ndjson")
    }
    return folder
  }

  /// The same with a tiny model of them.
  static func preparedFolder() async throws -> TestFolder {
    let folder = try folderWithDrawings()
    try folder.write(try await model.value, to: "shapes.drawml")
    return folder
  }

  /// Runs a command in the folder, and expects that it succeeds.
  static func run(_ command: String, in folder: TestFolder) async throws {
    // The guide must not touch the user's own workspace. One epoch instead of many: what is tested
    // is that the command is right, not what it learns.
    let run = try await Program.shell(
      """
      export XDG_DATA_HOME="$PWD/data"
      drawml() {
        if [ "$1" = train ] && [[ " $* " != *" --base "* ]]; then set -- "$@" --epochs 1; fi
        "$drawml" "$@"
      }
      { \(command)
      } 2>&1
      """, in: folder)
    #expect(run.status == 0, "\(command)\n\(run.output)")
  }
}
