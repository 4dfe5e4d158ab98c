internal import Ink

/// How a shape lies to the other shapes of its canvas, by their boxes. The first case that holds
/// for any other shape counts.
package enum ShapePlace: String, CaseIterable {
  /// Its box is within another's, such as a window in a house; of two equal boxes, each is.
  case inside
  /// Another's box is within its own.
  case around
  /// Its box and another's share a point.
  case across
  /// The gap to another's box is at most 4 % of the sheet's longer side.
  case beside
  /// Nothing is as near.
  case apart

  /// The largest gap of `beside`, as a share of the sheet's longer side.
  static let nearShare = 0.04

  /// The places of a canvas's shapes, in their order.
  ///
  /// - Complexity: O(n²) for n shapes.
  static func places(on canvas: LabeledCanvas) -> [ShapePlace] {
    let boxes = canvas.shapes.map(\.box)
    let near = nearShare * canvas.sheetSide
    return boxes.indices.map { index in
      let others = boxes.indices.filter { $0 != index }.map { boxes[$0] }
      return allCases.first { place in
        others.contains { place.holds(for: boxes[index], to: $0, near: near) }
      } ?? .apart
    }
  }

  private func holds(for box: BoundingBox, to other: BoundingBox, near: Double) -> Bool {
    switch self {
    case .inside: other.contains(box)
    case .around: box.contains(other)
    case .across: box.gap(to: other) == 0
    case .beside: box.gap(to: other) <= near
    case .apart: false
    }
  }
}

extension LabeledCanvas {
  /// The longer side of the sheet: of the canvas, or of what the ink covers if its size is unknown.
  var sheetSide: Double {
    drawing.canvas.map { max($0.width, $0.height) } ?? drawing.boundingBox?.longerSide ?? 0
  }
}

extension BoundingBox {
  /// Whether no point of `other` is outside.
  func contains(_ other: BoundingBox) -> Bool {
    x <= other.x && y <= other.y && other.x + other.width <= x + width
      && other.y + other.height <= y + height
  }
}
