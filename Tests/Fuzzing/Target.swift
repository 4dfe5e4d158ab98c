internal import Foundation

/// A reader of untrusted bytes, as a fuzzer calls it.
///
/// A call may refuse the bytes, which is what most deserve. What it may not do is crash, hang,
/// leak, or take more memory than `docs/security.md` promises: the driver watches that.
public struct Target: Sendable {
  /// As `scripts/fuzz` and the folders of `Tests/Hostile` call it.
  public let name: String
  /// Sound inputs, which a fuzzer begins with and changes.
  public let seeds: @Sendable () throws -> [[UInt8]]
  /// Reads an input; returns whether it was taken.
  public let read: @Sendable ([UInt8]) throws -> Bool

  /// All but those of the studio, which `StudioFuzzing` has.
  public static let ofFiles: [Target] =
    sealedTargets + drawingTargets + settingsTargets + pictureTargets

  /// A target whose reader throws for what it refuses.
  package init(
    _ name: String, seeds: @escaping @Sendable () throws -> [[UInt8]],
    read: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    (self.name, self.seeds) = (name, seeds)
    self.read = { bytes in
      do {
        try read(bytes)
        return true
      } catch {
        // A message is part of what an untrusted file can bring about.
        _ = "\(error)"
        return false
      }
    }
  }

  /// A target whose reader opens a file with the given ending.
  package init(
    _ name: String, ending: String, seeds: @escaping @Sendable () throws -> [[UInt8]],
    reading read: @escaping @Sendable (_ path: String) throws -> Void
  ) {
    self.init(name, seeds: seeds) { bytes in
      let path = try Self.folder() + "/" + name + ending
      guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
        throw CocoaError(.fileWriteUnknown)
      }
      try read(path)
    }
  }

  /// A folder of this process's own, in memory where the system has such a place.
  package static func folder() throws -> String { try scratch.get() }

  private static let scratch = Result {
    let memory = "/dev/shm"
    let root =
      FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
    let path = "\(root)/drawml-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  /// Removes what the targets wrote.
  public static func clean() {
    if case .success(let path) = scratch { try? FileManager.default.removeItem(atPath: path) }
  }
}
