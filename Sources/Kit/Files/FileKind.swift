/// A kind of file, known by its first bytes.
///
/// The room that writes or reads such files declares their kind, as a static member in an
/// extension. Whoever tells kinds apart says which ones it knows.
package struct FileKind: Sendable {
  /// What such a file is, in a sentence, such as "a DrawML model".
  package let name: String
  /// The ending of such files' names, if they have one of their own.
  package let ending: String?
  private let begins: @Sendable (FileBeginning) -> Bool

  /// A kind of file.
  ///
  /// - Parameters:
  ///   - name: What such a file is, in a sentence.
  ///   - ending: The ending of such files' names, if they have one of their own.
  ///   - begins: Whether a file that begins so is of this kind.
  package init(
    _ name: String, ending: String? = nil, begins: @escaping @Sendable (FileBeginning) -> Bool
  ) {
    (self.name, self.ending, self.begins) = (name, ending, begins)
  }

  /// A kind of file that begins with certain bytes.
  package init(_ name: String, ending: String? = nil, bytes: [UInt8]) {
    self.init(name, ending: ending) { $0.bytes.starts(with: bytes) }
  }

  /// A kind of JSON with a member "format" near its beginning.
  package init(_ name: String, format: String) {
    // Within a JSON string, the quotes would be escaped.
    self.init(name) { $0.isJSON && $0.text.contains(#""format":"\#(format)""#) }
  }

  /// A file of no known kind.
  package static let other = FileKind("a file of another kind") { _ in true }

  /// The kind of the file at a path; nil if a file may be written there: it is missing, empty or a
  /// device.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - kinds: The kinds that are told apart; the first that fits is chosen, or else `other`.
  /// - Throws: `FileError` if it cannot be read.
  package init?(of path: String, among kinds: [FileKind]) throws(FileError) {
    let bytes = try AtomicFile.beginning(of: path, length: FileBeginning.length)
    guard !bytes.isEmpty else { return nil }
    let beginning = FileBeginning(bytes)
    self = kinds.first { $0.begins(beginning) } ?? .other
  }

  /// Refuses to replace a file of another kind.
  ///
  /// - Parameters:
  ///   - path: Where a file of this kind goes.
  ///   - kinds: The kinds that are told apart, among them this one.
  ///   - remedy: How the user can replace it all the same, after "choose another name".
  /// - Throws: `FileError` with what is there and what to do.
  package func requireReplaceable(
    _ path: String, among kinds: [FileKind], remedy: String = ""
  ) throws(FileError) {
    guard let found = try FileKind(of: path, among: kinds), found != self else { return }
    throw FileError(
      writing: path, "it is \(found.name), not \(name); choose another name\(remedy)")
  }
}

extension FileKind: Hashable {
  package static func == (a: FileKind, b: FileKind) -> Bool { a.name == b.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
