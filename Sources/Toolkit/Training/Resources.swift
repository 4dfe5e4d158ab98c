// Clang assigns `timespec` to the first module in which it finds it, which depends on the other
// imports.
internal import CDispatch
internal import CLibrary
internal import Files

/// The resources that this process has used, and the machine it runs on.
package enum Resources {
  /// The environment variable that selects OpenBLAS's kernels.
  package static let kernelsVariable = "OPENBLAS_CORETYPE"

  /// The peak memory since the start, in bytes.
  package static var peakMemoryBytes: Int {
    var usage = rusage()
    unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  }

  /// The peak memory since `resetPeakMemory`, in bytes; since the start if the system cannot reset
  /// it.
  package static var peakMemorySinceReset: Int {
    status("VmHWM:").flatMap { Int($0) }.map { $0 * 1024 } ?? peakMemoryBytes
  }

  /// Resets `peakMemorySinceReset`.
  package static func resetPeakMemory() {
    let descriptor = unsafe open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    // 5 resets the high-water mark (Linux, Documentation/filesystems/proc.rst).
    _ = unsafe write(descriptor, "5", 1)
    close(descriptor)
  }

  /// The processor time of the calling thread.
  package static var processorTimeOfThread: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Duration.seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// How many processes waited for a processor, on average over the last minute.
  package static var loadAverage: Double {
    guard let bytes = try? AtomicFile.read("/proc/loadavg") else { return 0 }
    return String(decoding: bytes, as: UTF8.self).split(separator: " ").first
      .flatMap { Double($0) } ?? 0
  }

  /// The number of processors it may run on.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The number of processors that this process may use, which a launcher may have limited.
  package static var allowedProcessorCount: Int {
    // A bit for each, in hexadecimal digits.
    let bits = status("Cpus_allowed:")?.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
    return min(max(1, bits ?? processorCount), processorCount)
  }

  /// The first word of a line about this process, such as "VmHWM:"; nil if the system does not say.
  private static func status(_ name: String) -> Substring? {
    guard let bytes = try? AtomicFile.read("/proc/self/status") else { return nil }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first
  }

  /// The processor's name as the system gives it.
  package static var processorName: String {
    guard let bytes = try? AtomicFile.read("/proc/cpuinfo") else { return "unknown" }
    let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("model name") }
    guard let name = line?.split(separator: ":").last else { return "unknown" }
    return String(name.drop { $0 == " " })
  }
}
