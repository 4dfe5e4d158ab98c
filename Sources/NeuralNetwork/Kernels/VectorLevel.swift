internal import CKernels
internal import Support
internal import Synchronization

/// Which loops do the arithmetic of networks and searches.
///
/// Both give the same but for rounding, and each the same bytes every time.
public enum KernelChoice: String, CaseIterable, Codable, Sendable {
  /// `vector`, but for training on a processor without wide vectors: there `blas` is faster.
  case auto
  /// OpenBLAS, on every processor: patches in rows, multiplied as matrices.
  case blas
  /// Our own loops, in the widest vectors that the processor has.
  case vector

  /// What chooses where `select` did not.
  public static let variable = "DRAWML_KERNELS"

  private static let selection = Mutex<KernelChoice?>(nil)

  /// What networks and searches take from now on; those that are prepared keep what they have.
  public static func select(_ choice: KernelChoice) { selection.withLock { $0 = choice } }

  /// What was selected, else what the variable says, else `auto`.
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

/// How wide the vectors are that the processor offers to our own loops.
enum VectorLevel: Int32, Comparable, CaseIterable {
  /// 4 floats: every processor.
  case plain
  /// 8 floats and fused multiplication and addition.
  case wide
  /// 16 floats.
  case widest

  /// What this processor has.
  static let here = VectorLevel(rawValue: drawml_vector_level()) ?? .plain

  static func < (a: VectorLevel, b: VectorLevel) -> Bool { a.rawValue < b.rawValue }

  /// The loops of `CKernels` for this level.
  var loops: drawml_kernels { unsafe drawml_kernels_at(rawValue).pointee }
}

/// Who does the arithmetic.
enum Backend: Hashable, Sendable {
  /// OpenBLAS does the products, and loops that every processor has do the rest.
  case blas
  case vector(VectorLevel)

  /// For networks in use and searches.
  static var forUse: Backend { KernelChoice.selected == .blas ? .blas : .vector(.here) }

  /// For training.
  static var forTraining: Backend {
    switch KernelChoice.selected {
    case .blas: .blas
    case .vector: .vector(.here)
    case .auto: VectorLevel.here > .plain ? .vector(.here) : .blas
    }
  }

  /// The vectors of what is no product.
  var level: VectorLevel {
    switch self {
    case .blas: .plain
    case .vector(let level): level
    }
  }

  /// The loops of what is no product.
  var loops: drawml_kernels { level.loops }
}
