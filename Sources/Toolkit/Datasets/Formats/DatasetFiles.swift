internal import CLibrary
public import Files
public import Ink
public import Text
public import Vectorizing

/// Why a file of any of the formats cannot be read.
public enum DatasetError: DescribedError, Equatable {
  /// A file of stroke JSON, or a drawing in it.
  case drawing(DrawingFileError)
  /// A file of another format, or the file itself.
  case file(FileError)
  /// A file that was read as stroke JSON, because its name tells nothing else, and what it seems to
  /// be instead.
  case foreign(DrawingFileError, what: String)
  /// A picture in which no drawing can be found; `number` counts from 1 in a file of many.
  case picture(path: String, number: Int?, VectorizerError)

  /// One sentence for people.
  public var description: String {
    switch self {
    case .drawing(let error): error.description
    case .file(let error): error.description
    case .foreign(let error, let what):
      FileError(
        reading: error.path,
        "it seems to be \(what); drawings are \(DatasetFormat.listed(DatasetFormat.allCases)) files"
      ).description
    case .picture(let path, let number, let error):
      path + (number.map { ", picture \($0)" } ?? "") + ": \(error)"
    }
  }
}

/// The drawings of files in any of the formats.
public enum DatasetFiles {
  /// The result of reading files.
  public struct Contents: Sendable {
    /// The drawings, in the order of the files and within them.
    public var drawings: [Drawing] = []
    /// The origin of each drawing.
    public var origins: [SampleSet.Origin] = []
    /// The errors of skipped drawings, if skipping was requested: the first `mostSkipped`.
    public var skipped: [DatasetError] = []
    /// The total number of skipped drawings.
    public var skippedCount = 0
    /// What is to be told about the files.
    public var notes = FileNotes()

    /// The maximum number of errors kept: an error takes more memory than the line it is about.
    public static let mostSkipped = 1000

    package init() {}

    /// The labeled drawings, validated.
    ///
    /// - Throws: `SampleSetError`, which names the file and line.
    public func samples() throws(SampleSetError) -> SampleSet {
      try SampleSet(drawings, origins: origins)
    }

    /// Replaces the ids of drawings without their own that files of the same name share: see
    /// `SampleSet`.
    public mutating func distinguishIDs() { SampleSet.distinguish(&drawings, origins) }

    /// Checks that drawings have the same id only if label and strokes are the same, too.
    ///
    /// - Throws: `SampleSetError.conflictingID`, which names the files and lines.
    public func requireDistinctIDs() throws(SampleSetError) {
      try SampleSet.requireDistinctIDs(drawings, origins: origins)
    }

    /// Removes the drawings without a label, unless none has one.
    ///
    /// - Returns: The number of removed drawings.
    public mutating func removeUnlabeled() -> Int {
      let kept = drawings.indices.filter { drawings[$0].label != nil }
      guard !kept.isEmpty else { return 0 }
      let count = drawings.count - kept.count
      if count > 0 { keep(kept) }
      return count
    }

    /// Removes the drawings without a valid label.
    ///
    /// - Returns: The errors that `samples` would throw for them.
    public mutating func removeUnusable() -> [SampleSetError] {
      var errors: [SampleSetError] = []
      let kept = drawings.indices.filter { index in
        do throws(SampleSetError) {
          _ = try SampleSet.label(of: drawings[index], index: index, origin: origins[index])
          return true
        } catch {
          errors.append(error)
          return false
        }
      }
      if !errors.isEmpty { keep(kept) }
      return errors
    }

    /// Removes all drawings but those with the given indices.
    private mutating func keep(_ kept: [Int]) {
      (drawings, origins) = (kept.map { drawings[$0] }, kept.map { origins[$0] })
    }
  }

  /// The progress of reading.
  public struct Progress: Hashable, Sendable {
    /// The number of files read to their end.
    public var filesDone: Int
    /// The number of files to read.
    public var files: Int
    /// The number of drawings read so far.
    public var drawings: Int
  }

  /// A file to read.
  public struct Source: Hashable, Sendable {
    /// The path of the file.
    public var path: String
    /// The label of a picture, taken from its folder; nil if unknown.
    public var label: String?

    /// A file at `path`.
    public init(path: String, label: String? = nil) {
      self.path = path
      self.label = label
    }

    /// The id for the drawing of a picture: the file name without extension, prefixed with the
    /// label if there is one, so that `star/1.png` and `cat/1.png` are two drawings.
    public var pictureID: String {
      guard path != "-" else { return "stdin" }
      let stem = DatasetFormat.stem(of: path)
      return label.map { "\($0)/\(stem)" } ?? stem
    }
  }

