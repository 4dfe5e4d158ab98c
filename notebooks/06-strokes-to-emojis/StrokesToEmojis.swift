internal import Benchmarks
internal import Datasets
internal import Evaluation
internal import Ink
internal import NotebookTools
internal import Recognition
internal import Report
internal import Segmentation
internal import Synthesis

/// Notebook 6: a canvas, from strokes to emojis.
///
/// Run it with `swift run -c release StrokesToEmojis`, or with a folder of your own timed drawings
/// as its argument; it leaves a page with pictures in `output/notebooks/06-strokes-to-emojis`. Each
/// chapter is a method; chapters 4 to 7, where strokes arrive one by one, are in `Live.swift`.
@main
struct StrokesToEmojis {
  let setting: Setting
  let seed: UInt64 = 6

  static func main() async {
    await tell { setting in try await StrokesToEmojis(setting: setting).run() }
  }

  /// Runs the notebook and returns the names of the pictures.
  @discardableResult
  func run() async throws -> [String] {
    var page = try Page(
      "6 · From strokes to emojis", folder: "\(setting.output)/06-strokes-to-emojis",
      isPrinting: setting.isPrinting)
    let material = try await Material(setting, seed: seed)
    try showTheStrokes(material, &page)
    try groupByPlaceAndTime(material, &page)
    try askTheRecognizer(material, &page)
    try listen(material, &page)
    try refuse(material, &page)
    try place(material, &page)
    try takeBack(material, &page)
    try page.write()
    return page.pictures
  }

  /// Milliseconds as seconds.
  func seconds(_ milliseconds: Double) -> String { "\(decimal(milliseconds / 1000)) s" }

  // MARK: 1. Strokes

  private func showTheStrokes(_ material: Material, _ page: inout Page) throws {
    page.chapter("A canvas, as it is drawn")
    let canvas = material.chosen
    let strokes = canvas.drawing.strokes
    let size = canvas.drawing.canvas ?? .init(width: 1280, height: 960)
    page.tell(
      """
      Somebody draws \(canvas.shapes.count) shapes on one sheet. The program gets nothing but \
      strokes with times: \(strokes.count) of them, within \
      \(seconds(strokes.last?.points.last?.t ?? 0)). Nobody says where a shape ends.
      """)
    page.tell(
      """
      The material: \(setting.description(of: material.samples)). \
      \(material.recognizer.labels.count) labels are taught, \(material.shots) drawings of each; \
      all others are unknown. The drawings are placed on sheets with their own times and the \
      pauses that they had; between shapes there is half a second to two and a half. No drawing on \
      a sheet taught anything.
      """)
    page.tell(
      "This sheet is a hard one: shapes lie close together, one gets a stroke late, and the three "
        + "plain groupings of the next chapter all go wrong. "
        + (material.looked.isRight
          ? "It was chosen: such sheets were made until one came out whole, at once and live, so "
            + "that there is a whole story to tell. It is number \(material.looked.count). "
          : "None of \(material.looked.count) such sheets came out whole. ")
        + "How often the segmenter is right, and where it goes wrong, stands at the end of chapter "
        + "three."
    )
    let frames = min(8, strokes.count)
    let svg = CanvasPanel.sheet(frames, columns: 4, width: 220, canvas: size) { view, index, svg in
      let (from, to) = (index * strokes.count / frames, (index + 1) * strokes.count / frames)
      view.frame(&svg, seconds(strokes[to - 1].points.last?.t ?? 0))
      view.ink(&svg, Array(strokes[..<from]), color: "#a0a0a0", thickness: 1.2)
      view.ink(&svg, Array(strokes[from..<to]), color: SVG.palette[0], thickness: 1.8)
    }
    try page.show(
      svg, as: "drawn",
      caption: "The sheet as it fills; what is new since the last picture is blue.")
    let pauses = pauses(canvas)
    let (inside, between) = (
      pauses.filter(\.isInside).map(\.milliseconds),
      pauses.filter { !$0.isInside }.map(\.milliseconds)
    )
    page.tell(
      "When the pen was down, a line for each shape as the person meant it. Pauses within a shape "
        + "are up to \(seconds(inside.max() ?? 0)) long, pauses between shapes are "
        + "\(seconds(between.min() ?? 0)) and more: "
        + ((inside.max() ?? 0) < (between.min() ?? 0)
          ? "here a border would part them, if one knew it" : "no border parts them")
        + ". And a shape that looked finished gets another stroke later.")
    try page.show(
      timeline(
        canvas.shapes.enumerated().map { number, shape in
          Lane(
            name: shape.label, color: CanvasPanel.color(number),
            bars: shape.strokes.map { span(strokes[$0]) })
        }), as: "times",
      caption: "Time goes to the right. A bar is a stroke; a row is a shape as it was meant.")
  }

