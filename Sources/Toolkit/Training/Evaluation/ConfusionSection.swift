internal import Evaluation
internal import Report
internal import Text

/// The confusion matrix, whose cells link to their drawings, and the pairs most often confused.
struct ConfusionSection {
  /// The maximum number of classes shown as one matrix.
  static let fullMatrixLimit = 40
  /// The number of classes shown if there are more.
  static let partMatrixSize = 24

  private let records: [EvaluationRecord]
  private let tally: ClassTally
  /// The records of each cell [truth · C + prediction], most confident first.
  private let cells: [Int: [Int]]
  /// The classes that occur, in the tally's order.
  private let occurring: [Int]

  init(records: [EvaluationRecord], labels: [String]) {
    self.records = records
    let tally = ClassTally(records: records, labels: labels)
    self.tally = tally
    var cells: [Int: [Int]] = [:]
    let order = records.indices.sorted {
      (records[$1].shownConfidence, $0) < (records[$0].shownConfidence, $1)
    }
    for index in order {
      cells[tally.truths[index] * tally.classes.count + tally.predictions[index], default: []]
        .append(index)
    }
    self.cells = cells
    let scores = tally.matrix.classScores
    occurring = scores.indices.filter { scores[$0].support + scores[$0].predicted > 0 }
  }

  /// The classes of the matrix: all, or those in the most frequent confusions, with the two of a
  /// pair next to each other; the first ones if nothing was confused.
  private var shown: [Int] {
    guard occurring.count > Self.fullMatrixLimit else { return occurring }
    var chosen: [Int] = []
    for pair in tally.matrix.confusions {
      for number in [pair.truth, pair.prediction] where !chosen.contains(number) {
        if chosen.count < Self.partMatrixSize { chosen.append(number) }
      }
      if chosen.count == Self.partMatrixSize { break }
    }
    return chosen.isEmpty ? Array(occurring.prefix(Self.partMatrixSize)) : chosen
  }

  private func drawings(_ truth: Int, _ prediction: Int) -> [Int] {
    cells[truth * tally.classes.count + prediction] ?? []
  }

  /// The pairs most often confused, each with drawings.
  func pairs(_ gallery: inout Gallery) -> Markup {
    let confusions = tally.matrix.confusions.prefix(18)
    guard !confusions.isEmpty else {
      return .tag("p", [:], Markup("Nothing was confused: every answer is right."))
    }
    var items = Markup()
    for pair in confusions {
      var pictures = Markup()
      for index in drawings(pair.truth, pair.prediction).prefix(6) {
        if let picture = gallery.picture(of: index) {
          let id = records[index].id
          pictures += id.isEmpty ? picture : .tag("span", ["title": PageText.short(id)], picture)
        }
      }
      items += .tag(
        "li", [:],
        .tag(
          "p", ["class": "pair"], .tag("b", [:], PageText.name(tally.classes[pair.truth])),
          Markup(" answered "), .tag("b", [:], PageText.name(tally.classes[pair.prediction])),
          .tag("span", ["class": "times"], Markup(" \(grouped(pair.count))×"))),
        .tag("div", ["class": "strip"], pictures))
    }
    return .tag("ol", ["class": "pairs"], items)
  }

