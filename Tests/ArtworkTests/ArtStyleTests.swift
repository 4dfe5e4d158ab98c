import Artwork
import Files
import Testing

@Suite("Styles")
struct ArtStyleTests {
  @Test("TF-010: Ten styles with the prompts of the list, byte for byte")
  func prompts() {
    #expect(ArtStyle.all.count == 10)
    for (style, digest) in zip(ArtStyle.all, Self.digests) {
      #expect(style.id == digest.key)
      #expect(Fingerprint.sha256(Array(style.prompt.utf8)) == digest.value, "\(style.id)")
      #expect(SketchColor(hexadecimal: style.color) != nil)
      #expect(!style.name.isEmpty && !style.description.isEmpty && style.emoji.count == 1)
    }
  }

  @Test("TF-011: A style is found by its id, or by a beginning that only it has")
  func named() {
    #expect(ArtStyle.named("watercolor")?.id == "watercolor-painting")
    #expect(ArtStyle.named("pop-art")?.name == "Pop Art")
    #expect(ArtStyle.named("Comic")?.id == "cartoon-comic")
    #expect(ArtStyle.named("p") == nil)
    #expect(ArtStyle.named("omic") == nil)
    #expect(ArtStyle.named("art") == nil)
    #expect(ArtStyle.named("") == nil)
    #expect(ArtStyle.named("cubism") == nil)
  }

  @Test("TF-030: Each style has a filter, named as made on this computer")
  func filters() {
    #expect(ArtStyle.all.compactMap(\.filter).count == 10)
    #expect(ArtFilter.oil.name == "Oil Painting (on this computer)")
    #expect(ArtFilter.photorealistic.summary.contains("not a photo"))
  }

  // By `python3 -c` over the requirement's styles.json: the SHA-256 of each prompt in UTF-8.
  private static let digests: KeyValuePairs = [
    "photorealistic":
      "d0a6560671551f63ecc9161d6f7251fb44f07998002a577f2d43ac36049f0267",
    "watercolor-painting":
      "c317906b85fe9d5c43da1987d9039f06b06aab18fb53cd1123cc57dc9d47b38e",
    "anime-manga":
      "5d96e3b86432ede025d95f5154055c30c0e3e6260d87a33a8a41509d8628662a",
    "pixel-art":
      "1399b0b9e37bdc31d32aeb3ae031c8f5af4792a221de9296872dc3519d6a47f9",
    "fantasy-magical":
      "8db0d5cb12acb10b992008a13bb8a1a788d58927570ce26bd6d09e37ff6969fa",
    "cartoon-comic":
      "1fad3371933d0e2a8156d7d9b86358aa9de47ad3020b604e5338a3ce4c8fa937",
    "oil-painting":
      "8b333069c27b7396e2530c0d7e7002f4422811d6b23dc31ab889a3580457e004",
    "pencil-sketch-enhanced":
      "0fce81a514c1910e76c3baaf04f5aa721429cbe5e1d6501c05bfb7b656f7cd4e",
    "pop-art":
      "f27e7ac7208cd4650924e19643984a9a3f75d381ce873e84e9ec6d885bbf233d",
    "storybook-illustration":
      "4536d11aa0acf1ca826a4591952c30e202b154b735dc5d9cffc887769ef2db16",
  ]
}
