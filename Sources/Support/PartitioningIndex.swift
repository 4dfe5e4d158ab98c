extension RandomAccessCollection where Index == Int {
  /// The index of the first element that `isBeyond`, in a collection whose elements all are from
  /// some index on, and none before; `endIndex` where none is.
  ///
  /// - Complexity: O(log n).
  @inlinable
  package func partitioningIndex(where isBeyond: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
