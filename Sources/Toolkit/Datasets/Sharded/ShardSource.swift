internal import Files
internal import Ink
internal import Synchronization

/// A file that is being packed. Drawings are taken from several at a time, each by one thread.
final class ShardSource: Sendable {
  /// The next drawings of a file, as records without their labels.
  struct Chunk: Sendable {
    var bytes: [UInt8] = []
    /// Where each record ends.
    var ends: [Int] = []
    /// The labels, each with the number of records before the next one.
    var labels: [(label: String, end: Int)] = []
    var skipped: [any Error] = []
    /// Whether the file has no more.
    var isLast = false
  }

  private struct State: ~Copyable {
    var reader: DatasetReader
    /// The last label as it was read, and in label form.
    var label: (read: String, form: String)?
  }

  /// The most errors that are in memory at a time.
  private static let mostSkipped = 1000

  /// The place of the file among all.
  let number: Int
  private let source: DatasetFiles.Source
  private let positionIDs: PositionIDs
  private let state: Mutex<State>

  /// Opens a file, at its beginning or where its reading was stopped.
  ///
  /// - Throws: `DatasetError`.
  init(
    _ source: DatasetFiles.Source, number: Int, at position: DatasetReader.Position? = nil
  ) throws(DatasetError) {
    var reader = try DatasetReader(path: source.path, label: source.label)
    if let position { try reader.skip(to: position) }
    (self.source, self.number) = (source, number)
    positionIDs = PositionIDs(path: source.path)
    state = Mutex(State(reader: reader))
  }

  /// How far the file was read.
  var position: DatasetReader.Position { state.withLock { $0.reader.position } }

  /// The number of bytes read, if the file is read in bounded memory.
  var byteCount: Int { state.withLock { $0.reader.byteCount } }

  /// The next drawings, fewer at the end of the file and where many are skipped.
  ///
  /// - Parameters:
  ///   - count: The most drawings to take.
  ///   - byteCount: The length of records after which no further one is taken.
  ///   - skippingInvalid: Whether drawings that cannot be read or have no label are left out.
  /// - Returns: Their records.
  /// - Throws: `DatasetError` or `SampleSetError` for a drawing that cannot be read or has no label,
  ///   unless invalid ones are skipped.
  func take(_ count: Int, bytes byteCount: Int, skippingInvalid: Bool) throws -> Chunk {
    try state.withLock { state in
      var chunk = Chunk()
      while chunk.ends.count < count, chunk.bytes.count < byteCount,
        chunk.skipped.count < Self.mostSkipped
      {
        do {
          guard let drawing = try state.reader.next() else {
            chunk.isLast = true
            break
          }
          try append(drawing, to: &chunk, &state)
        } catch {
          guard skippingInvalid else { throw error }
          chunk.skipped.append(error)
        }
      }
      return chunk
    }
  }

  private func append(_ drawing: Drawing, to chunk: inout Chunk, _ state: inout State) throws {
    var origin: SampleSet.Origin {
      SampleSet.Origin(path: source.path, line: state.reader.line)
    }
    if state.label == nil || state.label?.read != drawing.label {
      let form = try SampleSet.label(
        of: drawing, index: max(0, state.reader.position.calls - 1), origin: origin)
      state.label = (drawing.label ?? "", form)
    }
    let start = chunk.bytes.count
    // A position says nothing in another file.
    ShardRecord.append(
      drawing, id: positionIDs.contains(drawing.id) ? "" : drawing.id, to: &chunk.bytes)
    guard chunk.bytes.count - start < ShardFile.longestBlock / 2 else {
      chunk.bytes.removeSubrange(start...)
      throw FileError(
        reading: origin.description, "the drawing takes more than 32 MiB; leave it out")
    }
    chunk.ends.append(chunk.bytes.count)
    let form = state.label?.form ?? ""
    if chunk.labels.last?.label == form { chunk.labels.removeLast() }
    chunk.labels.append((form, chunk.ends.count))
  }
}
