internal import CKernels
internal import CLibrary
internal import Synchronization

/// The kernels used for networks and searches.
///
/// `blas` and `vector` give the same results up to rounding, and each is deterministic.
public enum KernelChoice: String, CaseIterable, Codable, Sendable {
  /// `vector`, except for training on a processor without wide vectors, where `blas` is faster.
  case auto
  /// OpenBLAS, on every processor: convolutions as products of patch matrices.
  case blas
  /// DrawML's kernels, with the widest vectors of the processor.
  case vector

  /// The environment variable that is used unless `select` was called.
  public static let variable = "DRAWML_KERNELS"

  private static let selection = Mutex<KernelChoice?>(nil)

  /// Selects the kernels for networks and searches prepared from now on; existing ones keep theirs.
  public static func select(_ choice: KernelChoice) { selection.withLock { $0 = choice } }

  /// The loops that embed and search on this processor, on which the last bits of results depend.
  package static var inUse: String { "\(Backend.forUse)" }

  /// The selected kernels, else those named by the variable, else `auto`.
  public static var selected: KernelChoice {
    selection.withLock { selection in
      if let selection { return selection }
      let text = unsafe getenv(variable).map { unsafe String(cString: $0) }
      let choice = text.flatMap(KernelChoice.init) ?? .auto
      selection = choice
      return choice
    }
  }
}

/// The vector width of DrawML's kernels.
enum VectorLevel: Int32, Comparable, CaseIterable {
  /// 4 floats: every processor.
  case plain
  /// 8 floats and fused multiply-add.
  case wide
  /// 16 floats.
  case widest

  /// The level of this processor.
  static let here = VectorLevel(rawValue: drawml_vector_level()) ?? .plain

  static func < (a: VectorLevel, b: VectorLevel) -> Bool { a.rawValue < b.rawValue }

  /// The loops of `CKernels` for this level.
  var loops: drawml_kernels { unsafe drawml_kernels_at(rawValue).pointee }
}

/// The implementation of the arithmetic.
enum Backend: Hashable, Sendable {
  /// Products by OpenBLAS, everything else by the `plain` kernels.
  case blas
  case vector(VectorLevel)

  /// The backend for inference and searches.
  static var forUse: Backend { KernelChoice.selected == .blas ? .blas : .vector(.here) }

  /// The backend for training.
  static var forTraining: Backend {
    switch KernelChoice.selected {
    case .blas: .blas
    case .vector: .vector(.here)
    case .auto: VectorLevel.here > .plain ? .vector(.here) : .blas
    }
  }

  /// The vector level of everything but products.
  var level: VectorLevel {
    switch self {
    case .blas: .plain
    case .vector(let level): level
    }
  }

  /// The kernels of everything but products.
  var loops: drawml_kernels { level.loops }
}
