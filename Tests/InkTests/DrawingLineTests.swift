import Foundation
import Numbers
import TestTools
import Testing

@testable import Ink

/// What a reader makes of a file: drawings and errors, in order.
private enum Outcome: Equatable {
  case drawing(Drawing, line: Int, bytes: Int)
  case failure(DrawingFileError)
}

/// Reads a file's lines one by one with the plain parser alone: what `DrawingReader` must give.
private func plainly(_ lines: [[UInt8]], _ path: String) -> [Outcome] {
  var outcomes: [Outcome] = []
  var bytes = 0
  let name = path.split(separator: "/").last.map(String.init) ?? path
  for (index, line) in lines.enumerated() {
    bytes += line.count + 1
    if line.allSatisfy({ [0x20, 0x09, 0x0d].contains($0) }) { continue }
    do throws(InkError) {
      var drawing = try StrokeJSON.parse(line)
      if drawing.id.isEmpty { drawing.id = "\(name):\(index + 1)" }
      outcomes.append(.drawing(drawing, line: index + 1, bytes: bytes))
    } catch {
      outcomes.append(
        .failure(DrawingFileError(path: path, line: index + 1, reason: .drawing(error))))
    }
  }
  return outcomes
}

private func read(_ path: String) throws -> [Outcome] {
  var reader = try DrawingReader(path: path)
  var outcomes: [Outcome] = []
  while true {
    do throws(DrawingFileError) {
      guard let drawing = try reader.next() else { return outcomes }
      outcomes.append(.drawing(drawing, line: reader.line, bytes: reader.byteCount))
    } catch { outcomes.append(.failure(error)) }
  }
}

