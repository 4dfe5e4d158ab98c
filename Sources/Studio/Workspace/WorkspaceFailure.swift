internal import Files
internal import Foundation
internal import GRDB
internal import Ink
internal import Recognition
internal import Trace

extension WorkspaceError {
  /// Converts any error to a `WorkspaceError` of `operation`.
  init(_ operation: Operation, _ error: any Error, in files: WorkspaceFiles) {
    if let error = error as? WorkspaceError {
      self = error
    } else {
      self.init(operation, Reason(error, in: files))
    }
  }
}

extension WorkspaceError.Reason {
  init(_ error: any Error, in files: WorkspaceFiles) {
    switch error {
    case let reason as WorkspaceError.Reason: self = reason
    case let error as WorkspaceError: self = error.reason
    case let error as DatabaseError: self = Self.reason(error, in: files)
    // GRDB's description would contain the whole row.
    case is RowDecodingError: self = .damaged("a value is of another kind than its table promises")
    case let error as FileError: self = Self.reason(error, in: files)
    case let error as InkError: self = .drawing(error)
    case let error as TemplateError: self = .template(error)
    case let error as ModelError: self = .model(error.description)
    default: self = .model("\(error)")
    }
  }

  private static func reason(_ error: DatabaseError, in files: WorkspaceFiles) -> Self {
    let words = error.message ?? "no reason given"
    switch error.resultCode {
    case .SQLITE_FULL: return .diskFull
    case .SQLITE_READONLY: return .readOnly
    case .SQLITE_BUSY, .SQLITE_LOCKED: return .busy
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .damaged(words)
    case .SQLITE_IOERR, .SQLITE_CANTOPEN:
      // SQLite's code covers many causes; a trial write finds the right one.
      do throws(FileError) {
        try AtomicFile.requireWritableFolder(files.models)
      } catch {
        return reason(error, in: files)
      }
      return files.hasFreeSpace
        ? .database(code: Int(error.extendedResultCode.rawValue), words) : .diskFull
    default: return .database(code: Int(error.extendedResultCode.rawValue), words)
    }
  }

  private static func reason(_ error: FileError, in files: WorkspaceFiles) -> Self {
    guard case .system(let code) = error.reason else { return .file(error) }
    switch code {
    case ENOSPC, EDQUOT, EFBIG: return .diskFull
    // For a file outside the workspace the error itself has the best advice.
    case EACCES, EPERM, EROFS: return files.hold(error.path) ? .readOnly : .file(error)
    default: return .file(error)
    }
  }
}

extension WorkspaceFiles {
  /// Whether at least 64 KiB of the disk are free; true if that is not known.
  fileprivate var hasFreeSpace: Bool {
    let found = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    guard let free = found?[.systemFreeSize] as? NSNumber else { return true }
    return free.int64Value >= 1 << 16
  }
}
