internal import Dispatch
internal import Foundation
internal import Synchronization
internal import UnixSignals

/// Enforces a time limit on the shutdown of the studio.
///
/// Canceled work usually stops soon; if some does not, the program exits without waiting, and the
/// next start removes partial files. The timer has its own thread, because the task threads may be
/// the ones that hang.
final class ShutdownTimeout: Sendable {
  private enum State { case running, ending, ended }

  private let state = Mutex(State.running)
  private let time: Duration
  private let forceExit: @Sendable () -> Void

  /// - Parameters:
  ///   - time: The time limit of the shutdown.
  ///   - forceExit: Ends the program.
  init(within time: Duration, forceExit: @escaping @Sendable () -> Void) {
    (self.time, self.forceExit) = (time, forceExit)
  }

  /// Calls `begin()` on any of `signals`, as long as the returned sources live. The server shuts
  /// down on the same signals.
  func begin(at signals: [UnixSignal]) -> [any DispatchSourceSignal] {
    signals.map { signal in
      let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: .global())
      source.setEventHandler { [weak self] in self?.begin() }
      source.resume()
      return source
    }
  }

  /// Starts the time limit; further calls have no effect.
  func begin() {
    let isFirst = state.withLock { state in
      guard state == .running else { return false }
      state = .ending
      return true
    }
    guard isFirst else { return }
    Thread.detachNewThread { [self] in
      Thread.sleep(forTimeInterval: time / .seconds(1))
      if state.withLock({ $0 }) == .ending { forceExit() }
    }
  }

  /// Cancels the time limit after a normal shutdown.
  func end() { state.withLock { $0 = .ended } }
}
