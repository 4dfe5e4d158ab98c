internal import Foundation
internal import GRDB
internal import Support

/// What was written to a file.
public struct ExportReport: Hashable, Sendable, Codable {
  /// How many models.
  public var models: Int
  /// How many samples.
  public var samples: Int
  /// The length of the file in bytes.
  public var bytes: Int
}

/// Models as one file, to keep or to take to another machine.
extension Workspace {
  /// Writes models with everything that belongs to them to one file; without `models`, the settings too.
  ///
  /// - Parameters:
  ///   - models: The ids of the models; nil for all.
  ///   - path: The file; what is there is replaced when the new one is whole.
  /// - Throws: `WorkspaceError` for an unknown model and a file that cannot be written.
  @discardableResult
  public func export(models: [String]? = nil, to path: String) async throws -> ExportReport {
    throw WorkspaceError(.export, .notImportable("not yet"))
  }

  /// Takes the models of a file that `export` wrote, all or none.
  ///
  /// A model that is there already with the same content stays as it is. One whose id is there with other content becomes
  /// a new one with a new id, and one whose name is taken gets a number behind it. A workspace that holds nothing but its
  /// untouched first model takes the file's active model and settings as its own.
  ///
  /// - Parameter path: The file. Nothing in it is believed before it is checked.
  /// - Returns: The models of the file as they are here now, the oldest first.
  /// - Throws: `WorkspaceError` for a file that is not one of those, is damaged, or is of a newer DrawML; nothing has
  ///   changed then.
  @discardableResult
  public func `import`(from path: String) async throws -> [WorkspaceModel] {
    throw WorkspaceError(.import, .notImportable("not yet"))
  }
}
