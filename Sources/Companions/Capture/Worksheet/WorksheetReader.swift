internal import Ink
public import Vectorizing

/// Reads photos of worksheets.
///
/// The steps: make the light even, find the marks in the corners, straighten the page by them, read
/// its header, cut out the boxes, and trace what is in each.
public struct WorksheetReader: Sendable {
  /// Traces what is in a box.
  public var vectorizer: Vectorizer

  /// Pixels of a straightened page for a millimeter.
  public static let scale = 8.0

  /// A larger photo is reduced to this many rows and columns: a page has no more detail.
  private static let largestSide = 3200
  /// Marks are looked for in a photo of this many.
  private static let markSide = 1600
  /// The most quadrilaterals of marks that are tried.
  private static let mostQuadrilaterals = 100
  /// How long the sides between marks are, in sizes of the marks: those of a page have 16 to 26, from
  /// any angle about as many; those between the marks of two pages have other lengths.
  private static let sides = 9.0...34.0
  /// How far a drawing may go beyond its box, in millimeters.
  private static let overrun = 1.5
  /// How far the line of a box may lie from where it was printed, in millimeters.
  private static let lineReach = 0.7
  /// The depth of ink: more than a box's line has on paper, less than a pencil's.
  private static let inkDepth: UInt8 = 56
  /// A box with less ink than this, in square millimeters, is empty: dust, and lines seen through
  /// the paper.
  private static let leastInk = 0.8

  /// A reader that traces by `vectorizer`.
  public init(vectorizer: Vectorizer = Vectorizer(polarity: .darkInk)) {
    self.vectorizer = vectorizer
  }

  /// Reads a photo of one page.
  ///
  /// - Parameters:
  ///   - photo: The photo, in luma.
  ///   - ink: The same in the tones that show its ink best; nil if luma does.
  /// - Returns: The page, straight, and what is in each box.
  /// - Throws: `CaptureError` if it shows none, a part, several, or one of another version.
  public func callAsFunction(
    _ photo: GrayPicture, ink: GrayPicture? = nil
  ) throws(CaptureError) -> CapturedSheet {
    let luma = photo.reduced(toSide: Self.largestSide)
    let found = try Self.found(in: luma)
    guard let ink, ink != photo else { return sheet(found, of: luma) }
    // What shows ink best was decided with what lies around the page, too: pencil may be lost in it.
    var read = sheet(found, of: ink.reduced(toSide: Self.largestSide))
    let other = sheet(found, of: luma)
    for index in read.boxes.indices where read.boxes[index].content == .empty {
      read.boxes[index] = other.boxes[index]
    }
    return read
  }

  /// Whether a photo shows a page of a worksheet that can be read.
  public func finds(_ photo: GrayPicture) -> Bool {
    (try? Self.found(in: photo.reduced(toSide: Self.largestSide))) != nil
  }

  /// The one page in a photo.
  private static func found(in photo: GrayPicture) throws(CaptureError) -> Found {
    let small = photo.reduced(toSide: Self.markSide)
    let factor = Double(photo.width) / Double(small.width)
    let marks = CornerMarks(in: small.flattened()).found
    let candidates = Self.quadrilaterals(of: marks).map { corners in
      corners.map { Point(x: $0.x * factor, y: $0.y * factor) }
    }
    var readings: [Found] = []
    for corners in candidates
    where !readings.contains(where: { !Set($0.corners).isDisjoint(with: corners) }) {
      if let found = Self.read(photo, corners: corners) { readings.append(found) }
    }
    guard let first = readings.first else {
      throw marks.count < 4 ? .noSheet(marks: marks.count) : .noHeader
    }
    guard case .page = first.reading else { throw .otherVersion }
    guard readings.count == 1 else { throw .severalSheets }
    return first
  }

  /// A reading of the headers between four marks.
  private struct Found {
    var reading: WorksheetHeader.Reading
    /// The middles of the marks in the photo, clockwise from the page's top left.
    var corners: [Point]
    var quarterTurns: Int
    /// Where the headers at the top and at the bottom really are; where one cannot be read, the
    /// other.
    var tracks: (top: HeaderTrack, bottom: HeaderTrack)
  }

  /// The convex quadrilaterals of marks of similar size, clockwise, the largest first.
  private static func quadrilaterals(of marks: [CornerMarks.Mark]) -> [[Point]] {
    var found: [(corners: [Point], area: Double)] = []
    for a in marks.indices {
      for b in marks.indices.dropFirst(a + 1) {
        for c in marks.indices.dropFirst(b + 1) {
          for d in marks.indices.dropFirst(c + 1) {
            let four = [marks[a], marks[b], marks[c], marks[d]]
            // Marks are sorted by size.
            guard four[0].size <= 3 * four[3].size else { continue }
            let corners = four.map(\.middle).clockwise()
            let isPage = corners.indices.allSatisfy { index in
              let (from, to) = (corners[index], corners[(index + 1) % 4])
              let sizes = four.filter { $0.middle == from || $0.middle == to }.map(\.size)
              return sides.contains(from.distance(to: to) / (sizes.reduce(0, +) / 2))
            }
            guard isPage, corners.isConvex else { continue }
            found.append((corners, corners.polygonArea))
          }
        }
      }
    }
    return found.sorted { $0.area > $1.area }.prefix(mostQuadrilaterals).map(\.corners)
  }

