import Datasets
import Files
import Foundation
import Ink
import JSON
import Pictures
import Recognition
import Segmentation
import Testing
import Text
import Workspace

@testable import drawml

extension WrongInputCommandLineTests {
  @Suite("Outputs where something else lies")
  struct ForeignOutputTests {
    /// A file of each kind, by what an error calls it.
    private static let files: [(name: String, text: Data)] = [
      ("a DrawML model", Data("DrawML model\nversion 2\n".utf8)),
      ("a file of DrawML drawings", Data("DrawML drawings\nversion 1\n".utf8)),
      ("a DrawML checkpoint", Data("DrawML checkpoint\nversion 2\n".utf8)),
      ("a DrawML export", Data("SQLite format 3\0".utf8) + Data(count: 52) + Data("DrMX".utf8)),
      (
        "the database of a DrawML workspace",
        Data("SQLite format 3\0".utf8) + Data(count: 52) + Data("DrML".utf8)
      ),
      ("an SQLite database", Data("SQLite format 3\0".utf8) + Data(count: 84)),
      ("an HDF5 file", Data([0x89]) + Data("HDF\r\n\u{1a}\n".utf8)),
      ("a PNG picture", Data([0x89]) + Data("PNG\r\n\u{1a}\n".utf8)),
      (
        "a safetensors file",
        Data([24, 0, 0, 0, 0, 0, 0, 0]) + Data(#"{"__metadata__":{"a":"b"}}"#.utf8)
      ),
      (
        "a page that DrawML wrote",
        Data(#"<!DOCTYPE html><html lang="en"><meta name="generator" content="DrawML">"#.utf8)
      ),
      ("an HTML page", Data("\n<!DOCTYPE html>\n<title>Mine</title>".utf8)),
      ("stroke JSON", Data(Fixture.sound.utf8)),
      ("stroke JSON", Data("[\n  {\"id\": \"a\", \"strokes\": [[[0], [0]]]}\n]".utf8)),
      ("a file of answers", Data("fold,id,file,line,truth,answer,isRight\n".utf8)),
      ("a file of answers", Data(#"{"answer":null,"candidates":[],"decision":"x"}"#.utf8)),
      ("a canvas log", Data(#"{"format":"drawml-canvas-log","version":1}"#.utf8)),
      ("a file of benchmark tasks", Data(#"{"episodes":[]}"#.utf8)),
      ("a segmenter", Data(#"{"blindWeights":[]}"#.utf8)),
      ("JSON of another kind", Data(#"{"word":"cat","drawing":[]}"#.utf8)),
      ("a Core ML model", Data([8, 4, 0x12, 4, 0x0a, 2, 0x0a, 0])),
      ("an ONNX graph", Data([8, 8, 0x12, 6]) + Data("drawml".utf8)),
      ("a file of another kind", Data("Dear diary,".utf8)),
    ]

    /// Every command that writes a file that it is told, with OUT for the file, and what it writes.
    private static let writers: [(command: String, kind: String)] = [
      ("train d.ndjson --output OUT", "a DrawML model"),
      ("train d.ndjson --base m.drawml --output OUT", "a DrawML model"),
      ("train-base d.ndjson --recipe none.json --output OUT", "a DrawML model"),
      (
        "evaluate d.ndjson --model m.drawml --include-taught --report OUT",
        "a page that DrawML wrote"
      ),
      (
        "evaluate d.ndjson --model m.drawml --include-taught --answers OUT.csv",
        "a file of answers"
      ),
      ("cross-validate d.ndjson --base m.drawml --answers OUT.jsonl", "a file of answers"),
      ("rasterize d.ndjson --output OUT.png", "a PNG picture"),
      ("vectorize star.png --output OUT.ndjson", "stroke JSON"),
      ("vectorize star.png --preview OUT.png", "a PNG picture"),
      ("dataset convert d.ndjson --output OUT --to ndjson", "stroke JSON"),
      ("dataset convert d.ndjson --output OUT --to json", "stroke JSON"),
      ("dataset convert d.ndjson --output OUT --to hdf5", "a file of DrawML drawings"),
      ("segment d.ndjson --model m.drawml --picture OUT.png", "a PNG picture"),
      ("segment one.ndjson --model m.drawml --live --record OUT", "a canvas log"),
      ("export coreml --model m.drawml --output OUT", "a Core ML model"),
      ("export onnx --model m.drawml --output OUT", "an ONNX graph"),
      ("export safetensors --model m.drawml --output OUT", "a safetensors file"),
      ("export web --model m.drawml --output OUT", "a page that DrawML wrote"),
      ("workspace export --workspace w --output OUT", "a DrawML export"),
      ("model export --workspace w --output OUT", "a DrawML export"),
      ("workspace rescue --workspace w --output OUT", "a DrawML export"),
      (
        """
        benchmark few-shot --samples d.ndjson --model m.drawml --ways 2 --shots 1 --queries 1
        --unknown 1 --tasks 3 --report OUT
        """, "a page that DrawML wrote"
      ),
      (
        """
        benchmark open-set --samples d.ndjson --model m.drawml --ways 2 --shots 1 --queries 1
        --unknown 1 --tasks 3 --save-episodes OUT
        """, "a file of benchmark tasks"
      ),
      (
        """
        benchmark incremental --samples d.ndjson --model m.drawml --labels 2 --shots 1 --queries 1
        --orders 1 --report OUT
        """, "a page that DrawML wrote"
      ),
      (
        "benchmark omniglot --strokes d.ndjson --model m.drawml --report OUT",
        "a page that DrawML wrote"
      ),
      (
        "benchmark segmentation --canvases d.ndjson --model m.drawml --failures OUT.png",
        "a PNG picture"
      ),
      (
        "benchmark segmentation --canvases d.ndjson --model m.drawml --report OUT",
        "a page that DrawML wrote"
      ),
      ("dataset synthesize canvases --from d.ndjson --output OUT", "stroke JSON"),
      (
        "dataset synthesize canvases --from d.ndjson --output c.ndjson --picture OUT.png",
        "a PNG picture"
      ),
      (
        "train-segmenter --base m.drawml --places d.ndjson --answers d.ndjson --output OUT",
        "a segmenter"
      ),
    ]

    /// A folder with a model, drawings of three labels, a drawing, and a workspace.
    private func folder() async throws -> TestFolder {
      let folder = try await Fixture.folderWithModel()
      let lines = try Fixture.shapes.map { try Fixture.lines($0, 20..<26) }
      try folder.write(lines.joined(), to: "d.ndjson")
      try folder.write(Fixture.lines("star", 20..<21), to: "one.ndjson")
      try await folder.run("rasterize one.ndjson --size 64 --output star.png")
      try await folder.run("sample add d.ndjson --workspace w")
      return folder
    }

    /// The command and the file that it writes.
    private func named(_ command: String) -> (command: String, output: String) {
      let command = command.replacing("OUT", with: "out")
      return (
        command, command.split(separator: " ").first { $0.hasPrefix("out") }.map(String.init) ?? ""
      )
    }

    @Test("A command replaces no file of another kind, says what it is, and leaves it as it was")
    func refused() async throws {
      let folder = try await folder()
      for (number, writer) in Self.writers.enumerated() {
        // Each with some others: all pairs would only take longer.
        for file in Self.files.indices.filter({ ($0 + number) % 5 == 0 }).map({ Self.files[$0] })
        where file.name != writer.kind {
          let (command, output) = named(writer.command)
          try folder.write(file.text, to: output)
          let run = try await folder.run(command, status: 1)
          #expect(run.output.isEmpty, "\(command)")
          #expect(
            run.errors
              == "Error: cannot write \(output): it is \(file.name), not \(writer.kind); choose "
              + "another name, or add --force to replace it\n", "\(command)")
          #expect(try folder.read(output) == file.text)
        }
      }
    }

    @Test("A file of the same kind is replaced: each command may be run again")
    func again() async throws {
      let folder = try await folder()
      let slow = [
        "train d.ndjson --output", "train-base", "train-segmenter", "benchmark omniglot",
        "benchmark segmentation", "dataset synthesize canvases",
      ]
      let quick = Self.writers.filter { writer in !slow.contains { writer.command.hasPrefix($0) } }
      for writer in quick {
        let (command, output) = named(writer.command)
        for _ in 0..<2 { try await folder.run(command) }
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(output)")
      }
    }

    @Test("What is written is known for what it is, the package's own files, too")
    func known() async throws {
      let root = Fixture.starter + "/../.."
      for (path, kind) in [
        ("Sources/Kit/Segmentation/segmenter.json", FileKind.segmenter),
        ("models/base.drawml", .model), ("datasets/starter/star.ndjson", .strokes),
        ("models/base-recipe.json", .json), ("CHANGELOG.md", .other),
      ] {
        #expect(try FileKind(of: "\(root)/\(path)") == kind, "\(path)")
      }
      let folder = try await folder()
      #expect(try FileKind(of: "\(folder.path)/w/workspace.sqlite") == .workspace)
      for (bytes, kind) in [
        (Data("<?xml version=\"1.0\"?>\n<Gesture Name=\"x~01\">".utf8), FileKind.gesture),
        (Data([0x93]) + Data("NUMPY".utf8), .bitmaps), (Data("PK\u{3}\u{4}".utf8), .archive),
        (Data([0x1f, 0x8b, 8]), .packed),
      ] {
        try folder.write(bytes, to: "other")
        #expect(try FileKind(of: "\(folder.path)/other") == kind)
        let info = try await folder.run("info other")
        #expect(info.output.contains("Go on with: drawml dataset info other"))
      }
    }

    @Test("No file gets the ending of another kind, unless --force asks for it")
    func endings() async throws {
      let folder = try await folder()
      for (arguments, message) in [
        (
          "export coreml --model m.drawml --output e.mlpackage",
          "the ending .mlpackage is not for a Core ML model; name it e.mlmodel, or add --force"
        ),
        (
          "train d.ndjson --base m.drawml --output q.NDJSON",
          "the ending .ndjson is not for a DrawML model; name it q.drawml, or add --force"
        ),
        (
          "export web --model m.drawml --output w.onnx",
          "the ending .onnx is not for a page that DrawML wrote; name it w.html, or add --force"
        ),
        (
          "dataset convert d.ndjson --to ndjson --output s.drawml",
          "the ending .drawml is not for stroke JSON; choose another, or add --force"
        ),
        (
          "dataset convert d.ndjson --to hdf5 --output x.ndjson",
          "by its name it is ndjson, not hdf5; choose another, or add --force"
        ),
      ] {
        let output = try #require(arguments.split(separator: " ").last.map(String.init))
        let run = try await folder.run(arguments, status: 1)
        #expect(
          run.errors.hasSuffix("Error: cannot write \(output): \(message)\n"), "\(run.errors)")
        #expect(!folder.has(output))
        try await folder.run("\(arguments) --force")
        #expect(folder.has(output))
      }
    }

    @Test("A name that tells no format asks for --to, which names what is written")
    func formats() async throws {
      let folder = try await folder()
      for output in ["/dev/stdout", "drawings"] {
        let run = try await folder.run("dataset convert d.ndjson --output \(output)", status: 1)
        #expect(run.output.isEmpty && !folder.has(output))
        #expect(
          run.errors
            == "Error: cannot write \(output): its name tells no format; name one with --to\n")
      }
      let run = try await folder.run("dataset convert d.ndjson --output x --to csv", status: 64)
      let formats = ["json", "ndjson", "hdf5", "png", "svg", "inkml"]
      let listed = formats.map { "\n  - \($0)" }.joined()
      #expect(run.errors.contains("one of the following:\(listed)\n"), "\(run.errors)")
    }

    @Test("A dash is no name of an output")
    func dash() async throws {
      let folder = try await folder()
      for arguments in [
        "dataset convert d.ndjson --to ndjson --output -",
        "train d.ndjson --base m.drawml --output -",
        "evaluate d.ndjson --model m.drawml --include-taught --report -",
      ] {
        let run = try await folder.run(arguments, status: 1)
        #expect(run.errors.contains("for standard output give /dev/stdout"))
        #expect(!folder.has("-"))
      }
    }

    @Test("--force replaces whatever is there; nothing, an empty file and a device need none")
    func free() async throws {
      let folder = try await folder()
      let picture = "rasterize d.ndjson --output"
      try folder.write("Dear diary,", to: "diary.png")
      try await folder.run("\(picture) diary.png --force")
      #expect(try folder.read("diary.png").starts(with: [0x89, 0x50, 0x4e, 0x47]))
      try folder.write("", to: "empty.png")
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/nowhere", withDestinationPath: "/dev/null")
      for free in ["empty.png", "new.png", "/dev/null", "nowhere"] {
        try await folder.run("\(picture) \(free)")
      }
      let piped = try await Program.shell(
        "$drawml rasterize d.ndjson --output /dev/stdout | tail -c +2 | head -c 3", in: folder)
      #expect(piped.output == "PNG")
      let named = try await Program.shell(
        "mkfifo pipe; head -c 4 pipe | tail -c +2 & $drawml rasterize d.ndjson --output pipe; wait",
        in: folder)
      #expect(named.output == "PNG")
      let full = try await folder.run("\(picture) /dev/full", status: 1)
      #expect(full.errors.contains("cannot write /dev/full: No space left on device"))
    }

    @Test("A link is judged by what it leads to")
    func link() async throws {
      let folder = try await folder()
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/link.png", withDestinationPath: "one.ndjson")
      let before = try folder.read("one.ndjson")
      let run = try await folder.run("rasterize d.ndjson --output link.png", status: 1)
      #expect(run.errors.contains("link.png: it is stroke JSON, not a PNG picture"))
      #expect(try folder.read("one.ndjson") == before)
    }

    @Test(
      "What a training keeps beside its output, and what a set's files replace, is looked at, too")
    func besides() async throws {
      let folder = try await folder()
      try folder.write("Dear diary,", to: "n.drawml.checkpoint")
      try folder.write("Dear diary,", to: "set/star.ndjson")
      for (arguments, file) in [
        ("train d.ndjson --output n.drawml", "n.drawml.checkpoint"),
        ("dataset synthesize --output set --shapes heart,star", "set/star.ndjson"),
      ] {
        let run = try await folder.run(arguments, status: 1)
        #expect(run.errors.hasPrefix("Error: cannot write \(file): it is a file of another kind"))
        #expect(try folder.read(file) == Data("Dear diary,".utf8))
      }
      #expect(!folder.has("n.drawml") && !folder.has("set/heart.ndjson"))
      // A name that the command makes up is not followed to the user's own drawings.
      let drawings = try folder.read("one.ndjson")
      try FileManager.default.removeItem(atPath: folder.path + "/set/star.ndjson")
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/set/star.ndjson", withDestinationPath: "../one.ndjson")
      let run = try await folder.run(
        "dataset synthesize --output set --shapes star --force", status: 1)
      #expect(run.errors.contains("set/star.ndjson: it is a link"))
      #expect(try folder.read("one.ndjson") == drawings)
      // Nor does it wait for a pipe there.
      #expect(mkfifo(folder.path + "/set/heart.ndjson", 0o600) == 0)
      let pipe = try await folder.run("dataset synthesize --output set --shapes heart", status: 1)
      #expect(pipe.errors.contains("set/heart.ndjson: it is a link or a pipe"))
    }

    @Test("What a command reads it does not write over, nor two outputs over each other")
    func inputs() async throws {
      let folder = try await folder()
      try await folder.run("rasterize d.ndjson --output scan.png")
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/link.png", withDestinationPath: "scan.png")
      try folder.write(try folder.read("d.ndjson"), to: "set/d.ndjson")
      try folder.write(try folder.read("scan.png"), to: "set/s.png")
      let (scan, drawings) = (try folder.read("scan.png"), try folder.read("d.ndjson"))
      let canvases = "dataset synthesize canvases --count 2 --from"
      for (arguments, file) in [
        ("rasterize scan.png --output scan.png", "scan.png"),
        ("rasterize scan.png --output link.png", "link.png"),
        ("vectorize scan.png --output q.ndjson --preview scan.png", "scan.png"),
        ("segment scan.png --model m.drawml --picture scan.png", "scan.png"),
        ("dataset convert d.ndjson --output d.ndjson", "d.ndjson"),
        ("dataset convert set --output set/d.ndjson", "set/d.ndjson"),
        ("vectorize set --output q.ndjson --preview set/s.png", "set/s.png"),
        ("\(canvases) d.ndjson --output d.ndjson", "d.ndjson"),
        ("train d.ndjson --base m.drawml --output m.drawml", "m.drawml"),
      ] {
        let run = try await folder.run(arguments, status: 1)
        #expect(
          run.errors.contains(
            "cannot write \(file): it is read here; choose another name, or add --force"))
      }
      let twice = try await folder.run(
        "\(canvases) d.ndjson --output c.ndjson --held-out 0.5 --held-out-output ./c.ndjson",
        status: 64)
      #expect(twice.errors.contains("./c.ndjson is named for two outputs"))
      #expect(try folder.read("scan.png") == scan && folder.read("d.ndjson") == drawings)
      #expect(!folder.has("q.ndjson") && !folder.has("c.ndjson"))
    }

    @Test("What cannot be replaced where a training keeps its checkpoint ends it before it begins")
    func checkpointPlaces() async throws {
      let folder = try await folder()
      #expect(mkfifo(folder.path + "/pipe.drawml.checkpoint", 0o600) == 0)
      try FileManager.default.createDirectory(
        atPath: folder.path + "/folder.drawml.checkpoint", withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/loop.drawml", withDestinationPath: "loop.drawml")
      try folder.write("precious", to: "notes.txt")
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/link.drawml.checkpoint", withDestinationPath: "notes.txt")
      for (output, file, why) in [
        ("link.drawml", "link.drawml.checkpoint", "it is a link or a pipe"),
        ("pipe.drawml", "pipe.drawml.checkpoint", "it is a link or a pipe"),
        ("folder.drawml", "folder.drawml.checkpoint", "Is a directory"),
        ("loop.drawml", "loop.drawml", "Too many levels of symbolic links"),
      ] {
        let run = try await folder.run(
          "train d.ndjson --epochs 1 --output \(output) --force", status: 1)
        #expect(run.errors.hasPrefix("Error: cannot write \(file): ") && run.errors.contains(why))
      }
      // A training that keeps none leaves what is there.
      try await folder.run("train d.ndjson --base m.drawml --output link.drawml --force")
      #expect(folder.has("link.drawml.checkpoint"))
      #expect(try folder.read("notes.txt") == Data("precious".utf8))
    }

    @Test(
      "A link in the place of an export's test vectors is not followed",
      arguments: [("onnx", false), ("onnx", true), ("coreml", false), ("coreml", true)])
    func vectors(format: String, isForced: Bool) async throws {
      let folder = try await folder()
      let precious = isForced ? "precious" : #"{"format":"drawml-vectors-1","vectors":[]}"#
      try folder.write(precious, to: "notes.txt")
      let name = "x.vectors.json"
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/" + name, withDestinationPath: "notes.txt")
      let run = try await Program.run(
        "export \(format) --model m.drawml --output x \(isForced ? "--force" : "")", in: folder)
      #expect(try folder.read("notes.txt") == Data(precious.utf8))
      #expect(run.status == 0 || run.errors.contains(name), "\(run.errors)")
      #expect(run.status == 0 || !isForced)
    }

    @Test("Tasks that replace the model they are for are written when it was read")
    func tasksOverModel() async throws {
      let folder = try await folder()
      try await folder.run(
        """
        benchmark few-shot --samples d.ndjson --model m.drawml --tasks 1 --ways 2 --shots 1
        --queries 1 --unknown 1 --save-episodes m.drawml --force
        """)
    }

    @Test("Teaching and forgetting in place take nothing but a model")
    func inPlace() async throws {
      let folder = try await folder()
      let before = try folder.read("d.ndjson")
      for arguments in ["update one.ndjson --model d.ndjson", "forget --model d.ndjson --label ⭐"] {
        let run = try await folder.run(arguments, status: 1)
        #expect(run.errors.contains("it is not a DrawML model"))
        #expect(try folder.read("d.ndjson") == before)
      }
    }
  }
}