  /// The pauses between strokes, except those before a late stroke.
  private func pauses(_ canvas: LabeledCanvas) -> [(milliseconds: Double, isInside: Bool)] {
    let strokes = canvas.drawing.strokes
    return strokes.indices.dropFirst().compactMap { index in
      let (a, b) = (canvas.owners[index - 1], canvas.owners[index])
      guard let a, let b, a == b || canvas.shapes[b].strokes[0] == index else { return nil }
      let pause = span(strokes[index]).lowerBound - span(strokes[index - 1]).upperBound
      return (pause, a == b)
    }
  }

  /// The time span of a stroke.
  func span(_ stroke: Stroke) -> ClosedRange<Double> {
    let start = stroke.points.first?.t ?? 0
    return start...max(start, stroke.points.last?.t ?? start)
  }

  /// A row of a time line.
  struct Lane {
    var name: String
    var color: String
    var bars: [ClosedRange<Double>]
    /// Waiting times, shown as dashed lines.
    var waits: [ClosedRange<Double>] = []
    /// The decisions with their times.
    var marks: [(time: Double, text: String, color: String)] = []
  }

  /// A timeline of rows over a common axis, in seconds.
  func timeline(_ lanes: [Lane], width: Double = 820) -> SVG {
    let (left, top, row) = (76.0, 12.0, 30.0)
    let times = lanes.flatMap { $0.bars.map(\.upperBound) + $0.marks.map(\.time) }
    let axis = Chart.Axis("", from: 0, to: max(1, (times.max() ?? 0) / 1000))
    let most = axis.range.upperBound
    var svg = SVG(width: left + width + 40, height: top + row * Double(lanes.count) + 40)
    let bottom = top + row * Double(lanes.count)
    func x(_ milliseconds: Double) -> Double { left + milliseconds / 1000 / most * width }
    for tick in axis.ticks {
      let place = x(tick.value * 1000)
      svg.line([(place, top), (place, bottom)], color: SVG.faint)
      svg.text("\(tick.text) s", x: place, y: bottom + 18, size: 11, anchor: "middle")
    }
    for (index, lane) in lanes.enumerated() {
      let middle = top + row * (Double(index) + 0.5)
      svg.text(
        lane.name, x: left - 14, y: middle + 5, size: lane.name.count > 2 ? 12 : 16, anchor: "end")
      for wait in lane.waits {
        svg.line(
          [(x(wait.lowerBound), middle), (x(wait.upperBound), middle)], color: "#999999",
          isDashed: true)
      }
      for bar in lane.bars {
        svg.rectangle(
          x: x(bar.lowerBound), y: middle - 7,
          width: max(2, x(bar.upperBound) - x(bar.lowerBound)), height: 14, fill: lane.color)
      }
      for mark in lane.marks {
        svg.circle(x: x(mark.time) + 10, y: middle, radius: 11, color: "#ffffff")
        svg.text(
          mark.text, x: x(mark.time) + 10, y: middle + 5, size: 15, anchor: "middle",
          color: mark.color)
      }
    }
    return svg
  }

  // MARK: 2. Place and time

