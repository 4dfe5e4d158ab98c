internal import Ink

/// The shipped starter set: some drawings of every shape of the catalog, one file per shape.
public enum StarterSet {
  /// The number of drawings of each shape in `datasets/starter`.
  public static let shippedCount = 60
  /// The seed of `datasets/starter`.
  public static let shippedSeed: UInt64 = 2026

  /// The files of a starter set, named after the shape, such as "ice-cream.ndjson", with one stroke
  /// JSON object per line.
  ///
  /// - Parameters:
  ///   - seed: The seed of all randomness.
  ///   - count: The number of drawings of each shape.
  ///   - kinds: The shapes, one file each.
  /// - Returns: Names and contents in the order of `kinds`; the same arguments give the same bytes.
  public static func files(
    seed: UInt64 = shippedSeed, count: Int = shippedCount, kinds: [ShapeKind] = ShapeCatalog.all
  ) -> [(name: String, bytes: [UInt8])] {
    let synthesizer = Synthesizer(seed: seed)
    return kinds.map { kind in
      let lines = synthesizer.set(kinds: [kind], count: count).map { drawing in
        StrokeJSON.encode(drawing) + [UInt8(ascii: "\n")]
      }
      return (fileName(of: kind), Array(lines.joined()))
    }
  }

  /// The outline of each shape, one stroke JSON object a line: what `Trace/templates.ndjson` holds.
  public static func outlines(of kinds: [ShapeKind] = ShapeCatalog.all) -> [UInt8] {
    Array(kinds.map { StrokeJSON.encode($0.outline) + [UInt8(ascii: "\n")] }.joined())
  }

  /// The file name of a shape.
  public static func fileName(of kind: ShapeKind) -> String { kind.fileName + ".ndjson" }
}