  /// The matrix, with the drawings of each of its cells.
  func matrix(_ gallery: inout Gallery) -> Markup {
    let shown = shown
    guard !shown.isEmpty else { return Markup() }
    let isPart = shown.count < occurring.count
    // Fill the off-diagonal cells with pictures first, in descending order of counts.
    let order =
      shown
      .flatMap { truth in shown.map { (truth: truth, prediction: $0) } }
      .filter { !drawings($0.truth, $0.prediction).isEmpty }
      .sorted {
        let one = ($0.truth == $0.prediction, -drawings($0.truth, $0.prediction).count)
        let other = ($1.truth == $1.prediction, -drawings($1.truth, $1.prediction).count)
        return (one.0 ? 1 : 0, one.1, $0.truth, $0.prediction)
          < (other.0 ? 1 : 0, other.1, $1.truth, $1.prediction)
      }
    var faces: [Int: Markup] = [:]
    var sheets = Markup()
    for cell in order {
      faces[cell.truth * tally.classes.count + cell.prediction] =
        drawings(cell.truth, cell.prediction).first
        .flatMap { gallery.picture(of: $0, isDecoration: true) }
    }
    for cell in order { sheets += sheet(cell.truth, cell.prediction, &gallery) }

    var heading = Markup.tag("th", ["scope": "col", "class": "corner"], Markup("drawn"))
    for number in shown { heading += header(number, "col") }
    if isPart {
      heading += .tag(
        "th", ["scope": "col"], .tag("span", ["class": "turned"], Markup("elsewhere")))
    }
    var rows = Markup()
    for truth in shown {
      var row = header(truth, "row")
      let support = tally.matrix.classScores[truth].support
      var here = 0
      for prediction in shown {
        let count = drawings(truth, prediction).count
        here += count
        let face = faces[truth * tally.classes.count + prediction] ?? Markup()
        row += cell(truth, prediction, count: count, support: support, face)
      }
      if isPart {
        let rest = support - here
        row += .tag(
          "td", ["class": "rest"], Markup(rest > 0 ? grouped(rest) : ""))
      }
      rows += .tag("tr", [:], row)
    }
    let count = "\(shown.count) classes"
    let part = tally.matrix.confusions.isEmpty ? count : "The \(count) confused most"
    let caption =
      isPart
      ? "\(part), of \(occurring.count). "
        + "“Elsewhere” counts answers with a class that is not shown."
      : "All \(occurring.count) classes."
    let size = shown.count <= 12 ? "large" : shown.count <= 26 ? "medium" : "small"
    let table = Markup.tag(
      "table", ["class": "matrix \(size)"],
      .tag(
        "caption", [:],
        Markup(
          "Rows: what was drawn. Columns: what was answered. Open a cell to see its drawings. "
            + caption)),
      .tag("thead", [:], .tag("tr", [:], heading)), .tag("tbody", [:], rows))
    return .joined([
      .tag(
        "div",
        [
          "class": "scroll", "tabindex": "0", "role": "region",
          "aria-label": "Confusion matrix, scrolls sideways",
        ], table), sheets,
    ])
  }

  private func header(_ number: Int, _ scope: String) -> Markup {
    let name = tally.classes[number]
    // One or two characters, such as an emoji, stay upright above their column.
    let turns = scope == "col" && name.count > 2
    return .tag(
      "th", ["scope": scope, "title": PageText.short(name)],
      .tag("span", ["class": turns ? "turned" : "upright"], PageText.name(name)))
  }

  private func cell(_ truth: Int, _ prediction: Int, count: Int, support: Int, _ face: Markup)
    -> Markup
  {
    let kind = truth == prediction ? "hit" : "miss"
    guard count > 0 else { return .tag("td", ["class": truth == prediction ? "hit" : "none"]) }
    // The square root makes rare confusions visible.
    let share = (Double(count) / Double(max(1, support))).squareRoot()
    let description =
      "\(counted(count, "drawing")) of \(PageText.short(tally.classes[truth])) "
      + "answered \(PageText.short(tally.classes[prediction]))"
    return .tag(
      "td", ["class": kind, "style": "--share:\(ReportNumbers.decimal(share, 2))"],
      .tag(
        "a", ["href": "#c\(truth)-\(prediction)", "aria-label": description, "title": description],
        face, .tag("b", [:], Markup(grouped(count)))))
  }

  private func sheet(_ truth: Int, _ prediction: Int, _ gallery: inout Gallery) -> Markup {
    let members = drawings(truth, prediction)
    let limit = truth == prediction ? 12 : 24
    var figures = Markup()
    var shownCount = 0
    for index in members.prefix(limit) {
      guard let figure = Self.figure(index, records[index], &gallery) else { break }
      figures += figure
      shownCount += 1
    }
    let rest = members.count - shownCount
    let note =
      rest > 0
      ? Markup.tag(
        "p", ["class": "note"],
        Markup("\(counted(rest, "drawing")) more, left out to keep this page small."))
      : Markup()
    let verb = truth == prediction ? " rightly answered " : " answered "
    return .tag(
      "section", ["class": "sheet", "id": "c\(truth)-\(prediction)"],
      .tag("a", ["class": "close", "href": "#closed"], Markup("Close")),
      .tag(
        "h3", [:], Markup("\(counted(members.count, "drawing")) of "),
        PageText.name(tally.classes[truth]), Markup(verb), PageText.name(tally.classes[prediction])
      ), .tag("div", ["class": "figures"], figures), note)
  }

  private static func figure(_ index: Int, _ record: EvaluationRecord, _ gallery: inout Gallery)
    -> Markup?
  {
    guard let picture = gallery.picture(of: index, isDecoration: true) else { return nil }
    return .tag(
      "figure", ["class": record.recognized ? "" : "unsure"], picture,
      .tag("figcaption", [:], Markup(record.verdict), record.idLine))
  }
}
