internal import Evaluation
internal import Ink
internal import Recognition
internal import Report
internal import Segmentation

/// How soon recognized shapes become emojis on a live canvas, and how many too soon (B-010).
struct LiveTiming: Encodable {
  /// From the last ink of a shape to the emoji on all of its strokes, in milliseconds: that of a
  /// part of them, which came earlier, does not count.
  var waitMilliseconds: LatencySummary
  /// Of the emojis, those that come before a later stroke of a shape whose strokes they replace.
  var premature: Rate
  /// Of the emojis, those that later are removed, or become another.
  var takenBack: Rate
  /// Of the shapes, those with the right strokes in the end, and their emoji or, if they are
  /// unknown, none.
  var endToEnd: Rate

  /// Plays canvases stroke by stroke, by their times.
  ///
  /// - Parameters:
  ///   - canvases: Those with strokes without times are left out.
  ///   - recognizer: The taught recognizer.
  ///   - model: The model of the segmenter.
  /// - Returns: The results; nil if no timed canvas gets an emoji of a complete shape.
  /// - Throws: The errors of a canvas for invalid strokes.
  static func measure(
    on canvases: [LabeledCanvas], recognizer: Recognizer, model: SegmenterModel
  ) throws -> LiveTiming? {
    let known = Set(recognizer.labels)
    var (waits, premature, takenBack, right) = ([Double](), [Bool](), [Bool](), [Bool]())
    for canvas in canvases {
      let strokes = canvas.drawing.strokes
      let ends = strokes.compactMap { $0.points.compactMap(\.t).max() }
      guard ends.count == strokes.count else { continue }
      let order = Segmenter.order(of: strokes)
      let shapes = Set(canvas.shapes.map { Set($0.strokes) })
      var live = LiveCanvas(recognizer: recognizer, model: model, canvas: canvas.drawing.canvas)
      var events: [LiveCanvas.Event] = []
      for index in order { events += try live.add(strokes[index]) }
      events += live.finish()
      takenBack += Self.fates(of: events)
      var whole: Set<Set<Int>> = []
      for event in events {
        guard let shape = event.decided, shape.item != nil else { continue }
        let drawn = shape.strokes.map { order[$0] }
        let owners = Set(drawn.compactMap { canvas.owners[$0] })
        let end = drawn.map { ends[$0] }.max() ?? 0
        if shapes.contains(Set(drawn)), whole.insert(Set(drawn)).inserted {
          waits.append(event.milliseconds - end)
        }
        guard case .recognized = event.kind else { continue }
        let isPremature = strokes.indices.contains {
          (canvas.owners[$0].map(owners.contains) ?? false)
            && ends[$0] > max(end, event.milliseconds)
        }
        premature.append(isPremature)
      }
      let found = Dictionary(
        uniqueKeysWithValues: live.shapes.map { shape in
          (Set(shape.strokes.map { order[$0] }), shape.item?.label)
        })
      for shape in canvas.shapes {
        guard let label = found[Set(shape.strokes)] else {
          right.append(false)
          continue
        }
        right.append(label == (known.contains(shape.label) ? shape.label : nil))
      }
    }
    guard !waits.isEmpty else { return nil }
    return LiveTiming(
      waitMilliseconds: try LatencySummary(waits), premature: try Rate(premature),
      takenBack: try Rate(takenBack), endToEnd: try Rate(right))
  }

  /// Whether each emoji is removed later, or becomes another.
  static func fates(of events: [LiveCanvas.Event]) -> [Bool] {
    var isTakenBack: [Int: Bool] = [:]
    var labels: [Int: String] = [:]
    func show(_ shape: LiveShape) {
      let label = shape.item?.label
      if let before = labels[shape.id] {
        if label != before { isTakenBack[shape.id] = true }
      } else if label != nil {
        isTakenBack[shape.id] = false
      }
      if let label { labels[shape.id] = label }
    }
    for event in events {
      if let shape = event.shape { show(shape) }
      for id in event.absorbed where labels[id] != nil { isTakenBack[id] = true }
    }
    return isTakenBack.sorted { $0.key < $1.key }.map(\.value)
  }

  /// A line for people.
  var line: String {
    "live: an emoji \(decimal(Float(waitMilliseconds.p50))) ms after the last ink (median; 95 % "
      + "within \(decimal(Float(waitMilliseconds.p95))) ms), \(premature.text) before the shape is "
      + "complete, \(takenBack.text) taken back; in the end \(endToEnd.text) are named or refused "
      + "rightly"
  }
}
