internal import Foundation

/// A place for a user's files, by the XDG Base Directory Specification 0.8.
public enum UserFolder: Sendable {
  /// What is to be kept.
  case data
  /// What can be had again.
  case cache

  /// DrawML's folder.
  ///
  /// - Parameter environment: The environment variables; nil for the process's.
  /// - Returns: The path, where there need not be a folder.
  public func path(environment: [String: String]? = nil) -> String {
    let environment = environment ?? ProcessInfo.processInfo.environment
    let (variable, usual) =
      switch self {
      case .data: ("XDG_DATA_HOME", "/.local/share")
      case .cache: ("XDG_CACHE_HOME", "/.cache")
      }
    // The specification says that a relative path is to be ignored.
    let given = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
    return (given ?? home + usual) + "/drawml"
  }
}
