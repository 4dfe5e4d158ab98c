internal import ArgumentParser
internal import Files
internal import Report

/// `--report`, `--force` and `--format`, of the commands whose result can also be a page.
struct PageOutput: ParsableArguments {
  @Option(help: "Write a page (HTML) with charts and drawings here.")
  var report: String?
  @OptionGroup var overwrite: OverwriteOption
  @OptionGroup var format: FormatOption

  /// Checks, before long work, that the page can be written without losing another file.
  func check() throws { try overwrite.check(report, for: .page) }

  /// The same for the page and another output of the command.
  func check(with other: String?, for kind: FileKind) throws {
    try OverwriteOption.requireDistinct(report, other)
    try check()
    try overwrite.check(other, for: kind)
  }

  /// Writes the page, if it was asked for, and prints the result.
  ///
  /// - Parameters:
  ///   - result: The result for programs.
  ///   - lines: The result for people; a line with the page's path follows.
  ///   - html: The page.
  ///   - more: Lines below.
  ///   - outputs: Other files that were written.
  /// - Throws: `FileError` when one cannot be written, and what the page throws.
  func finish(
    _ result: @autoclosure () throws -> some Encodable, _ lines: @autoclosure () throws -> [String],
    page html: @autoclosure () throws -> String, more: [String] = [], outputs: [String?] = []
  ) throws {
    if let report { try AtomicFile.write(html(), to: report) }
    let paths = report.map { ["", "The report is in \($0)."] } ?? []
    try format.print(result(), lines() + paths + more, outputs: outputs + [report])
  }
}
