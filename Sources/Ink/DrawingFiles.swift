internal import Foundation
internal import Support

/// The drawings of many files and folders.
public enum DrawingFiles {
  /// How far a reading has come.
  public struct Progress: Hashable, Sendable {
    /// Files that were read to their end.
    public var filesDone: Int
    /// Files to read in all.
    public var files: Int
    /// Drawings read so far.
    public var drawings: Int
    /// Bytes read so far.
    public var bytesDone: Int
  }

  /// The files that `paths` mean: a folder means every `.json` and `.ndjson` file in it and in the folders
  /// below, in the order of their paths; a file means itself and "-" standard input.
  ///
  /// - Throws: `DrawingFileError` for a path where nothing is and a folder without such files.
  public static func expand(_ paths: [String]) throws(DrawingFileError) -> [String] {
    var files: [String] = []
    for path in paths {
      guard path != "-", let names = try names(below: path) else {
        files.append(path)
        continue
      }
      let base = path.hasSuffix("/") ? path : path + "/"
      let found = names.filter { $0.hasSuffix(".json") || $0.hasSuffix(".ndjson") }
        .map { base + $0 }
      guard !found.isEmpty else {
        throw failure(path, .malformed("there is no .json or .ndjson file in this folder"))
      }
      files += found
    }
    return files
  }

  /// The files below a folder, or nil for a file.
  private static func names(below path: String) throws(DrawingFileError) -> [String]? {
    guard FileManager.default.fileExists(atPath: path) else {
      throw failure(path, .system(code: ENOENT))
    }
    do throws(FileError) {
      return try FolderListing.files(below: path)
    } catch {
      throw DrawingFileError(path: path, line: 0, reason: .file(error))
    }
  }

  /// The drawings of all files that `paths` mean, in order.
  ///
  /// - Parameters:
  ///   - paths: Files, folders, or "-" for standard input.
  ///   - skippingInvalid: Whether to go on behind what cannot be read, and report it.
  ///   - progress: Called after every thousandth drawing and every file.
  /// - Returns: The drawings and what was skipped, which is empty unless `skippingInvalid`.
  /// - Throws: `DrawingFileError`: the first, unless `skippingInvalid`.
  public static func read(
    _ paths: [String], skippingInvalid: Bool = false, progress: ((Progress) -> Void)? = nil
  ) throws(DrawingFileError) -> (drawings: [Drawing], skipped: [DrawingFileError]) {
    let files = try expand(paths)
    var drawings: [Drawing] = []
    var skipped: [DrawingFileError] = []
    var finishedBytes = 0
    for (index, file) in files.enumerated() {
      func report(_ done: Int, _ bytes: Int) {
        progress?(
          Progress(
            filesDone: done, files: files.count, drawings: drawings.count,
            bytesDone: finishedBytes + bytes))
      }
      do throws(DrawingFileError) {
        var reader = try DrawingReader(path: file)
        while true {
          do throws(DrawingFileError) {
            guard let drawing = try reader.next() else { break }
            drawings.append(drawing)
            if drawings.count.isMultiple(of: 1000) { report(index, reader.byteCount) }
          } catch {
            guard skippingInvalid else { throw error }
            skipped.append(error)
          }
        }
        finishedBytes += reader.byteCount
      } catch {
        guard skippingInvalid else { throw error }
        skipped.append(error)
      }
      report(index + 1, 0)
    }
    return (drawings, skipped)
  }

  private static func failure(_ path: String, _ reason: FileError.Reason) -> DrawingFileError {
    DrawingFileError(
      path: path, line: 0, reason: .file(FileError("read", path: path, reason: reason)))
  }
}
