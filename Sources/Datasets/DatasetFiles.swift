public import Ink
public import Support

/// Why a file of any of the formats cannot be read.
public enum DatasetError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A file of stroke JSON, or a drawing in it.
  case drawing(DrawingFileError)
  /// A file of another format, or the file itself.
  case file(FileError)

  /// One sentence for people.
  public var description: String {
    switch self {
    case .drawing(let error): error.description
    case .file(let error): error.description
    }
  }
}

/// The drawings of files in any of the formats.
public enum DatasetFiles {
  /// What was read.
  public struct Contents: Sendable {
    /// The drawings, in the order of the files and within them.
    public var drawings: [Drawing] = []
    /// Where each came from.
    public var origins: [SampleSet.Origin] = []
    /// What was left out, where that was asked for.
    public var skipped: [DatasetError] = []

    /// The labelled drawings, checked.
    ///
    /// - Throws: `SampleSetError`, which names file and line.
    public func samples() throws(SampleSetError) -> SampleSet {
      try SampleSet(drawings, origins: origins)
    }

    /// Takes out the drawings without a label.
    ///
    /// - Returns: What `samples` would have said of each.
    public mutating func removeUnlabelled() -> [SampleSetError] {
      let found = drawings.indices.filter { !drawings[$0].isLabelled }
      guard !found.isEmpty else { return [] }
      let errors = found.map { index in
        SampleSetError.missingLabel(
          index: index, id: drawings[index].id, origin: origins[index])
      }
      let kept = drawings.indices.filter { drawings[$0].isLabelled }
      (drawings, origins) = (kept.map { drawings[$0] }, kept.map { origins[$0] })
      return errors
    }
  }

  /// How far a reading has come.
  public struct Progress: Hashable, Sendable {
    /// Files that were read to their end.
    public var filesDone: Int
    /// Files to read in all.
    public var files: Int
    /// Drawings read so far.
    public var drawings: Int
  }

  /// Reads the drawings of all files that `paths` mean.
  ///
  /// - Parameters:
  ///   - paths: Files, folders, or "-" for stroke JSON on standard input. A folder means the files in it
  ///     and below it that have the format's ending; without a `format` those of stroke JSON.
  ///   - format: The form of all files; unless given, each file's name tells it, and what tells none is
  ///     stroke JSON.
  ///   - skippingInvalid: Whether to go on behind what cannot be read, and report it.
  ///   - progress: Called after every thousandth drawing and every file.
  /// - Returns: The drawings, where they came from, and what was skipped.
  /// - Throws: `DatasetError`: the first, unless `skippingInvalid`.
  public static func read(
    _ paths: [String], as format: DatasetFormat? = nil, skippingInvalid: Bool = false,
    progress: ((Progress) -> Void)? = nil
  ) throws(DatasetError) -> Contents {
    let files = try expand(paths, as: format)
    var contents = Contents()
    for (index, file) in files.enumerated() {
      func keep(_ drawing: Drawing, line: Int?) {
        contents.drawings.append(drawing)
        contents.origins.append(SampleSet.Origin(path: file, line: line))
        if contents.drawings.count.isMultiple(of: 1000) { report(done: index) }
      }
      func skip(_ error: DatasetError) throws(DatasetError) {
        guard skippingInvalid else { throw error }
        contents.skipped.append(error)
      }
      func report(done: Int) {
        progress?(
          Progress(filesDone: done, files: files.count, drawings: contents.drawings.count))
      }
      do throws(DatasetError) {
        switch format ?? DatasetFormat(path: file) ?? .ndjson {
        case .json, .ndjson: try readStrokeJSON(file, keep, skip)
        case .quickDrawBinary: try readBinary(file, keep, skip)
        case .omniglotStrokes:
          keep(try wrapping { () throws(FileError) in try OmniglotStrokes.read(file) }, line: nil)
        case .hdf5:
          let image = try wrapping { () throws(FileError) in try HDF5Drawings(path: file) }
          for drawing in image.drawings { keep(drawing, line: nil) }
        case .numpyBitmaps:
          throw .file(
            FileError(
              "read", path: file,
              reason: .malformed("it holds pictures; drawings with strokes are needed here")))
        }
      } catch {
        try skip(error)
      }
      report(done: index + 1)
    }
    return contents
  }

