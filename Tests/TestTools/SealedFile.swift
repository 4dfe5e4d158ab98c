public import HDF5

extension SealedFile {
  /// Replaces the first bytes in a file that are `old` with as many others, under a sound seal.
  ///
  /// - Returns: Whether it has such bytes.
  public func replace(_ old: [UInt8], with new: [UInt8], in path: String) throws -> Bool {
    var payload = try read(path)
    guard old.count == new.count, let range = payload.firstRange(of: old) else { return false }
    payload.replaceSubrange(range, with: new)
    try write(payload, to: path)
    return true
  }
}
