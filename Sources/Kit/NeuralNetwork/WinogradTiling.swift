internal import CKernels

/// The tiling of a Winograd convolution, which takes fewer multiplications than a direct one
/// (Winograd 1980; Lavin and Gray 2016, arXiv 1509.09308).
///
/// A direct convolution multiplies every kernel value at every output pixel. This one multiplies
/// once at 6 points for each 4 adjacent pixels (2 with a kernel of 5), and for pictures in both
/// directions: 36 instead of 144 multiplications for 4 × 4 pixels. Its rounding error is about
/// twice as large.
struct WinogradTiling: Sendable, Equatable {
  /// Points per tile in one direction.
  private static let side = Int(DRAWML_POINTS)

  let inputs: Int
  let channels: Int
  let kernelRows: Int
  let kernelColumns: Int
  /// The output rows of a tile.
  let rows: Int
  /// The output columns of a tile.
  let columns: Int
  /// The number of tiles per example.
  let tiles: Int

  /// A tiling, or nil if the kernel size is not supported or it would not be faster.
  init?(
    height: Int, width: Int, inputs: Int, channels: Int, kernelRows: Int, kernelColumns: Int
  ) {
    guard
      drawml_winograd_saves(height, width, inputs, channels, kernelRows, kernelColumns) != 0
    else { return nil }
    self.inputs = inputs
    self.channels = channels
    self.kernelRows = kernelRows
    self.kernelColumns = kernelColumns
    rows = kernelRows == 1 ? 1 : Self.side + 1 - kernelRows
    columns = Self.side + 1 - kernelColumns
    tiles = ((height + rows - 1) / rows) * ((width + columns - 1) / columns)
  }

  /// Points per tile.
  var points: Int { rows == 1 ? Self.side : Self.side * Self.side }

  /// The number of scratch values for `examples`: their values and products at the points, and gaps
  /// between the points.
  func scratch(examples: Int) -> Int {
    points * (examples * tiles * (inputs + channels) + 2 * Int(DRAWML_POINT_GAP))
  }

  /// The number of examples per round, so that their transformed tiles fit in a core's L2 cache.
  var examplesPerRound: Int { max(1, 96 * 1024 / scratch(examples: 1)) }

  /// The factors of the kernel transform, shape [points, kernel rows · kernel columns]: the weight
  /// at a point is the sum over the kernel with these factors.
  var factors: [[Float]] {
    let across = Self.factors(kernelColumns)
    guard rows > 1 else { return across.map { $0.map { Float($0) } } }
    return Self.factors(kernelRows).flatMap { down in
      across.map { across in down.flatMap { y in across.map { x in Float(y * x) } } }
    }
  }

  /// The factors that map the coefficients of a polynomial, lowest power first, to its value at
  /// each point, divided by the product of the point's distances from the others.
  private static func factors(_ count: Int) -> [[Double]] {
    // The points of `transform` in CKernels. The last point is infinity: the value there is the
    // coefficient of the highest power.
    let points = [0, 2.0 / 3, -2.0 / 3, 3.0 / 2, -3.0 / 2]
    return points.map { point in
      let distances = points.filter { $0 != point }.reduce(1) { $0 * (point - $1) }
      var power = 1 / distances
      return (0..<count).map { _ in
        defer { power *= point }
        return power
      }
    } + [[Double](repeating: 0, count: count - 1) + [1]]
  }
}
