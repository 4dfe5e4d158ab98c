internal import Files

extension DatasetFormat {
  /// The format of a file whose name ends in `.xml`, by its first element: gestures, InkML, SVG or
  /// Xournal's.
  ///
  /// - Throws: `FileError` for another one, and for a file that is not XML.
  static func ofXML(_ bytes: [UInt8], path: String) throws(FileError) -> DatasetFormat {
    var reader = try XMLReader(bytes, path: path)
    while let part = try reader.next() {
      guard case .start(let name, _) = part else { continue }
      switch name {
      case "Gesture": return .gestureXML
      case "ink": return .inkML
      case "svg": return .svg
      case "xournal", "MrWriter": return .xournal
      default:
        throw reader.fault(
          "its first element is \(name.prefix(40)), not Gesture, ink (InkML) or svg")
      }
    }
    throw FileError(reading: path, "it has no element")
  }
}
