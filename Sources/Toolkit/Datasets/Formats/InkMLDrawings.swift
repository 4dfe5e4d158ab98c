public import Files
public import Ink

/// Reads drawings in InkML, as tablets and collections of handwriting have them.
///
/// A file with traces directly in `ink` is one drawing; its groups of traces with an annotation are
/// the shapes of a labeled canvas. In others each outermost group is a drawing, and the groups
/// within it are its shapes. Annotations of type `truth` or `label` give labels, those of type `id`
/// and `canvas` what `InkMLWriter` writes there. The channels are X, Y and, if known, T; others are
/// skipped.
///
/// Contexts and trace formats are those that a trace or its group names, or that lie before it in
/// `ink`. Coordinates stay as they are, unless axes or contexts have different units: then all are
/// in the unit of the first trace's X. Traces in `definitions` are ink where a `traceView` shows
/// them; a labeled view of some points of a trace makes a stroke of them.
///
/// Source: Ink Markup Language (InkML), W3C Recommendation, 20 September 2011,
/// https://www.w3.org/TR/InkML/.
public enum InkMLDrawings {
  /// Reads the drawings in `bytes`; errors, and ids that the file does not give, name `path`.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - path: Its name.
  ///   - notes: Gets what was left out.
  /// - Returns: The drawings, in the order of the file.
  /// - Throws: `FileError` that names the line.
  public static func parse(
    _ bytes: [UInt8], path: String, notes: inout ReadingNotes
  ) throws(FileError) -> [Drawing] {
    var ink = InkMLInk(try contexts(in: bytes, path: path))
    var reader = try XMLReader(bytes, path: path)
    while let part = try reader.next() {
      do throws(FormatFault) {
        switch part {
        case .start(let name, let attributes): try ink.begin(name, attributes)
        case .text(let text): ink.addText(text)
        case .end: try ink.end()
        }
      } catch { throw reader.fault(error.description) }
    }
    do throws(FormatFault) {
      var assembly = InkMLAssembly(consume ink, length: bytes.count)
      let drawings = try assembly.drawings(named: path)
      for note in assembly.notes.texts { notes.add(note) }
      return drawings
    } catch { throw FileError(reading: path, error.description) }
  }

  /// The contexts of the whole file, which may come after their use.
  private static func contexts(
    in bytes: [UInt8], path: String
  ) throws(FileError) -> InkMLContexts {
    var contexts = InkMLContexts()
    var elements: [InkMLElement] = []
    var isForeign: Bool { elements.contains { $0.name == "annotationXML" } }
    var reader = try XMLReader(bytes, path: path)
    while let part = try reader.next() {
      do throws(FormatFault) {
        switch part {
        case .start(let name, let attributes):
          elements.append((name, attributes))
          if !isForeign { try contexts.begin((name, attributes), in: elements.dropLast()) }
        case .end:
          let wasForeign = isForeign
          if let element = elements.popLast(), !wasForeign {
            try contexts.end(element, in: elements)
          }
        case .text: break
        }
      } catch { throw reader.fault(error.description) }
    }
    return contexts
  }
}
