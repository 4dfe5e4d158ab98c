internal import CLibrary

/// The memory of the program.
enum Memory {
  /// Returns unused memory to the system: a training needs much more during its run than
  /// afterwards.
  static func releaseUnused() {
    // The header that declares it is not visible to Swift.
    guard let trim = unsafe dlsym(nil, "malloc_trim") else { return }
    _ = unsafe unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
  }
}
