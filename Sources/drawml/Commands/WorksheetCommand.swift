public import ArgumentParser
public import Capture
internal import Datasets
internal import Files
internal import Foundation
internal import Ink
internal import Pictures
internal import Report
internal import Studio
internal import Text
internal import Training

struct WorksheetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worksheet",
    abstract: "Make pages to print, with boxes to draw in.",
    discussion: """
      Each row of boxes begins with a label: an emoji and its word. Print the pages, let people \
      draw with pencils or pens, take a photo of each, and 'drawml capture' makes labeled drawings \
      of them.

      .pdf has all pages in one file; .svg and .png a file for each. PDF and PNG need some programs: \
      apt-get install librsvg2-bin poppler-utils fonts-noto-color-emoji.

      Examples:
        drawml worksheet --labels ⭐,🏠,🐟 --output sheet.svg
        drawml worksheet --labels ⭐,🏠 --rows 6 --columns 5 --output sheet.pdf
        drawml worksheet --labels cat,dog --paper letter --output sheet.svg
      """)

  @Option(
    help: ArgumentHelp(
      "What to draw, separated by commas; each is a row, or several if there is room.",
      valueName: "labels"))
  var labels: String
  @Option(
    name: .shortAndLong,
    help: "The file to write: .pdf, .svg or .png; of several, the names get a number.")
  var output: String
  @Option(help: "How many rows a page has.", in: Worksheet.rowCounts)
  var rows = 8
  @Option(help: "How many boxes a row has.", in: Worksheet.columnCounts)
  var columns = 6
  @Option(help: "The size of the paper.")
  var paper: Paper = .a4
  @Option(help: "A line above the boxes.")
  var title = ""
  @OptionGroup var overwrite: OverwriteOption
  @OptionGroup var format: FormatOption

  func validate() throws {
    guard Worksheet.Format(path: output) != nil else {
      throw ValidationError("--output is a .pdf, .svg or .png file.")
    }
  }

  func run() throws {
    let worksheet = try Worksheet(
      labels: try labels.split(separator: ",").map { try label(String($0)) }, paper: paper,
      rows: rows, columns: columns)
    guard let kind = Worksheet.Format(path: output) else { return }
    let paths = paths(kind == .pdf ? 1 : worksheet.pages.count)
    for (index, path) in paths.enumerated() {
      let written: FileKind =
        switch kind {
        case .pdf: .document
        case .svg: .svg
        case .png: .picture
        }
      if index == 0 && paths.count == 1 {
        try overwrite.check(path, for: written)
      } else {
        try overwrite.check(ownName: path, for: written)
      }
    }
    let words = Dictionary(
      uniqueKeysWithValues: worksheet.labels.compactMap { label in
        EmojiNames.name(of: label).map { (label, $0) }
      })
    let files = try worksheet.files(as: kind, words: words, title: title)
    for (path, file) in zip(paths, files) { try AtomicFile.write(file, to: path) }
    let boxes = worksheet.pages.reduce(0) { $0 + $1.labels.count * $1.columns }
    try format.print(
      worksheet.pages,
      [
        "\(counted(worksheet.pages.count, "page")) with room for \(counted(boxes, "drawing")) "
          + "\(worksheet.pages.count == 1 ? "is" : "are") in \(paths.joined(separator: ", ")).",
        "Print at 100 %, let people draw, and take a photo of each page. Then:",
        "  drawml capture photo.jpg --output samples.ndjson",
      ], outputs: paths)
  }

  private func label(_ text: String) throws -> String {
    do throws(LabelError) { return try LabelRule.label(text) } catch {
      throw ValidationError("The label “\(text.visible)” \(error).")
    }
  }

  /// The names of the files: the given one, or with "-1", "-2", … before the ending.
  private func paths(_ count: Int) -> [String] {
    guard count > 1 else { return [output] }
    let url = URL(fileURLWithPath: output)
    let ending = url.pathExtension
    return (1...count).map { "\(output.dropLast(ending.count + 1))-\($0).\(ending)" }
  }
}

extension Paper: ExpressibleByArgument {
  /// Its name in small or capital letters.
  public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}
