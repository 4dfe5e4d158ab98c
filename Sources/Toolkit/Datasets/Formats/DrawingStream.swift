public import Ink
internal import Numbers

/// The drawings of many files in random order, in bounded memory: for sets that are larger than
/// memory.
///
/// Several randomly chosen files are open at a time, and the next drawing is read from a random one
/// of them, so sets with one file per label are mixed. Drawings pass through a shuffle buffer of
/// fixed size: a random one is returned and replaced by the next one read. The same files, seed and
/// sizes give the same order.
///
/// Stroke JSON files are read in blocks; those of other formats, including HDF5, are held whole
/// while open: keep them in shards of some thousands of drawings.
public struct DrawingStream: ~Copyable {
  private var sources: [DatasetFiles.Source]
  private let skippingInvalid: Bool
  private let bufferSize: Int
  private let openFiles: Int
  private var generator: SeededGenerator
  private var readers: [OpenSource] = []
  private var buffer: [(drawing: Drawing, origin: SampleSet.Origin)] = []

  /// The origin of the last returned drawing.
  public private(set) var origin: SampleSet.Origin?
  /// The number of drawings skipped because they could not be read.
  public private(set) var skippedCount = 0

  /// A stream of the drawings of all files that `paths` refer to, each once.
  ///
  /// - Parameters:
  ///   - paths: Files and folders, including HDF5 files in them; see
  ///     `DatasetFiles.expand(_:as:withShards:)`.
  ///   - seed: The seed of the order.
  ///   - epoch: The epoch; each has another order.
  ///   - buffer: The size of the shuffle buffer in drawings, at least 1. With 1, each file's
  ///     drawings stay in order.
  ///   - openFiles: The number of files open at a time, at least 1.
  ///   - skippingInvalid: Whether to skip what cannot be read.
  /// - Throws: `DatasetError` for a path that does not exist.
  public init(
    _ paths: [String], seed: UInt64, epoch: Int = 0, buffer: Int = 10_000, openFiles: Int = 32,
    skippingInvalid: Bool = false
  ) throws(DatasetError) {
    precondition(buffer >= 1, "a buffer of \(buffer) drawings")
    precondition(openFiles >= 1, "\(openFiles) files open at a time")
    generator = SeededGenerator(seed: seed, stream: 0x5747, epoch)
    sources = try DatasetFiles.expand(paths, withShards: true)
    generator.shuffle(&sources)
    (bufferSize, self.openFiles, self.skippingInvalid) = (buffer, openFiles, skippingInvalid)
  }

  /// The next drawing, or nil after the last.
  ///
  /// After an error the next call continues after the invalid drawing.
  ///
  /// - Throws: `DatasetError`, which names the file and line, unless invalid drawings are skipped.
  public mutating func next() throws(DatasetError) -> Drawing? {
    while buffer.count < bufferSize, let read = try read() { buffer.append(read) }
    guard !buffer.isEmpty else { return nil }
    let index = generator.integer(below: buffer.count)
    let (drawing, origin) = buffer[index]
    if index != buffer.count - 1 { buffer.swapAt(index, buffer.count - 1) }
    buffer.removeLast()
    self.origin = origin
    return drawing
  }

  /// The next drawing of a random open file.
  private mutating func read() throws(DatasetError) -> (Drawing, SampleSet.Origin)? {
    while true {
      do throws(DatasetError) {
        while readers.count < openFiles, let source = sources.popLast() {
          readers.append(try OpenSource(source))
        }
        guard !readers.isEmpty else { return nil }
        let place = generator.integer(below: readers.count)
        let file = readers[place]
        if let drawing = try file.reader.next() {
          return (drawing, SampleSet.Origin(path: file.path, line: file.reader.line))
        }
        readers.swapAt(place, readers.count - 1)
        readers.removeLast()
      } catch {
        guard skippingInvalid else { throw error }
        skippedCount += 1
      }
    }
  }
}

/// A file being read. Readers are not copyable, so an array holds them in objects.
private final class OpenSource {
  let path: String
  var reader: DatasetReader

  init(_ source: DatasetFiles.Source) throws(DatasetError) {
    path = source.path
    reader = try DatasetReader(path: source.path, label: source.label)
  }
}
