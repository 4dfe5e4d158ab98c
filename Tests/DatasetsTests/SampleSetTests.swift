import Ink
import Numbers
import Testing

@testable import Datasets

@Suite("Sample sets")
struct SampleSetTests {
  @Test("Drawings are in order of label and id, classes sorted by scalars")
  func order() throws {
    let set = try SampleSet([
      line(1, id: "2", label: "zebra"), line(2, id: "9", label: "⭐"),
      line(3, id: "1", label: "zebra"),
      line(4, id: "5", label: "Zoo"), line(5, id: "4", label: "ähre"),
    ])
    #expect(set.classes == ["Zoo", "zebra", "ähre", "⭐"])
    #expect(set.drawings.map(\.id) == ["5", "1", "2", "4", "9"])
    #expect(set.classIndices == [0, 1, 1, 2, 3])
    #expect(set.counts == [1, 2, 1, 1])
    #expect(set.count == 5)
    #expect(set.repeats == 0)
  }

  @Test("Each drawing keeps where it was read: a repeated one its first place")
  func origins() throws {
    let set = try SampleSet(
      [
        line(1, id: "b", label: "cat"), line(2, id: "a", label: "cat"),
        line(3, id: "c", label: "ant"), line(1, id: "b", label: "cat"),
      ],
      origins: (1...4).map { SampleSet.Origin(path: "pets.ndjson", line: $0) })
    #expect(set.drawings.map(\.id) == ["c", "a", "b"])
    #expect(set.origins.map(\.line) == [3, 2, 1])
    #expect(set.subset([2, 0]).origins.map(\.line) == [3, 1])
    #expect(try SampleSet([line(1, id: "b", label: "cat")]).origins.isEmpty)
  }

