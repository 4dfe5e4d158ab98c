import Files
import Testing

@Suite("Deflate")
struct DeflateTests {
  @Test("Bytes are compressed in zlib's format, as Python's zlib does it")
  func literal() {
    #expect(Deflate.compressed([]) == [0x78, 0xda, 3, 0, 0, 0, 0, 1])
    #expect(
      Deflate.compressed([UInt8](repeating: 0x61, count: 40))
        == [0x78, 0xda, 0x4b, 0x4c, 0x24, 0x0e, 0, 0, 0x36, 0xeb, 0x0f, 0x29])
  }
}
