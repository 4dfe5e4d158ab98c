internal import Files
public import Foundation
internal import JSON

/// What the calm surface is set to, and the lock in front of the adult's sheet: `calm.json` in a
/// folder.
public struct CalmFile: Sendable {
  /// What an adult chooses.
  public struct Settings: Hashable, Sendable, Codable {
    /// The scene on the surface.
    public var scene = CalmScene.snow
    /// Whether scenes have sounds.
    public var isSoundOn = false
    /// The scenes to choose from, at least one.
    public var offered = CalmScene.allCases

    /// The settings of the first start.
    public init() {}
  }

  /// What the file holds.
  private struct Contents: Codable {
    var settings = Settings()
    var passphrase: Passphrase?
    /// How often a wrong passphrase was entered since the last right one.
    var wrongCount = 0
    /// Passphrases are checked again from then on.
    var waitsUntil: Date?
  }

  /// The answer to a passphrase.
  public enum Answer: Equatable, Sendable {
    /// It is the right one, or none is set.
    case open
    /// It is not.
    case wrong
    /// The passphrase was not looked at: the next one is taken after this many seconds.
    case wait(seconds: Int)
  }

  /// So many wrong passphrases in a row are answered at once; after that, each doubles the wait.
  public static let freeAttempts = 5
  /// The first wait, in seconds.
  public static let firstWait = 30
  /// The waits double up to a day.
  private static let longestWait = 24 * 60 * 60
  /// Wrong ones are counted up to this.
  private static let mostWrong = 1000

  private let path: String

  /// The file in a folder.
  public init(folder: String) { path = folder + "/calm.json" }

  /// The settings; those of the first start without a file.
  ///
  /// - Throws: `FileError` if the file cannot be read, or is not of its form.
  public func settings() throws -> Settings { try contents().settings }

  /// Whether a passphrase is set.
  ///
  /// - Throws: `FileError`, as `settings` does.
  public func hasPassphrase() throws -> Bool { try contents().passphrase != nil }

  /// Changes the settings under the lock of the file.
  ///
  /// - Parameter change: What to change. If it throws, nothing is.
  /// - Throws: `FileError`, and what `change` throws; the file is then as it was.
  public func changeSettings(_ change: (inout Settings) throws -> Void) throws {
    try self.change { try change(&$0.settings) }
  }

  /// Sets a passphrase, or takes it away. Earlier wrong ones are forgotten.
  ///
  /// - Throws: `FileError`; the file is then as it was.
  public func set(_ passphrase: Passphrase?) throws {
    try change {
      $0.passphrase = passphrase
      ($0.wrongCount, $0.waitsUntil) = (0, nil)
    }
  }

  /// Looks at a passphrase. What is wrong is counted, also over restarts (CL-021).
  ///
  /// - Parameters:
  ///   - passphrase: What was entered.
  ///   - now: The time.
  /// - Returns: Whether it is the right one.
  /// - Throws: `FileError` if that cannot be counted; then nothing opens.
  public func answer(to passphrase: String, now: Date = Date()) throws -> Answer {
    try change { contents in
      guard let right = contents.passphrase else { return .open }
      if let until = contents.waitsUntil, until > now {
        // If the clock was set back, the wait is no longer than it was at first.
        let longest = Double(Self.wait(after: contents.wrongCount))
        let left = min(until.timeIntervalSince(now), longest)
        contents.waitsUntil = now.addingTimeInterval(left)
        return .wait(seconds: max(1, Int(left.rounded(.up))))
      }
      guard right.matches(passphrase) else {
        contents.wrongCount = min(contents.wrongCount + 1, Self.mostWrong)
        let seconds = Self.wait(after: contents.wrongCount)
        contents.waitsUntil = seconds > 0 ? now.addingTimeInterval(Double(seconds)) : nil
        return seconds > 0 ? .wait(seconds: seconds) : .wrong
      }
      (contents.wrongCount, contents.waitsUntil) = (0, nil)
      return .open
    }
  }

  /// The wait in seconds after `wrongCount` wrong passphrases.
  private static func wait(after wrongCount: Int) -> Int {
    guard wrongCount >= freeAttempts else { return 0 }
    return min(longestWait, firstWait << min(20, wrongCount - freeAttempts))
  }

  private func contents() throws -> Contents {
    guard AtomicFile.exists(path) else { return Contents() }
    let bytes = try AtomicFile.read(path)
    // The lock of a new file makes it empty.
    guard !bytes.isEmpty else { return Contents() }
    do {
      let contents = try JSONDocument.decode(Contents.self, from: bytes)
      guard contents.settings.offered.contains(contents.settings.scene) else {
        throw damaged("the scene is not among those that are offered")
      }
      guard (0...Self.mostWrong).contains(contents.wrongCount) else {
        throw damaged("wrongCount is not in 0...\(Self.mostWrong)")
      }
      return contents
    } catch let fault as JSONFault { throw damaged("\(fault)") }
  }

  /// A damaged file opens nothing. Whoever may change the folder may remove it.
  private func damaged(_ reason: String) -> FileError {
    FileError(reading: path, "\(reason); remove the file to start over, without a passphrase")
  }

  private func change<Value>(_ change: (inout Contents) throws -> Value) throws -> Value {
    let lock = try FileLock(path: path, creating: true)
    defer { withExtendedLifetime(lock) {} }
    var contents = try contents()
    let value = try change(&contents)
    // Nobody else needs the hash. The new file has the mode of the one that it replaces.
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try AtomicFile.write(jsonText(contents, pretty: true) + "\n", to: path)
    return value
  }
}
