internal import Files
internal import Foundation
internal import Ink
internal import Vectorizing

/// Reads the text of straightened pages: the program `tesseract`, in processes of their own, so that
/// a hostile photo ends at most those.
///
/// Source: Smith, "An Overview of the Tesseract OCR Engine", ICDAR 2007,
/// DOI 10.1109/ICDAR.2007.4376991.
struct TextRecognizer {
  /// The program's names of languages, such as "eng".
  private let languages: [String]
  private let usesLanguageCorrection: Bool

  /// What reads some languages.
  ///
  /// - Parameters:
  ///   - languages: Languages such as "en-US", or the program's names of them.
  ///   - usesLanguageCorrection: Whether words of a dictionary are preferred.
  /// - Throws: `PageReaderError` for a language that is not installed, `OtherProgramError` without the
  ///   program.
  init(languages: [String], usesLanguageCorrection: Bool) throws {
    let list = try Self.program.run(["--list-langs"])
    let known = String(decoding: list, as: UTF8.self).split(separator: "\n").dropFirst()
      .map(String.init)
    self.languages = try languages.map { language in
      let name = known.contains(language) ? language : try Self.name(of: language)
      guard known.contains(name) else { throw PageReaderError.missingLanguage(name) }
      return name
    }
    self.usesLanguageCorrection = usesLanguageCorrection
  }

  private static let program = OtherProgram(
    name: "tesseract", package: "tesseract-ocr",
    // Its threads wait for each other longer than they work.
    seconds: 10, bytes: 1 << 30, environment: ["OMP_THREAD_LIMIT": "1"])

  /// The program's name for a language such as "en-US".
  ///
  /// - Throws: `PageReaderError.unknownLanguage`.
  static func name(of language: String) throws(PageReaderError) -> String {
    let parts = Locale.Language(identifier: language)
    guard let code = parts.languageCode?.identifier(.alpha3), code.count == 3 else {
      throw .unknownLanguage(language)
    }
    // The program has names of its own for these.
    switch code {
    case "zho": return parts.script?.identifier == "Hant" ? "chi_tra" : "chi_sim"
    case "nob", "nno": return "nor"
    default: return code
    }
  }

  /// The lines of some pictures, which are read at the same time, with boxes in shares of the
  /// picture's width and height from its bottom left corner, in the program's order.
  ///
  /// - Throws: `PageReaderError`, `OtherProgramError`, or `FileError` for temporary files.
  func lines(in pictures: [GrayPicture]) throws -> [[TextLine]] {
    let folder = try PrivateTemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    var processes: [OtherProgram.Running] = []
    // Those that an error leaves are ended before their pictures go.
    defer { for process in processes { process.stop() } }
    for (index, picture) in pictures.enumerated() {
      let path = "\(folder.path)/\(index).pgm"
      let head = Array("P5\n\(picture.width) \(picture.height)\n255\n".utf8)
      try AtomicFile.write(head + picture.values, to: path)
      var arguments = [path, "stdout", "-l", languages.joined(separator: "+"), "--psm", "3"]
      if !usesLanguageCorrection {
        arguments += ["-c", "load_system_dawg=0", "-c", "load_freq_dawg=0"]
      }
      processes.append(try Self.program.start(arguments + ["tsv"]))
    }
    return try zip(pictures, processes).map { picture, process in
      let table: [UInt8]
      do throws(OtherProgramError) { table = try process.finish() } catch {
        if case .failed = error { throw PageReaderError.recognitionFailed("\(error)") }
        throw error
      }
      return Self.lines(
        ofTable: String(decoding: table, as: UTF8.self), width: picture.width,
        height: picture.height)
    }
  }

  /// The lines of the program's table: a row a word, with the numbers of its block, paragraph and
  /// line, its place in pixels from the top left, its certainty in percent, and its text.
  static func lines(ofTable table: String, width: Int, height: Int) -> [TextLine] {
    var lines: [TextLine] = []
    var words: [(text: String, box: BoundingBox, confidence: Double)] = []
    var current: [Substring] = []
    func endLine() {
      guard let first = words.first else { return }
      let box = words.dropFirst().reduce(first.box) { $0.union($1.box) }
      let (columns, rows) = (Double(width), Double(height))
      lines.append(
        TextLine(
          text: words.map(\.text).joined(separator: " "),
          boundingBox: BoundingBox(
            x: box.x / columns, y: 1 - (box.y + box.height) / rows, width: box.width / columns,
            height: box.height / rows),
          confidence: words.reduce(0) { $0 + $1.confidence } / Double(words.count)))
      words = []
    }
    for row in table.split(separator: "\n") {
      let fields = row.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count >= 12, fields[0] == "5" else { continue }
      let numbers = fields[6...10].compactMap { Double($0) }
      let text = fields[11].trimmingCharacters(in: .whitespaces)
      guard numbers.count == 5, numbers[4] >= 0, !text.isEmpty else { continue }
      if Array(fields[1...4]) != current {
        endLine()
        current = Array(fields[1...4])
      }
      words.append(
        (
          text,
          BoundingBox(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]),
          min(1, numbers[4] / 100)
        ))
    }
    endLine()
    return lines
  }
}
