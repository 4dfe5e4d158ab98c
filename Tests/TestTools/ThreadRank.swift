import Dispatch
import Foundation
package import NeuralNetwork
import Synchronization

/// A rank that is a thread of this process: what ranks tell each other goes through boxes.
package final class ThreadRank: GradientReducer {
  package let rank: Int
  package let rankCount: Int
  private let boxes: Boxes
  /// How many methods were called, which names what they leave and take.
  private let calls = Mutex(0)

  private init(_ rank: Int, of count: Int, _ boxes: Boxes) {
    (self.rank, rankCount, self.boxes) = (rank, count, boxes)
  }

  /// A rank without others, which must not be told anything.
  package convenience init(_ rank: Int, of count: Int) { self.init(rank, of: count, Boxes()) }

  /// What `body` gives on each of some ranks, which run at the same time.
  ///
  /// - Throws: The first error of a rank; the others must not wait for it.
  package static func run<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (any GradientReducer) async throws -> Value
  ) async throws -> [Value] {
    let boxes = Boxes()
    return try await withThrowingTaskGroup(of: (Int, Value).self) { group in
      for rank in 0..<count {
        group.addTask(executorPreference: Executor()) {
          (rank, try await body(count == 1 ? OneProcess() : ThreadRank(rank, of: count, boxes)))
        }
      }
      var values: [Int: Value] = [:]
      for try await (rank, value) in group { values[rank] = value }
      return values.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Why ranks cannot go on: what differs, and on which rank.
  package struct Differing: Error, Equatable {
    package var (name, rank): (String, Int)

    /// A fact that differs from rank 0's.
    package init(_ name: String, rank: Int) { (self.name, self.rank) = (name, rank) }
  }

  package func agree(on facts: [(name: String, value: String)]) throws {
    let all = try exchange(facts.map(\.value), "agree")
    for (number, fact) in facts.enumerated() {
      if let other = all.firstIndex(where: { $0[number] != all[0][number] }) {
        throw Differing(fact.name, rank: other)
      }
    }
  }

  package func broadcast(_ values: inout [Double]) throws {
    values = try exchange(values, "broadcast")[0]
  }

  package func allGather(bytes own: [UInt8]) throws -> [[UInt8]] { try exchange(own, "allGather") }

  package func reduce(
    _ totals: inout ShardTotals, _ gradient: inout [Float],
    addTotals: (inout ShardTotals) -> Void,
    addGradients: (_ sum: inout MutableSpan<Float>, _ places: Range<Int>) -> Void
  ) throws {
    let call = "\(nextCall()) reduce"
    if rank > 0 { (totals.values, gradient) = try boxes.take("\(call) for \(rank)") }
    addTotals(&totals)
    // In parts of different lengths.
    let middle = gradient.count / 3
    for places in [middle..<gradient.count, 0..<middle] {
      var part = Array(gradient[places])
      var span = part.mutableSpan
      addGradients(&span, places)
      gradient.replaceSubrange(places, with: part)
    }
    boxes.put((totals.values, gradient), "\(call) for \((rank + 1) % rankCount)")
    (totals.values, gradient) = try boxes.take("\(call) for 0")
  }

  /// The values of all ranks, which call the same method.
  private func exchange<Value: Sendable>(_ own: Value, _ method: String) throws -> [Value] {
    let call = "\(nextCall()) \(method)"
    boxes.put(own, "\(call) of \(rank)")
    return try (0..<rankCount).map { try boxes.take("\(call) of \($0)") }
  }

  private func nextCall() -> Int {
    calls.withLock {
      $0 += 1
      return $0
    }
  }

  /// What another rank never left.
  private struct Missing: Error { var call: String }

  /// What ranks leave for each other, by a name that is used once.
  private final class Boxes: Sendable {
    private let condition = NSCondition()
    private let contents = Mutex<[String: any Sendable]>([:])

    func put(_ value: some Sendable, _ name: String) {
      contents.withLock { $0[name] = value }
      condition.withLock { condition.broadcast() }
    }

    /// - Throws: `Missing` if nothing comes in a minute: another rank failed, or called another
    ///   method.
    func take<Value: Sendable>(_ name: String) throws -> Value {
      let end = Date.now + 60
      return try condition.withLock {
        while true {
          if let value = contents.withLock({ $0[name] }) as? Value { return value }
          guard condition.wait(until: end) else { throw Missing(call: name) }
        }
      }
    }
  }

  /// Threads that may wait for other ranks, which those of other tasks must not.
  private final class Executor: TaskExecutor {
    private let queue = DispatchQueue(label: "rank", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}
