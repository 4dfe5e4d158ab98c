internal import Evaluation
internal import Ink
internal import Recognition
internal import Report
internal import Segmentation
internal import Support

/// How soon recognized shapes become emojis on a live canvas, and how many too soon (B-010).
struct LiveTiming: Encodable {
  /// From the last ink of a complete shape to its emoji, in milliseconds.
  var waitMilliseconds: LatencySummary
  /// Of the emojis, those that come before a later stroke of a shape whose strokes they replace.
  var premature: Rate
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
    var (waits, premature, right) = ([Double](), [Bool](), [Bool]())
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
      for event in events {
        guard case .recognized(let shape) = event.kind else { continue }
        let drawn = shape.strokes.map { order[$0] }
        let owners = Set(drawn.compactMap { canvas.owners[$0] })
        let end = drawn.map { ends[$0] }.max() ?? 0
        let isPremature = strokes.indices.contains {
          (canvas.owners[$0].map(owners.contains) ?? false)
            && ends[$0] > max(end, event.milliseconds)
        }
        premature.append(isPremature)
        if shapes.contains(Set(drawn)) { waits.append(event.milliseconds - end) }
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
      endToEnd: try Rate(right))
  }

  /// A line for people.
  var line: String {
    "live: an emoji \(decimal(Float(waitMilliseconds.p50))) ms after the last ink (median; 95 % "
      + "within \(decimal(Float(waitMilliseconds.p95))) ms), \(premature.text) before the shape is "
      + "complete; in the end \(endToEnd.text) are named or refused rightly"
  }
}
