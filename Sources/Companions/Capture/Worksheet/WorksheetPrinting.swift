internal import Files
internal import Foundation

extension Worksheet {
  /// A kind of file for a printer.
  public enum Format: String, Sendable, CaseIterable {
    /// All pages in one file.
    case pdf
    /// A file for each page.
    case svg, png

    /// The format by a file's name; nil for other names.
    public init?(path: String) {
      self.init(rawValue: URL(fileURLWithPath: path).pathExtension.lowercased())
    }
  }

  /// The pixels of a page's picture for a millimeter.
  private static let pictureScale = 10.0

  /// The files of the worksheet, in order.
  ///
  /// - Parameters:
  ///   - format: What is made; PDF by `rsvg-convert`, and of that PNG by `pdftoppm`.
  ///   - words: What stands below a label, where it has a word.
  ///   - title: What stands above the boxes.
  /// - Returns: One file for PDF, or else one for each page.
  /// - Throws: `OtherProgramError` if one of these is missing or fails, `FileError` for temporary
  ///   files.
  public func files(
    as format: Format, words: [String: String] = [:], title: String = ""
  ) throws -> [[UInt8]] {
    let pages = pages.map { Array($0.svg(words: words, title: title).utf8) }
    if format == .svg { return pages }
    let folder = try PrivateTemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let paths = try pages.enumerated().map { index, page in
      let path = "\(folder.path)/\(index + 1).svg"
      try AtomicFile.write(page, to: path)
      return path
    }
    let converter = OtherProgram(
      name: "rsvg-convert", package: "librsvg2-bin fonts-noto-color-emoji", seconds: 60,
      bytes: 2 << 30)
    let document = try converter.run(["--format=pdf"] + paths)
    if format == .pdf { return [document] }
    // Directly, emojis would have no colors.
    let path = folder.path + "/all.pdf"
    try AtomicFile.write(document, to: path)
    let painter = OtherProgram(
      name: "pdftoppm", package: "poppler-utils", seconds: 60, bytes: 2 << 30)
    return try (1...pages.count).map { number in
      try painter.run(
        [
          "-png", "-r", "\(Int(Self.pictureScale * 25.4))", "-f", "\(number)", "-l", "\(number)",
          path,
        ])
    }
  }
}