  private func groupByPlaceAndTime(_ material: Material, _ page: inout Page) throws {
    page.chapter("What place and time alone say")
    let canvas = material.chosen
    let size = canvas.drawing.canvas ?? .init(width: 1280, height: 960)
    page.tell(
      """
      The plain way: a stroke goes on with the shape before it, or begins a new one, by the pause \
      before it, by its distance from that shape (over the size of both together), or by both. The \
      border is chosen so that the most shapes come out whole on \(material.fitting.count) other \
      sheets.
      """)
    try page.show(
      cues(material.fitting),
      as: "cues",
      caption:
        """
        Each point is a stroke: the pause before it, and how far it lies from the shape before. \
        Blue goes on with that shape; orange does not.
        """
    )
    let truth = canvas.shapes.map(\.strokes)
    let groupings =
      [("as it was meant", truth)]
      + zip(["by pause", "by distance", "by both"], material.plain).map { name, plain in
        (name, plain.shapes(of: canvas.drawing.strokes))
      }
    let svg = CanvasPanel.sheet(4, columns: 2, width: 440, canvas: size) { view, index, svg in
      let (name, groups) = groupings[index]
      let whole = truth.count { groups.contains($0) }
      view.frame(
        &svg,
        name == "as it was meant" ? name : "\(name): \(whole) of \(truth.count) shapes are whole")
      show(groups, of: canvas, in: view, &svg)
    }
    page.tell(
      """
      All three go wrong on this sheet. What lies close is easily taken for one shape, what was \
      drawn slowly for two; and none of them can give a late stroke to an earlier shape. How often \
      each is right over all sheets stands at the end of the next chapter.
      """
    )
    try page.show(
      svg, as: "plain",
      caption:
        """
        A color and a box for each group. Red broken boxes are groups that are no shape as it was \
        meant.
        """
    )
  }

  /// The ink of groups, each in a color, with boxes.
  private func show(
    _ groups: [[Int]], of canvas: LabeledCanvas, in view: CanvasPanel, _ svg: inout SVG
  ) {
    let truth = Set(canvas.shapes.map(\.strokes))
    for (number, group) in groups.enumerated() {
      let ink = group.map { canvas.drawing.strokes[$0] }
      view.ink(&svg, ink, color: CanvasPanel.color(number))
      guard let box = BoundingBox(ink.lazy.flatMap(\.points)) else { continue }
      let isWhole = truth.contains(group)
      view.outline(
        &svg, box, color: isWhole ? "#bbbbbb" : CanvasPanel.warning, isDashed: !isWhole,
        thickness: isWhole ? 1 : 2)
    }
  }

  /// A chart of pauses and distances of strokes that continue a shape and of those that start one.
  private func cues(_ canvases: [LabeledCanvas]) -> Markup {
    var points: [Bool: [Chart.Point]] = [:]
    for canvas in canvases.prefix(30) {
      let strokes = canvas.drawing.strokes
      for index in strokes.indices.dropFirst() {
        guard let before = canvas.owners[index - 1], let owner = canvas.owners[index],
          let new = InkOutline(strokes[index])
        else { continue }
        let earlier = canvas.shapes[before].strokes.filter { $0 < index }.map { strokes[$0] }
        let distance = earlier.compactMap { InkOutline($0)?.distance(to: new) }.min() ?? 0
        let both = BoundingBox((earlier + [strokes[index]]).lazy.flatMap(\.points))
        let side = max(both?.width ?? 0, both?.height ?? 0, 1e-9)
        let pause = span(strokes[index]).lowerBound - span(strokes[index - 1]).upperBound
        points[before == owner, default: []].append(
          Chart.Point(min(2.6, max(0, pause / 1000)), min(1, distance / side)))
      }
    }
    return Chart(
      across: Chart.Axis("pause, seconds", 0...2.6, ticks: [0, 0.5, 1, 1.5, 2, 2.5]),
      up: Chart.Axis("distance over size", 0...1, ticks: [0, 0.25, 0.5, 0.75, 1]),
      [
        Chart.Series("another shape", points[false] ?? [], style: .points, color: SVG.palette[1]),
        Chart.Series("the same shape", points[true] ?? [], style: .points, color: SVG.palette[0]),
      ]
    ).picture(width: 560, height: 320)
  }

  // MARK: 3. Recognition

