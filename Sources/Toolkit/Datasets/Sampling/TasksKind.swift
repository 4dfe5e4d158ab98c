package import Files

extension FileKind {
  /// The drawings of each task of a benchmark.
  package static let tasks = FileKind("a file of benchmark tasks") {
    $0.text.hasPrefix(#"{"episodes":"#)
  }
}
