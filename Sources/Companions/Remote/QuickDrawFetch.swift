internal import Files
internal import Ink

/// Fetches drawings of Quick, Draw! into a folder, a file of stroke JSON for each label.
///
/// A label's drawings come line by line until there are enough; each is read before it is kept, as
/// it came. What is kept is in `<label>.ndjson.part` until the label is complete, and `FetchState`
/// says how far it goes: a fetch that was interrupted, or that is asked for more drawings, goes on
/// there if the server's file is still the same, else again from its start.
public struct QuickDrawFetch: Sendable {
  /// Where Google has the simplified drawings.
  public static let publicAddress =
    "https://storage.googleapis.com/quickdraw_dataset/full/simplified"
  /// What the owner of the data asks for.
  public static let license =
    "Drawings of the Quick, Draw! dataset, made available by Google, Inc. under the Creative "
    + "Commons Attribution 4.0 International license "
    + "(https://creativecommons.org/licenses/by/4.0/): "
    + "https://github.com/googlecreativelab/quickdraw-dataset"
  /// The name of the file that holds the license.
  static let licenseFile = "LICENSE-quickdraw.txt"

  private let address: RemoteAddress
  private let labels: [String]
  private let limit: Int?
  private let takesAll: Bool
  private let folder: String
  private let limits: RemoteLimits

  /// The progress of a label.
  public struct Progress: Hashable, Sendable {
    /// The label.
    public var label: String
    /// The drawings kept so far.
    public var drawings: Int
    /// The bytes read of the server's file.
    public var bytes: Int
    /// The length of the server's file in bytes, if known.
    public var length: Int?
  }

  /// What the folder has of a label.
  public struct Result: Codable, Hashable, Sendable {
    /// The label.
    public var label: String
    /// The path of its file.
    public var file: String
    /// The drawings in it.
    public var drawings: Int
    /// Whether some of them were fetched now.
    public var isNew: Bool
  }

