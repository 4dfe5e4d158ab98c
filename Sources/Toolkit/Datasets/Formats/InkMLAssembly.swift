internal import Ink
internal import Text

/// Makes drawings of an InkML file's traces, groups and views.
struct InkMLAssembly {
  private let ink: InkMLInk
  private(set) var notes: ReadingNotes
  /// How many more parts may be looked up, and points of definitions shown, so that views of views
  /// do not multiply.
  private var partsLeft: Int
  private var pointsLeft: Int
  private static let deepestView = 32

  /// Some points of a stroke.
  private struct Selection {
    var stroke: Int
    var points: Range<Int>
  }

  /// A stroke that a drawing has.
  private struct Shown {
    var stroke: Int
    /// The outermost group that it lies in; 0 for `ink`.
    var outermost: Int
  }

  /// A stroke of `definitions` in a drawing.
  private struct DefinedStroke: Hashable {
    var stroke: Int
    var outermost: Int
  }

  private var shown: [Shown] = []
  /// Where in `shown` strokes of the ink are, and those of definitions.
  private var placeOfStroke: [Int?]
  private var placeOfDefined: [DefinedStroke: Int] = [:]
  /// The points of strokes of definitions that are shown, by their place in `shown`.
  private var shownPoints: [Int: [Range<Int>]] = [:]
  /// The points that labels are about, where these are not whole strokes.
  private var cuts: [Int: [Range<Int>]] = [:]
  /// The parts of strokes that were cut.
  private var parts: [Int: [Range<Int>]] = [:]
  private var isOne = false

  /// Begins with a file of `length` bytes that was read.
  init(_ ink: consuming InkMLInk, length: Int) {
    notes = ink.notes
    placeOfStroke = Array(repeating: nil, count: ink.strokes.count)
    // A view takes 30 bytes or more, and is looked up five times at most.
    partsLeft = length / 4 + 1 << 18
    pointsLeft = ink.strokes.reduce(1 << 18) { $0 + $1.points.count }
    self.ink = ink
  }

  private mutating func spend(parts: Int = 0, points: Int = 0) throws(FormatFault) {
    (partsLeft, pointsLeft) = (partsLeft - parts, pointsLeft - points)
    guard partsLeft >= 0, pointsLeft >= 0 else {
      throw FormatFault("its views show the same traces again and again, more than are read")
    }
  }

  // MARK: What views select

  /// What a part selects, from the first of some places in it to the last; nil if it refers to what
  /// is not there.
  private mutating func selections(
    of part: InkMLInk.Part, from: ArraySlice<Int> = [], to: ArraySlice<Int> = [], depth: Int = 0
  ) throws(FormatFault) -> [Selection]? {
    try spend(parts: 1)
    guard depth < Self.deepestView else {
      throw FormatFault("its views refer to each other more than \(Self.deepestView) deep")
    }
    switch part {
    case .trace(let index):
      let trace = ink.traces[index]
      guard let stroke = trace.stroke else { return [] }
      guard !from.isEmpty || !to.isEmpty else {
        let count = ink.strokes[stroke].points.count
        return count > 0 ? [Selection(stroke: stroke, points: 0..<count)] : []
      }
      guard from.count <= 1, to.count <= 1 else { throw Self.badPlace }
      return [try Self.selection(stroke, trace.points, from.first, to.first)]
    case .group(let index):
      let children = ink.groups[index].parts
      let places = try Self.range(from.first, to.first, children.count)
      var found: [Selection] = []
      for place in places {
        let isFirst = place == places.lowerBound
        let isLast = place == places.upperBound - 1
        guard
          let some = try selections(
            of: children[place], from: isFirst ? from.dropFirst() : [],
            to: isLast ? to.dropFirst() : [], depth: depth + 1)
        else { return nil }
        found += some
      }
      return found
    case .view(let index):
      let view = ink.views[index]
      guard let target = ink.names[view.reference],
        let base = try selections(
          of: target, from: view.from[...], to: view.to[...], depth: depth + 1)
      else { return nil }
      guard !from.isEmpty || !to.isEmpty else { return base }
      return try Self.some(of: base, from, to)
    }
  }

  /// Some of what a view shows: points, if that is one trace, else traces.
  private static func some(
    of base: [Selection], _ from: ArraySlice<Int>, _ to: ArraySlice<Int>
  ) throws(FormatFault) -> [Selection] {
    if base.count == 1, from.count <= 1, to.count <= 1 {
      return [try selection(base[0].stroke, base[0].points, from.first, to.first)]
    }
    guard from.count <= 1, to.count <= 1 else { throw badPlace }
    return Array(base[try range(from.first, to.first, base.count)])
  }

