internal import CLibrary
internal import Files
internal import Training

/// Makes OpenBLAS use AVX-512 on processors that it does not know by name.
///
/// OpenBLAS chooses its kernels while it is loaded, before `main`; an older version falls back to
/// kernels of 2013 on a processor that is newer than itself. `OPENBLAS_CORETYPE` selects kernels,
/// but only if it is set before loading: so the program sets it and makes OpenBLAS choose again. If
/// OpenBLAS has no function for that, the program re-executes itself once; the second time the
/// variable is already set.
enum ProcessorKernels {
  private static let variable = Resources.kernelsVariable

  /// The CPU flags that OpenBLAS's SkylakeX kernels need.
  static let needed: Set<Substring> = ["avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"]

  /// Selects faster kernels if there are any, and stops OpenBLAS's threads. Call it before
  /// computing any product.
  static func choose() {
    stopThreads()
    #if arch(x86_64)
      guard
        unsafe getenv(variable) == nil,
        let information = try? AtomicFile.read("/proc/cpuinfo"),
        let type = coreType(for: String(decoding: information, as: UTF8.self)),
        unsafe setenv(variable, type, 1) == 0, unsafe getenv(variable) != nil
      else { return }
      if chooseAgain() { return }
      // Returns only if it fails; the kernels then stay unchanged.
      _ = unsafe execv("/proc/self/exe", CommandLine.unsafeArgv)
    #endif
  }

  /// Stops the threads that OpenBLAS starts while it is loaded. Products are computed on the
  /// threads that ask for them; idle ones spin for tens of milliseconds before they sleep, at the
  /// expense of a short command.
  private static func stopThreads() {
    guard let limit = unsafe dlsym(nil, "openblas_set_num_threads"),
      let stop = unsafe dlsym(nil, "blas_thread_shutdown_")
    else { return }
    // To set the number later would start them again.
    unsafe unsafeBitCast(limit, to: (@convention(c) (Int32) -> Void).self)(1)
    _ = unsafe unsafeBitCast(stop, to: (@convention(c) () -> Int32).self)()
  }

  /// Makes OpenBLAS repeat its choice of kernels; false if it has no function for that.
  private static func chooseAgain() -> Bool {
    guard let forget = unsafe dlsym(nil, "gotoblas_dynamic_quit"),
      let choose = unsafe dlsym(nil, "gotoblas_dynamic_init")
    else { return false }
    unsafe unsafeBitCast(forget, to: (@convention(c) () -> Void).self)()
    unsafe unsafeBitCast(choose, to: (@convention(c) () -> Void).self)()
    return true
  }

  /// The kernels for a processor by the text of `/proc/cpuinfo`; nil to keep OpenBLAS's choice.
  static func coreType(for information: String) -> String? {
    for line in information.split(separator: "\n") where line.hasPrefix("flags") {
      let flags = Set(line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ":" }))
      return needed.isSubset(of: flags) ? "SkylakeX" : nil
    }
    return nil
  }
}
