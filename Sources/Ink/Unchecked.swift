/// What this room does that the compiler cannot check: bytes read without a look at the bounds each time, and
/// numbers seen as their bits. Nothing here keeps a pointer.
extension LineCursor {
  /// Eight bytes, the first lowest; nil where there are fewer.
  @inline(__always)
  static func word(_ bytes: RawSpan, _ position: Int) -> UInt64? {
    guard position &+ 8 <= bytes.byteCount else { return nil }
    return unsafe UInt64(
      littleEndian: bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: position, as: UInt64.self))
  }

  /// One byte; 0 behind the last.
  @inline(__always)
  static func byte(_ bytes: RawSpan, _ position: Int) -> UInt8 {
    guard position < bytes.byteCount else { return 0 }
    return unsafe bytes.unsafeLoad(fromUncheckedByteOffset: position, as: UInt8.self)
  }

  /// Whether `name`, of one-byte characters, stands at `position`.
  @inline(__always)
  static func matches(_ name: StaticString, _ position: Int, _ bytes: RawSpan) -> Bool {
    let count = name.utf8CodeUnitCount
    guard position &+ count <= bytes.byteCount else { return false }
    for index in 0..<count {
      guard unsafe byte(bytes, position &+ index) == name.utf8Start[index] else { return false }
    }
    return true
  }

  /// A text that `text` has taken.
  static func string(_ range: Range<Int>, _ bytes: RawSpan) -> String {
    unsafe bytes.withUnsafeBytes { buffer in
      unsafe String(decoding: UnsafeRawBufferPointer(rebasing: buffer[range]), as: UTF8.self)
    }
  }
}

extension SIMDMask<SIMD4<Int32>> {
  /// The bits of all lanes: 0 where no lane says yes.
  @inline(__always)
  var pattern: UInt128 { unsafe unsafeBitCast(self, to: UInt128.self) }
}

extension Lanes {
  /// The lanes with these bits.
  @inline(__always)
  init(patterns: SIMD4<UInt32>) { self = unsafe unsafeBitCast(patterns, to: Lanes.self) }

  /// The bits of each lane.
  @inline(__always)
  var patterns: SIMD4<UInt32> { unsafe unsafeBitCast(self, to: SIMD4<UInt32>.self) }

  /// The lanes with the bits of `mask`.
  @inline(__always)
  init(mask: SIMDMask<SIMD4<Int32>>) { self = unsafe unsafeBitCast(mask, to: Lanes.self) }

  /// The same bits as a mask, for its logic alone: its lanes need not be all bits or none.
  @inline(__always)
  var mask: SIMDMask<SIMD4<Int32>> { unsafe unsafeBitCast(self, to: SIMDMask<SIMD4<Int32>>.self) }
}

extension [UInt8] {
  /// Appends the eight bytes of `word`, the lowest first.
  mutating func append(littleEndian word: UInt64) {
    unsafe Swift.withUnsafeBytes(of: word.littleEndian) { unsafe append(contentsOf: $0) }
  }
}