  private static func selection(
    _ stroke: Int, _ points: Range<Int>, _ from: Int?, _ to: Int?
  ) throws(FormatFault) -> Selection {
    let range = try range(from, to, points.count)
    return Selection(
      stroke: stroke,
      points: (points.lowerBound + range.lowerBound)..<(points.lowerBound + range.upperBound))
  }

  /// The places from the first to the last, which count from 1, of `count`.
  private static func range(
    _ from: Int?, _ to: Int?, _ count: Int
  ) throws(FormatFault) -> Range<Int> {
    guard from != nil || to != nil else { return 0..<count }
    let (first, last) = (from ?? 1, to ?? count)
    guard 1 <= first, first <= last, last <= count else { throw badPlace }
    return (first - 1)..<last
  }

  private static let badPlace = FormatFault(
    "a traceView is from or to what is not there; count from 1")

  // MARK: What drawings have

  /// Finds the strokes of all drawings, in the order of the file.
  private mutating func findShown() throws(FormatFault) {
    for part in ink.groups[0].parts where !isOne {
      switch part {
      case .trace: isOne = try !(selections(of: part) ?? []).isEmpty
      case .view: isOne = try (selections(of: part) ?? []).contains { ink.isDefined[$0.stroke] }
      case .group: break
      }
    }
    try show(0)
  }

  private mutating func show(_ group: Int) throws(FormatFault) {
    let outermost = isOne ? 0 : ink.groups[group].outermost
    for part in ink.groups[group].parts {
      switch part {
      case .group(let index): try show(index)
      case .trace(let index):
        guard let stroke = ink.traces[index].stroke, !ink.strokes[stroke].points.isEmpty,
          placeOfStroke[stroke] == nil
        else { continue }
        placeOfStroke[stroke] = shown.count
        shown.append(Shown(stroke: stroke, outermost: outermost))
      case .view:
        guard let found = try selections(of: part) else {
          notes.add("a traceView shows what is not in the file")
          continue
        }
        for selection in found where ink.isDefined[selection.stroke] {
          try spend(points: selection.points.count)
          let key = DefinedStroke(stroke: selection.stroke, outermost: outermost)
          let place = placeOfDefined[key] ?? shown.count
          if place == shown.count {
            placeOfDefined[key] = place
            shown.append(Shown(stroke: selection.stroke, outermost: outermost))
          }
          shownPoints[place, default: []].append(selection.points)
        }
      }
    }
  }

  /// The place in `shown` of a stroke that a group names.
  private func place(of stroke: Int, from group: Int) -> Int? {
    guard ink.isDefined[stroke] else { return placeOfStroke[stroke] }
    let outermost = isOne ? 0 : ink.groups[group].outermost
    return placeOfDefined[DefinedStroke(stroke: stroke, outermost: outermost)]
  }

  // MARK: Labels

  /// A group that is a shape, and what belongs to it.
  private struct Labeled {
    var group: Int
    var label: String
    var selections: [Selection]
  }

  /// The labeled groups without groups in them, but those that are drawings.
  private mutating func labeledGroups(_ drawings: Set<Int>) throws(FormatFault) -> [Labeled] {
    var found: [Labeled] = []
    for (index, group) in ink.groups.enumerated() {
      guard index > 0, let label = group.label, !group.isDefinition, !group.hasGroups,
        !drawings.contains(index)
      else { continue }
      var selected: [Selection] = []
      for part in group.parts {
        guard let some = try selections(of: part) else {
          throw FormatFault(
            "the group of \(label.prefix(40)) refers to \(missing(part)), which is not there")
        }
        selected += some
      }
      found.append(Labeled(group: index, label: label, selections: selected))
    }
    return found
  }

  private func missing(_ part: InkMLInk.Part) -> String {
    guard case .view(let index) = part, ink.names[ink.views[index].reference] == nil else {
      return "a view of a trace"
    }
    return "trace \(ink.views[index].reference.prefix(40))"
  }

  // MARK: Parts of strokes

  /// The parts of a stroke that was cut, in order: between all begins and ends, those that are
  /// shown.
  private func cutParts(_ place: Int) -> [Range<Int>] {
    let count = ink.strokes[shown[place].stroke].points.count
    let visible = (shownPoints[place] ?? [0..<count]).sorted { $0.lowerBound < $1.lowerBound }
    let ends = (visible + (cuts[place] ?? [])).flatMap { [$0.lowerBound, $0.upperBound] }
    let edges = Set(ends).sorted()
    var found: [Range<Int>] = []
    var (next, reach) = (0, 0)
    for (begin, end) in zip(edges, edges.dropFirst()) {
      while next < visible.count, visible[next].lowerBound <= begin {
        reach = max(reach, visible[next].upperBound)
        next += 1
      }
      if reach >= end { found.append(begin..<end) }
    }
    return found
  }

