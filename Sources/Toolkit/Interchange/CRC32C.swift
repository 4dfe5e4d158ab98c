/// The CRC-32C (Castagnoli) of bytes, as TFRecord and others use it: reflected, initial value and
/// final complement all ones (RFC 3720, appendix B.4, has test vectors). zlib has only CRC-32.
///
/// - Complexity: O(*n*), a table lookup per byte.
package func crc32c(_ bytes: some Sequence<UInt8>) -> UInt32 {
  ~bytes.reduce(~0) { sum, byte in
    sum >> 8 ^ crc32cTable[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
  }
}

/// The remainder of each byte by the polynomial 0x1EDC6F41, in reversed order of bits.
private let crc32cTable: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0x82f6_3b78 : 0) }
}
