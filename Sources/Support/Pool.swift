internal import Synchronization

/// Values such as work buffers that wait for whoever needs one, so that none are made anew for each
/// use.
///
/// A value is used by one at a time: it is taken out, and put back afterwards.
public final class Pool<Element: Sendable>: Sendable {
  private let free = Mutex<[Element]>([])

  /// An empty pool.
  public init() {}

  /// One of the values that wait; nil where none does.
  public func take() -> Element? {
    free.withLock { $0.popLast() }
  }

  /// Lets a value wait for the next one who needs it.
  public func putBack(_ element: Element) {
    free.withLock { $0.append(element) }
  }
}
