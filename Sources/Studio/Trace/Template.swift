internal import CReleased
public import Ink

/// A shape or picture to draw over, and its name.
///
/// This module has all of tracing but the screens: templates, the files that can become templates
/// (`TemplateContents`), and the score of a trace (`TraceScorer`).
public struct Template: Hashable, Sendable, Identifiable {
  /// Where a template comes from.
  public enum Source: Hashable, Sendable {
    /// The program has it.
    case bundled
    /// The most typical drawing of a label.
    case label
    /// The user's file, with the size of its picture; nil for lines.
    case imported(picture: PictureSize?)

    /// The prefix of its templates' ids.
    public var name: String {
      switch self {
      case .bundled: "bundled"
      case .label: "label"
      case .imported: "imported"
      }
    }
  }

  /// The size of a picture in pixels.
  public struct PictureSize: Hashable, Sendable, Codable {
    /// Columns, in 1...`TemplatePicture.largestSide`.
    public var width: Int
    /// Rows, in 1...`TemplatePicture.largestSide`.
    public var height: Int

    /// A size in pixels.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// Whether a template's picture may have it.
    public var isValid: Bool {
      let sides = 1...TemplatePicture.largestSide
      return sides.contains(width) && sides.contains(height)
    }
  }

  /// The source, and a name that is unique within it, such as "bundled/ice-cream", "label/⭐", or
  /// "imported/" followed by a UUID.
  public var id: String
  /// What people call it, such as "ice cream".
  public var name: String
  /// Where it comes from.
  public var source: Source
  /// Its lines, on their canvas; the label is the traces' label, which an imported template may
  /// lack. For a picture, there are no strokes, and the canvas has its size.
  public var drawing: Drawing

  /// A template of lines.
  public init(id: String, name: String, source: Source, drawing: Drawing) {
    (self.id, self.name, self.source, self.drawing) = (id, name, source, drawing)
  }

  /// A user's template: lines, or a picture.
  ///
  /// - Parameters:
  ///   - id: Its unique id among the user's templates.
  ///   - name: Its name.
  ///   - drawing: Its lines; without strokes for a picture.
  ///   - picture: The size of its picture; nil for lines.
  public init(imported id: String, name: String, drawing: Drawing, picture: PictureSize? = nil) {
    self.init(
      id: Self.importedID(id), name: name, source: .imported(picture: picture), drawing: drawing)
  }

  /// The id of an imported template, by its unique part.
  public static func importedID(_ id: String) -> String { "imported/\(id)" }

  /// The size of its picture; nil for lines.
  public var picture: PictureSize? {
    if case .imported(let picture) = source { picture } else { nil }
  }

  /// The shapes of the starter set, in its order. `drawml dataset synthesize --outlines` makes the
  /// file.
  public static let bundled: [Template] = {
    let lines = unsafe [UInt8](
      UnsafeBufferPointer(start: drawml_templates(), count: drawml_templates_length()))
    do {
      var reader = DrawingReader(lines: lines, named: "templates.ndjson")
      var templates: [Template] = []
      while let drawing = try reader.next() {
        let name = String(drawing.id.dropFirst("outline-".count))
        templates.append(
          Template(
            id: "bundled/\(name)", name: name.replacing("-", with: " "), source: .bundled,
            drawing: drawing))
      }
      return templates
    } catch {
      preconditionFailure("the program was built with damaged templates: \(error)")
    }
  }()

  /// Whether the name contains the searched words, ignoring case, or the emoji is the searched one.
  public func isFound(by search: String) -> Bool {
    name.lowercased().contains(search.lowercased()) || drawing.label == search
  }

  /// The most typical drawing of a label, its prototype.
  ///
  /// - Parameters:
  ///   - label: The label.
  ///   - name: What people call it; nil for the label.
  ///   - drawings: The label's drawings.
  /// - Returns: The template, or nil without drawings.
  /// - Throws: `InkError` for a drawing without points or with numbers that are not finite.
  public static func prototype(
    of label: String, named name: String? = nil, among drawings: [Drawing]
  ) throws(InkError) -> Template? {
    guard let index = try medoid(of: drawings) else { return nil }
    var drawing = drawings[index]
    drawing.label = label
    return Template(
      id: "label/\(label)", name: name ?? label, source: .label, drawing: drawing)
  }

  /// The drawing whose picture differs least from those of the others: the medoid.
  ///
  /// - Parameter drawings: N drawings, of which the first `mostCompared` count.
  /// - Returns: Its index, the first of equals; nil without drawings.
  /// - Throws: `InkError` for a drawing without points or with numbers that are not finite.
  /// - Complexity: O(N²) distances of 784 numbers.
  static func medoid(of drawings: [Drawing]) throws(InkError) -> Int? {
    let rasterizer = Rasterizer()
    var pictures: [[Float]] = []
    for drawing in drawings.prefix(mostCompared) {
      pictures.append(try rasterizer(drawing).values)
    }
    var sums = [Float](repeating: 0, count: pictures.count)
    for first in pictures.indices {
      for second in pictures.indices.dropFirst(first + 1) {
        var square: Float = 0
        for (a, b) in zip(pictures[first], pictures[second]) { square += (a - b) * (a - b) }
        sums[first] += square.squareRoot()
        sums[second] += square.squareRoot()
      }
    }
    return sums.indices.min { sums[$0] < sums[$1] }
  }

  /// The maximum number of drawings that a medoid is found among: 2,016 distances, some
  /// milliseconds.
  public static let mostCompared = 64
}
