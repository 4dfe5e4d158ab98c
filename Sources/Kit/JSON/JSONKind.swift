package import Files

extension FileKind {
  /// JSON that no more special kind fits.
  package static let json = FileKind("JSON of another kind") { $0.isJSON }
}
