internal import Dispatch
internal import Foundation
internal import Synchronization
internal import UnixSignals

/// Sees to it that the studio ends when it is told to, whatever it is doing.
///
/// Work that is told to stop stops soon; should some of it not, the program ends without it: what
/// was half made is swept away at the next start. The watch has a thread of its own, as those of
/// tasks may be what hangs.
final class Ending: Sendable {
  private enum State { case running, ending, ended }

  private let state = Mutex(State.running)
  private let time: Duration
  private let giveUp: @Sendable () -> Void

  /// - Parameters:
  ///   - time: How long ending may take.
  ///   - giveUp: Ends the program.
  init(within time: Duration, giveUp: @escaping @Sendable () -> Void) {
    (self.time, self.giveUp) = (time, giveUp)
  }

  /// Begins at any of `signals`, at which whoever serves ends, too; for as long as what is returned
  /// lives.
  func begin(at signals: [UnixSignal]) -> [any DispatchSourceSignal] {
    signals.map { signal in
      let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: .global())
      source.setEventHandler { [weak self] in self?.begin() }
      source.resume()
      return source
    }
  }

  /// The studio was told to end.
  func begin() {
    let isFirst = state.withLock { state in
      guard state == .running else { return false }
      state = .ending
      return true
    }
    guard isFirst else { return }
    Thread.detachNewThread { [self] in
      Thread.sleep(forTimeInterval: time / .seconds(1))
      if state.withLock({ $0 }) == .ending { giveUp() }
    }
  }

  /// The studio has ended by itself.
  func end() { state.withLock { $0 = .ended } }
}
