internal import CKernels

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
}
