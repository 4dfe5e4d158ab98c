public import Files
public import Ink
internal import Numbers
internal import Synchronization

/// The drawings of a sharded set in the random order of an epoch: any position is found at once, in
/// every process and thread alike.
///
/// The blocks are put in random order. 128 at a time are mixed: their drawings, about 80,000 of
/// Quick, Draw!, come in random order. Only these are in memory, and nothing is read in advance.
///
/// ```swift
/// let drawings = try ShardedDrawings("quickdraw-shards")
/// let order = ShardOrder(of: drawings, seed: 1, epoch: 3)
/// let drawing = try order.drawing(1_000_000)
/// ```
public final class ShardOrder: Sendable {
  /// The number of drawings.
  public let count: Int
  private let set: ShardedDrawings
  private let seed: UInt64
  private let epoch: Int
  private let excluded: Set<Int>
  /// The blocks in their order.
  private let blocks: [Int]
  /// The position of the first drawing of each window, and the number of drawings.
  private let starts: [Int]
  private let windows = Mutex<[(number: Int, places: [ShardedDrawings.Place])]>([])

  /// The order of an epoch.
  ///
  /// - Parameters:
  ///   - set: The drawings.
  ///   - seed: The seed of the order.
  ///   - epoch: The epoch; each has another order.
  ///   - excluded: Numbers of drawings that are left out.
  /// - Complexity: O(blocks + excluded); no drawing is read.
  public init(
    of set: ShardedDrawings, seed: UInt64, epoch: Int = 0, excluding excluded: Set<Int> = []
  ) {
    (self.set, self.seed, self.epoch, self.excluded) = (set, seed, epoch, excluded)
    var generator = SeededGenerator(seed: seed, stream: 0x5348, epoch)
    blocks = generator.permutation(set.starts.count - 1)
    var left = (0..<blocks.count).map { set.starts[$0 + 1] - set.starts[$0] }
    for number in excluded { left[set.block(of: number)] -= 1 }
    var (starts, count) = ([0], 0)
    for (index, block) in blocks.enumerated() {
      count += left[block]
      if (index + 1).isMultiple(of: ShardedDrawings.window) || index == blocks.count - 1 {
        starts.append(count)
      }
    }
    (self.starts, self.count) = (starts, count)
  }

  /// The drawing at a position, from 0.
  ///
  /// - Throws: `FileError` for a shard that cannot be read or changed.
  public func drawing(_ position: Int) throws(FileError) -> Drawing {
    try set.drawing(at: place(position))
  }

  /// The number, in the set, of the drawing at a position.
  public func number(_ position: Int) -> Int { set.number(of: place(position)) }

  private func place(_ position: Int) -> ShardedDrawings.Place {
    precondition((0..<count).contains(position), "no drawing \(position) among \(count)")
    let low = starts.lastRange(notAbove: position)
    return windows.withLock { windows in
      if let known = windows.first(where: { $0.number == low }) {
        return known.places[position - starts[low]]
      }
      // A step of a training may lie in two windows.
      if windows.count == 2 { windows.removeFirst() }
      let places = places(ofWindow: low)
      windows.append((low, places))
      return places[position - starts[low]]
    }
  }

  private func places(ofWindow window: Int) -> [ShardedDrawings.Place] {
    let first = window * ShardedDrawings.window
    var places: [ShardedDrawings.Place] = []
    places.reserveCapacity(starts[window + 1] - starts[window])
    for block in blocks[first..<min(first + ShardedDrawings.window, blocks.count)] {
      let numbers = set.starts[block]..<set.starts[block + 1]
      for number in numbers where !excluded.contains(number) {
        places.append(
          .init(block: Int32(block), number: Int32(number - numbers.lowerBound)))
      }
    }
    var generator = SeededGenerator(seed: seed, stream: 0x5357, epoch, window)
    generator.shuffle(&places)
    return places
  }
}