  private func askTheRecognizer(_ material: Material, _ page: inout Page) throws {
    page.chapter("A group that is one known shape")
    let canvas = material.chosen
    let size = canvas.drawing.canvas ?? .init(width: 1280, height: 960)
    page.tell(
      """
      What parts shapes is what they are. The recognizer is asked about groups of strokes as if \
      each were one drawing. \(try evidence(material)) So a group that is one known shape speaks \
      for itself; but a part can pass for the whole, and unknowns are never known. Alone, that is \
      not enough either.
      """
    )
    try page.show(
      try readings(material), as: "readings",
      caption:
        """
        The first strokes of shapes, then the whole shape, then the shape with a stroke of its \
        neighbor. Blue: a whole shape with its label. Orange: recognized, but not so: a part, too \
        much, or another label. Gray: refused; the closest label stands in brackets.
        """
    )
    let segments = try material.segments(of: canvas)
    let truth = canvas.shapes.map(\.strokes)
    let whole = truth.count { strokes in segments.contains { $0.strokes == strokes } }
    let named = try benchmark(material).run(on: [canvas]).outcomes[0].isRight.count { $0 }
    page.tell(
      """
      The segmenter weighs all of that together: place and time, how well each group fits a label, \
      and how much it looks like one whole thing, taught or not. The weights were fitted once, to \
      canvases of people’s drawings, and come with DrawML. Stroke by stroke it keeps the best \
      groupings of all so far, so a later stroke can change what was believed. Here \(whole) of \
      \(truth.count) shapes come out whole, and \(named) are also named right, or refused as the \
      unknowns that they are.
      """
    )
    var svg = CanvasPanel.sheet(1, columns: 1, width: 640, canvas: size, aside: 190) {
      view, _, svg in
      view.frame(&svg, "\(whole) of \(truth.count) shapes are whole")
      show(segments.map(\.strokes), of: canvas, in: view, &svg)
    }
    for (number, segment) in segments.enumerated() {
      let best = segment.answer?.decision.best
      let text =
        segment.answer?.decision.isRecognized == true
        ? "\(best?.label ?? "") \(percent(best?.confidence ?? 0))" : "not recognized"
      let y = 40 + Double(number) * 26
      svg.line([(672, y), (700, y)], color: CanvasPanel.color(number), thickness: 3)
      svg.text(text, x: 710, y: y + 5, size: 14)
    }
    try page.show(svg, as: "shapes", caption: "What the segmenter makes of the sheet.")
    try compare(material, &page)
  }

  private func readings(_ material: Material) throws -> SVG {
    let canvas = material.chosen
    var rows: [(title: String, cells: [SVG.Cell])] = []
    for (number, shape) in canvas.shapes.enumerated() {
      let next = neighbor(of: number, on: canvas)
      // For shapes of many strokes, show only some prefixes.
      let counts = Set((0..<4).map { max(1, shape.strokes.count * ($0 + 1) / 4) }).sorted()
      let groups = counts.map { Array(shape.strokes.prefix($0)) } + [shape.strokes + [next]]
      let isKnown = material.recognizer.labels.contains(shape.label)
      let cells = try groups.map { group in
        let drawing = Drawing(strokes: group.sorted().map { canvas.drawing.strokes[$0] })
        let decision = try material.recognizer.classify(drawing).decision
        let best = decision.best
        let isRight = best?.label == shape.label && group == shape.strokes
        return SVG.Cell(
          drawing,
          caption: decision.isRecognized
            ? "\(best?.label ?? "") \(percent(best?.confidence ?? 0))" : "(\(best?.label ?? ""))",
          color: decision.isRecognized ? (isRight ? SVG.palette[0] : SVG.palette[1]) : "#888888")
      }
      rows.append((shape.label + (isKnown ? "" : ", unknown"), cells))
    }
    return SVG.sheet(rows, size: 84)
  }

  /// The first stroke of the next shape or, after the last shape, of the first.
  private func neighbor(of shape: Int, on canvas: LabeledCanvas) -> Int {
    let next = shape + 1 < canvas.shapes.count ? shape + 1 : 0
    return canvas.shapes[next].strokes[0]
  }

