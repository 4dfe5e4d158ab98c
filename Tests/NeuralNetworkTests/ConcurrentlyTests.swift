import NeuralNetwork
import Synchronization
import Testing

@Suite("Concurrent runs")
struct ConcurrentlyTests {
  private struct Stop: Error {
    var number = 0
  }

  @Test("Every number runs once, and no more at the same time than there are threads")
  func all() async throws {
    for (count, threads) in [(0, 2), (1, 4), (50, 3), (20, 0)] {
      let running = Mutex((now: 0, most: 0))
      var results = [Int?](repeating: nil, count: count)
      try await concurrently(count, threads: threads) { number in
        running.withLock {
          $0.now += 1
          $0.most = max($0.most, $0.now)
        }
        defer { running.withLock { $0.now -= 1 } }
        return number * number
      } then: { number, result in
        #expect(results[number] == nil)
        results[number] = result
      }
      #expect(results == (0..<count).map { $0 * $0 })
      #expect(running.withLock { $0.most } <= max(1, threads))
    }
  }

  @Test("An error of a run or of what receives its result ends them all")
  func errors() async {
    for isFromRun in [true, false] {
      var received = 0
      await #expect(throws: Stop.self) {
        try await concurrently(9, threads: 1) { number in
          if isFromRun, number == 1 { throw Stop() }
        } then: { _, _ in
          received += 1
          if !isFromRun { throw Stop() }
        }
      }
      #expect(received == 1)
    }
  }
  @Test("Results are in order, whatever is done first; of several errors the first is thrown")
  func map() throws {
    for count in [0, 1, 50] {
      #expect(concurrentMap(count) { $0 * $0 } == (0..<count).map { $0 * $0 })
    }
    let error = #expect(throws: Stop.self) {
      try concurrentMap(50) { number in
        if number % 10 == 7 { throw Stop(number: number) }
      }
    }
    #expect(error?.number == 7)
  }
}
