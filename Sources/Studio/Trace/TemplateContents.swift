internal import Datasets
internal import Files
public import Ink
internal import Pictures
internal import Vectorizing

/// The contents of a user's template file: a picture or lines, and their limits.
public enum TemplateContents: Hashable, Sendable {
  /// A picture, over which a trace has no score.
  case picture(TemplatePicture)
  /// A drawing without id and label, on its canvas.
  case lines(Drawing)

  /// The maximum length of a file in bytes.
  public static let mostFileBytes = 20 << 20
  /// The maximum number of strokes: the studio's limit for a drawing, so that each has a score.
  public static let mostStrokes = 500
  /// The maximum number of points of all strokes: a list of all templates contains them.
  public static let mostPoints = 5_000

  /// Reads a PNG, JPEG or SVG file, the latter also compressed with gzip; the first bytes tell the
  /// format.
  ///
  /// - Parameter bytes: The file.
  /// - Throws: `TemplateError`, which says what is wrong.
  public init(file bytes: [UInt8]) throws(TemplateError) {
    guard bytes.count <= Self.mostFileBytes else { throw .tooLong }
    guard !Deflate.isGzip(bytes) else {
      guard let unpacked = Deflate.gunzipped(bytes), !Deflate.isGzip(unpacked) else {
        throw .unreadable("its gzip data are damaged, or \(Deflate.tooMuch)")
      }
      self = try Self(file: unpacked)
      return
    }
    let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
    let text = bytes.starts(with: byteOrderMark) ? bytes[3...] : bytes[...]
    // An XML document begins with "<", after white space at most.
    if text.first(where: { ![0x09, 0x0a, 0x0d, 0x20].contains($0) }) == 0x3c {
      self = try .lines(svg: bytes)
    } else {
      self = .picture(try TemplatePicture(file: bytes))
    }
  }

  private static func lines(svg bytes: [UInt8]) throws(TemplateError) -> TemplateContents {
    var drawing: Drawing
    do throws(FileError) { drawing = try SVGDrawings.parse(bytes, path: "") } catch {
      guard case .malformed(let why) = error.reason else { throw .unreadable("\(error)") }
      throw .unreadable(why)
    }
    (drawing.id, drawing.label) = ("", nil)
    if let box = drawing.boundingBox {
      // Less than a pixel on a screen; curves are read in finer steps.
      drawing = drawing.simplified(tolerance: max(box.width, box.height) / 2_048)
    }
    return try .lines(checking: drawing)
  }

  /// Lines as a template.
  ///
  /// - Throws: `TemplateError` for too many strokes or points, and for lines without extent.
  public static func lines(checking drawing: Drawing) throws(TemplateError) -> TemplateContents {
    guard drawing.strokes.count <= mostStrokes else {
      throw .tooManyStrokes(drawing.strokes.count)
    }
    guard drawing.pointCount <= mostPoints else { throw .tooManyPoints(drawing.pointCount) }
    guard let box = drawing.boundingBox, max(box.width, box.height) > 0 else { throw .noExtent }
    return .lines(drawing)
  }

  /// The lines of a picture's ink (TR-033); lines are returned unchanged.
  ///
  /// - Throws: `TemplateError` for a picture without lines, or with too many.
  public func lines() throws(TemplateError) -> TemplateContents {
    guard case .picture(let picture) = self else { return self }
    let gray: GrayPicture
    do { gray = try GrayPicture(png: picture.png) } catch { throw .unreadable("\(error)") }
    let drawing: Drawing
    do throws(VectorizerError) { drawing = try Vectorizer()(gray) } catch {
      throw .vectorizer(error)
    }
    return try .lines(checking: drawing)
  }
}