  /// The files that `paths` mean, as `read` takes them.
  public static func expand(
    _ paths: [String], as format: DatasetFormat? = nil
  ) throws(DatasetError) -> [String] {
    guard let format, format != .json, format != .ndjson else {
      do throws(DrawingFileError) { return try DrawingFiles.expand(paths) } catch {
        throw .drawing(error)
      }
    }
    var files: [String] = []
    for path in paths {
      let listing = try wrapping { () throws(FileError) in try FolderListing.files(below: path) }
      guard let names = listing else {
        files.append(path)
        continue
      }
      let base = path.hasSuffix("/") ? path : path + "/"
      let found = names.filter { DatasetFormat(path: $0) == format }.map { base + $0 }
      guard !found.isEmpty else {
        let ending = format.fileExtensions.map { "." + $0 }.joined(separator: " or ")
        throw .file(
          FileError(
            "read", path: path, reason: .malformed("there is no \(ending) file in this folder")))
      }
      files += found
    }
    return files
  }

  /// Writes `drawings` to `path`, whole or not at all, as the file's name tells: `.ndjson`, `.json`, `.h5`.
  ///
  /// - Parameters:
  ///   - drawings: What to write.
  ///   - path: Where to.
  ///   - format: The form; unless given, the name of the file tells it.
  /// - Throws: `FileError`, also for a format that DrawML does not write.
  public static func write(
    _ drawings: [Drawing], to path: String, as format: DatasetFormat? = nil
  ) throws(FileError) {
    switch format ?? DatasetFormat(path: path) {
    case .ndjson, .json:
      var writer = try DrawingWriter(
        path: path, isArray: (format ?? DatasetFormat(path: path)) == .json)
      for drawing in drawings { try writer.append(drawing) }
      try writer.finish()
    case .hdf5:
      try HDF5Drawings(drawings).write(to: path)
    case let other:
      let endings = DatasetFormat.allCases.filter(\.isWritable)
        .map { "." + $0.fileExtensions[0] }.joined(separator: ", ")
      throw FileError(
        "write", path: path,
        reason: .malformed(
          (other.map { "\($0.rawValue) is only read" } ?? "its name tells no format")
            + "; use \(endings)"))
    }
  }

  private static func readStrokeJSON(
    _ file: String, _ keep: (Drawing, Int?) -> Void,
    _ skip: (DatasetError) throws(DatasetError) -> Void
  ) throws(DatasetError) {
    var reader: DrawingReader
    do throws(DrawingFileError) { reader = try DrawingReader(path: file) } catch {
      throw .drawing(error)
    }
    while true {
      let next: Drawing?
      do throws(DrawingFileError) { next = try reader.next() } catch {
        try skip(.drawing(error))
        continue
      }
      guard let next else { return }
      keep(next, reader.line)
    }
  }

  private static func readBinary(
    _ file: String, _ keep: (Drawing, Int?) -> Void,
    _ skip: (DatasetError) throws(DatasetError) -> Void
  ) throws(DatasetError) {
    var reader = try wrapping { () throws(FileError) in try QuickDrawBinaryReader(path: file) }
    while true {
      let next: Drawing?
      do throws(FileError) { next = try reader.next() } catch {
        try skip(.file(error))
        continue
      }
      guard let next else { return }
      keep(next, nil)
    }
  }

  private static func wrapping<Value>(
    _ body: () throws(FileError) -> Value
  ) throws(DatasetError) -> Value {
    do throws(FileError) { return try body() } catch { throw .file(error) }
  }
}
