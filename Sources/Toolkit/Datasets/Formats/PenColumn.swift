internal import Files
internal import Ink

/// A column of a table of points that shows where strokes end.
///
/// By the column's name, in any case and with or without blanks and underscores:
/// - `pen_down`, `touching`, `contact` and the like are 1 for ink and 0 for points in the air;
/// - `pen_up`, `in_air` and the like are the other way round;
/// - `eos`, `end_of_stroke`, `pen_lifted` and the like are 1 for a stroke's last point;
/// - `pen`, `pen_state`, `state`, `event`, `action` and the like are read as `pen_down`, or as `eos`
///   if each 1 is alone among zeros, or if the ones are few and at the ends of drawings. Their words
///   may be those of pens ("down", "up"), of events ("pointerdown", "pointermove", "pointerup") or
///   of paths ("move", "line"); a column with any other word is not a pen column;
/// - `pressure` and `force` are 0 in the air, if there is no column of strokes and they are not
///   always 0.
struct PenColumn {
  /// What a row is to a stroke.
  enum Step {
    /// A point of the stroke.
    case ink
    /// The first point of another stroke.
    case first
    /// The last point of the stroke.
    case last
    /// No ink; the stroke has ended.
    case air
  }

  /// How the values are understood.
  enum Reading: Hashable {
    case down, up, ends, pressure, events, androidActions, path
  }

  let index: Int
  let name: String
  let reading: Reading
  /// Whether the pen is down, where rows are events.
  private var isDown = false

  private init(index: Int, name: String, reading: Reading) {
    (self.index, self.name, self.reading) = (index, name, reading)
  }

  // MARK: Names and words

  private static let downNames: Set = [
    "pendown", "ispendown", "penisdown", "isdown", "down", "touch", "touching", "istouching",
    "contact", "incontact", "tip", "tipswitch", "onpaper", "inkon",
  ]
  private static let upNames: Set = [
    "penup", "ispenup", "penisup", "isup", "up", "inair", "air", "hover", "hovering",
  ]
  private static let endNames: Set = [
    "eos", "end", "endofstroke", "endstroke", "strokeend", "lift", "lifted", "penlift", "penlifted",
    "islast", "lastpoint",
  ]
  private static let openNames: Set = [
    "pen", "penstate", "penstatus", "state", "status", "button", "buttonstatus", "buttonstate",
    "event", "eventtype", "type", "action", "phase", "touchtype", "command",
  ]
  private static let pressureNames: Set = [
    "pressure", "penpressure", "tippressure", "normalpressure", "force",
  ]

  private static let downWords: Set = ["down", "d", "pendown", "ink", "draw", "contact"]
  private static let upWords: Set = ["up", "u", "penup", "air", "inair", "hover"]
  private static let trueWords: Set = ["1", "true", "t", "yes", "y", "on"]
  private static let falseWords: Set = ["0", "false", "f", "no", "n", "off"]
  private static let beginEvents: Set = [
    "down", "pendown", "start", "begin", "began", "press", "pressed", "mousedown", "pointerdown",
    "touchstart", "touchdown", "actiondown",
  ]
  private static let moveEvents: Set = [
    "move", "moved", "middle", "drag", "update", "mousemove", "pointermove", "touchmove",
    "actionmove",
  ]
  private static let endEvents: Set = [
    "up", "penup", "end", "ended", "stop", "cancel", "release", "released", "mouseup", "pointerup",
    "pointercancel", "touchend", "touchcancel", "touchup", "actionup",
  ]
  private static let pathMoves: Set = ["m", "move", "moveto"]
  private static let pathLines: Set = ["l", "line", "lineto"]

  /// A name, word or whole number without what spellings differ in.
  private static func plain(_ text: String) -> String {
    if let number = TableNumbers.lenient(text), let whole = Int(exactly: number) {
      return String(whole)
    }
    return text.trimmed.lowercased().filter { !"_- .".contains($0) }
  }

  // MARK: Choosing

  /// What is known of a column's values.
  private struct Values {
    static let mostWords = 16

    /// The distinct words, up to one more than are distinguished.
    var words: Set<String> = []
    var areNumbers = true
    var zeros = 0
    var others = 0
    var hasNegative = false
    /// Whether two rows of a drawing that are not 0 follow one another.
    private var hasNeighbors = false
    /// Whether all drawings begin with 0 and end with something else.
    private var beginWithZero = true
    private var endWithOther = true
    private var wasOther = true

    mutating func add(_ text: String, isNewDrawing: Bool) {
      let word = plain(text)
      if words.count <= Self.mostWords { words.insert(word) }
      let number = TableNumbers.lenient(text)
      areNumbers = areNumbers && number != nil
      let isOther = number.map { $0 != 0 } ?? trueWords.contains(word)
      if isOther { others += 1 } else { zeros += 1 }
      if let number, number < 0 { hasNegative = true }
      if isOther, wasOther, !isNewDrawing { hasNeighbors = true }
      if isNewDrawing {
        beginWithZero = beginWithZero && !isOther
        endWithOther = endWithOther && wasOther
      }
      wasOther = isOther
    }

