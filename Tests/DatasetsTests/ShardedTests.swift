import Files
import Foundation
import Ink
import Numbers
import Synchronization
import TestTools
import Testing

@testable import Datasets

/// Lines of so many drawings, no two the same, of the labels l0, l1, … in turn.
private func lines(_ count: Int, labels: Int = 3, from first: Int = 0) -> String {
  (first..<(first + count)).map {
    #"{"key_id":"\#(1000 + $0)","word":"l\#($0 % labels)","drawing":[[[0,\#($0 % 256)],[\#($0 / 256),7]]]}"#
  }.joined(separator: "\n") + "\n"
}

@discardableResult
private func pack(
  _ paths: [String], to folder: String, shards: Int = 3, skippingInvalid: Bool = false,
  resumes: Bool = false, progress: (ShardPacker.Progress) -> Void = { _ in }
) async throws -> ShardPacker.Report {
  var packer = try ShardPacker(
    paths, to: folder, shards: shards, skippingInvalid: skippingInvalid, resumes: resumes)
  return try await packer.run(progress: progress)
}

/// The bytes of all files of a set.
private func bytes(_ folder: String) throws -> [String: [UInt8]] {
  var found: [String: [UInt8]] = [:]
  for name in try FolderListing.names(in: folder) ?? [] {
    found[name] = try AtomicFile.read("\(folder)/\(name)")
  }
  return found
}

@Suite("Records of shards")
struct ShardRecordTests {
  @Test("The bytes are those of the table")
  func literal() throws {
    var bytes: [UInt8] = []
    let timed = Drawing(
      label: "v", strokes: [Stroke([Point(x: 1, y: 2, t: 0), Point(x: 3, y: 1.5, t: 130)])],
      wasGuessed: true)
    ShardRecord.append(timed, id: "300", to: &bytes)
    let literal: [UInt8] = [
      42,  // guessed (2), a number as id (8), times (32)
      1,  // tenths, and whole milliseconds
      0xac, 2,  // 300 = 0x2c + 2 · 128
      1, 2,  // a stroke of two points
      20, 40,  // x and y, each twice the step, in tenths
      40, 9,  // 20 to the right, and 5 up: 2 · 5 - 1
      0, 0x84, 2,  // 130 ms later: 260 = 4 + 2 · 128
    ]
    #expect(bytes == literal)
    var cursor = ByteCursor(bytes)
    var expected = timed
    expected.id = "300"
    #expect(try ShardRecord.drawing(from: &cursor, label: "v") == expected)
    #expect(cursor.isAtEnd)
  }

  @Test("What is read is what was written", arguments: 0..<200)
  func roundTrip(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var drawing = randomDrawing(
      &generator, id: generator.pick(["", "0", "07", "18446744073709551616", "a-⭐", "42"]))
    drawing.shapes = []
    drawing.label = "a"
    for stroke in drawing.strokes.indices {
      for point in drawing.strokes[stroke].points.indices where generator.chance(0.1) {
        drawing.strokes[stroke].points[point].x = generator.pick([1e100, -1e-100, 0.1, 1e15, 2e15])
        if generator.chance(0.3) { drawing.strokes[stroke].points[point].t = nil }
      }
    }
    var bytes: [UInt8] = []
    ShardRecord.append(drawing, id: drawing.id, to: &bytes)
    var cursor = ByteCursor(bytes)
    #expect(try ShardRecord.drawing(from: &cursor, label: "a") == drawing, "seed \(seed)")
    #expect(cursor.isAtEnd)
    for end in 0..<bytes.count {
      var cursor = ByteCursor(Array(bytes[..<end]))
      #expect(throws: FormatFault.self) {
        try ShardRecord.drawing(from: &cursor, label: "a")
      }
    }
  }
}