  /// How often parts, whole shapes and shapes with an extra stroke are recognized.
  private func evidence(_ material: Material) throws -> String {
    var counts: [String: (recognized: Int, all: Int)] = [:]
    for canvas in material.judged.prefix(25) {
      for (number, shape) in canvas.shapes.enumerated()
      where material.recognizer.labels.contains(shape.label) {
        let strokes = shape.strokes
        var groups = [("whole", strokes), ("more", strokes + [neighbor(of: number, on: canvas)])]
        if strokes.count > 1 { groups.append(("part", Array(strokes.dropLast()))) }
        for (name, group) in groups {
          let drawing = Drawing(strokes: group.sorted().map { canvas.drawing.strokes[$0] })
          let decision = try material.recognizer.classify(drawing).decision
          counts[name, default: (0, 0)].all += 1
          if decision.isRecognized { counts[name, default: (0, 0)].recognized += 1 }
        }
      }
    }
    func share(_ name: String) -> String {
      let count = counts[name] ?? (0, 0)
      return percent(Double(count.recognized) / Double(max(1, count.all)))
    }
    return
      "Of whole shapes with taught labels \(share("whole")) are recognized as something; without "
      + "their last stroke it is \(share("part")), with a stroke of another shape \(share("more"))."
  }

  private func benchmark(_ material: Material) -> SegmentationBenchmark {
    SegmentationBenchmark(
      recognizer: material.recognizer, model: material.model, plain: material.fitting)
  }

  /// The results on all test canvases, and those with errors.
  private func compare(_ material: Material, _ page: inout Page) throws {
    let outcomes = try benchmark(material).run(on: material.judged).outcomes
    func share(_ values: [Bool]) throws -> String {
      let right = values.count { $0 }
      let interval = try ConfidenceInterval.wilson(successes: right, trials: values.count)
      func whole(_ share: Double) -> String { number((share * 100).rounded()) }
      return
        """
        \(whole(Double(right) / Double(values.count))) \
        (\(whole(interval.lower))–\(whole(interval.upper)))
        """
    }
    let kinds = [nil] + CanvasKind.allCases.map { Optional($0.rawValue) }
    let rows = try kinds.compactMap { kind -> [String]? in
      let these = outcomes.filter { kind == nil || $0.canvas.drawing.label == kind }
      guard !these.isEmpty else { return nil }
      return [kind ?? "all", "\(these.reduce(0) { $0 + $1.canvas.shapes.count })"]
        + (try PlainGrouping.Cue.allCases.map { cue in
          try share(these.flatMap { $0.plain[cue] ?? [] })
        }) + [try share(these.flatMap(\.isPerfect)), try share(these.flatMap(\.isRight))]
    }
    page.tell(
      """
      Over \(outcomes.count) sheets that nothing was fitted to, the share of shapes that come out \
      whole and alone, in percent with 95 % intervals; last, the share that also get their label, \
      or are refused where they are unknown. “spread”: every shape has its place; “tight”: a few \
      pixels between shapes; “over”: shapes across earlier ones.
      """
    )
    page.table(
      ["sheets", "shapes", "by pause", "by distance", "by both", "segmenter", "and named"], rows)
    let wrong = outcomes.filter { $0.isPerfect.contains(false) }
    guard !wrong.isEmpty else {
      page.tell("The segmenter got every shape of every sheet.")
      return
    }
    let shown = Array(wrong.prefix(6))
    let size = shown[0].canvas.drawing.canvas ?? .init(width: 1280, height: 960)
    let svg = CanvasPanel.sheet(shown.count, columns: 3, width: 280, canvas: size) {
      view, index, svg in
      let outcome = shown[index]
      let whole = outcome.isPerfect.count { $0 }
      view.frame(
        &svg,
        """
        \(outcome.canvas.drawing.label ?? ""): \(whole) of \(outcome.canvas.shapes.count) are whole
        """
      )
      let box = outcome.canvas.drawing.boundingBox
      show(
        outcome.segments.map(\.strokes), of: outcome.canvas,
        in: box.map { view.around($0) } ?? view,
        &svg)
    }
    try page.show(
      svg, as: "mistakes",
      caption:
        """
        The first \(shown.count) of \(wrong.count) sheets on which the segmenter went wrong; red \
        boxes are its wrong groups.
        """
    )
  }
}
