internal import Files
internal import Ink

/// Stores the lines of a label, and records in the state how far they go.
struct FetchWriter {
  let part: String
  let label: String
  private(set) var state: FetchState
  var kept: FetchState.Label
  /// Lines that are not written yet.
  private var block: [UInt8] = []
  /// The bytes of the server's file when the state was written.
  private var savedAt: Int

  init(part: String, label: String, state: FetchState, kept: FetchState.Label) {
    (self.part, self.label, self.state, self.kept) = (part, label, state, kept)
    savedAt = kept.fetched
  }

  /// Begins with the server's file again.
  mutating func startAgain() throws(FileError) {
    kept = FetchState.Label(address: kept.address, takesAll: kept.takesAll)
    block = []
    try AtomicFile.write([], to: part, replacesLinks: true)
    savedAt = -1
  }

  /// Reads a line, and keeps it if it is a drawing that is asked for.
  mutating func take(
    _ line: [UInt8], endsWithBreak: Bool, takesAll: Bool, url: String
  ) throws(RemoteError) {
    let isBlank = line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
    if !isBlank {
      let drawing: Drawing
      do throws(InkError) { drawing = try StrokeJSON.parse(line) } catch {
        throw .line(kept.lines + 1, url: url, error.description)
      }
      guard drawing.label == label.inLabelForm else {
        throw .line(
          kept.lines + 1, url: url,
          "it is a drawing of \"\((drawing.label ?? "").prefix(64))\", not of \"\(label)\"")
      }
      if takesAll || drawing.wasGuessed == true {
        block += line + [0x0a]
        kept.drawings += 1
      }
    }
    kept.lines += 1
    kept.fetched += line.count + (endsWithBreak ? 1 : 0)
  }

  /// Writes the stored lines, if at least `least` bytes were read since the last time.
  mutating func flush(from least: Int = 0) throws(FileError) {
    guard kept.fetched - savedAt >= least else { return }
    if !block.isEmpty { try AppendedFile(part).append(block) }
    kept.bytes += block.count
    block = []
    state.labels[label] = kept
    try state.write()
    savedAt = kept.fetched
  }
}
