/// The processes ("ranks") that do one work together, of which this is one.
///
/// All of them call the same methods in the same order.
package protocol Ranks: Sendable {
  /// The number of this rank, from 0. Rank 0 writes files and shows progress.
  var rank: Int { get }
  /// How many ranks there are.
  var rankCount: Int { get }

  /// Throws unless all ranks have the same facts, of which there are at most 128.
  ///
  /// - Parameter facts: Names for the user, such as "settings", and values in any form.
  /// - Throws: An error that names a rank with another value.
  func agree(on facts: [(name: String, value: String)]) throws

  /// Replaces the values by those of rank 0, which has equally many.
  ///
  /// - Throws: When a rank is lost, and `CancellationError`.
  func broadcast(_ values: inout [Double]) throws

  /// The bytes of every rank, in the order of their numbers, on each rank.
  ///
  /// - Throws: When a rank is lost, and `CancellationError`.
  func allGather(bytes own: [UInt8]) throws -> [[UInt8]]
}

extension Ranks {
  /// Whether this is the rank that writes files and shows progress.
  package var isFirst: Bool { rank == 0 }

  /// The part of some tasks that this rank does; the parts of all ranks follow each other.
  ///
  /// - Parameter count: How many tasks there are.
  /// - Returns: Their numbers; none if there are too few. Rank 0 has the first.
  package func part(of count: Int) -> Range<Int> {
    func start(_ rank: Int) -> Int { (rank * count + rankCount - 1) / rankCount }
    return start(rank)..<start(rank + 1)
  }

  /// An upper bound of `part(of: n).count` for all n from 0 to `count`.
  package func largestPart(of count: Int) -> Int { (count + rankCount - 1) / rankCount }

  /// Throws unless all ranks have the same facts, which are computed only if there are several.
  package func agree(on facts: () throws -> [(name: String, value: String)]) throws {
    if rankCount > 1 { try agree(on: facts()) }
  }

  /// The values of every rank, in the order of their ranks, on each rank.
  ///
  /// - Throws: When a rank is lost, and `CancellationError`.
  package func allGather<Value: BitwiseCopyable>(_ own: [Value]) throws -> [Value] {
    guard rankCount > 1 else { return own }
    let bytes = try allGather(bytes: unsafe own.withUnsafeBytes { unsafe [UInt8]($0) })
    let size = MemoryLayout<Value>.stride
    return bytes.flatMap { bytes in
      unsafe bytes.withUnsafeBytes { bytes in
        stride(from: 0, to: bytes.count, by: size).map {
          unsafe bytes.loadUnaligned(fromByteOffset: $0, as: Value.self)
        }
      }
    }
  }
}

/// The end of a rank's part: all that follows is the work of rank 0.
package struct RankIsDone: Error {
  package init() {}
}