  /// Reads the drawings of all files that `paths` refer to.
  ///
  /// - Parameters:
  ///   - paths: Files, folders, or "-" for stroke JSON on standard input; see `expand(_:as:)`.
  ///   - format: The format of all files; by default it follows from each file's name, or else is
  ///     stroke JSON.
  ///   - skippingInvalid: Whether to skip, and report, what cannot be read.
  ///   - progress: Called after every thousandth drawing and every file.
  /// - Returns: The drawings, their origins, and what was skipped.
  /// - Throws: `DatasetError`: the first, unless `skippingInvalid`.
  public static func read(
    _ paths: [String], as format: DatasetFormat? = nil, skippingInvalid: Bool = false,
    progress: ((Progress) -> Void)? = nil
  ) throws(DatasetError) -> Contents {
    let sources = try expand(paths, as: format.map { [$0] })
    var contents = Contents()
    for (index, source) in sources.enumerated() {
      func report(done: Int) {
        progress?(
          Progress(filesDone: done, files: sources.count, drawings: contents.drawings.count))
      }
      func skip(_ error: DatasetError) throws(DatasetError) {
        guard skippingInvalid else { throw error }
        contents.skippedCount += 1
        if contents.skipped.count < Contents.mostSkipped { contents.skipped.append(error) }
      }
      do throws(DatasetError) {
        var reader = try DatasetReader(path: source.path, label: source.label, as: format)
        while true {
          do throws(DatasetError) {
            guard let drawing = try reader.next() else { break }
            contents.drawings.append(drawing)
            contents.origins.append(SampleSet.Origin(path: source.path, line: reader.line))
            if contents.drawings.count.isMultiple(of: 1000) { report(done: index) }
          } catch {
            try skip(error)
          }
        }
        contents.notes.add(reader.notes, of: source.path)
      } catch {
        try skip(error)
      }
      report(done: index + 1)
    }
    return contents
  }

  /// The files that `paths` refer to.
  ///
  /// A file refers to itself, "-" to standard input. A folder refers to all files in it and in the
  /// folders below, in the order of their paths, in one of the formats. The label of a picture in a
  /// folder below the given one is that folder's name; one in the given folder itself, or given by
  /// its own path, has no label.
  ///
  /// - Parameters:
  ///   - paths: Files, folders, or "-".
  ///   - formats: What a folder is searched for; by default `DatasetFormat.inFolders`, and sharded
  ///     sets.
  ///   - hasHDF5: Whether a folder includes its HDF5 files, too.
  /// - Returns: The files, with the labels of pictures among them.
  /// - Throws: `DatasetError` for a path that does not exist and a folder without such files.
  public static func expand(
    _ paths: [String], as formats: [DatasetFormat]? = nil, withHDF5 hasHDF5: Bool = false
  ) throws(DatasetError) -> [Source] {
    let wanted = formats ?? DatasetFormat.inFolders + (hasHDF5 ? [.hdf5] : [])
    var sources: [Source] = []
    for path in paths {
      guard path != "-", let names = try names(below: path) else {
        sources.append(Source(path: path))
        continue
      }
      let base = path.hasSuffix("/") ? path : path + "/"
      let found = names.compactMap { name -> Source? in
        guard let format = DatasetFormat(path: name),
          wanted.contains(format) || formats == nil && format == .sharded
        else { return nil }
        let folder = name.split(separator: "/").dropLast().last
        let label = format.isNamedByFile ? folder.map { String($0).inLabelForm } : nil
        return Source(path: base + name, label: label)
      }
      guard !found.isEmpty else {
        throw .file(
          FileError(
            reading: path, "there is no \(DatasetFormat.listed(wanted)) file in this folder"))
      }
      sources += found
    }
    return sources
  }

  /// The files below a folder, or nil for a file.
  private static func names(below path: String) throws(DatasetError) -> [String]? {
    do throws(FileError) {
      guard AtomicFile.exists(path) else {
        throw FileError("read", path: path, reason: .system(code: ENOENT))
      }
      return try FolderListing.files(below: path)
    } catch { throw .file(error) }
  }

  /// Refuses the name of a gzip file, which is only read.
  public static func requireNotPacked(_ path: String) throws(FileError) {
    guard DatasetFormat.isPacked(path) else { return }
    throw FileError(
      writing: path, "gzip can only be read; write it without .gz, then compress it with gzip")
  }

  /// Writes `drawings` to `path` atomically, in the format of the file's extension: `.ndjson`,
  /// `.json`, `.h5`, `.inkml`.
  ///
  /// - Parameters:
  ///   - drawings: What to write.
  ///   - path: The path of the file.
  ///   - format: The format; by default it follows from the file's name.
  ///   - replacement: What the caller knows of the file that it replaces.
  /// - Throws: `FileError`, also for a format that DrawML does not write.
  public static func write(
    _ drawings: [Drawing], to path: String, as format: DatasetFormat? = nil,
    replacing replacement: Replacement = .any
  ) throws(FileError) {
    let format = try requireWritable(path, as: format)
    switch format {
    case .hdf5: try HDF5Drawings.write(drawings, to: path, replacing: replacement)
    case .inkML:
      try AtomicFile.write(
        Array(InkMLWriter.text(drawings).utf8), to: path, replacing: replacement)
    default:
      var writer = try DrawingWriter(path: path, isArray: format == .json)
      for drawing in drawings { try writer.append(drawing) }
      try writer.finish(replacing: replacement)
    }
  }

  /// The format in which a file is written.
  ///
  /// - Throws: `FileError` for a name that tells none, and a format that DrawML does not write to a
  ///   file of several drawings.
  @discardableResult
  public static func requireWritable(
    _ path: String, as format: DatasetFormat? = nil
  ) throws(FileError) -> DatasetFormat {
    try requireNotPacked(path)
    switch format ?? DatasetFormat(path: path) {
    case let format? where format.isWritable: return format
    case let format? where format.isWritableAsFolder:
      throw FileError(
        writing: path,
        "a .\(format.fileExtensions[0]) file holds one drawing; name a folder that is new or "
          + "empty, with --to \(format.rawValue)")
    case let other:
      let endings = DatasetFormat.listed(DatasetFormat.allCases.filter(\.isWritable))
      throw FileError(
        writing: path,
        (other.map { "\($0.rawValue) is only read" } ?? "its name tells no format")
          + "; use \(endings)")
    }
  }
}
