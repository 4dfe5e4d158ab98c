public import Ink
internal import Support

/// What one look through files finds that are too large for the memory: their labels, how many
/// drawings they have, and a few drawings of each label.
public struct StreamSurvey: Sendable {
  /// How many labeled drawings there are.
  public private(set) var count = 0
  /// How many drawings were left out because they cannot be read or have no label that can be used.
  public private(set) var skippedCount = 0
  /// Some drawings of each label, chosen at random; where each came from is in `origins`.
  public private(set) var drawings: [Drawing] = []
  /// Where `drawings` came from.
  public private(set) var origins: [SampleSet.Origin] = []
  /// SHA-256 over labels and strokes in the order of files and lines.
  public private(set) var fingerprint = ""

  /// Reads all files once.
  ///
  /// - Parameters:
  ///   - paths: Files and folders, HDF5 files in them too; see
  ///     `DatasetFiles.expand(_:as:withShards:)`.
  ///   - format: The form of all files; unless given, each file's name tells it.
  ///   - kept: How many drawings of each label are kept, at least 1; each is equally likely to be
  ///     (Vitter 1985, algorithm R, doi:10.1145/3147.3165).
  ///   - seed: What the choice depends on.
  ///   - skippingInvalid: Whether to leave out what cannot be read or has no label that can be
  ///     used.
  ///   - progress: Called after every ten thousandth drawing and every file.
  /// - Throws: `DatasetError`, which names file and line, or `SampleSetError` for a missing or
  ///   invalid label.
  public init(
    _ paths: [String], as format: DatasetFormat? = nil, kept: Int, seed: UInt64,
    skippingInvalid: Bool = false, progress: ((DatasetFiles.Progress) -> Void)? = nil
  ) throws {
    precondition(kept >= 1, "at least one drawing of each label is kept, got \(kept)")
    var generator = SeededGenerator(seed: seed, stream: 0x5375)
    var fingerprint = Fingerprint()
    fingerprint.update("DrawML stream 1")
    var places: [String: [Int]] = [:]
    var seen: [String: Int] = [:]
    let sources = try DatasetFiles.expand(paths, as: format, withShards: true)
    for (index, source) in sources.enumerated() {
      func report(done: Int) {
        progress?(.init(filesDone: done, files: sources.count, drawings: count))
      }
      do {
        var reader = try DatasetReader(path: source.path, label: source.label, as: format)
        while true {
          do {
            guard let drawing = try reader.next() else { break }
            let origin = SampleSet.Origin(path: source.path, line: reader.line)
            let label = try SampleSet.label(of: drawing, index: count, origin: origin)
            count += 1
            fingerprint.update(label)
            fingerprint.update(drawing.digest)
            let place = seen[label, default: 0]
            seen[label] = place + 1
            if place < kept {
              places[label, default: []].append(drawings.count)
              drawings.append(drawing)
              origins.append(origin)
            } else if let index = places[label]?.dropFirst(generator.integer(below: place + 1))
              .first
            {
              drawings[index] = drawing
              origins[index] = origin
            }
            if count.isMultiple(of: 10_000) { report(done: index) }
          } catch {
            guard skippingInvalid else { throw error }
            skippedCount += 1
          }
        }
      } catch {
        guard skippingInvalid else { throw error }
        skippedCount += 1
      }
      report(done: index + 1)
    }
    self.fingerprint = fingerprint.hexadecimal()
  }
}
