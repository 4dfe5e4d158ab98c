internal import CLibrary

/// Tunes how the allocator reuses freed memory, depending on the command.
///
/// By default, glibc soon returns the heap's free end to the kernel and maps large allocations
/// separately, so memory that was just freed must be faulted in again page by page. The studio,
/// which runs all day, keeps the default.
enum ProcessHeap {
  /// Short-lived commands. They touch tens of megabytes once: a model's file, its numbers, and its
  /// packed weights; faulting these in as 4 kB pages took a third of a cold `drawml classify`. So
  /// all threads share one heap, which the kernel may back with 2 MB pages. In long multithreaded
  /// work, one shared heap would cause contention.
  static let short: Set<String> = ["classify", "forget", "rasterize", "update"]
  /// The size of a large page.
  private static let page: UInt = 1 << 21
  /// The address space to reserve, of which only touched pages use memory.
  private static let room: Int32 = 1 << 26

  /// Parameters of glibc's `mallopt`, whose header is not in the module.
  private enum Option: Int32 {
    /// M_TRIM_THRESHOLD: free memory at the heap's end beyond this is returned to the kernel.
    case trimThreshold = -1
    /// M_TOP_PAD: the heap grows by this much more than needed.
    case topPad = -2
    /// M_MMAP_THRESHOLD: larger allocations are mapped separately.
    case mapThreshold = -3
    /// M_ARENA_MAX: the maximum number of heaps.
    case mostHeaps = -8
  }

  /// Tunes the allocator for the program's arguments. Call it before starting threads.
  static func tune(for arguments: [String]) {
    let command = arguments.dropFirst().first ?? ""
    guard !["studio", "calm"].contains(command), let option = unsafe dlsym(nil, "mallopt") else {
      return
    }
    let mallopt = unsafe unsafeBitCast(option, to: (@convention(c) (Int32, Int32) -> Int32).self)
    func set(_ options: [(option: Option, value: Int32)]) -> Bool {
      options.allSatisfy { mallopt($0.option.rawValue, $0.value) == 1 }
    }
    // Long work reallocates what it freed: this took a fifth of the time to read drawings
    // repeatedly.
    guard set([(.trimThreshold, 1 << 28), (.mapThreshold, 1 << 25)]), short.contains(command),
      set([(.topPad, room), (.mostHeaps, 1)])
    else { return }
    enableLargePages()
  }

  private static func enableLargePages() {
    // More than the heap has, so that it grows by the top pad.
    guard let first = unsafe malloc(1 << 20) else { return }
    defer { unsafe free(first) }
    let start = (UInt(bitPattern: first) + page - 1) / page * page
    let end = UInt(bitPattern: unsafe sbrk(0))
    guard end > start, end - start <= 2 * UInt(room) else { return }
    _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE)
  }
}
