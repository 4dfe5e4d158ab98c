import Datasets
import Files
import Foundation
import Ink
import Numbers
import TestTools
import Testing

/// The path of a committed file in `Fixtures`.
func fixture(_ name: String) throws -> String {
  guard let folder = Bundle.module.resourcePath else { throw CocoaError(.fileNoSuchFile) }
  return "\(folder)/Fixtures/\(name)"
}

/// What the error of some work says, which must be of the given kind; nothing without an error.
func refusal<Failure: Error>(
  _ failure: Failure.Type = FileError.self, at place: SourceLocation = #_sourceLocation,
  _ work: () throws -> some Any
) -> String {
  let error = #expect(throws: failure, sourceLocation: place) { _ = try work() }
  return error.map { "\($0)" } ?? ""
}

func stroke(_ points: (Double, Double)...) -> Stroke {
  Stroke(points.map { Point(x: $0.0, y: $0.1) })
}

/// A line of its own for each number.
func line(_ number: Int, id: String = "", label: String? = nil) -> Drawing {
  Drawing(
    id: id, label: label,
    strokes: [stroke((0, 0), (Double(number), 1))])
}

/// So many drawings of each label, no two the same, with ids such as "label-0".
func drawings(_ counts: [(label: String, count: Int)]) -> [Drawing] {
  var drawings: [Drawing] = []
  for (label, count) in counts {
    for index in 0..<count {
      drawings.append(line(10 + drawings.count, id: "\(label)-\(index)", label: label))
    }
  }
  return drawings
}

/// A set of so many drawings of the labels c0, c1, …
func samples(_ counts: [Int]) throws -> SampleSet {
  try SampleSet(drawings(counts.enumerated().map { ("c\($0)", $1) }))
}

/// Puts files of so many drawings into a folder, the third of which is HDF5: file 0 with the label
/// "0" and the ids "0-0", "0-1", …
func write(_ counts: [Int], to folder: borrowing TemporaryFolder) throws {
  for (file, count) in counts.enumerated() {
    let path = folder.file("file\(file)." + (file == 2 ? "h5" : "ndjson"))
    try DatasetFiles.write(drawings([("\(file)", count)]), to: path)
  }
}

/// A drawing of random strokes with random times, or none.
func randomDrawing(_ generator: inout SeededGenerator, id: String) -> Drawing {
  var drawing = Drawing(
    id: id, label: generator.pick([nil, "a", "\u{2b50}", "ice cream", "\"q\\\nr"]),
    strokes: (0..<(1 + generator.integer(below: 4))).map { _ in
      let isTimed = generator.chance(0.5)
      return Stroke(
        (0..<(1 + generator.integer(below: 6))).map { _ in
          Point(
            x: generator.normal(deviation: 1e3), y: Double(generator.integer(below: 256)),
            t: isTimed ? generator.uniform(0...5000) : nil)
        })
    },
    canvas: generator.chance(0.5) ? .init(width: 640, height: 480.5) : nil,
    wasGuessed: generator.pick([nil, true, false]))
  if generator.chance(0.3) {
    drawing.shapes = [
      .init(strokes: [0], label: "s\(generator.integer(below: 3))"),
      .init(strokes: Array(drawing.strokes.indices), label: "a"),
    ]
  }
  return drawing
}
