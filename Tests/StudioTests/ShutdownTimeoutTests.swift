import Foundation
import Glibc
import Synchronization
import Testing
import UnixSignals

@testable import Studio

@Suite("The studio ends when it is told to")
struct ShutdownTimeoutTests {
  /// Counts how often the program would have been ended.
  private final class ExitCounter: Sendable {
    let times = Atomic(0)
    var count: Int { times.load(ordering: .relaxed) }
    func add() { times.add(1, ordering: .relaxed) }
  }

  @Test("What does not stop is given up, once, however often the signal comes")
  func givesUp() async throws {
    let exits = ExitCounter()
    let timeout = ShutdownTimeout(within: .milliseconds(50)) { exits.add() }
    // As the server does: at a signal that is ignored nothing else happens.
    _ = signal(SIGUSR2, SIG_IGN)
    let sources = timeout.begin(at: [.sigusr2])
    #expect(exits.count == 0)
    // The source listens some time after it was resumed; what comes before is lost.
    try await eventually("it is given up") {
      kill(getpid(), SIGUSR2)
      return exits.count > 0
    }
    timeout.begin()
    #expect(exits.count == 1)
    for source in sources { source.cancel() }
  }

  @Test("What has stopped by then is not")
  func stops() async throws {
    let (first, second) = (ExitCounter(), ExitCounter())
    let (stopped, other) = (
      ShutdownTimeout(within: .milliseconds(20)) { first.add() },
      ShutdownTimeout(within: .milliseconds(100)) { second.add() }
    )
    stopped.begin()
    stopped.end()
    other.begin()
    try await eventually("the time of both is over") { second.count == 1 }
    #expect(first.count == 0)
  }
}
