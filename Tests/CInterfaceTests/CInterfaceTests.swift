import Foundation
import Ink
import Recognition
import TestTools
import Testing

@testable import CInterface

/// Models and answers are tested from Python (`Tests/Interop/test_python.py`), against the program.
@Suite("C interface")
struct CInterfaceTests {
  /// Two drawings of two points.
  private func drawings() throws -> UInt64 {
    var handle: UInt64 = 0
    let error = makeDrawings(
      [0, 0, 1, 1, 2, 2, 3, 1], 4, 2, [0, 2, 4], 2, [0, 1, 2], 2, nil, nil, &handle)
    try #require(told(error) == nil)
    return handle
  }

  @Test("A handle that was released, that was never given, or of another kind is an error")
  func handles() throws {
    let drawings = try drawings()
    var text: OwnedText?
    #expect(told(describeDrawings(drawings, &text)) == nil)
    #expect(
      told(text) == #"{"drawings":[{"id":"","label":null},{"id":"","label":null}]}"#)
    #expect(
      told(describeModel(drawings, &text)) == "the handle \(drawings) is not of a model")
    #expect(told(release(drawings)) == nil)
    for handle in [drawings, 0, .max] {
      let error = "there is no object with the handle \(handle); was it released?"
      #expect(told(release(handle)) == error)
      #expect(told(describeDrawings(handle, &text)) == error)
      #expect(told(classify(handle, handle, 5, &text)) == error)
    }
  }

  @Test("NULL, lengths that are impossible and numbers out of range are errors")
  func arguments() throws {
    var handle: UInt64 = 0
    #expect(told(loadModel(nil, &handle)) == "the path is NULL")
    #expect(told(loadModel([0x66, -1, 0], &handle)) == "the path is not UTF-8")
    #expect(told(parseDrawings(nil, 4, &handle)) == "the text is NULL")
    for length in [-1, Int64.max] {
      #expect(told(parseDrawings([0], length, &handle))?.contains("must be from 0 to") == true)
    }
    for count in [-1, (1 << 28) + 1, Int64.max, .min] {
      let range = "is \(count); it must be from 0 to 268435456"
      #expect(
        told(makeDrawings([0], count, 2, [0], 0, [0], 0, nil, nil, &handle))
          == "the number of points \(range)")
      #expect(
        told(makeDrawings([0], 0, 2, [0], count, [0], 0, nil, nil, &handle))
          == "the number of strokes \(range)")
      #expect(
        told(makeDrawings([0], 0, 2, [0], 0, [0], count, nil, nil, &handle))
          == "the number of drawings \(range)")
      #expect(
        told(makeDrawings([0], 0, count, [0], 0, [0], 0, nil, nil, &handle))
          == "the number of columns is \(count); it must be from 2 to 3")
    }
    #expect(
      told(makeDrawings(nil, 1, 2, [0, 1], 1, [0, 1], 1, nil, nil, &handle))
        == "the array of points is NULL")
    #expect(
      told(makeDrawings(nil, 0, 2, nil, 0, [0], 0, nil, nil, &handle))
        == "the array of starts of strokes is NULL")
    #expect(
      told(makeDrawings(UnsafePointer(bitPattern: 12), 1, 2, [0, 1], 1, [0, 1], 1, nil, nil, nil))
        == "the array of points is not aligned for its numbers")
    #expect(handle == 0)
    let drawings = try drawings()
    #expect(told(describeDrawings(drawings, nil)) == "the place for the text is NULL")
    #expect(
      told(makeDrawings(nil, 0, 2, [0], 0, [0], 0, nil, nil, nil))
        == "the place for the handle is NULL")
    #expect(told(release(drawings)) == nil)
  }

  @Test("Pixels have the length that is said, and a rasterizer's numbers are checked")
  func pixels() throws {
    let drawings = try drawings()
    var coverage = [Float](repeating: -1, count: 2 * 28 * 28)
    var bytes = [UInt8](repeating: 1, count: coverage.count)
    let count = Int64(coverage.count)
    #expect(told(rasterize(drawings, 28, 1.5, 1, &coverage, &bytes, count)) == nil)
    let raster = try Rasterizer()(
      Drawing(strokes: [Stroke([Point(x: 2, y: 2), Point(x: 3, y: 1)])]))
    #expect(Array(coverage.suffix(28 * 28)) == raster.values)
    #expect(Array(bytes.suffix(28 * 28)) == raster.bytes)
    #expect(
      told(rasterize(drawings, 28, 1.5, 1, &coverage, nil, count - 1))
        == "the array for the results has 1567 elements; they have the shape [2, 28, 28]")
    for (size, width, margin) in [
      (0, 1.5, 1), (-1, 1.5, 1), (4097, 1.5, 1), (Int64.max, 1.5, 1), (28, 0, 1), (28, .nan, 1),
      (28, 1.5, -1), (28, 1.5, .infinity), (28, 10, 9),
    ] {
      let error = told(rasterize(drawings, size, width, margin, &coverage, nil, count))
      #expect(error?.hasPrefix("the ") == true && error?.contains(" is ") == true)
    }
    #expect(told(release(drawings)) == nil)
  }

  @Test("A model's refusal rate has limits; a file of another kind is not replaced")
  func model() throws {
    let model = Handles.keep(
      .model(
        SharedModel(
          try ModelFile.read("\(Repository.path)/models/base-slim.drawml"))))
    for rate in [-0.1, 0.6, .nan, .infinity] {
      #expect(
        told(setRefusalRate(model, rate))
          == "the refusal rate is \(rate); it must be from 0.0 to 0.5")
    }
    let folder = try TemporaryFolder()
    let path = folder.path + "/diary"
    try Data("Dear diary,".utf8).write(to: URL(filePath: path))
    #expect(
      told(saveModel(model, path))
        == "cannot write \(path): it is a file of another kind, not a DrawML model; "
        + "choose another name")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "Dear diary,")
    var text: OwnedText?
    let drawings = try drawings()
    #expect(told(updateModel(model, drawings, &text))?.contains("has no label") == true)
    for top in [0, -1, 100_001, Int64.max] {
      #expect(told(classify(model, drawings, top, &text))?.contains("candidates is") == true)
    }
    #expect(text == nil)
    #expect(told(release(model)) == nil && told(release(drawings)) == nil)
  }

  @Test("A change that cannot be told is not made")
  func changes() throws {
    let model = Handles.keep(
      .model(try SharedModel(path: "\(Repository.path)/models/base-slim.drawml")))
    var drawings: UInt64 = 0
    let strokes = #"{"id":"a","label":"star","strokes":[[[0,10,20],[0,10,5]]]}"#
    #expect(told(parseDrawings(Array(strokes.utf8), Int64(strokes.utf8.count), &drawings)) == nil)
    #expect(told(updateModel(model, drawings, nil)) == "the place for the text is NULL")
    var text: OwnedText?
    let error = told(
      errorText {
        try change(model, &text, copy: { _ in nil }) { try $0.update(with: [Drawing]()) }
      })
    #expect(error == "there is not enough memory for the result")
    #expect(try Handles.model(model).recognizer.labels == [])
    #expect(told(updateModel(model, drawings, &text)) == nil)
    #expect(
      told(text) == #"{"added":1,"newLabels":["star"],"relabeled":0,"repeated":0}"#)
    // A copy is not changed with the model.
    var copied: UInt64 = 0
    #expect(told(copyModel(model, &copied)) == nil)
    #expect(told(forgetLabel(model, "star", nil)) == "the place for the text is NULL")
    #expect(told(forgetLabel(model, "star", &text)) == nil)
    #expect(told(text) == #"{"forgotten":["a"]}"#)
    #expect(try Handles.model(copied).recognizer.labels == ["star"])
    for handle in [model, drawings, copied] { #expect(told(release(handle)) == nil) }
  }

  @Test("A file that another program has changed since it was read is not replaced")
  func changedFile() throws {
    let folder = try TemporaryFolder()
    let (path, other) = (folder.file("m.drawml"), folder.file("other.drawml"))
    let base = "\(Repository.path)/models/base-slim.drawml"
    try FileManager.default.copyItem(atPath: base, toPath: path)
    let model = Handles.keep(.model(try SharedModel(path: path)))
    for place in [path, other, path, other] { #expect(told(saveModel(model, place)) == nil) }
    for place in [path, other] {
      try ModelFile.write(try ModelFile.read(base), to: place)
      #expect(
        told(saveModel(model, place))
          == "cannot write \(place): another program has changed it since it was read; read it "
          + "again, or choose another name")
    }
    #expect(told(saveModel(model, folder.file("third.drawml"))) == nil)
    #expect(told(release(model)) == nil)
  }

  @Test("A text that cannot be copied is an error, which has a text even then")
  func shortMemory() {
    var text: OwnedText?
    #expect(
      told(errorText { try set(&text, copy: { _ in nil }, to: 1) })
        == "there is not enough memory for the result")
    for _ in 0..<2 {
      #expect(
        told(errorText(copy: { _ in nil }) { throw InterfaceError.null("the path") })
          == "memory is short")
    }
  }
}
