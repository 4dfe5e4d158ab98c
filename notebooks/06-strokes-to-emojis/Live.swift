internal import Files
internal import Ink
internal import NotebookTools
internal import Recognition
internal import Report
internal import Segmentation

/// The chapters on live canvases: strokes one by one, and the events they cause.
extension StrokesToEmojis {
  /// An event, with the shapes on the canvas after it.
  struct Moment {
    var event: LiveCanvas.Event
    var shapes: [LiveShape]
  }

  /// Adds strokes to a canvas at their times, waits until nothing is pending, and records the
  /// events.
  private func play(_ strokes: [Stroke], on live: inout LiveCanvas) throws -> [Moment] {
    var listener = Listener()
    func follow(_ events: [LiveCanvas.Event]) -> [Moment] {
      events.map { event in
        listener.apply(event)
        return Moment(event: event, shapes: listener.shapes)
      }
    }
    var moments: [Moment] = []
    for stroke in strokes { moments += follow(try live.add(stroke)) }
    return moments + follow(live.finish())
  }

  /// An event in words.
  private func text(_ event: LiveCanvas.Event) -> String {
    guard let shape = event.shape else { return event.name }
    return event.name + (shape.item.map { " \($0.label)" } ?? "")
  }

  // MARK: 4. Events

  func listen(_ material: Material, _ page: inout Page) throws {
    page.chapter("Live, one stroke after the other")
    let canvas = material.chosen
    let strokes = canvas.drawing.strokes
    let size = canvas.drawing.canvas ?? .init(width: 1280, height: 960)
    var live = material.blank(size)
    let settle = live.settleMilliseconds
    let moments = try play(strokes, on: &live)
    page.tell(
      """
      The same sheet again, but now nothing may wait for the end. A live canvas takes strokes and \
      the clock and gives out events. A shape without ink for the settle time (\(seconds(settle)) \
      at first, \(seconds(live.settleMilliseconds)) after this sheet: it follows the writer’s \
      pauses) is decided on: sooner where the recognizer is sure, later where it is not, for the \
      shape may not be finished. A later stroke that belongs to a decided shape opens it again.
      """
    )
    let told = moments.filter { if case .pending = $0.event.kind { false } else { true } }
    let rows = moments.map { moment in
      [
        seconds(moment.event.milliseconds), text(moment.event),
        moment.event.shape.map { "\($0.id)" } ?? "",
        moment.event.shape.map { $0.strokes.map(String.init).joined(separator: " ") } ?? "",
      ]
    }
    let shown = Array(told.prefix(12))
    let svg = CanvasPanel.sheet(shown.count, columns: 3, width: 280, canvas: size) {
      view, index, svg in
      let moment = shown[index]
      view.frame(&svg, "\(seconds(moment.event.milliseconds)): \(text(moment.event))")
      view.live(&svg, moment.shapes, strokes, latest: moment.event.shape?.id)
    }
    try page.show(
      svg, as: "live",
      caption:
        """
        The canvas at each decision and revision, as a person sees it: ink that is pending is dark \
        (blue where it was just opened again), emojis have taken the place of what was recognized, \
        and what was not shakes when that is decided, and stays.
        """
    )
    try page.show(
      timeline(lanes(live.shapes, moments, strokes)), as: "waiting",
      caption:
        """
        A row is a shape of the live canvas. Bars are strokes, broken lines are waiting, and the \
        mark is the decision: ? is refused.
        """
    )
    page.tell("Every event, with the number of the shape and its strokes:")
    page.table(["time", "event", "shape", "strokes"], rows)
    try measure(material, &page)
  }

  /// A row for each final shape.
  private func lanes(
    _ shapes: [LiveShape], _ moments: [Moment], _ strokes: [Stroke]
  ) -> [Lane] {
    shapes.enumerated().map { number, shape in
      var lane = Lane(
        name: "shape \(shape.id)", color: CanvasPanel.color(number),
        bars: shape.strokes.map { span(strokes[$0]) })
      for moment in moments {
        guard let told = moment.event.shape, told.id == shape.id, !told.isPending else { continue }
        let time = moment.event.milliseconds
        let last = told.strokes.map { span(strokes[$0]).upperBound }.max() ?? time
        lane.waits.append(last...max(last, time))
        lane.marks.append(
          (time, told.item?.label ?? "?", told.item == nil ? CanvasPanel.warning : SVG.ink))
      }
      return lane
    }
  }

