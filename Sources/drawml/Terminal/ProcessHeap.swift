internal import Support

/// What the program does with memory that it has freed, by what it was started for.
///
/// What glibc does of itself is to give the heap's free end back soon and to map large pieces one
/// by one; the kernel is then asked again, page by page, for what it was just given. The studio,
/// which runs all day, leaves it at that.
enum ProcessHeap {
  /// Commands that start, answer and end. They touch tens of megabytes once: a model's file, its
  /// numbers, and its weights in the order in which they are used; to ask for them in pages of 4 kB
  /// was a third of a cold `drawml classify`. So all threads share one heap, and the kernel may
  /// give it pages of 2 MB; where it does not, nothing changes. Where many threads work for long
  /// one heap would hold them up.
  static let short: Set<String> = ["classify", "forget", "rasterize", "update"]
  /// The size of a large page.
  private static let page: UInt = 1 << 21
  /// The room that is asked for, of which only what is touched is taken.
  private static let room: Int32 = 1 << 26

  /// What glibc's `mallopt` is told; its header is not in the module.
  private enum Option: Int32 {
    /// What is free at the heap's end is given back from here on.
    case trimThreshold = -1
    /// The heap grows by so much more than is needed.
    case topPad = -2
    /// From here on memory is mapped by itself.
    case mapThreshold = -3
    /// How many heaps there are.
    case mostHeaps = -8
  }

  /// Settles it for the program's arguments. To be called before there are threads.
  static func settle(for arguments: [String]) {
    let command = arguments.dropFirst().first ?? ""
    guard command != "studio", let option = unsafe dlsym(nil, "mallopt") else { return }
    let mallopt = unsafe unsafeBitCast(option, to: (@convention(c) (Int32, Int32) -> Int32).self)
    func set(_ options: [(option: Option, value: Int32)]) -> Bool {
      options.allSatisfy { mallopt($0.option.rawValue, $0.value) == 1 }
    }
    // Long work asks again for what it freed: a fifth of reading drawings over and over went into
    // that.
    guard set([(.trimThreshold, 1 << 28), (.mapThreshold, 1 << 25)]), short.contains(command),
      set([(.topPad, room), (.mostHeaps, 1)])
    else { return }
    askForLargePages()
  }

  private static func askForLargePages() {
    // More than the heap has, so that it grows, and by as much as it was told to.
    guard let first = unsafe malloc(1 << 20) else { return }
    defer { unsafe free(first) }
    let start = (UInt(bitPattern: first) + page - 1) / page * page
    let end = UInt(bitPattern: unsafe sbrk(0))
    guard end > start, end - start <= 2 * UInt(room) else { return }
    _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE)
  }
}
