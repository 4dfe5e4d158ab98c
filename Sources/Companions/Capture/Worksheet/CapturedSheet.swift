public import Ink
public import Vectorizing

/// What a photo of a page of a worksheet shows.
public struct CapturedSheet: Sendable {
  /// The page, as its header says.
  public var page: WorksheetPage
  /// The page without perspective and shadows, `WorksheetReader.scale` pixels for a millimeter.
  public var picture: GrayPicture
  /// The boxes of labeled rows, row by row.
  public var boxes: [Box]
  /// The clockwise quarter turns that made the photo upright.
  public var quarterTurns: Int

  /// A box of the page.
  public struct Box: Sendable {
    /// The row, from 0.
    public var row: Int
    /// The column, from 0.
    public var column: Int
    /// What should be in it.
    public var label: String
    /// Where it is, in pixels of `picture`.
    public var place: BoundingBox
    /// What is in it.
    public var content: Content
  }

  /// What is in a box.
  public enum Content: Sendable, Equatable {
    /// Nothing.
    case empty
    /// Strokes, in pixels of the page's picture from the box's top left corner.
    case drawing(Drawing)
    /// Ink that is no drawing.
    case unreadable(VectorizerError)
  }

  /// All strokes, in pixels of `picture`.
  public var ink: Drawing {
    Drawing(
      strokes: boxes.flatMap { box -> [Stroke] in
        guard case .drawing(let drawing) = box.content else { return [] }
        return drawing.transformed(by: .translation(x: box.place.x, y: box.place.y)).strokes
      }, canvas: .init(width: Double(picture.width), height: Double(picture.height)))
  }

  /// The drawings, each with its label and an id of its own that begins with `name`.
  public func drawings(named name: String) -> [Drawing] {
    boxes.compactMap { box in
      guard case .drawing(var drawing) = box.content else { return nil }
      drawing.id = "\(name)/page \(page.number), row \(box.row + 1), box \(box.column + 1)"
      drawing.label = box.label
      return drawing
    }
  }
}
