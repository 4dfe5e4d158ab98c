import Testing

@testable import Interchange

@Suite("CRC-32C")
struct CRC32CTests {
  @Test(
    "It has the published values of RFC 3720 and of its check string",
    arguments: [
      (Array("123456789".utf8), 0xe306_9283), ([UInt8](repeating: 0, count: 32), 0x8a91_36aa),
      ([UInt8](repeating: 0xff, count: 32), 0x62a8_ab43), (Array(0..<32), 0x46dd_794e), ([], 0),
    ] as [([UInt8], UInt32)])
  func checksums(bytes: [UInt8], sum: UInt32) {
    #expect(crc32c(bytes) == sum)
  }
}
