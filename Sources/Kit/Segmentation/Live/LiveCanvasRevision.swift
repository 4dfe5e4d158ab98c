internal import Ink
internal import Numbers
internal import Recognition
internal import Text

// Emojis stay while later strokes may belong to them, and are revised after the decision (F-015).
extension LiveCanvas {
  /// Decides strokes that share a group with strokes of emojis: if that group is likelier than the
  /// current emojis, it replaces them; else dots join their emoji, or the emojis are closed.
  mutating func decideBesideEmojis(_ late: OpenShape) -> [Event] {
    if isBehind {
      rebuildSegmenter()
      return regroup()
    }
    let group = Set(late.group)
    let emojis = state.open.filter { $0.isEmoji && !group.isDisjoint(with: $0.shape.strokes) }
    // An emoji that keeps some of its strokes loses others only to another emoji.
    let isPossible =
      late.answer?.decision.isRecognized ?? false
      || emojis.allSatisfy { group.isSuperset(of: $0.grouped) }
    let isOne =
      isPossible
      && segmenter.isLikelier(
        state.places(of: late.group), than: emojis.map { state.places(of: $0.grouped) },
        keeping: state.closedGroups)
    guard isOne else {
      if let emoji = emojiWithDots(late) { return addDots(late, to: emoji) }
      close(Set(emojis.map(\.shape.id)))
      return regroup()
    }
    return makeOne(late, of: group, with: emojis)
  }

  /// Makes late dots part of an emoji, which keeps its label.
  mutating func addDots(_ dots: OpenShape, to emoji: OpenShape) -> [Event] {
    let strokes = (emoji.shape.strokes + dots.shape.strokes).sorted()
    var one = revised(emoji, strokes: strokes, answer: nil)
    one.dots.append(dots.shape.strokes)
    replace([emoji.shape.id, dots.shape.id], by: one)
    return [event(.revised(one.shape, absorbed: [dots.shape.id]))]
  }

  /// Makes the strokes of a group one shape: the first emoji in it, if any.
  private mutating func makeOne(
    _ late: OpenShape, of group: Set<Int>, with emojis: [OpenShape]
  ) -> [Event] {
    var events: [Event] = []
    let found = segmenter.grouping(keeping: state.closedGroups) ?? []
    for emoji in emojis where !group.isSuperset(of: emoji.grouped) {
      let strokes = emoji.shape.strokes.filter { !group.contains($0) }
      let places = state.places(of: emoji.grouped.filter { !group.contains($0) })
      var left = revised(
        emoji, strokes: strokes, answer: found.first { $0.strokes == places }?.answer)
      left.dots = Self.dots(of: [emoji], outside: group)
      replace([emoji.shape.id], by: left)
      events.append(event(.revised(left.shape, absorbed: [])))
    }
    let parts = emojis.filter { group.isSuperset(of: $0.grouped) } + [late]
    let dots = Self.dots(of: parts, outside: group)
    var one = revised(
      parts[0], strokes: (late.group + dots.joined()).sorted(), answer: late.answer)
    one.dots = dots
    replace(Set(parts.map(\.shape.id)), by: one)
    let absorbed = parts.dropFirst().map(\.shape.id).sorted()
    return events
      + [event(absorbed.isEmpty ? .recognized(one.shape) : .revised(one.shape, absorbed: absorbed))]
  }

  /// The late dots of shapes that are not in a group.
  private static func dots(of shapes: [OpenShape], outside group: Set<Int>) -> [[Int]] {
    shapes.flatMap(\.dots).map { $0.filter { !group.contains($0) } }.filter { !$0.isEmpty }
  }

  /// A shape with other strokes: with their answer if they are recognized, else with its old one.
  private mutating func revised(
    _ open: OpenShape, strokes: [Int], answer: Answer?
  ) -> OpenShape {
    var revised = open
    revised.shape.strokes = strokes
    revised.shape.box = box(of: strokes)
    (revised.group, revised.answer) = (strokes, nil)
    revised.learned = learnPauses(in: state.ink(of: revised.shape), after: open.learned)
    var best = open.shape.best
    if case .recognized(let found)? = answer?.decision { best = found.fromModel }
    if let best {
      revised.shape.state = .recognized(best, Placement(for: revised.shape.box, on: canvas))
    }
    return revised
  }

  private mutating func replace(_ ids: Set<Int>, by open: OpenShape) {
    state.open.removeAll { ids.contains($0.shape.id) }
    let place = state.open.partitioningIndex { $0.shape.strokes[0] > open.shape.strokes[0] }
    state.open.insert(open, at: place)
  }
}
