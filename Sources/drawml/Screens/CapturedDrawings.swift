internal import Capture
internal import Files
internal import Foundation
internal import Ink
internal import JSON
internal import Pictures
internal import Vectorizing

/// What a photo of paper shows, for the page.
struct CapturedDrawings: Encodable {
  /// A drawing as a sample, and where it is on the page.
  struct Found: Encodable {
    var id: String
    @OrNull var label: String?
    var place: BoundingBox
    var canvas: Drawing.Canvas
    var strokes: [[[Double]]]

    /// A drawing in pixels of its place, in the photo with a name.
    init(_ drawing: Drawing, in name: String, label: String?, at place: BoundingBox) {
      (self.label, self.place) = (label, place)
      canvas = .init(width: place.width, height: place.height)
      func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
      // Pages draw curves through points: with few of them, corners would be round.
      let spacing = max(place.width, place.height) / 40
      strokes = drawing.strokes.map { stroke in
        let points = stroke.points.inserting(every: spacing)
        return [points.map { rounded($0.x) }, points.map { rounded($0.y) }]
      }
      // Another model groups the same photo otherwise.
      let ink = Fingerprint.sha256(Array("\(place) \(strokes)".utf8))
      id = "\(name)-\(ink.prefix(12))"
    }
  }

  /// Ink in a box that is no drawing.
  struct Unreadable: Encodable {
    var place: BoundingBox
    var problem: String
  }

  /// The page as it looks from above, in the pixels of all places.
  var width: Int
  var height: Int
  /// A picture of it, reduced: a data URL.
  var picture: String
  /// Whether it is a worksheet's; or else its drawings were found by themselves, and labeled by the
  /// model where it knows them.
  var isWorksheet: Bool
  var page: Int
  var pages: Int
  var drawings: [Found]
  var unreadable: [Unreadable]
  /// The number of empty boxes.
  var empty: Int

  /// The rows and columns of the reduced picture.
  private static let shownSide = 1000
  /// The margin around a drawing on paper without boxes, as a share of its larger side.
  private static let margin = 0.1

  init(_ sheet: CapturedSheet, named name: String) throws {
    (width, height) = (sheet.picture.width, sheet.picture.height)
    picture = try Self.shown(sheet.picture)
    (isWorksheet, page, pages) = (true, sheet.page.number, sheet.page.count)
    (drawings, unreadable, empty) = ([], [], 0)
    for box in sheet.boxes {
      switch box.content {
      case .empty: empty += 1
      case .unreadable(let error): unreadable.append(.init(place: box.place, problem: "\(error)"))
      case .drawing(let drawing):
        drawings.append(
          .init(drawing, in: name, label: box.label, at: box.place))
      }
    }
  }

  init(_ free: FreePage, named name: String) throws {
    (width, height) = (free.picture.width, free.picture.height)
    picture = try Self.shown(free.picture)
    (isWorksheet, page, pages, unreadable, empty) = (false, 1, 1, [], 0)
    drawings = free.drawings(named: "").compactMap { drawing in
      guard let box = drawing.boundingBox else { return nil }
      let margin = max(1, max(box.width, box.height) * Self.margin)
      let place = BoundingBox(
        x: box.x - margin, y: box.y - margin, width: box.width + 2 * margin,
        height: box.height + 2 * margin)
      return Found(
        drawing.transformed(by: .translation(x: -place.x, y: -place.y)), in: name,
        label: drawing.label, at: place)
    }
  }

  private static func shown(_ page: GrayPicture) throws -> String {
    let small = page.reduced(toSide: shownSide)
    let png = try PNG.encode(small.values, width: small.width, height: small.height, as: .gray)
    return "data:image/png;base64," + Data(png).base64EncodedString()
  }
}

extension [Point] {
  /// The points, with more between those that are farther apart than `spacing`.
  fileprivate func inserting(every spacing: Double) -> [Point] {
    guard let first else { return [] }
    return zip(self, dropFirst()).reduce(into: [first]) { result, ends in
      let (start, end) = ends
      let steps = Int((start.distance(to: end) / spacing).rounded(.up))
      for step in 1...Swift.max(1, steps) {
        let share = Double(step) / Double(Swift.max(1, steps))
        result.append(
          Point(x: start.x + share * (end.x - start.x), y: start.y + share * (end.y - start.y)))
      }
    }
  }
}