  /// Which of a cut stroke's parts lie within some of its points.
  private static func indices(of points: Range<Int>, in parts: [Range<Int>]) -> Range<Int> {
    func first(_ isAt: (Range<Int>) -> Bool) -> Int {
      var (low, high) = (0, parts.count)
      while low < high {
        let middle = (low + high) / 2
        if isAt(parts[middle]) { high = middle } else { low = middle + 1 }
      }
      return low
    }
    let begin = first { $0.lowerBound >= points.lowerBound }
    return begin..<max(begin, first { $0.lowerBound >= points.upperBound })
  }

  // MARK: Drawings

  /// The drawings, those without an id named after the file.
  mutating func drawings(named path: String) throws(FormatFault) -> [Drawing] {
    try findShown()
    guard !shown.isEmpty else { throw FormatFault("it has no trace") }
    let labeled = try labeledGroups(Set(shown.map(\.outermost)))
    for group in labeled {
      for selection in group.selections
      where selection.points.count < ink.strokes[selection.stroke].points.count {
        guard let place = place(of: selection.stroke, from: group.group) else { continue }
        cuts[place, default: []].append(selection.points)
      }
    }
    for place in Set(cuts.keys).union(shownPoints.keys) { parts[place] = cutParts(place) }

    var drawings: [Drawing] = []
    var drawingOfGroup: [Int: Int] = [:]
    /// The drawing of each shown stroke, and the first stroke that it is there.
    var homes: [(drawing: Int, stroke: Int)] = []
    for (place, shown) in shown.enumerated() {
      let group = ink.groups[shown.outermost]
      let drawing = drawingOfGroup[shown.outermost] ?? drawings.count
      if drawing == drawings.count {
        drawingOfGroup[shown.outermost] = drawing
        let id = DatasetFormat.id(of: drawings.count + 1, in: path)
        drawings.append(
          Drawing(
            id: group.id.isEmpty ? id : group.id, label: group.label, strokes: [],
            canvas: group.canvas))
      }
      homes.append((drawing, drawings[drawing].strokes.count))
      let stroke = ink.strokes[shown.stroke]
      if let parts = parts[place] {
        drawings[drawing].strokes += parts.map { Stroke(Array(stroke.points[$0])) }
      } else {
        drawings[drawing].strokes.append(stroke)
      }
    }
    // A file of one drawing may name it at its beginning.
    if !isOne, drawings.count == 1, drawings[0].label == nil {
      drawings[0].label = ink.groups[0].label
    }
    for group in labeled {
      let own = drawingOfGroup[isOne ? 0 : ink.groups[group.group].outermost]
      try add(group, to: &drawings, own, homes)
    }
    return try drawings.map { drawing throws(FormatFault) in
      do throws(InkError) { return try drawing.withTimesFromFirst() } catch {
        throw FormatFault(error.description)
      }
    }
  }

  /// Adds a labeled group as a shape of the drawing that it lies in or, if it is in none, as one of
  /// the drawing that its views show; it labels a drawing that they show as a whole.
  private mutating func add(
    _ labeled: Labeled, to drawings: inout [Drawing], _ own: Int?,
    _ homes: [(drawing: Int, stroke: Int)]
  ) throws(FormatFault) {
    var drawing = own
    var members: [Int] = []
    var known: Set<Int> = []
    for selection in labeled.selections {
      guard let place = place(of: selection.stroke, from: labeled.group) else { continue }
      let home = homes[place]
      guard drawing == nil || drawing == home.drawing else {
        throw FormatFault(
          "the group of \(labeled.label.prefix(40)) refers to a trace of another drawing")
      }
      drawing = home.drawing
      let indices = parts[place].map { Self.indices(of: selection.points, in: $0) } ?? 0..<1
      try spend(parts: indices.count)
      members += indices.map { home.stroke + $0 }.filter { known.insert($0).inserted }
    }
    guard let drawing, !members.isEmpty else { return }
    let isWhole = members.count == drawings[drawing].strokes.count
    if isWhole, own == nil, drawings[drawing].label == nil {
      drawings[drawing].label = labeled.label
    } else {
      drawings[drawing].shapes.append(.init(strokes: members, label: labeled.label))
    }
  }
}
