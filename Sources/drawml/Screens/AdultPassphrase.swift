internal import Calm
internal import Report
internal import Studio
internal import Text

extension CalmFile {
  /// Lets an adult in (CL-021).
  ///
  /// - Parameter entered: What was entered; nil for nothing.
  /// - Throws: A `CompanionEndpoint.Failure` if a passphrase is set and this is not it, or if it is
  ///   too early to try again; `FileError` if the file cannot be read or written.
  func requirePassphrase(_ entered: String?) throws {
    guard try hasPassphrase() else { return }
    let answer: Answer =
      if let entered, Passphrase.isShortEnough(entered) {
        try self.answer(to: entered)
      } else {
        .wrong
      }
    switch answer {
    case .open: return
    case .wrong: throw CompanionEndpoint.Failure(403, "wrongPassphrase", "That is not it.")
    case .wait(let seconds):
      throw CompanionEndpoint.Failure(
        429, "wait", "Wait \(counted(seconds, "second")).", detail: String(seconds))
    }
  }
}
