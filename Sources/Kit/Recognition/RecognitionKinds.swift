package import Files
internal import HDF5

extension FileKind {
  /// A model file.
  package static let model = FileKind("a DrawML model", ending: "drawml", seal: ModelFile.format)
}
