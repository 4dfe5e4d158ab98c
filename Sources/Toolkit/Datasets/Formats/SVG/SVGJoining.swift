internal import Ink

extension SVGInk {
  /// Lines that continue the one before are one with it: programs cut a stroke into pieces to paint
  /// each as wide, or as dark, as the pen was pressed.
  func joined(_ lines: [SVGLine]) -> [SVGLine] {
    let size = BoundingBox(lines.lazy.flatMap(\.points)).map { max($0.width, $0.height) } ?? 0
    var joined: [SVGLine] = []
    /// The shape of the last piece, and where it ended; nil if it was closed or has times.
    var last: (shape: Int, end: Point)?
    for line in lines {
      let isOpen = !line.isClosed && !line.isTimed
      if isOpen, let last, let start = line.points.first,
        last.end.distance(to: start) <= 1e-6 * size,
        shapes[last.shape].continues(in: shapes[line.shape])
      {
        joined[joined.count - 1].points += line.points.dropFirst()
      } else {
        joined.append(line)
      }
      last = isOpen ? line.points.last.map { (line.shape, $0) } : nil
    }
    return joined
  }
}
