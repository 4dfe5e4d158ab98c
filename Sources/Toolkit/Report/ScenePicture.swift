package import Ink

/// A picture of a canvas for pages: each group of strokes in a color, with a box and a number, so
/// that the color alone says nothing.
package enum ScenePicture {
  /// A group of strokes to show.
  package struct Group {
    /// Indices into the drawing's strokes.
    package var strokes: [Int]
    /// The number at the box, from 1, which also chooses the color.
    package var number: Int
    /// Whether the box is dashed.
    package var isDashed: Bool

    package init(strokes: [Int], number: Int, isDashed: Bool = false) {
      (self.strokes, self.number, self.isDashed) = (strokes, number, isDashed)
    }
  }

  /// The size in the picture's units that the ink is fitted into; a flat picture is less high.
  private static let (width, mostHeight) = (440.0, 330.0)
  private static let margin = 16.0
  /// The extents of a number's digit, in the picture's units.
  private static let digit = (width: 7.5, height: 12.0)

  /// The class of the color of a group, as the style sheet names it.
  package static func colorClass(_ number: Int) -> String { "c\((number - 1) % 8)" }

  /// An `svg` element.
  ///
  /// - Parameters:
  ///   - drawing: The canvas; strokes of no group are gray.
  ///   - groups: Groups of its strokes.
  ///   - caption: The text for screen readers.
  /// - Returns: The picture; nil without ink, and for ink whose extent overflows.
  package static func markup(of drawing: Drawing, _ groups: [Group], caption: String) -> Markup? {
    guard let view = drawing.boundingBox, view.width.isFinite, view.height.isFinite else {
      return nil
    }
    let scale = min(
      (width - 2 * margin) / max(view.width, 1e-300),
      (mostHeight - 2 * margin) / max(view.height, 1e-300))
    let height = max(100, (view.height * scale + 2 * margin).rounded(.up))
    func place(_ x: Double, _ y: Double) -> Point {
      Point(
        x: width / 2 + (x - view.x - view.width / 2) * scale,
        y: height / 2 + (y - view.y - view.height / 2) * scale)
    }
    let paths = StrokePath.data(of: drawing.strokes, tolerance: 0.7, points: 2000) {
      place($0.x, $0.y)
    }
    let grouped = Set(groups.flatMap(\.strokes))
    let rest = paths.indices.filter { !grouped.contains($0) }.map { paths[$0] }.joined()
    var ink = rest.isEmpty ? Markup() : Markup.tag("path", ["class": "loose", "d": rest])
    var places = LabelPlaces(in: BoundingBox(x: 0, y: 0, width: width, height: height))
    var (numbers, labels): ([Int], [LabelPlaces.Label]) = ([], [])
    for group in groups {
      let strokes = group.strokes.filter { drawing.strokes.indices.contains($0) }
      let points = strokes.lazy.flatMap { drawing.strokes[$0].points }
      guard let extent = BoundingBox(points) else { continue }
      let corner = place(extent.x, extent.y)
      let box = BoundingBox(
        x: corner.x - 4, y: corner.y - 4, width: extent.width * scale + 8,
        height: extent.height * scale + 8)
      ink += .tag(
        "g", ["class": colorClass(group.number)],
        .tag("path", ["d": strokes.map { paths[$0] }.joined()]),
        .tag(
          "rect",
          [
            "class": group.isDashed ? "dashed" : "", "x": text(box.x), "y": text(box.y),
            "width": text(box.width), "height": text(box.height),
          ]))
      for (a, b) in zip(box.corners, box.corners.dropFirst() + box.corners.prefix(1)) {
        places.addInk(from: a, to: b, weight: 0.25)
      }
      for index in strokes {
        let points = drawing.strokes[index].points.map { place($0.x, $0.y) }
        for (a, b) in zip(points, points.dropFirst() + points.suffix(1)) {
          places.addInk(from: a, to: b)
        }
      }
      numbers.append(group.number)
      labels.append(
        .init(
          width: digit.width * Double("\(group.number)".count), height: digit.height, box: box))
    }
    // Numbers last, so that no ink crosses them.
    let tags = zip(numbers, places.places(for: labels)).map { number, corner in
      Markup.tag(
        "text",
        [
          "class": colorClass(number), "x": text(corner.x),
          "y": text(corner.y + digit.height - 2),
        ], Markup("\(number)"))
    }
    return .tag(
      "svg",
      [
        "class": "scene", "viewBox": "0 0 \(text(width)) \(text(height))", "role": "img",
        "aria-label": caption,
      ], ink, .joined(tags))
  }

  private static func text(_ value: Double) -> String { ReportNumbers.decimal(value, 0) }
}
