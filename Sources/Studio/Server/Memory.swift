internal import Support

/// The memory of the program.
enum Memory {
  /// Gives memory back to the system that work has left unused: a training needs much more of it
  /// than what it leaves.
  static func giveBack() {
    // Swift does not see the header that has it.
    guard let trim = unsafe dlsym(nil, "malloc_trim") else { return }
    _ = unsafe unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
  }
}