  /// Evaluates the live canvas on the test canvases.
  private func measure(_ material: Material, _ page: inout Page) throws {
    var durations: [Double] = []
    var (whole, count, revised) = (0, 0, 0)
    for canvas in material.judged {
      var live = material.blank(canvas.drawing.canvas)
      for stroke in canvas.drawing.strokes {
        let start = ContinuousClock.now
        let events = try live.add(stroke)
        durations.append((ContinuousClock.now - start) / .milliseconds(1))
        revised += events.count { if case .revised = $0.kind { true } else { false } }
      }
      _ = live.finish()
      let found = Set(live.shapes.map(\.strokes))
      whole += canvas.shapes.count { found.contains($0.strokes) }
      count += canvas.shapes.count
    }
    durations.sort()
    page.tell(
      """
      Over the \(material.judged.count) sheets of the table above, live: \
      \(percent(Double(whole) / Double(max(1, count)))) of \(count) shapes come out whole; \
      \(revised) times a decision was opened again. Live is harder: a shape is closed five seconds \
      after its last ink, and a stroke that comes still later has lost it. A stroke took \
      \(decimal(durations[durations.count / 2])) ms in the middle and \
      \(decimal(durations[durations.count * 95 / 100])) ms in the slowest twentieth.
      """
    )
  }

  // MARK: 5. Refusal

  func refuse(_ material: Material, _ page: inout Page) throws {
    page.chapter("No is an answer")
    let size = Drawing.Canvas(width: 440, height: 330)
    let (left, top, side) = (130.0, 60.0, 210.0)
    let unknown = material.unknowns[0]
    let shape = try material.known.first { drawing in
      try drawing.strokes.count >= 3 && material.recognizer.classify(drawing).decision.isRecognized
    }
    let known = shape ?? material.known[0]
    let drawn = known.placed(x: left, y: top, side: side, from: 0)
    let end = drawn.last?.points.last?.t ?? 0
    let box = BoundingBox(drawn.lazy.flatMap(\.points))
    let middle = box.map { $0.x + $0.width / 2 } ?? left
    // A scribble, 6 s later, when the shape below is closed.
    let scribble = Stroke(
      (0...20).map { step in
        Point(
          x: middle - 70 + Double(step) * 7, y: top + (step % 2 == 0 ? 50 : 150),
          t: end + 6000 + Double(step) * 60)
      })
    var late = drawn
    if let last = late.popLast() {
      late.append(Stroke(last.points.map { Point(x: $0.x, y: $0.y, t: ($0.t ?? 0) + 2500) }))
    }
    let scenes: [(name: String, strokes: [Stroke])] = [
      ("an unknown", unknown.placed(x: left, y: top, side: side, from: 0)),
      ("a scribble over it", drawn + [scribble]),
      ("last stroke 2.5 s late", late),
    ]
    page.tell(
      """
      A drawing of nothing that was taught shakes (“\(LiveCanvas.unrecognizedMessage)”) and its \
      ink stays. Where the person can do something about it, because two labels fit, strokes could \
      belong to others, or the drawing lies on an emoji, it says “\(LiveCanvas.confusedMessage)”. \
      And a decision is not the last word: a stroke that comes late gives the ink back, and the \
      shape is decided on again.
      """
    )
    var panels: [(caption: String, shapes: [LiveShape], strokes: [Stroke], latest: Int?)] = []
    for scene in scenes {
      var live = material.blank(size)
      let moments = try play(scene.strokes, on: &live)
      var told = moments.filter { if case .pending = $0.event.kind { false } else { true } }
      if told.count > 3 { told.removeSubrange(1..<(told.count - 2)) }
      for moment in told {
        panels.append(
          (
            "\(scene.name), \(seconds(moment.event.milliseconds)): \(text(moment.event))",
            moment.shapes, scene.strokes, moment.event.shape?.id
          ))
      }
    }
    let svg = CanvasPanel.sheet(panels.count, columns: 3, width: 280, canvas: size) {
      view, index, svg in
      let panel = panels[index]
      view.frame(&svg, panel.caption)
      view.live(&svg, panel.shapes, panel.strokes, latest: panel.latest)
    }
    try page.show(
      svg, as: "refusals", caption: "Three scenes, each decision a picture.")
  }

  // MARK: 6. Placement