  @Test("Labels that differ in Unicode normal form are one class, in form C")
  func normalForm() throws {
    let set = try SampleSet([
      line(1, id: "1", label: "cafe\u{301}"), line(2, id: "2", label: "caf\u{e9}"),
    ])
    #expect(
      set.classes.map { Array($0.unicodeScalars.map(\.value)) } == [[0x63, 0x61, 0x66, 0xe9]])
    #expect(set.drawings.allSatisfy { $0.label?.unicodeScalars.count == 4 })
  }

  @Test("White space around a label is no part of it, and dots alone are no label")
  func labelForm() throws {
    let set = try SampleSet([
      line(1, id: "1", label: " cat"), line(2, id: "2", label: "cat\t"),
      line(3, id: "3", label: "\u{2764}"), line(4, id: "4", label: "\u{2764}\u{fe0f}"),
    ])
    #expect(set.classes == ["cat", "\u{2764}\u{fe0f}"] && set.counts == [2, 2])
    #expect(throws: SampleSetError.invalidLabel(.dots, index: 0, id: "1", origin: nil)) {
      try SampleSet([line(1, id: "1", label: " . ")])
    }
  }

  @Test("The fingerprint does not depend on the order, but on id, label and every point and time")
  func fingerprint() throws {
    var generator = SeededGenerator(seed: 3)
    var drawings = (0..<40).map { line($0, id: "d\($0)", label: "c\($0 % 3)") }
    let expected = try SampleSet(drawings).fingerprint
    #expect(expected.count == 64)
    for _ in 0..<5 {
      generator.shuffle(&drawings)
      #expect(try SampleSet(drawings).fingerprint == expected)
    }
    let changes: [(inout Drawing) -> Void] = [
      { $0.id = "other" }, { $0.label = "c9" }, { $0.strokes[0].points[1].x += 1e-9 },
      { $0.strokes[0].points[0].t = 0 }, { $0.strokes.append(Stroke([Point(x: 0, y: 0)])) },
      { $0.strokes = $0.strokes[0].points.map { Stroke([$0]) } },
    ]
    var found: Set<String> = [expected]
    for change in changes {
      var changed = drawings
      change(&changed[7])
      found.insert(try SampleSet(changed).fingerprint)
    }
    #expect(found.count == changes.count + 1)
    var same = drawings
    same[3].strokes[0].points[0].x = -0.0
    #expect(try SampleSet(same).fingerprint == expected, "the negative zero is the same place")
  }

  @Test("The fingerprint of a known set stays what it was")
  func goldenFingerprint() throws {
    // Computed beside this code with Python's hashlib and struct. Models carry it: it changes only
    // together with the words "DrawML samples 2".
    let set = try SampleSet([line(1, id: "a", label: "x"), line(2, id: "b", label: "y")])
    #expect(
      set.fingerprint == "3275d399bc9e3665e6e83de497a7c6afc5eeb34777f322f3ea9b161f1294764d")
  }

  @Test("A repeated drawing is kept once and counted; a drawing without id gets one of its own")
  func repeats() throws {
    let set = try SampleSet([
      line(1, id: "1", label: "a"), line(1, id: "1", label: "a"), line(2, label: "a"),
      line(2, label: "a"), line(2, label: "b"), line(3, label: "b"),
    ])
    #expect(set.count == 4)
    #expect(set.repeats == 2)
    #expect(Set(set.drawings.map(\.id)).count == 4)
    #expect(set.drawings.count { $0.id.hasPrefix("sha256-") && $0.id.count == 23 } == 3)
  }

  @Test("A missing label is named by file and line and id")
  func missingLabel() {
    let drawings = [line(1, id: "1", label: "a"), line(2, id: "k7")]
    let origins = [1, 2].map { SampleSet.Origin(path: "a.ndjson", line: $0) }
    let error = #expect(throws: SampleSetError.self) { try SampleSet(drawings, origins: origins) }
    #expect(error == .missingLabel(index: 1, id: "k7", origin: origins[1]))
    #expect(
      error?.description
        == "a.ndjson:2: the drawing with id \"k7\" has no label; add a \"label\" (or \"word\") "
        + "that says what it shows")
    #expect(throws: SampleSetError.missingLabel(index: 0, id: "", origin: nil)) {
      try SampleSet([line(1, label: " \n")])
    }
  }

  @Test("A label that no model can have is refused with file, line and reason")
  func invalidLabel() {
    let drawings = [line(1, id: "1", label: "st\0ar"), line(2, id: "2", label: "b")]
    let origins = [1, 2].map { SampleSet.Origin(path: "a.ndjson", line: $0) }
    let error = #expect(throws: SampleSetError.self) { try SampleSet(drawings, origins: origins) }
    #expect(
      error?.description
        == "a.ndjson:1: the drawing with id \"1\" has a label that has the control character "
        + "U+0000, which cannot be seen; take it out")
    let long = String(repeating: "x", count: 65)
    #expect(
      throws: SampleSetError.invalidLabel(.tooLong(limit: 64), index: 0, id: "", origin: nil)
    ) { try SampleSet([line(1, label: long)]) }

    var contents = DatasetFiles.Contents()
    (contents.drawings, contents.origins) = (drawings, origins)
    #expect(contents.removeUnusable() == error.map { [$0] })
    #expect(contents.drawings.map(\.id) == ["2"])
  }

  @Test("One id for two different drawings is an error that names both places")
  func conflicts() {
    let origins = ["x.json", "y.json", "z.json"].map { SampleSet.Origin(path: $0) }
    let strokes = [
      line(1, id: "7", label: "a"), line(5, id: "8", label: "a"), line(2, id: "7", label: "a"),
    ]
    #expect(throws: SampleSetError.conflictingID("7", origins[0], origins[2])) {
      try SampleSet(strokes, origins: origins)
    }
    let labels = [line(1, id: "7", label: "b"), line(1, id: "7", label: "a")]
    let error = refusal(SampleSetError.self) {
      try SampleSet(labels, origins: [origins[1], origins[0]])
    }
    #expect(
      error == """
        the id "7" names two different drawings (y.json and x.json); give each drawing its own id
        """
    )
  }

  @Test("No drawings, and one class, are errors of their own")
  func tooLittle() throws {
    #expect(throws: SampleSetError.empty) { try SampleSet([]) }
    let one = try SampleSet([line(1, label: "a"), line(2, label: "a")])
    #expect(throws: SampleSetError.oneClass("a")) { try one.requireTwoClasses() }
    try SampleSet([line(1, label: "a"), line(2, label: "b")]).requireTwoClasses()
  }

  @Test("A subset has its own classes, and its fingerprint is that of a set made of its drawings")
  func subset() throws {
    let set = try SampleSet((0..<9).map { line($0, id: "d\($0)", label: "c\($0 % 3)") })
    let part = set.subset([8, 0, 1, 8])
    #expect(part.drawings.map(\.id) == ["d0", "d3", "d8"])
    #expect(part.classes == ["c0", "c2"])
    #expect(part.classIndices == [0, 0, 1])
    #expect(try part.fingerprint == SampleSet(part.drawings).fingerprint)
    #expect(set.subset([]).count == 0)
  }
}
