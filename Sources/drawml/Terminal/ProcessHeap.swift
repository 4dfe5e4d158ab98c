internal import Glibc

/// Memory in large pages, for commands that start, answer and end.
///
/// Such a command touches tens of megabytes once: a model's file, its numbers, and its weights in the order in which they are
/// used. In pages of 4 kB the kernel is asked some thousand times, each time from the beginning for what was just given
/// back; that was a third of a cold `drawml classify`. So all threads share one heap that keeps what it has, and the
/// kernel may give it pages of 2 MB. Where it does not, nothing changes.
enum LargePages {
  /// The commands that it is for. Where many threads work for long one heap would hold them up.
  static let commands: Set<String> = ["classify", "forget", "rasterize", "update"]
  /// The size of a large page.
  private static let page: UInt = 1 << 21
  /// The room that is asked for, of which only what is touched is taken.
  private static let room: Int32 = 1 << 26

  /// What glibc's `mallopt` is told; its header is not in the module.
  private enum Option: Int32, CaseIterable {
    /// What is free at the heap's end is given back from here on.
    case trimThreshold = -1
    /// The heap grows by so much more than is needed.
    case topPad = -2
    /// From here on memory is mapped by itself.
    case mapThreshold = -3
    /// How many heaps there are.
    case mostHeaps = -8

    var value: Int32 {
      switch self {
      case .trimThreshold: 1 << 28
      case .topPad: LargePages.room
      case .mapThreshold: 1 << 25
      case .mostHeaps: 1
      }
    }
  }

  /// Asks for them if the command is one of `commands`. To be called before there are threads.
  static func ask(for arguments: [String]) {
    guard let command = arguments.dropFirst().first, commands.contains(command) else { return }
    guard let option = unsafe dlsym(nil, "mallopt") else { return }
    let set = unsafe unsafeBitCast(option, to: (@convention(c) (Int32, Int32) -> Int32).self)
    guard Option.allCases.allSatisfy({ set($0.rawValue, $0.value) == 1 }) else { return }
    // More than the heap has, so that it grows, and by as much as it was told to.
    guard let first = unsafe malloc(1 << 20) else { return }
    defer { unsafe free(first) }
    let start = (UInt(bitPattern: first) + page - 1) / page * page
    let end = UInt(bitPattern: unsafe sbrk(0))
    guard end > start, end - start <= 2 * UInt(room) else { return }
    _ = unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_HUGEPAGE)
  }
}
