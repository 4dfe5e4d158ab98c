import Foundation
import Glibc
import Synchronization
import Testing
import UnixSignals

@testable import Studio

@Suite("The studio ends when it is told to")
struct EndingTests {
  /// Counts how often the program would have been ended.
  private final class Giving: Sendable {
    let times = Atomic(0)
    var count: Int { times.load(ordering: .relaxed) }
    func up() { times.add(1, ordering: .relaxed) }
  }

  @Test("What does not stop is given up, once, however often the signal comes")
  func givesUp() async throws {
    let giving = Giving()
    let ending = Ending(within: .milliseconds(50)) { giving.up() }
    // As the server does: at a signal that is ignored nothing else happens.
    _ = signal(SIGUSR2, SIG_IGN)
    let sources = ending.begin(at: [.sigusr2])
    #expect(giving.count == 0)
    // The source listens some time after it was resumed; what comes before is lost.
    try await eventually("it is given up") {
      kill(getpid(), SIGUSR2)
      return giving.count > 0
    }
    ending.begin()
    #expect(giving.count == 1)
    for source in sources { source.cancel() }
  }

  @Test("What has stopped by then is not")
  func stops() async throws {
    let (first, second) = (Giving(), Giving())
    let (stopped, other) = (
      Ending(within: .milliseconds(20)) { first.up() },
      Ending(within: .milliseconds(100)) { second.up() }
    )
    stopped.begin()
    stopped.end()
    other.begin()
    try await eventually("the time of both is over") { second.count == 1 }
    #expect(first.count == 0)
  }
}
