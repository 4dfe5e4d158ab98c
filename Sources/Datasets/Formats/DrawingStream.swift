public import Ink
internal import Support

/// The drawings of many files in random order, in the memory of a few: for sets that are larger
/// than the memory.
///
/// A number of files is open at a time, chosen at random, and the next drawing is taken from one of
/// them at random; so sets with a file for each label come mixed. What is taken waits in a buffer
/// of fixed size, from which a random drawing is given and its place filled with the next one. The
/// same files, seed and sizes give the same order.
///
/// Files of strokes as text are read in blocks; those of other formats, HDF5 too, are held whole
/// while they are open: keep them in shards of some thousands of drawings.
public struct DrawingStream: ~Copyable {
  /// The most files that are open at a time unless told.
  public static let defaultOpenFiles = 32

  private var sources: [DatasetFiles.Source]
  private let skippingInvalid: Bool
  private let bufferSize: Int
  private let openFiles: Int
  private var generator: SeededGenerator
  private var readers: ReaderList
  private var buffer: [(drawing: Drawing, origin: SampleSet.Origin)] = []

  /// Where the drawing that `next()` gave last came from.
  public private(set) var origin: SampleSet.Origin?
  /// How many drawings were left out because they could not be read.
  public private(set) var skippedCount = 0

  /// A stream of the drawings of all files that `paths` mean, each once.
  ///
  /// - Parameters:
  ///   - paths: Files and folders, HDF5 files in them too; see
  ///     `DatasetFiles.expand(_:as:withShards:)`.
  ///   - format: The form of all files; unless given, each file's name tells it.
  ///   - seed: What the order depends on.
  ///   - epoch: Another epoch, another order.
  ///   - buffer: How many drawings wait in the buffer, at least 1. 1 gives each file's drawings in
  ///     their order.
  ///   - openFiles: How many files are read at the same time, at least 1.
  ///   - skippingInvalid: Whether to go on behind what cannot be read.
  /// - Throws: `DatasetError` for a path where nothing is.
  public init(
    _ paths: [String], as format: DatasetFormat? = nil, seed: UInt64, epoch: Int = 0,
    buffer: Int = 10_000, openFiles: Int = Self.defaultOpenFiles, skippingInvalid: Bool = false
  ) throws(DatasetError) {
    precondition(buffer >= 1, "a buffer of \(buffer) drawings")
    precondition(openFiles >= 1, "\(openFiles) files open at a time")
    generator = SeededGenerator(seed: seed, stream: 0x5747, epoch)
    sources = try DatasetFiles.expand(paths, as: format, withShards: true)
    generator.shuffle(&sources)
    readers = ReaderList(format: format)
    (bufferSize, self.openFiles, self.skippingInvalid) = (buffer, openFiles, skippingInvalid)
  }

  /// The next drawing, nil behind the last.
  ///
  /// After an error the next call goes on behind the drawing at fault.
  ///
  /// - Throws: `DatasetError`, which names file and line, unless what is invalid is skipped.
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

  /// The next drawing of one of the open files.
  private mutating func read() throws(DatasetError) -> (Drawing, SampleSet.Origin)? {
    while true {
      do throws(DatasetError) {
        while readers.count < openFiles, let source = sources.popLast() {
          try readers.open(source)
        }
        guard readers.count > 0 else { return nil }
        let place = generator.integer(below: readers.count)
        if let read = try readers.next(place) { return read }
      } catch {
        guard skippingInvalid else { throw error }
        skippedCount += 1
      }
    }
  }
}

/// Files that are being read. A reader cannot be copied, so each is in a box of its own.
private struct ReaderList: ~Copyable {
  private final class Box {
    var reader: DatasetReader
    let path: String

    init(_ reader: consuming DatasetReader, path: String) {
      self.reader = reader
      self.path = path
    }
  }

  private var boxes: [Box] = []
  private let format: DatasetFormat?

  init(format: DatasetFormat?) { self.format = format }

  var count: Int { boxes.count }

  mutating func open(_ source: DatasetFiles.Source) throws(DatasetError) {
    let reader = try DatasetReader(path: source.path, label: source.label, as: format)
    boxes.append(Box(reader, path: source.path))
  }

  /// The next drawing of a file; nil at its end, and then it is closed.
  mutating func next(_ place: Int) throws(DatasetError) -> (Drawing, SampleSet.Origin)? {
    let box = boxes[place]
    if let drawing = try box.reader.next() {
      return (drawing, SampleSet.Origin(path: box.path, line: box.reader.line))
    }
    boxes.swapAt(place, boxes.count - 1)
    boxes.removeLast()
    return nil
  }
}
