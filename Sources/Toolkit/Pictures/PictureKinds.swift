package import Files

extension FileKind {
  /// A PNG file.
  package static let picture = FileKind(
    "a PNG picture", ending: "png", bytes: [0x89] + Array("PNG".utf8))
  /// A JPEG file.
  package static let photograph = FileKind("a JPEG picture", bytes: [0xff, 0xd8, 0xff])
}