private func expectSame(_ lines: [[UInt8]], ends: [UInt8] = [0x0a]) throws {
  let folder = try TemporaryFolder()
  let path = try folder.put(Array(lines.joined(separator: ends)), "lines.ndjson")
  let split =
    ends.count == 1
    ? lines : lines.dropLast().map { $0 + ends.dropLast() } + [lines[lines.count - 1]]
  let (fast, plain) = (try read(path), plainly(split, path))
  #expect(fast.count == plain.count)
  for (a, b) in zip(fast, plain) { #expect(a == b) }
}

@Suite("Lines of drawings, read in place")
struct DrawingLineTests {
  private static func line(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// How a line is read in place; nil where the plain parser is needed.
  private func inPlace(_ text: String) -> Drawing? {
    var parser = DrawingLineParser()
    let bytes = Array((text + "\n{\"x\":1}          ").utf8)
    let end = text.utf8.count + 1
    let found = unsafe parser.drawing(in: bytes.span.bytes, 0..<bytes.count)
    if let found { #expect(found.count == end) }
    return found?.drawing
  }

  @Test("Quick, Draw!'s lines and our own are read in place, as the plain parser reads them")
  func usual() throws {
    for text in [
      #"{"word":"cat","key_id":"5891796615823360","countrycode":"AE","#
        + #""timestamp":"2017-03-01 20:41:36.70725 UTC","recognized":true,"#
        + #""drawing":[[[167,109,80],[140,194,227]],[[17],[0]]]}"#,
      #"{"word":"cat","recognized":false,"drawing":[[[0,1234567],[7,0],[0,16]]]}"#,
      #"{"id":"a","label":"⭐","strokes":[[[-1,0.5],[-0.1,12.0625],[0,16.5]]]}"#,
      #"{"label":"a","word":"b","key_id":"1","id":"2","drawing":[[[-0],[0.0000001]]]}"#,
      #"{"word":"","drawing":[[[1],[2]]]}"#,
      #"{"word": "a b", "drawing": [[[1, 2], [3, 4]], [[5], [6]]]}"#,
      #"{"drawing":[[[1234567.1234567],[9999999.9999999]]],"word":"z"}"#,
      #"{"word":"a\n","drawing":[[[1],[2]]]}"#,
      #"{"id":"\"\\\u00e9\ud83d\ude00","drawing":[[[1],[2]]]}"#,
      #"{"id":"é","note":"a\tb","drawing":[[[1],[2]]]}"#,
      #"{"canvas":{"width":1,"height":1.5},"drawing":[[[1],[2]]]}"#,
      #"{"canvas": {"width": 640, "height": 480}, "drawing": [[[1], [2]]]}"#,
      #"{"strokes":[[[1],[2]],[[3],[4]]],"shapes":[{"strokes":[1,0],"label":"cat"},{"strokes":[],"label":""}]}"#,
      #"{"shapes": [{"strokes": [0], "label": "é\u0301"}], "strokes": [[[1], [2]]]}"#,
      #"{"shapes":[],"strokes":[[[1],[2]]]}"#,
      #"{"label":" sun ","strokes":[[[1],[2]]],"shapes":[{"strokes":[0],"label":"a "}]}"#,
      #"{"label":" ","strokes":[[[1],[2]]]}"#,
    ] {
      let drawing = try #require(inPlace(text), "\(text)")
      // White space around a label is no part of it, and none is left of one that has nothing else.
      for label in [drawing.label].compactMap(\.self) + drawing.shapes.map(\.label) {
        #expect(label == label.trimmed)
      }
      #expect(drawing.label != "")
      #expect(try drawing == StrokeJSON.parse(Array(text.utf8)))
      #expect(inPlace(text + "\r") == drawing)
    }
  }

  @Test(
    "What is unusual or wrong is left to the plain parser",
    arguments: [
      #"{"drawing":[]}"#, #"{"drawing":[[]]}"#, #"{"drawing":[[[],[]]]}"#,
      #"{"drawing":[[[1,2],[3]]]}"#, #"{"drawing":[[[1],[2,3]]]}"#, #"{"drawing":[[[1],[2],[]]]}"#,
      #"{"drawing":[[[1],[2],[3,4]]]}"#, #"{"drawing":[[[01],[2]]]}"#, #"{"drawing":[[[1.],[2]]]}"#,
      #"{"drawing":[[[.5],[2]]]}"#, #"{"drawing":[[[1e2],[2]]]}"#,
      #"{"drawing":[[[12345678],[2]]]}"#,
      #"{"drawing":[[[1],[2]]],"drawing":[[[1],[2]]]}"#,
      #"{"drawing":[[[1],[2]]],"strokes":[[[1],[2]]]}"#,
      #"{"word":"a","word":"a","drawing":[[[1],[2]]]}"#,
      #"{"id":"a","id":"b","drawing":[[[1],[2]]]}"#,
      #"{"word":"a\x","drawing":[[[1],[2]]]}"#, #"{"id":"\ud800","drawing":[[[1],[2]]]}"#,
      #"{"note":"\","drawing":[[[1],[2]]]}"#, #"{"key_id":1,"drawing":[[[1],[2]]]}"#,
      #"{"word":null,"drawing":[[[1],[2]]]}"#, #"{"other":1,"drawing":[[[1],[2]]]}"#,
      #"{"wo\u0072d":"a","drawing":[[[1],[2]]]}"#, #"{"file":"a","drawing":[[[1],[2]]]}"#,
      #"{"canvas":{"height":1,"width":1},"drawing":[[[1],[2]]]}"#, #"{"drawing":[[[1],[2]]]}x"#,
      #"{"canvas":{"width":1},"drawing":[[[1],[2]]]}"#, #"{"canvas":null,"drawing":[[[1],[2]]]}"#,
      #"{"canvas":{"width":-1,"height":1},"drawing":[[[1],[2]]]}"#,
      #"{"canvas":{"width":1,"height":1},"canvas":{"width":1,"height":1},"drawing":[[[1],[2]]]}"#,
      #"{"shapes":[{"strokes":[1],"label":"a"}],"drawing":[[[1],[2]]]}"#,
      #"{"shapes":[{"strokes":[-1],"label":"a"}],"drawing":[[[1],[2]]]}"#,
      #"{"shapes":[{"strokes":[0.5],"label":"a"}],"drawing":[[[1],[2]]]}"#,
      #"{"shapes":[{"strokes":[0,],"label":"a"}],"drawing":[[[1],[2]]]}"#,
      #"{"shapes":[{"label":"a","strokes":[0]}],"drawing":[[[1],[2]]]}"#,
      #"{"shapes":[],"shapes":[],"drawing":[[[1],[2]]]}"#,
      #"{"drawing":[[[1],[2]]],}"#, #"{"drawing":[[[1],[2]],]}"#, #"{"drawing":[[[1,],[2]]]}"#,
      #"{"drawing":[[{"x":1,"y":2}]]}"#, #"{"drawing":[[[1],[2]]"#, #"{"drawing":[[[-],[2]]]}"#,
      #"{"drawing":[[[--1],[2]]]}"#, #"{"drawing":[[[ -01],[2]]]}"#,
      #"{"recognized":null,"drawing":[[[1],[2]]]}"#, "{}", "", "{\"word\":\"a\u{1}\"}",
    ])
  func unusual(text: String) { #expect(inPlace(text) == nil) }

  @Test("A line whose end has not been read is not taken, whatever stands behind the bytes read")
  func cut() {
    let bytes = Self.line(#"{"word":"a","drawing":[[[12,3],[4,5]]]}"# + "\n" + "}]]],]]}\n       ")
    let whole = 40
    var parser = DrawingLineParser()
    for end in 0...bytes.count {
      let found = unsafe parser.drawing(in: bytes.span.bytes, 0..<end)
      #expect((found != nil) == (end >= whole))
      let short = Array(bytes[..<end])
      let same = unsafe parser.drawing(in: short.span.bytes, 0..<end)
      #expect(same == nil || end >= whole)
    }
  }

  @Test("Lines with random damage give the drawings and errors of the plain parser")
  func damaged() throws {
    let seeds = [
      #"{"word":"star","key_id":"45","recognized":true,"drawing":[[[64,114],[87,0]],[[1],[2]]]}"#,
      #"{"id":"7","label":"é⭐","strokes":[[[1.5,-3,0.25],[2,10,255],[0,7.125,12345]]]}"#,
      #"{"id":"q\"\u00e9","canvas":{"width":9,"height":8},"strokes":[[[1],[2]]],"shapes":[{"strokes":[0],"label":"a"}]}"#,
      #"{"key_id": "12345678901234567", "x": "y", "drawing": [[[0, 1], [2, 3]]], "word": "owl"}"#,
    ].map(Self.line)
    let tokens = [
      "\"", "[", "]", "{", "}", ",", "\\u", "-", "e9", "null", "é", ":", "0.", "\\", " ", "0", ".",
      "\r", "\t", "[]", "],[", "]],[[", "\u{7f}", "\0", "1234567", "drawing", "\"id\":\"a\",",
    ]
    var generator = SeededGenerator(seed: 32)
    for round in 0..<6 {
      let lines = (0..<300).map { _ in
        var bytes = generator.pick(seeds)
        for _ in 0..<generator.integer(below: 4) where !bytes.isEmpty {
          let place = generator.integer(below: bytes.count)
          switch generator.integer(below: 5) {
          case 0: bytes[place] = UInt8(generator.integer(below: 256))
          case 1: bytes.remove(at: place)
          case 2: bytes.insert(contentsOf: generator.pick(tokens).utf8, at: place)
          case 3: bytes[place] = bytes[generator.integer(below: bytes.count)]
          default:
            bytes.removeSubrange(place..<min(bytes.count, place + generator.integer(below: 9)))
          }
        }
        return bytes.filter { $0 != 0x0a && $0 != 0 }
      }
      // A file that begins with a byte order mark, or with nothing but brackets, is another matter.
      try expectSame([seeds[0]] + lines, ends: round % 3 == 2 ? [0x0d, 0x0a] : [0x0a])
    }
  }

  @Test("Numbers near to 0, and zeros with a sign, are read as the plain parser reads them")
  func small() throws {
    let zeros = "0." + String(repeating: "0", count: 120)
    let tokens = [
      "5e-324", "-5e-324", "1e-100", "9e-101", zeros, zeros + "1", "0.0000001", "0", "-0", "-0.0",
    ]
    func text(_ x: String) -> String {
      #"{"drawing":[[[\#(x),1],[0,\#(x)],[0,\#(x)]]]}"#
    }
    try expectSame(tokens.map { Self.line(text($0)) })
    for token in ["0", "-0", "-0.0"] {
      let plain = try StrokeJSON.parse(Self.line(text(token)))
      let fast = try #require(inPlace(text(token)))
      #expect(fast.strokes[0].points[0].x.sign == plain.strokes[0].points[0].x.sign)
    }
  }

  @Test("Random drawings, long and short, are read as the plain parser reads them")
  func random() throws {
    var generator = SeededGenerator(seed: 33)
    var lines = (0..<200).map { _ in StrokeJSON.encode(Drawing.random(&generator)) }
    for _ in 0..<30 {
      let strokes = (0...generator.integer(below: 4)).map { _ in
        let count = generator.pick([1, 2, 9, 60, 4095, 4096, 4097])
        let columns = (0..<2).map { _ in
          (0..<count).map { _ in String(generator.integer(below: generator.pick([10, 256, 99999])))
          }
          .joined(separator: ",")
        }
        return "[[\(columns[0])],[\(columns[1])]]"
      }
      lines.append(Self.line("{\"word\":\"w\",\"drawing\":[\(strokes.joined(separator: ","))]}"))
    }
    try expectSame(lines)
  }
}
