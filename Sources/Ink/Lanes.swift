/// Four numbers side by side: those of a tile's pixels, two rows of two.
typealias Lanes = SIMD4<Float>

/// Yes or no for each lane, as all bits or none.
///
/// The standard library's own choice between lanes, its smaller and larger of two and its square root go lane by
/// lane. What it has in one instruction for all lanes is the logic of masks, so numbers are chosen by that.
struct LaneMask: Sendable {
  private var bits: SIMDMask<SIMD4<Int32>>

  @inline(__always)
  init(_ mask: SIMDMask<SIMD4<Int32>>) { bits = mask }

  @inline(__always)
  static func & (a: LaneMask, b: LaneMask) -> LaneMask { LaneMask(a.bits .& b.bits) }

  @inline(__always)
  static func | (a: LaneMask, b: LaneMask) -> LaneMask { LaneMask(a.bits .| b.bits) }

  @inline(__always)
  static prefix func ! (a: LaneMask) -> LaneMask { LaneMask(.!a.bits) }

  /// Whether there is a yes.
  @inline(__always)
  var isAny: Bool { bits.pattern != 0 }

  /// `yes` or `no` for each lane.
  @inline(__always)
  func choose(_ yes: Lanes, _ no: Lanes) -> Lanes {
    Lanes(mask: (yes.mask .& bits) .| (no.mask .& .!bits))
  }

  /// `yes`, or 0, for each lane.
  @inline(__always)
  func choose(_ yes: Lanes) -> Lanes { Lanes(mask: yes.mask .& bits) }
}

extension Lanes {
  @inline(__always)
  static var one: Lanes { Lanes(repeating: 1) }

  @inline(__always)
  static func < (a: Lanes, b: Lanes) -> LaneMask { LaneMask(a .< b) }

  @inline(__always)
  static func <= (a: Lanes, b: Lanes) -> LaneMask { LaneMask(a .<= b) }

  /// Each lane without its sign.
  @inline(__always)
  var magnitudes: Lanes {
    Lanes(mask: mask .& Lanes(patterns: SIMD4<UInt32>(repeating: 0x7fff_ffff)).mask)
  }

  /// The larger of each pair of lanes.
  @inline(__always)
  func atLeast(_ bound: Lanes) -> Lanes { (self < bound).choose(bound, self) }

  /// The larger of each lane and `bound`.
  @inline(__always)
  func atLeast(_ bound: Float) -> Lanes { atLeast(Lanes(repeating: bound)) }

  /// The smaller of each pair of lanes.
  @inline(__always)
  func atMost(_ bound: Lanes) -> Lanes { (bound < self).choose(bound, self) }

  /// The same numbers, none of them infinite.
  ///
  /// The optimiser sees arithmetic lane by lane and may pair lanes of different numbers, at the cost of shuffles;
  /// it does not look behind this one instruction.
  @inline(__always)
  var together: Lanes { atLeast(-Float.greatestFiniteMagnitude) }

  /// The square root of each lane, none negative or subnormal, to a unit in the last place or two.
  ///
  /// A guess by halving the exponent, then Newton's method, first for 1 / √x.
  @inline(__always)
  var roots: Lanes {
    var inverse = Lanes(patterns: SIMD4<UInt32>(repeating: 0x5f37_59df) &- (patterns &>> 1))
    let half = self * 0.5
    inverse *= 1.5 - half * inverse * inverse
    inverse *= 1.5 - half * inverse * inverse
    let root = self * inverse
    return root + (self - root * root) * inverse * 0.5
  }
}
