internal import Synchronization

/// A pool of reusable values, such as work buffers.
///
/// A value has one user at a time, which takes it out and puts it back afterwards.
public final class Pool<Element: Sendable>: Sendable {
  private let free = Mutex<[Element]>([])

  /// An empty pool.
  public init() {}

  /// Removes a value and returns it; nil if the pool is empty.
  public func take() -> Element? {
    free.withLock { $0.popLast() }
  }

  /// Returns a value to the pool.
  public func putBack(_ element: Element) {
    free.withLock { $0.append(element) }
  }
}
