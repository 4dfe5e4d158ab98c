internal import Benchmarks
internal import Support

/// Lets OpenBLAS use the AVX-512 of processors that it does not know by name.
///
/// OpenBLAS chooses its kernels while it is loaded, before `main`; an older one falls back to those
/// of 2013 on a processor that is newer than itself. `OPENBLAS_CORETYPE` says which to take, but
/// only if it is set before: so the program sets it and lets OpenBLAS choose again. Where it has no
/// such function the program starts itself once more; the second time the variable is there, so
/// there is no third.
enum ProcessorKernels {
  private static let variable = Resources.kernelsVariable

  /// What OpenBLAS's SkylakeX kernels need.
  static let needed: Set<Substring> = ["avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"]

  /// Changes the kernels where that makes it faster. To be called before any product is asked for.
  static func choose() {
    #if arch(x86_64)
      guard
        unsafe getenv(variable) == nil,
        let information = try? AtomicFile.read("/proc/cpuinfo"),
        let type = coreType(for: String(decoding: information, as: UTF8.self)),
        unsafe setenv(variable, type, 1) == 0, unsafe getenv(variable) != nil
      else { return }
      if chooseAgain() { return }
      // Comes back only if it fails, and then all goes on as it was.
      _ = unsafe execv("/proc/self/exe", CommandLine.unsafeArgv)
    #endif
  }

  /// Lets OpenBLAS forget its choice and choose as when it was loaded; false where it cannot.
  private static func chooseAgain() -> Bool {
    guard let forget = unsafe dlsym(nil, "gotoblas_dynamic_quit"),
      let choose = unsafe dlsym(nil, "gotoblas_dynamic_init")
    else { return false }
    unsafe unsafeBitCast(forget, to: (@convention(c) () -> Void).self)()
    unsafe unsafeBitCast(choose, to: (@convention(c) () -> Void).self)()
    return true
  }

  /// The kernels for a processor by the text of `/proc/cpuinfo`; nil to leave the choice to
  /// OpenBLAS.
  static func coreType(for information: String) -> String? {
    for line in information.split(separator: "\n") where line.hasPrefix("flags") {
      let flags = Set(line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == ":" }))
      return needed.isSubset(of: flags) ? "SkylakeX" : nil
    }
    return nil
  }
}