  func place(_ material: Material, _ page: inout Page) throws {
    page.chapter("An emoji in its place")
    let canvas = material.chosen
    let size = canvas.drawing.canvas ?? .init(width: 1280, height: 960)
    var live = material.blank(size)
    _ = try play(canvas.drawing.strokes, on: &live)
    page.tell(
      """
      The emoji’s square lies around the middle of the strokes’ box and is as large as the longer \
      side of it. So emojis are where the drawings were, and as large. A line gets a square as \
      wide as it is long, a dot one of 3 % of the canvas, and none stands out over the edge.
      """
    )
    let svg = CanvasPanel.sheet(2, columns: 2, width: 440, canvas: size) { view, index, svg in
      guard index == 0 else {
        view.frame(&svg, "in their place: \(live.items.count) emojis")
        view.live(&svg, live.shapes, canvas.drawing.strokes)
        return
      }
      view.frame(&svg, "the ink, its box (gray) and the square (blue)")
      for shape in live.shapes {
        view.ink(
          &svg, shape.strokes.map { canvas.drawing.strokes[$0] }, color: SVG.ink, thickness: 1.4)
        show(shape.box, shape.item?.placement, in: view, &svg)
      }
    }
    try page.show(svg, as: "emojis", caption: "The sheet before and after.")

    let small = Drawing.Canvas(width: 400, height: 300)
    let lines: [(name: String, points: [(Double, Double)])] = [
      ("wide", [(120, 130), (200, 175), (280, 130)]), ("a line", [(90, 150), (310, 150)]),
      ("a dot", [(200, 150)]), ("at the edge", [(300, 20), (396, 60), (340, 100)]),
    ]
    let squares = CanvasPanel.sheet(lines.count, columns: 4, width: 200, canvas: small) {
      view, index, svg in
      let stroke = Stroke(lines[index].points.map { Point(x: $0.0, y: $0.1) })
      guard let box = BoundingBox(stroke.points) else { return }
      view.frame(&svg, lines[index].name)
      view.ink(&svg, [stroke], color: SVG.ink, thickness: 2)
      show(box, Placement(for: box, on: small), in: view, &svg)
    }
    try page.show(
      squares, as: "squares", caption: "Boxes that are not square, and where the square goes then.")
  }

  /// A shape's box, and the square of its emoji.
  private func show(
    _ box: BoundingBox, _ placement: Placement?, in view: CanvasPanel, _ svg: inout SVG
  ) {
    view.outline(&svg, box, color: "#999999", slack: 0)
    guard let placement else { return }
    view.outline(
      &svg,
      BoundingBox(x: placement.x, y: placement.y, width: placement.side, height: placement.side),
      color: SVG.palette[0], isDashed: placement.side * view.scale > 20, thickness: 1.5, slack: 0)
  }

  // MARK: 7. Undo

  func takeBack(_ material: Material, _ page: inout Page) throws {
    page.chapter("Taken back, and done again")
    let canvas = material.chosen
    let strokes = canvas.drawing.strokes
    let size = canvas.drawing.canvas ?? .init(width: 1280, height: 960)
    var live = material.blank(size)
    _ = try play(strokes, on: &live)
    var panels = [("the end", live.shapes)]
    for step in ["undo", "undo once more", "clear", "undo the clearing"] {
      _ = step == "clear" ? live.clear() : live.undo()
      panels.append((step, live.shapes))
    }
    page.tell(
      """
      Undo takes back stroke by stroke, and what follows from a stroke goes with it: a shape that \
      loses one is pending again, an emoji gives its ink back. Clearing is undone as a whole.
      """
    )
    let svg = CanvasPanel.sheet(panels.count, columns: 3, width: 280, canvas: size) {
      view, index, svg in
      let panel = panels[index]
      view.frame(&svg, panel.0)
      view.live(&svg, panel.1, strokes)
    }
    try page.show(svg, as: "undo", caption: "Five moments; dark ink is pending again.")
    try replay(material, &page)
  }

  /// Writes the actions to a log, reads it, and replays it.
  private func replay(_ material: Material, _ page: inout Page) throws {
    let canvas = material.chosen
    var live = material.blank(canvas.drawing.canvas)
    var log = CanvasLog(
      canvas: canvas.drawing.canvas, settings: live.settings,
      models: try .init(recognizer: material.recognizer, segmenter: material.model))
    var events: [LiveCanvas.Event] = []
    for stroke in canvas.drawing.strokes {
      events += try live.add(stroke)
      log.actions.append(.stroke(stroke, pen: 0, milliseconds: live.milliseconds ?? 0))
    }
    let time = (live.milliseconds ?? 0) + 5000
    for action in [CanvasAction.advance(milliseconds: time), .undo(milliseconds: time + 1)] {
      events += try live.apply(action)
      log.actions.append(action)
    }
    let path = "\(page.folder)/canvas.log"
    try AtomicFile.write(try log.ndjson(), to: path)
    let again = try CanvasLog(path: path)
    var other = LiveCanvas(
      recognizer: material.recognizer, model: material.model, canvas: again.canvas,
      settings: again.settings)
    let replayed = try again.actions.flatMap { try other.apply($0) }
    page.tell(
      "What was done is kept as a log: \(log.actions.count) lines in canvas.log beside this page. "
        + "Read and done again it gives "
        + (replayed == events
          ? "the same \(events.count) events, to the millisecond" : "ANOTHER story: a bug")
        + ". So a canvas that went wrong can be looked at as often as it takes: drawml replay does "
        + "it too, and warns where the model is another one."
    )
  }
}
