@testable import Capture
import Ink
import Numbers
import Testing
import Vectorizing

/// A page as a printer would make it, with drawings in its boxes, and photos of it.
struct PrintedPage {
  /// Pixels for a millimeter.
  static let scale = 6.0
  private(set) var picture: GrayPicture
  let page: WorksheetPage

  init(_ page: WorksheetPage, headers: Set<WorksheetHeader.End> = [.top, .bottom]) {
    self.page = page
    let (width, height) = (
      Int(page.paper.width * Self.scale), Int(page.paper.height * Self.scale)
    )
    picture = GrayPicture(
      width: width, height: height, values: .init(repeating: 255, count: width * height))
    for mark in page.marks {
      let (outer, cell) = (WorksheetPage.markSide, WorksheetPage.cell)
      square(mark, outer, 0)
      square(mark, outer - 2 * cell, 255)
      square(mark, 3 * cell, 0)
    }
    let columns = WorksheetPage.headerColumns(of: page.paper)
    for end in headers {
      let origin = page.headerOrigin(end)
      for (index, isBlack) in WorksheetHeader.cells(of: page, at: end).enumerated() where isBlack {
        let middle = Point(
          x: origin.x + (Double(index % columns) + 0.5) * WorksheetPage.cell,
          y: origin.y + (Double(index / columns) + 0.5) * WorksheetPage.cell)
        square(middle, WorksheetPage.cell, 0)
      }
    }
    for row in page.labels.indices {
      for column in 0..<page.columns {
        let box = page.box(row: row, column: column)
        let corners = [
          Point(x: box.x, y: box.y), Point(x: box.x + box.width, y: box.y),
          Point(x: box.x + box.width, y: box.y + box.height),
          Point(x: box.x, y: box.y + box.height),
        ]
        draw(Stroke(corners + [corners[0]]), width: 0.3, tone: 220)
      }
    }
  }

  private mutating func square(_ middle: Point, _ side: Double, _ tone: UInt8) {
    fill(
      BoundingBox(x: middle.x - side / 2, y: middle.y - side / 2, width: side, height: side)
    ) { _ in tone }
  }

  /// Sets the pixels with their middle in a box, in millimeters.
  mutating func fill(_ box: BoundingBox, tone: (Point) -> UInt8?) {
    var values = picture.values
    let rows =
      max(
        0, Int(box.y * Self.scale))...min(
        picture.height - 1, Int((box.y + box.height) * Self.scale))
    let columns =
      max(
        0, Int(box.x * Self.scale))...min(
        picture.width - 1, Int((box.x + box.width) * Self.scale))
    for row in rows {
      for column in columns {
        let place = Point(
          x: (Double(column) + 0.5) / Self.scale, y: (Double(row) + 0.5) / Self.scale)
        guard place.x >= box.x, place.x < box.x + box.width, place.y >= box.y,
          place.y < box.y + box.height, let tone = tone(place)
        else { continue }
        values[row * picture.width + column] = tone
      }
    }
    picture = GrayPicture(width: picture.width, height: picture.height, values: values)
  }

  /// Draws a stroke, in millimeters, with a round pen.
  mutating func draw(_ stroke: Stroke, width: Double, tone: UInt8) {
    let points = stroke.points
    for (a, b) in zip(points, points.dropFirst() + [points[points.count - 1]]) {
      let reach = width / 2 + 0.01
      let box = BoundingBox(
        x: min(a.x, b.x) - reach, y: min(a.y, b.y) - reach, width: abs(a.x - b.x) + 2 * reach,
        height: abs(a.y - b.y) + 2 * reach)
      fill(box) { place in
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let length = dx * dx + dy * dy
        let along = length == 0 ? 0 : ((place.x - a.x) * dx + (place.y - a.y) * dy) / length
        let t = max(0, min(1, along))
        let nearest = Point(x: a.x + t * dx, y: a.y + t * dy)
        return nearest.distance(to: place) <= reach ? tone : nil
      }
    }
  }

  /// A drawing in 0...1 in a box, with a pen.
  mutating func draw(
    _ strokes: [[(Double, Double)]], row: Int, column: Int, width: Double = 0.8, tone: UInt8 = 40
  ) {
    let box = page.box(row: row, column: column)
    for stroke in strokes {
      draw(
        Stroke(
          stroke.map { Point(x: box.x + $0.0 * box.width, y: box.y + $0.1 * box.height) }),
        width: width, tone: tone)
    }
  }

  /// A photo: the page's corners, clockwise from its top left, lie at places of a picture, on a dark
  /// table; light falls off to one side, and the sensor has noise.
  func photo(
    corners: [Point], width: Int, height: Int, light: Double = 0.35, noise: Double = 3,
    seed: UInt64 = 1
  ) throws -> GrayPicture {
    let table = onTable(margin: 20)
    let (right, bottom) = (Double(picture.width + 20), Double(picture.height + 20))
    let sides = [
      Point(x: 20, y: 20), Point(x: right, y: 20), Point(x: right, y: bottom),
      Point(x: 20, y: bottom),
    ]
    let map = try #require(Homography(from: corners, to: sides))
    var values = table.warped(width: width, height: height, by: map.callAsFunction).values
    var random = SeededGenerator(seed: seed)
    let grains = (0..<4099).map { _ in
      noise * (Double.random(in: -1...1, using: &random) + .random(in: -1...1, using: &random))
    }
    for index in values.indices {
      let shade = 0.9 * (1 - light * Double(index % width) / Double(width))
      let tone = Double(values[index]) * shade + grains[index % grains.count]
      values[index] = UInt8(max(0, min(255, tone)))
    }
    return GrayPicture(width: width, height: height, values: values)
  }

  /// The page with a margin of table around it, which goes on beyond the picture.
  private func onTable(margin: Int) -> GrayPicture {
    let side = [UInt8](repeating: 70, count: margin)
    let row = [UInt8](repeating: 70, count: picture.width + 2 * margin)
    var values = Array(repeatElement(row, count: margin).joined())
    for line in 0..<picture.height {
      values += side + picture.values[(line * picture.width)..<((line + 1) * picture.width)] + side
    }
    values += repeatElement(row, count: margin).joined()
    return GrayPicture(
      width: picture.width + 2 * margin, height: picture.height + 2 * margin, values: values)
  }

  /// A photo from above, turned clockwise by quarters and by some degrees.
  func photo(quarterTurns: Int = 0, seed: UInt64 = 1) throws -> GrayPicture {
    // The corners of a page that leans back a little.
    let upright = [
      Point(x: 100, y: 90), Point(x: 830, y: 70), Point(x: 890, y: 1170), Point(x: 45, y: 1200),
    ]
    let (width, height) = quarterTurns % 2 == 0 ? (945, 1260) : (1260, 945)
    let turned = upright.map { point in
      (0..<quarterTurns).reduce((point, 945.0, 1260.0)) { state, _ in
        (Point(x: state.2 - state.0.y, y: state.0.x), state.2, state.1)
      }.0
    }
    return try photo(corners: turned, width: width, height: height, seed: seed)
  }
}