@Suite("Sharded sets")
struct ShardedTests {
  @Test("Every drawing of every file is in it once, and read like one of a file")
  func complete() async throws {
    let folder = try TemporaryFolder()
    let paths = [
      try folder.put(lines(700), "in/a.ndjson"),
      try folder.put(lines(1, from: 700), "in/b.ndjson"),
      try folder.put(lines(2000, labels: 2, from: 701), "in/c.json.ndjson"),
    ]
    try DatasetFiles.write(drawings([("h", 5)]), to: folder.file("in/d.h5"))
    let report = try await pack([folder.file("in")], to: folder.file("set"))
    #expect(report.drawings == 2706 && report.labels == 4 && report.shards == 3)
    let set = try ShardedDrawings(folder.file("set"))
    #expect(set.count == 2706 && set.fingerprint == report.fingerprint)
    #expect(
      set.labels.sorted { $0.label < $1.label }.map(\.drawings) == [5, 1234, 1234, 233])
    let contents = try DatasetFiles.read([folder.file("set")])
    let plain = try DatasetFiles.read(paths + [folder.file("in/d.h5")])
    #expect(try contents.samples().fingerprint == plain.samples().fingerprint)
    #expect(contents.drawings != plain.drawings)
    #expect(contents.drawings[17] == (try set.drawing(17)))
    // The same files give the same bytes, wherever the set is.
    try await pack([folder.file("in")], to: folder.file("again"))
    #expect(try bytes(folder.file("again")) == bytes(folder.file("set")))
    let summary = try ShardedSummary(set)
    #expect(summary.drawings == 2706 && summary.classes.map(\.label) == ["h", "l0", "l1", "l2"])
    #expect(summary.pointsPerDrawing.maximum == 2 && summary.withoutTimes == 2706)
  }

  @Test("Ids that are only positions are left out, others are kept; labels get label form")
  func names() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.put(
      #"{"label":" a ","strokes":[[[1],[2]]]}"# + "\n"
        + #"{"id":"x:9","label":"a","strokes":[[[1],[3]]]}"# + "\n", "a.ndjson")
    try await pack([path], to: folder.file("set"), shards: 1)
    let set = try ShardedDrawings(folder.file("set"))
    #expect(try Set([set.drawing(0).id, set.drawing(1).id]) == ["", "x:9"])
    #expect(set.labels == [.init(label: "a", drawings: 2)])
  }

  @Test("Shards are of nearly the same size, and labels are mixed in each")
  func mixed() async throws {
    let folder = try TemporaryFolder()
    for label in 0..<8 {
      try folder.put(
        lines(5000, labels: 1, from: 5000 * label).replacing("l0", with: "m\(label)"),
        "in/\(label).ndjson")
    }
    try await pack([folder.file("in")], to: folder.file("set"), shards: 2)
    let sizes = try bytes(folder.file("set")).filter { $0.key.hasPrefix("shard-") }
      .map(\.value.count)
    #expect(sizes.count == 2 && abs(sizes[0] - sizes[1]) < 70_000, "\(sizes)")
    let set = try ShardedDrawings(folder.file("set"))
    let first = try (0..<200).map { try set.drawing($0).label }
    #expect(Set(first).count == 8)
  }

  @Test("An order takes each drawing once; seed, epoch and exclusions make it, and nothing else")
  func order() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.put(lines(30_000), "a.ndjson")
    try await pack([path], to: folder.file("set"))
    let set = try ShardedDrawings(folder.file("set"))
    func numbers(seed: UInt64, epoch: Int, excluding: Set<Int> = []) -> [Int] {
      let order = ShardOrder(of: set, seed: seed, epoch: epoch, excluding: excluding)
      return (0..<order.count).map(order.number)
    }
    let first = numbers(seed: 1, epoch: 0)
    #expect(first.sorted() == Array(0..<30_000))
    #expect(first.prefix(100).map { $0 } != Array(first.prefix(100)).sorted())
    #expect(numbers(seed: 2, epoch: 0) != first)
    #expect(numbers(seed: 1, epoch: 1) != first)
    let rest = numbers(seed: 1, epoch: 0, excluding: [0, 5, 29_999])
    #expect(rest.sorted() == (0..<30_000).filter { ![0, 5, 29_999].contains($0) })
    // Another process begins anywhere.
    let order = ShardOrder(of: try ShardedDrawings(folder.file("set")), seed: 1)
    for position in [29_999, 3, 15_000] {
      #expect(order.number(position) == first[position])
      #expect(try order.drawing(position) == set.drawing(first[position]))
    }
  }

  @Test("A sample has as many of each label as there are, up to the most")
  func sample() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.put(
      lines(3000) + lines(2, labels: 1, from: 3000).replacing("l0", with: "rare"), "a.ndjson")
    try await pack([path], to: folder.file("set"))
    let set = try ShardedDrawings(folder.file("set"))
    let (drawings, numbers) = try set.sample(ofEachLabel: 4, seed: 1)
    #expect(
      Dictionary(grouping: drawings, by: \.label).mapValues(\.count) == [
        "l0": 4, "l1": 4, "l2": 4, "rare": 2,
      ])
    #expect(Set(numbers).count == 14)
    for (drawing, number) in zip(drawings, numbers) {
      #expect(try set.drawing(number) == drawing)
    }
    #expect(try set.sample(ofEachLabel: 4, seed: 1).numbers == numbers)
    #expect(try set.sample(ofEachLabel: 4, seed: 2).numbers != numbers)
  }

  @Test("A packing that was stopped goes on to the same bytes, also after lines that are invalid")
  func resume() async throws {
    let folder = try TemporaryFolder()
    for file in 0..<3 {
      try folder.put(
        lines(20_000, from: 20_000 * file) + "\n{}\n" + lines(10, from: 100_000 + 10 * file),
        "in/\(file).ndjson")
    }
    let whole = try await pack(
      [folder.file("in")], to: folder.file("whole"), skippingInvalid: true)
    #expect(whole.drawings == 60_030 && whole.skipped == 3)
    let (source, set) = (folder.file("in"), folder.file("set"))
    for end in [1, 2] {
      let stopped = Task {
        var rounds = 0
        return try await pack(
          [source], to: set, skippingInvalid: true, resumes: end > 1,
          progress: { _ in
            rounds += 1
            if rounds == 1 { withUnsafeCurrentTask { $0?.cancel() } }
          })
      }
      await #expect(throws: CancellationError.self) { try await stopped.value }
      let unfinished = refusal { try ShardedDrawings(set) }
      #expect(unfinished.contains("is still being packed, or its packing was stopped"))
      // What was written after the last note, such as half a block, goes.
      try AppendedFile("\(set)/shard-001").append([1, 2, 3])
    }
    let again = refusal { try ShardPacker([source], to: set, shards: 3) }
    #expect(again.contains("go on with --resume"))
    let other = refusal { try ShardPacker([source], to: set, shards: 4, resumes: true) }
    #expect(other.contains("it was begun with --shards 3, not 4"))
    let changed = refusal {
      try ShardPacker([source + "/1.ndjson"], to: set, shards: 3, resumes: true)
    }
    #expect(changed.contains("begun with other files"))
    let report = try await pack([source], to: set, skippingInvalid: true, resumes: true)
    #expect(report == whole)
    #expect(try bytes(set) == bytes(folder.file("whole")))
    let finished = refusal { try ShardPacker([source], to: set, shards: 3, resumes: true) }
    #expect(finished.contains("it is finished"))
  }

  @Test("Of large drawings fewer are in memory at a time")
  func largeDrawings() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.put(lines(10), "a.ndjson")
    let source = try ShardSource(.init(path: path), number: 0)
    let first = try source.take(10, bytes: 1, skippingInvalid: false)
    #expect(first.ends.count == 1 && !first.isLast)
    let length = first.bytes.count
    let next = try source.take(10, bytes: 3 * length - 1, skippingInvalid: false)
    #expect(next.ends == [length, 2 * length, 3 * length])
    #expect(try source.take(10, bytes: 1 << 20, skippingInvalid: false).ends.count == 6)
    var packer = try ShardPacker([path], to: folder.file("set"), shards: 1)
    packer.roundBytes = 3 * length
    var counts: [Int] = []
    #expect(try await packer.run(progress: { counts.append($0.drawings) }).drawings == 10)
    // A file alone is asked for a byte more than is missing.
    #expect(counts == [4, 8, 10])
  }

  @Test("A folder with something else in it, a drawing without a label and no drawing are refused")
  func refused() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.put(lines(3), "in/a.ndjson")
    let foreign = refusal { try ShardPacker([path], to: folder.file("in"), shards: 1) }
    #expect(foreign.contains("the folder contains a.ndjson; name a folder that is new or empty"))
    let bare = try folder.put(lines(1) + #"{"strokes":[[[1],[2]]]}"#, "bare.ndjson")
    let missing = await #expect(throws: SampleSetError.self) {
      try await pack([bare], to: folder.file("bare"))
    }
    #expect("\(missing as Any)".contains("bare.ndjson"))
    #expect("\(missing as Any)".contains("2"))
    let none = try folder.put("\n", "none.ndjson")
    await #expect(throws: DatasetError.self) { try await pack([none], to: folder.file("none")) }
  }
}

