public import Files
public import Ink

/// Reads the lines of SVG pictures as strokes.
///
/// What is seen is read: paths, lines, polylines, polygons, rectangles, circles and ellipses that
/// are stroked, and the outlines of those that are filled, with the transforms, copies and style
/// sheets that concern them. What covers the whole canvas is paper. What is not displayed, has the
/// color of what is below it, or lies outside of the picture is left out; so are texts and pictures
/// of pixels. Pieces of lines that continue one another are one stroke.
///
/// The label is that of `data-label` of the `svg` element, as `SVGWriter` writes it, and else given
/// by the caller; a path's `data-times` are its points' times, if it has as many.
///
/// It goes in steps, each a file: the elements (`SVGDocument`), their styles (`SVGStyleSheet`,
/// `SVGStyle`), what is painted (`SVGPainter`, `SVGShapes`), its lines (`SVGOutline`), and what of
/// them is seen (`SVGInk`).
///
/// Source: Scalable Vector Graphics 2, W3C, https://www.w3.org/TR/SVG2/.
public enum SVGDrawings {
  /// The drawing in `bytes`; errors name `path`.
  ///
  /// - Throws: `FileError` that names the line.
  public static func parse(_ bytes: [UInt8], path: String) throws(FileError) -> Drawing {
    var notes = ReadingNotes()
    return try parse(bytes, path: path, notes: &notes)
  }

  /// The drawing in `bytes`, with `notes` about what was not read; errors name `path`.
  ///
  /// - Throws: `FileError` that names the line.
  public static func parse(
    _ bytes: [UInt8], path: String, notes: inout ReadingNotes
  ) throws(FileError) -> Drawing {
    var document = try SVGDocument(bytes, path: path)
    var work = SVGWork(byteCount: bytes.count)
    do throws(FormatFault) { try document.applyStyleSheets(&notes, &work) } catch {
      throw FileError(reading: path, error.description)
    }
    var painter = SVGPainter(document, notes, work)
    do throws(FormatFault) { try painter.paint() } catch {
      throw FileError(reading: path, "line \(painter.line): \(error)")
    }
    notes = painter.notes
    var drawing = painter.drawing
    let lines: [SVGLine]
    do throws(FormatFault) {
      lines = try painter.outline.lines(
        pictureSize: drawing.canvas.map { max($0.width, $0.height) })
    } catch { throw FileError(reading: path, error.description) }
    let ink = SVGInk(
      shapes: painter.shapes, clips: painter.clips, canvas: drawing.canvas, isOwn: painter.isOwn)
    drawing.strokes = ink.seen(lines, &notes).map { Stroke($0.points.map(\.flushed)) }
    guard !drawing.strokes.isEmpty else {
      let reasons = notes.texts.isEmpty ? "" : ": " + notes.texts.joined(separator: "; ")
      throw FileError(
        reading: path,
        painter.firstFault ?? "it has no line; its shapes must be paths" + reasons)
    }
    return drawing
  }
}
