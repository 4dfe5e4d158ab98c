internal import Glibc
internal import Support

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

  /// The processor's name as the system gives it.
  static var processorName: String {
    guard let bytes = try? AtomicFile.read("/proc/cpuinfo") else { return "unknown" }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("model name") }
    guard let name = line?.split(separator: ":").last else { return "unknown" }
    return String(name.drop { $0 == " " })
  }
}
