package import Files

extension FileKind {
  /// An HDF5 file of any program.
  package static let hdf5 = FileKind("an HDF5 file", bytes: [0x89] + Array("HDF".utf8))

  /// A kind of sealed file.
  package init(_ name: String, ending: String? = nil, seal: SealedFile) {
    self.init(name, ending: ending, bytes: Array("\(seal.kind)\n".utf8))
  }
}
