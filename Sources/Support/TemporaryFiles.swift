internal import Foundation
internal import Synchronization

/// The temporary files and folders of this process: what is written under a name of its own until
/// it is whole.
package enum TemporaryFiles {
  private struct State {
    /// The number created so far, which makes names unique.
    var count = 0
    /// Those not yet renamed to their targets.
    var open: Set<String> = []
  }

  private static let state = Mutex(State())

  /// Creates a file or folder of a new name.
  ///
  /// - Parameters:
  ///   - folder: Where, with a trailing slash; empty for the current folder.
  ///   - create: Creates what it is given the path of; negative, with `errno`, if that fails.
  /// - Returns: The result of `create`, and the path.
  static func make(in folder: String, _ create: (String) -> Int32) -> (result: Int32, path: String)
  {
    state.withLock { state in
      var (result, path): (Int32, String) = (-1, "")
      repeat {
        // A short name, not the target's plus a suffix: that could exceed the file system's limit.
        // A file that already has this name was left by another process, dead or on another
        // machine.
        state.count += 1
        path = folder + ".drawml-\(getpid())-\(state.count).tmp"
        result = create(path)
      } while result < 0 && errno == EEXIST
      if result >= 0 { state.open.insert(path) }
      return (result, path)
    }
  }

  /// Forgets one that was renamed or removed.
  static func close(_ path: String) {
    state.withLock { _ = $0.open.remove(path) }
  }

  /// Runs what must not be interrupted by the end of the process.
  static func withoutInterruption<Result>(_ body: () -> Result) -> Result {
    state.withLock { _ in body() }
  }

  /// Removes all and ends the process; none can be created meanwhile.
  static func abandonAll(_ end: () -> Never) -> Never {
    state.withLock { state in
      for path in state.open {
        // Under another name nothing is put into a folder while it is emptied.
        let gone = "\(path.dropLast(4))-gone.tmp"
        if unsafe rename(path, gone) == 0 { try? FileManager.default.removeItem(atPath: gone) }
      }
      end()
    }
  }

  /// Whether a file of this name is a temporary one, of this process or another.
  package static func isName(_ name: String) -> Bool {
    name.hasPrefix(".drawml-") && name.hasSuffix(".tmp")
  }
}
