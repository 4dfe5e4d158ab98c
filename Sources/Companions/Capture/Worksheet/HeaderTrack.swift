internal import Ink
internal import Vectorizing

/// Where the cells of a header really are in a photo of a page that does not lie flat.
///
/// A flat page is where its corner marks say. From one mark to the other, block by block, the cells
/// are looked for near where those before them were: where light and dark differ most, each place is
/// in the middle of a cell.
struct HeaderTrack {
  /// How far each block of columns lies from its place on a flat page, in millimeters.
  private let offsets: [Point]
  private let page: WorksheetPage
  private let end: WorksheetHeader.End

  /// The columns of a block.
  private static let block = 6
  /// The distance of places that are tried, in millimeters.
  private static let step = 0.15

  /// Follows the header at one end of `page`; `map` takes a flat page's millimeters to the photo's
  /// pixels.
  init(
    _ page: WorksheetPage, at end: WorksheetHeader.End, in photo: GrayPicture, by map: Homography
  ) {
    (self.page, self.end) = (page, end)
    let count = WorksheetPage.headerColumns(of: page.paper) / Self.block
    var offsets: [Point] = []
    for index in 0..<count {
      let last = offsets.last ?? Point(x: 0, y: 0)
      // A bow goes on as it began.
      let before = offsets.dropLast().last ?? last
      let expected = Point(
        x: last.x + 0.7 * (last.x - before.x), y: last.y + 0.7 * (last.y - before.y))
      let reach = offsets.isEmpty ? 4 : 2
      var best = (offset: expected, worth: -1.0)
      for down in -reach...reach {
        for across in -reach...reach {
          let offset = Point(
            x: expected.x + Double(across) * Self.step, y: expected.y + Double(down) * Self.step)
          let far = Double(across * across + down * down) / Double(reach * reach)
          let worth =
            (1 - 0.06 * far)
            * page.contrast(
              at: end, columns: Self.columns(of: index, on: page), offset: offset, in: photo,
              by: map)
          if worth > best.worth { best = (offset, worth) }
        }
      }
      offsets.append(best.offset)
    }
    // One block may be off by a step.
    self.offsets = offsets.indices.map { index in
      let near = [max(0, index - 1), index, index, min(count - 1, index + 1)].map { offsets[$0] }
      return Point(
        x: near.reduce(0) { $0 + $1.x } / 4, y: near.reduce(0) { $0 + $1.y } / 4)
    }
  }

  /// The columns of a block; the last one has the rest, too.
  private static func columns(of block: Int, on page: WorksheetPage) -> Range<Int> {
    let columns = WorksheetPage.headerColumns(of: page.paper)
    let isLast = (block + 2) * Self.block > columns
    return (block * Self.block)..<(isLast ? columns : (block + 1) * Self.block)
  }

  /// How far what is printed at `x`, in millimeters, lies from its place on a flat page: what the
  /// blocks say, in proportion, and nothing at the marks.
  func offset(x: Double) -> Point {
    let width = Double(Self.block) * WorksheetPage.cell
    let first = page.headerOrigin(end).x + width / 2
    let (left, right) = (page.marks[0].x, page.marks[1].x)
    let last = first + Double(offsets.count - 1) * width
    func between(_ a: Point, _ b: Point, _ share: Double) -> Point {
      Point(x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y))
    }
    let flat = Point(x: 0, y: 0)
    if x < first { return between(flat, offsets[0], max(0, (x - left) / (first - left))) }
    if x >= last {
      return between(
        offsets[offsets.count - 1], flat, min(1, (x - last) / (right - last)))
    }
    let place = (x - first) / width
    return between(
      offsets[Int(place)], offsets[Int(place) + 1], place - place.rounded(.down))
  }

  /// Whether each cell is black, shape as of `WorksheetHeader.cells(of:at:)`: darker than the middle
  /// between the darkest and the lightest cells nearby, since light changes along a page.
  func cells(of photo: GrayPicture, by map: Homography) -> [Bool] {
    let columns = WorksheetPage.headerColumns(of: page.paper)
    let reach = 0.2 * WorksheetPage.cell
    let tones = (0..<(columns * WorksheetPage.headerRows)).map { index in
      let middle = page.middle(ofCell: index, at: end)
      let offset = offset(x: middle.x)
      return [(0, 0), (-reach, 0), (reach, 0), (0, -reach), (0, reach)].reduce(0.0) {
        let place = Point(x: middle.x + offset.x + $1.0, y: middle.y + offset.y + $1.1)
        return $0 + photo.tone(at: map(place)) / 5
      }
    }
    let ranges = (0..<columns).map { column in
      var (least, greatest) = (Double.infinity, -Double.infinity)
      for other in max(0, column - 6)...min(columns - 1, column + 6) {
        for row in 0..<WorksheetPage.headerRows {
          least = min(least, tones[row * columns + other])
          greatest = max(greatest, tones[row * columns + other])
        }
      }
      return (least + greatest) / 2
    }
    return tones.indices.map { tones[$0] < ranges[$0 % columns] }
  }
}

extension WorksheetPage {
  /// The middle of a header's cell, in millimeters.
  func middle(ofCell index: Int, at end: WorksheetHeader.End) -> Point {
    let columns = Self.headerColumns(of: paper)
    let origin = headerOrigin(end)
    return Point(
      x: origin.x + (Double(index % columns) + 0.5) * Self.cell,
      y: origin.y + (Double(index / columns) + 0.5) * Self.cell)
  }

  /// The mean difference of the cells of some columns from the tone between the darkest and the
  /// lightest of them.
  fileprivate func contrast(
    at end: WorksheetHeader.End, columns: Range<Int>, offset: Point, in photo: GrayPicture,
    by map: Homography
  ) -> Double {
    let all = Self.headerColumns(of: paper)
    var tones: [Double] = []
    for row in 0..<Self.headerRows {
      for column in columns {
        let middle = middle(ofCell: row * all + column, at: end)
        tones.append(
          photo.tone(at: map(Point(x: middle.x + offset.x, y: middle.y + offset.y))))
      }
    }
    guard let least = tones.min(), let greatest = tones.max() else { return 0 }
    let middle = (least + greatest) / 2
    return tones.reduce(0) { $0 + abs($1 - middle) } / Double(tones.count)
  }
}
