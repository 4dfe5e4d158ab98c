internal import Files
public import Ink
internal import Numbers

/// A summary, from one pass, of files too large for memory: their labels, the number of drawings,
/// and a sample of drawings of each label.
public struct StreamSurvey: Sendable {
  /// The number of labeled drawings.
  public private(set) var count = 0
  /// The number of drawings skipped because they cannot be read or have no valid label.
  public private(set) var skippedCount = 0
  /// A random sample of drawings of each label, with `origins`.
  public private(set) var drawings: [Drawing] = []
  /// The origins of `drawings`.
  public private(set) var origins: [SampleSet.Origin] = []
  /// The SHA-256 of labels and strokes in the order of files and lines.
  public private(set) var fingerprint = ""

  /// Reads all files once.
  ///
  /// - Parameters:
  ///   - paths: Files and folders, including HDF5 files in them; see
  ///     `DatasetFiles.expand(_:as:withShards:)`.
  ///   - kept: The number of drawings kept per label, at least 1; a uniform reservoir sample
  ///     (Vitter 1985, algorithm R, doi:10.1145/3147.3165).
  ///   - seed: The seed of the random choice.
  ///   - skippingInvalid: Whether to skip what cannot be read or has no valid label.
  ///   - progress: Called after every ten thousandth drawing and every file.
  /// - Throws: `DatasetError`, which names the file and line, or `SampleSetError` for a missing or
  ///   invalid label.
  public init(
    _ paths: [String], kept: Int, seed: UInt64, skippingInvalid: Bool = false,
    progress: ((DatasetFiles.Progress) -> Void)? = nil
  ) throws {
    precondition(kept >= 1, "at least one drawing of each label is kept, got \(kept)")
    var generator = SeededGenerator(seed: seed, stream: 0x5375)
    var fingerprint = Fingerprint()
    fingerprint.update("DrawML stream 1")
    var places: [String: [Int]] = [:]
    var seen: [String: Int] = [:]
    let sources = try DatasetFiles.expand(paths, withShards: true)
    for (index, source) in sources.enumerated() {
      func report(done: Int) {
        progress?(.init(filesDone: done, files: sources.count, drawings: count))
      }
      do {
        var reader = try DatasetReader(path: source.path, label: source.label)
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