  /// A fetch, which `run` starts.
  ///
  /// - Parameters:
  ///   - address: Where the files of the labels are.
  ///   - labels: The labels; each is fetched once.
  ///   - limit: How many drawings of each label; nil for all that there are.
  ///   - takesAll: Whether to take drawings, too, that the game did not recognize.
  ///   - folder: Where the files go; it is made if it is not there.
  ///   - limits: What is taken at most.
  /// - Throws: `RemoteError.label` for a text that is no label of Quick, Draw!.
  package init(
    from address: RemoteAddress, labels: [String], limit: Int?, takesAll: Bool, folder: String,
    limits: RemoteLimits = RemoteLimits()
  ) throws(RemoteError) {
    precondition(limit.map { $0 > 0 } ?? true, "a limit of no drawings")
    var seen = Set<String>()
    for label in labels where label.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9 '-]{0,63}/) == nil {
      throw .label(label)
    }
    self.labels = labels.filter { seen.insert($0).inserted }
    (self.address, self.limit, self.takesAll) = (address, limit, takesAll)
    (self.folder, self.limits) = (folder, limits)
  }

  /// Fetches the missing drawings. Blocks its thread, and stops when its task is canceled.
  ///
  /// - Parameter progress: Called after every part that a server sends.
  /// - Returns: The state of each label.
  /// - Throws: `RemoteError`, or `CancellationError` after a cancellation; what was kept until then
  ///   is where the next `run` goes on.
  public func run(
    progress: (Progress) -> Void = { _ in }
  ) throws -> [Result] {
    do {
      try AtomicFile.makeFolder(folder)
      let license = "\(folder)/\(Self.licenseFile)"
      if try !Self.isHere(license) { try AtomicFile.write(Self.license + "\n", to: license) }
      guard let lock = try FileLock(ifFree: license) else { throw RemoteError.busy(folder: folder) }
      var state = try FetchState(folder: folder)
      var results: [Result] = []
      for label in labels { results.append(try fetch(label, &state, progress)) }
      _ = consume lock
      return results
    } catch let error as FileError { throw RemoteError.file(error) }
  }

  private func fetch(
    _ label: String, _ state: inout FetchState, _ progress: (Progress) -> Void
  ) throws -> Result {
    let name = "\(label).ndjson"
    let file = "\(folder)/\(name)"
    var kept = try start(label, file: file, state)
    let before = kept.drawings
    if !isComplete(kept) {
      var writer = FetchWriter(part: file + ".part", label: label, state: state, kept: kept)
      do {
        var answer = try address.get(
          address.file(name), from: kept.fetched, tag: kept.tag, limits: limits)
        try take(&answer, &writer, url: address.file(name), progress)
      } catch {
        try writer.flush()
        if case .status(404, let url)? = error as? RemoteError {
          if writer.kept.bytes == 0 { AtomicFile.remove(writer.part) }
          throw RemoteError.unknownLabel(label, url: url)
        }
        throw error
      }
      try writer.flush()
      (state, kept) = (writer.state, writer.kept)
    }
    if try Self.isHere(file + ".part") {
      try AtomicFile.write(AtomicFile.read(file + ".part"), to: file, replacesLinks: true)
      AtomicFile.remove(file + ".part")
    }
    return Result(
      label: label, file: file, drawings: kept.drawings, isNew: kept.drawings > before)
  }

  private func isComplete(_ kept: FetchState.Label) -> Bool {
    kept.isWhole || limit.map { kept.drawings >= $0 } ?? false
  }

  /// Whether there is a file. This command leaves no pipes, which could be waited for without end.
  private static func isHere(_ path: String) throws(RemoteError) -> Bool {
    guard !AtomicFile.isDevice(path) else { throw .foreign(path: path) }
    return AtomicFile.exists(path)
  }

  /// What is here of a label, in its part file unless it is complete.
  private func start(
    _ label: String, file: String, _ state: FetchState
  ) throws -> FetchState.Label {
    let fresh = FetchState.Label(address: address.description, takesAll: takesAll)
    let part = file + ".part"
    let saved = state.labels[label].flatMap {
      $0.address == fresh.address && $0.takesAll == takesAll ? $0 : nil
    }
    if try Self.isHere(part) {
      let bytes = try AtomicFile.read(part)
      // A file that is shorter lost its end with the power.
      let kept = saved.flatMap { $0.bytes <= bytes.count ? $0 : nil } ?? fresh
      try AtomicFile.write(Array(bytes.prefix(kept.bytes)), to: part, replacesLinks: true)
      return kept
    }
    guard try Self.isHere(file) else {
      try AtomicFile.write([], to: part, replacesLinks: true)
      return fresh
    }
    let bytes = try AtomicFile.read(file)
    guard let saved, saved.bytes == bytes.count else { throw RemoteError.foreign(path: file) }
    if !isComplete(saved) { try AtomicFile.write(bytes, to: part, replacesLinks: true) }
    return saved
  }

  /// Takes the lines of an answer until there are enough drawings.
  private func take(
    _ answer: inout RemoteAnswer, _ writer: inout FetchWriter, url: String,
    _ progress: (Progress) -> Void
  ) throws {
    if answer.place.offset != writer.kept.fetched { try writer.startAgain() }
    writer.kept.tag = answer.place.tag
    var rest: [UInt8] = []
    var received = answer.place.offset
    while limit != writer.kept.drawings, let chunk = try answer.next() {
      received += chunk.count
      guard received <= limits.fileBytes else {
        throw RemoteError.tooLong(url: url, limit: limits.fileBytes)
      }
      var lines = chunk.split(separator: 0x0a, omittingEmptySubsequences: false)[...]
      let last = lines.popLast() ?? []
      for line in lines where limit != writer.kept.drawings {
        try check(rest.count + line.count, url, writer)
        try writer.take(rest + line, endsWithBreak: true, takesAll: takesAll, url: url)
        rest = []
      }
      rest += last
      try check(rest.count, url, writer)
      try writer.flush(from: 1 << 16)
      progress(
        Progress(
          label: writer.label, drawings: writer.kept.drawings, bytes: received,
          length: answer.place.length))
    }
    if limit != writer.kept.drawings {
      if !rest.isEmpty {
        try writer.take(rest, endsWithBreak: false, takesAll: takesAll, url: url)
      }
      writer.kept.isWhole = true
    }
    progress(
      Progress(
        label: writer.label, drawings: writer.kept.drawings, bytes: received,
        length: answer.place.length))
  }

  private func check(_ count: Int, _ url: String, _ writer: FetchWriter) throws(RemoteError) {
    guard count > limits.lineBytes else { return }
    throw .line(
      writer.kept.lines + 1, url: url, "it is longer than \(limits.lineBytes) bytes")
  }
}
