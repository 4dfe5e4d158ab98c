/// An sRGB color in calculations: red, green, blue, each 0...1 (gamma-encoded, not linear light).
///
/// Filters use only operations that IEEE 754 rounds the same way everywhere (no functions of the C
/// library), so that a picture has the same bytes on every machine.
typealias Tone = SIMD3<Float>

extension SIMD3<Float> {
  /// A color as a number, such as `0xff8800`.
  init(_ hex: UInt32) {
    self.init(Float(hex >> 16 & 255), Float(hex >> 8 & 255), Float(hex & 255))
    self /= 255
  }

  init(_ color: SketchColor) { self.init(color.number) }

  /// Brightness, 0...1, with the ITU-R BT.709 weights.
  @inline(__always)
  var luma: Float { 0.2126 * x + 0.7152 * y + 0.0722 * z }

  /// The difference between the strongest and the weakest channel, 0 (gray) ... 1.
  var chroma: Float { self.max() - self.min() }

  /// The color at `fraction` of the way to `other`.
  @inline(__always)
  func mixed(with other: Self, _ fraction: Float) -> Self { self + (other - self) * fraction }

  /// The color with its distance from gray multiplied by `factor`.
  @inline(__always)
  func saturated(_ factor: Float) -> Self {
    let gray = Self(repeating: luma)
    return (gray + (self - gray) * factor).clamped(lowerBound: .zero, upperBound: .one)
  }

  /// The light of both colors, as two projectors on one screen: never above 1.
  @inline(__always)
  func screened(with other: Self) -> Self { Self.one - (Self.one - self) * (Self.one - other) }
}

/// 0 below `low`, 1 above `high`, and a smooth cubic between.
@inline(__always)
func smoothstep(_ low: Float, _ high: Float, _ value: Float) -> Float {
  let t = min(1, max(0, (value - low) / (high - low)))
  return t * t * (3 - 2 * t)
}

/// The linear interpolation between `a` (`fraction` 0) and `b` (1).
@inline(__always)
func mix(_ a: Float, _ b: Float, _ fraction: Float) -> Float { a + (b - a) * fraction }

/// Close to e^-x for `x` from 0 up, without the C library: (1 + x/8)^-8.
@inline(__always)
func decay(_ x: Float) -> Float {
  let base = 1 + x * 0.125
  let square = base * base
  let fourth = square * square
  return 1 / (fourth * fourth)
}

/// The largest whole number that is not above `value`, which must be within ±2^31. (`rounded` is a
/// call of the C library on processors without SSE 4.1.)
@inline(__always)
func wholePart(_ value: Float) -> Float {
  let whole = Float(Int32(value))
  return whole > value ? whole - 1 : whole
}

/// The sine of an angle in full turns, within 0.002, without the C library: a parabola per half
/// turn, corrected once.
@inline(__always)
func sine(turns: Float) -> Float {
  let x = turns - wholePart(turns + 0.5)
  let y = 8 * x - 16 * x * abs(x)
  return 0.225 * (y * abs(y) - y) + y
}

/// The cosine of an angle in full turns: see `sine(turns:)`.
@inline(__always)
func cosine(turns: Float) -> Float { sine(turns: turns + 0.25) }