@Suite("Shards that are damaged")
struct DamagedShardTests {
  @Test("are refused by a sentence that names the file and says what to do")
  func refused() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.put(lines(12_000), "a.ndjson")
    let set = folder.file("set")
    try await pack([path], to: set, shards: 2)
    let sound = try bytes(set)
    func message(_ name: String, _ change: ([UInt8]) -> [UInt8]?) throws -> String {
      defer {
        for (name, bytes) in sound { try? AtomicFile.write(bytes, to: "\(set)/\(name)") }
      }
      if let changed = change(sound[name] ?? []) {
        try AtomicFile.write(changed, to: "\(set)/\(name)")
      } else {
        AtomicFile.remove("\(set)/\(name)")
      }
      return refusal { try ShardedSummary(ShardedDrawings(set)) }
    }
    let shard = "cannot read \(set)/shard-001: "
    #expect(
      try message("shard-001") { _ in nil } == shard + "No such file or directory; check the path")
    let length = sound["shard-001"]?.count ?? 0
    #expect(
      try message("shard-001") { $0.dropLast(100) }
        == shard + "it is truncated (\(length - 100) of \(length) bytes); copy it again")
    let tooLong = "it is too long (\(length + 1) of \(length) bytes); copy it again"
    #expect(try message("shard-001") { $0 + [0] } == shard + tooLong)
    #expect(
      try message("shard-001") { $0.enumerated().map { $0 == 200 ? $1 ^ 1 : $1 } } == shard
        + "block 0, from byte 56: some bytes changed; copy the file again, or pack the drawings again"
    )
    #expect(
      try message("shard-001") { $0.dropLast() + [$0[length - 1] ^ 1] } == shard
        + "its checksum does not match, so some bytes changed; copy it again")
    #expect(
      try message("shard-001") { $0.enumerated().map { $0 == 12 ? 9 : $1 } } == shard
        + "it has format version 9 and this drawml reads up to 1; update drawml")
    #expect(
      try message("shard-001") { _ in sound["shard-000"].map { $0 + [] } }.contains("shard-001"))
    #expect(
      try message("shard-001") { Array("x".utf8) + $0.dropFirst() } == shard
        + "it is not a shard of drawings")
    let manifest = "cannot read \(set)/drawings.shards: "
    func edited(_ old: String, _ new: String) throws -> String {
      try message("drawings.shards") {
        Array(String(decoding: $0, as: UTF8.self).replacing(old, with: new).utf8)
      }
    }
    #expect(
      try edited("\"l1\"", "\"l9\"")
        == manifest + "it was changed, or is damaged; copy the folder again, or pack it again")
    #expect(
      try edited("\"version\" : 1", "\"version\" : 2") == manifest
        + "it has format version 2 and this drawml reads up to 1; update drawml")
    #expect(
      try edited("drawml-shards", "other") == manifest + "it is not a manifest of shards")
    #expect(try edited("{", "[").hasPrefix(manifest))
  }

  @Test("Bytes changed at random are refused, or change nothing", arguments: 0..<60)
  func random(seed: Int) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.put(lines(300), "a.ndjson")
    let set = folder.file("set")
    try await pack([path], to: set, shards: 2)
    let sound = try ShardedSummary(ShardedDrawings(set))
    var generator = SeededGenerator(seed: UInt64(seed))
    let name = generator.pick(try FolderListing.names(in: set) ?? [])
    var bytes = try AtomicFile.read("\(set)/\(name)")
    for _ in 0...generator.integer(below: 3) {
      switch generator.integer(below: 3) {
      case 0: bytes.removeLast(generator.integer(below: bytes.count))
      case 1:
        bytes.insert(
          UInt8(generator.integer(below: 256)), at: generator.integer(below: bytes.count))
      default: bytes[generator.integer(below: bytes.count)] = UInt8(generator.integer(below: 256))
      }
    }
    try AtomicFile.write(bytes, to: "\(set)/\(name)")
    do throws(FileError) {
      #expect(try ShardedSummary(ShardedDrawings(set)) == sound, "seed \(seed)")
    } catch {
      #expect(error.path.hasPrefix(set), "seed \(seed): \(error)")
    }
  }
}