  /// Reads the headers of a page whose marks are at `corners`, in each way in which it may lie.
  private static func read(_ photo: GrayPicture, corners: [Point]) -> Found? {
    for turns in 0..<4 {
      let turned = Array(corners[turns...] + corners[..<turns])
      for paper in Paper.allCases {
        let blank = WorksheetPage(
          paper: paper, number: 1, count: 1, rows: 1, columns: 1, labels: [])
        guard let map = Homography(from: blank.marks, to: turned) else { continue }
        let tracks = WorksheetHeader.End.allCases.map {
          HeaderTrack(blank, at: $0, in: photo, by: map)
        }
        let readings = zip(WorksheetHeader.End.allCases, tracks).map { end, track in
          let reading = WorksheetHeader.read(track.cells(of: photo, by: map), on: paper)
          if case .page(_, let found) = reading, found != end {
            return WorksheetHeader.Reading.nothing
          }
          return reading
        }
        guard let reading = readings.first(where: { $0 != .nothing }) else { continue }
        return Found(
          reading: reading, corners: turned, quarterTurns: (4 - turns) % 4,
          tracks: (
            tracks[readings[0] == .nothing ? 1 : 0], tracks[readings[1] == .nothing ? 0 : 1]
          ))
      }
    }
    return nil
  }

  /// Straightens a page and reads its boxes.
  private func sheet(_ found: Found, of photo: GrayPicture) -> CapturedSheet {
    guard case .page(let page, _) = found.reading,
      let map = Homography(from: page.marks, to: found.corners)
    else { preconditionFailure("a page was read") }
    let (columns, rows) = (
      Int((page.paper.width * Self.scale).rounded()),
      Int((page.paper.height * Self.scale).rounded())
    )
    // How far places of each column lie from those on a flat page, at the top and at the bottom.
    let offsets = (0..<columns).map { column in
      let x = (Double(column) + 0.5) / Self.scale
      return (found.tracks.top.offset(x: x), found.tracks.bottom.offset(x: x))
    }
    let (top, bottom) = (page.marks[0].y, page.marks[2].y)
    let picture = photo.warped(width: columns, height: rows) { pixel in
      let (upper, lower) = offsets[Int(pixel.x)]
      let (x, y) = (pixel.x / Self.scale, pixel.y / Self.scale)
      let share = (y - top) / (bottom - top)
      return map(
        Point(
          x: x + (1 - share) * upper.x + share * lower.x,
          y: y + (1 - share) * upper.y + share * lower.y))
    }.flattened()
    var boxes: [CapturedSheet.Box] = []
    for (row, label) in page.labels.enumerated() {
      for column in 0..<page.columns {
        let place = page.box(row: row, column: column).scaled(by: Self.scale)
        boxes.append(
          .init(
            row: row, column: column, label: label, place: place,
            content: content(of: place, in: picture)))
      }
    }
    return CapturedSheet(
      page: page, picture: picture, boxes: boxes, quarterTurns: found.quarterTurns)
  }

  /// What is in a box of a straightened page.
  private func content(of box: BoundingBox, in picture: GrayPicture) -> CapturedSheet.Content {
    let overrun = Self.overrun * Self.scale
    let (left, top) = (Int(box.x - overrun), Int(box.y - overrun))
    let side = Int((box.width + 2 * overrun).rounded(.up))
    let cut = picture.cropped(
      left: max(0, left), top: max(0, top), width: min(side, picture.width - max(0, left)),
      height: min(side, picture.height - max(0, top)))
    let inner = BoundingBox(
      x: box.x - Double(left), y: box.y - Double(top), width: box.width, height: box.height)
    let ink = cut.withoutLine(
      of: inner, reaching: Self.lineReach * Self.scale, palerThan: Self.inkDepth)
    // A sensor's noise in the shade is as deep as ink, but in specks.
    let area = Double(ink.blurred(1).values.count { $0 < 255 - Self.inkDepth })
    guard area >= Self.leastInk * Self.scale * Self.scale else { return .empty }
    do throws(VectorizerError) {
      var drawing = try vectorizer(ink)
      drawing = drawing.transformed(
        by: .translation(x: Double(left) - box.x, y: Double(top) - box.y))
      drawing.canvas = .init(width: box.width, height: box.height)
      return .drawing(drawing)
    } catch {
      return error == .noInk ? .empty : .unreadable(error)
    }
  }
}

extension GrayPicture {
  /// Removes the line of a box.
  ///
  /// - Parameters:
  ///   - box: Where the line is, in pixels.
  ///   - reach: How far from there it may lie.
  ///   - depth: The depth of ink, in 255ths.
  /// - Returns: The picture, white where it is paler than ink near the line.
  fileprivate func withoutLine(
    of box: BoundingBox, reaching reach: Double, palerThan depth: UInt8
  ) -> GrayPicture {
    var tones = values
    for row in 0..<height {
      for column in 0..<width {
        let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
        let inside = min(x - box.x, box.x + box.width - x, y - box.y, box.y + box.height - y)
        if abs(inside) <= reach, tones[row * width + column] >= 255 - depth {
          tones[row * width + column] = 255
        }
      }
    }
    return GrayPicture(width: width, height: height, values: tones)
  }
}

extension BoundingBox {
  /// The box with its place and size multiplied.
  fileprivate func scaled(by factor: Double) -> BoundingBox {
    BoundingBox(x: x * factor, y: y * factor, width: width * factor, height: height * factor)
  }
}
