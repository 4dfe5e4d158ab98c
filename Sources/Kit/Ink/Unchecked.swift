internal import CKernels

/// This target's code that the compiler cannot check: byte loads without bounds checks and numbers
/// reinterpreted as bytes. No pointer escapes.
extension LineCursor {
  /// Eight bytes, little-endian; nil if there are fewer.
  @inline(__always)
  static func word(_ bytes: RawSpan, _ position: Int) -> UInt64? {
    guard position &+ 8 <= bytes.byteCount else { return nil }
    return unsafe UInt64(
      littleEndian: bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: position, as: UInt64.self))
  }

  /// One byte; 0 past the end.
  @inline(__always)
  static func byte(_ bytes: RawSpan, _ position: Int) -> UInt8 {
    guard position < bytes.byteCount else { return 0 }
    return unsafe bytes.unsafeLoad(fromUncheckedByteOffset: position, as: UInt8.self)
  }

  /// Whether the bytes at `position` are `name`, which must be ASCII.
  @inline(__always)
  static func matches(_ name: StaticString, _ position: Int, _ bytes: RawSpan) -> Bool {
    let count = name.utf8CodeUnitCount
    guard position &+ count <= bytes.byteCount else { return false }
    for index in 0..<count {
      guard unsafe byte(bytes, position &+ index) == name.utf8Start[index] else { return false }
    }
    return true
  }

  /// The string at a range that `text` returned.
  static func string(_ range: Range<Int>, _ bytes: RawSpan) -> String {
    unsafe bytes.withUnsafeBytes { buffer in
      unsafe String(decoding: UnsafeRawBufferPointer(rebasing: buffer[range]), as: UTF8.self)
    }
  }
}

extension RasterKernel {
  /// Writes the pixels of the first `count` segments from element `offset` on: see
  /// `CKernelsRaster.h`.
  static func draw(
    _ segments: [drawml_segment], count: Int, _ flows: [Float]?,
    into batch: inout MutableSpan<Float>,
    at offset: Int, width: Int, height: Int, radius: Float, level: Int32,
    _ scratch: inout [Float]
  ) {
    precondition(
      scratch.count >= Int(drawml_raster_scratch) && segments.count >= count
        && flows?.count ?? .max >= count * 3, "buffers that are too short")
    unsafe segments.withUnsafeBufferPointer { segments in
      unsafe scratch.withUnsafeMutableBufferPointer { scratch in
        unsafe batch.withUnsafeMutableBufferPointer { batch in
          guard let pixels = batch.baseAddress, let scratch = scratch.baseAddress else { return }
          func draw(_ flows: UnsafePointer<Float>?) {
            unsafe drawml_kernels_at(level).pointee.raster(
              segments.baseAddress, Int64(count), flows == nil ? 1 : 4, flows, Int64(width),
              Int64(height), radius, scratch, pixels + offset)
          }
          if let flows {
            unsafe flows.withUnsafeBufferPointer { unsafe draw($0.baseAddress) }
          } else {
            draw(nil)
          }
        }
      }
    }
  }
}

extension [UInt8] {
  /// Appends the eight bytes of `word`, the lowest first.
  mutating func append(littleEndian word: UInt64) {
    unsafe Swift.withUnsafeBytes(of: word.littleEndian) { unsafe append(contentsOf: $0) }
  }
}
