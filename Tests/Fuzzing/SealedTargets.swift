internal import Datasets
internal import Files
internal import Foundation
internal import HDF5
internal import Ink
internal import NeuralNetwork
internal import Recognition

extension Target {
  /// Files behind a seal, which anyone can compute: inputs are what the seal protects.
  static let sealedTargets = [
    Target("model", seeds: { try Samples.models().map(unsealed) }) { bytes in
      try use(SealedFile(kind: "DrawML model", version: 2).seal(bytes))
    },
    Target("model-parts", seeds: { [[], [0, 1, 2, 3, 4, 5, 6, 7], Array(0...63)] }) { bytes in
      var script = EditScript(bytes)
      let model = try Samples.models()[Int(script.byte()) % 2]
      let payload = try HDF5Edits.apply(&script, to: unsealed(model))
      try use(SealedFile(kind: "DrawML model", version: 2).seal(payload))
    },
    Target("drawings-hdf5", ending: ".h5", seeds: { [try unsealed(Samples.drawingsFile())] }) {
      path in
      let payload = try AtomicFile.read(path)
      try SealedFile(kind: "DrawML drawings", version: 1).write(payload, to: path)
      try readAll(path)
    },
    Target("drawings-hdf5-others", ending: ".h5", seeds: { Samples.othersHDF5 }) { path in
      try readAll(path)
    },
    Target("drawings-hdf5-parts", ending: ".h5", seeds: { [[], [7, 1, 4], Array(0...63)] }) {
      path in
      var script = EditScript(try AtomicFile.read(path))
      let payload = try HDF5Edits.apply(&script, to: unsealed(Samples.drawingsFile()))
      try SealedFile(kind: "DrawML drawings", version: 1).write(payload, to: path)
      try readAll(path)
    },
    // Inputs are the records of a block, behind sound digests.
    Target("shard", ending: ".shards", seeds: { [Samples.shardRecords] }) { path in
      let records = try AtomicFile.read(path)
      AtomicFile.remove(path)
      try readAll(Samples.shardedSet(records))
    },
    Target("shard-manifest", ending: ".shards", seeds: { [try Samples.shardManifest()] }) { path in
      let manifest = try Samples.shardedSet(Samples.shardRecords)
      try AtomicFile.write(AtomicFile.read(path), to: manifest)
      AtomicFile.remove(path)
      try readAll(manifest)
    },
    Target("checkpoint", ending: ".checkpoint", seeds: { [try unsealed(Samples.checkpoint())] }) {
      path in
      let payload = try AtomicFile.read(path)
      try SealedFile(kind: "DrawML checkpoint", version: 2).write(payload, to: path)
      _ = try TrainingCheckpoint(reading: path)
    },
    Target("seal", seeds: { try Samples.models() }) { try use($0) },
  ]

  private static func unsealed(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.dropFirst(SealedFile.headerLength))
  }

  /// Opens a model and asks it about a drawing, as `classify --explain` does.
  private static func use(_ bytes: [UInt8]) throws {
    let recognizer = try ModelFile.read(bytes, named: "model")
    _ = try recognizer.classify(Samples.drawing)
  }

  /// Reads all drawings of a file, as every command does.
  static func readAll(_ path: String) throws {
    var reader = try DatasetReader(path: path)
    // What follows a faulty drawing is read, too, but not for ever.
    var faults = 0
    while faults < 100 {
      do {
        guard let drawing = try reader.next() else { return }
        _ = drawing.digest
        // Sums and differences of its numbers are numbers: no JSON could hold others.
        precondition(drawing.boundingBox.map { $0.width.isFinite && $0.height.isFinite } ?? true)
      } catch {
        faults += 1
        _ = "\(error)"
      }
    }
  }
}
