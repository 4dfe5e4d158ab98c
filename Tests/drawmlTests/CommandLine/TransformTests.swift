import Artwork
import Foundation
import TestTools
import Testing

extension CommandLineTests {
  @Suite("Pictures of sketches")
  struct TransformTests {
    private static let sketch = #"""
      {"canvas":{"width":100,"height":100},"strokes":[[[20,80,80,20,20],[20,20,80,80,20]]],
      "pens":[{"color":"#e53935","width":5,"tool":"pen"}]}
      """#

    @Test("TF-003: picture writes a PNG of 1,024 pixels without metadata, the same each time")
    func picture() async throws {
      let folder = try TestFolder()
      try folder.write(Self.sketch, to: "sketch.json")
      _ = try await folder.run("picture sketch.json --output a.png")
      _ = try await folder.run("picture sketch.json --output b.png")
      let png = try folder.read("a.png")
      #expect(png == (try folder.read("b.png")))
      // The header: 1,024 × 1,024.
      #expect(Array(png[16..<24]) == [0, 0, 4, 0, 0, 0, 4, 0])
    }

    @Test("TF-011: transform makes a picture in a style, and lists all ten")
    func styles() async throws {
      let folder = try TestFolder()
      try folder.write(Self.sketch, to: "sketch.json")
      try folder.write("\n" + Self.sketch.replacing("\n", with: ""), to: "two.ndjson")
      _ = try await folder.run("transform sketch.json --style watercolor --output a.png")
      _ = try await folder.run("transform two.ndjson --number 2 --style watercolor -o b.png")
      _ = try await folder.run("transform sketch.json --style watercolor --seed 1 -o c.png")
      #expect(try folder.read("a.png") == (try folder.read("b.png")))
      #expect(try folder.read("a.png") != (try folder.read("c.png")))
      let list = try await folder.run("transform --list")
      #expect(list.output.split(separator: "\n").count == 10)
      #expect(list.output.contains("It is not a photo."))
    }

    @Test("TF-030: An apple that a model recognizes is red, though it was drawn in black")
    func colors() async throws {
      let folder = try TestFolder()
      let apple = "\(Repository.path)/datasets/starter/apple.ndjson --style anime --force"
      func red(_ more: String) async throws -> Int {
        _ = try await folder.run("transform \(apple) -o a.png \(more)")
        let picture = try RGBPicture(file: [UInt8](try folder.read("a.png")))
        return stride(from: 0, to: 1024 * 1024, by: 37).count { index in
          let color = picture[index % 1024, index / 1024]
          return color.red > 170 && color.green < 110 && color.blue < 110
        }
      }
      #expect(try await red("") > 300)
      // A base model has learned no label.
      #expect(try await red("--model \(Repository.path)/models/base.drawml") < 30)
    }

    @Test(
      "What is no sketch or no style is refused in a sentence",
      arguments: [
        ("transform sketch.json --style p --output a.png", 64, "There is no single style “p”"),
        ("transform sketch.json --output a.png", 64, "Name a sketch, a --style and an --output"),
        ("transform bad.json --style oil --output a.png", 1, "cannot read bad.json: "),
        ("picture sketch.json --number 9 --output a.png", 1, "fewer than 9 lines"),
        ("picture sketch.json --output a.jpg", 64, ".png"),
      ])
    func refusals(arguments: String, status: Int, sentence: String) async throws {
      let folder = try TestFolder()
      try folder.write(Self.sketch, to: "sketch.json")
      try folder.write(#"{"strokes":[[[1],[2]]],"pens":[{"color":"red"}]}"#, to: "bad.json")
      let run = try await folder.run(arguments, status: status)
      #expect(run.errors.contains(sentence), "\(run.errors)")
      #expect(try folder.names.sorted() == ["bad.json", "sketch.json"])
    }
  }
}
