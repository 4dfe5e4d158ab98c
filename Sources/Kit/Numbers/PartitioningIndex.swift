extension RandomAccessCollection where Index == Int {
  /// The index of the first element for which `isBeyond` is true, or `endIndex`; the collection
  /// must be partitioned: false up to some index, true from there on.
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