    /// Whether nonzero values can only mark the last points of strokes: as ink, each stroke would
    /// be a dot, or the ink would be shorter than the pen's moves between strokes.
    var areEnds: Bool {
      let isLeast = beginWithZero && endWithOther && wasOther && 2 * others <= zeros
      return isLeast || !hasNeighbors && zeros >= others
    }

    func areAll(_ sets: Set<String>...) -> Bool {
      words.allSatisfy { word in sets.contains { $0.contains(word) } }
    }
  }

  /// Finds the column among those of a table, if there is one.
  ///
  /// - Parameters:
  ///   - names: The names of the columns.
  ///   - used: Those that are something else.
  ///   - drawing: The column of drawings.
  ///   - hasStrokes: Whether a column tells strokes apart.
  ///   - rows: The rows behind the header.
  /// - Returns: The first column that is more specific than a pressure, else a pressure.
  /// - Throws: `FileError` for rows that cannot be read.
  static func find(
    in names: [String], used: Set<Int>, drawing: Int?, hasStrokes: Bool,
    _ rows: consuming TableRows
  ) throws(FileError) -> PenColumn? {
    let plainNames = names.map(plain)
    let known = downNames.union(upNames).union(endNames).union(openNames).union(pressureNames)
    let candidates = names.indices.filter { !used.contains($0) && known.contains(plainNames[$0]) }
    guard !candidates.isEmpty else { return nil }
    var values = candidates.map { _ in Values() }
    var last: String?
    while let row = try rows.next() {
      let name = drawing.flatMap { row.indices.contains($0) ? row[$0] : nil } ?? ""
      for (place, column) in candidates.enumerated() where column < row.count {
        values[place].add(row[column], isNewDrawing: name != last)
      }
      last = name
    }
    let found = zip(candidates, values).compactMap { column, values in
      reading(plainNames[column], values, hasStrokes).map {
        PenColumn(index: column, name: names[column], reading: $0)
      }
    }
    return found.first { $0.reading != .pressure } ?? found.first
  }

  private static func reading(
    _ name: String, _ values: Values, _ hasStrokes: Bool
  ) -> Reading? {
    if pressureNames.contains(name) {
      let isState = values.areNumbers && !values.hasNegative && values.zeros > 0
      return isState && values.others > 0 && !hasStrokes ? .pressure : nil
    }
    if downNames.contains(name) { return .down }
    if upNames.contains(name) { return .up }
    if endNames.contains(name) { return .ends }
    if name == "action", values.areAll(["0", "1", "2"]), values.words.contains("2") {
      return .androidActions
    }
    func has(_ words: Set<String>) -> Bool { !values.words.isDisjoint(with: words) }
    if values.areAll(trueWords, falseWords) {
      guard values.others > 0 else { return nil }
      return values.areEnds ? .ends : .down
    }
    if values.areAll(downWords, upWords) { return has(downWords) ? .down : nil }
    if values.areAll(beginEvents, moveEvents, endEvents), has(beginEvents) { return .events }
    return values.areAll(pathMoves, pathLines) && has(pathLines) ? .path : nil
  }

  // MARK: Reading

  /// The kind of a row with the given values.
  ///
  /// - Throws: `FormatFault` for an unknown value.
  mutating func step(in values: [String]) throws(FormatFault) -> Step {
    let text = values[index]
    let word = Self.plain(text)
    switch reading {
    case .pressure: return (TableNumbers.lenient(text) ?? 0) > 0 ? .ink : .air
    case .down, .up:
      if Self.downWords.contains(word) { return .ink }
      if Self.upWords.contains(word) { return .air }
      return try isTrue(text, word) == (reading == .down) ? .ink : .air
    case .ends: return try isTrue(text, word) ? .last : .ink
    case .path: return Self.pathMoves.contains(word) ? .first : .ink
    case .events: return event(Self.beginEvents.contains(word), Self.endEvents.contains(word))
    case .androidActions: return event(word == "0", word == "1")
    }
  }

  private mutating func event(_ begins: Bool, _ ends: Bool) -> Step {
    let wasDown = isDown
    isDown = begins || (wasDown && !ends)
    if begins { return .first }
    return wasDown ? (ends ? .last : .ink) : .air
  }

  private func isTrue(_ text: String, _ word: String) throws(FormatFault) -> Bool {
    if let number = TableNumbers.lenient(text) { return number > 0 }
    if Self.trueWords.contains(word) { return true }
    if Self.falseWords.contains(word) { return false }
    throw FormatFault("\(name.prefix(40)) is \(text.prefix(40)), not 1 or 0, true or false")
  }

  /// A new drawing begins.
  mutating func reset() { isDown = false }
}
