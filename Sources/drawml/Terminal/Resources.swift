internal import Glibc

/// What this process has used.
enum Resources {
  /// The most memory it ever held at once, in bytes.
  static var peakMemoryBytes: Int {
    var usage = rusage()
    unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  }

  /// The number of processors it may run on.
  static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
