internal import Ink
internal import Recognition
internal import Report
internal import Segmentation
internal import Text

/// The canvases on the page of the segmentation benchmark: the true shapes beside the groups that
/// were found, the worst canvases first.
struct SceneList {
  /// The labels that the recognizer was taught.
  var known: Set<String>

  /// The most canvases that are shown.
  static let most = 60
  /// The most names below a picture.
  static let mostNames = 60
  /// The number of bytes after which no further canvas is shown.
  static let byteBudget = 4_000_000

  /// What the section shows, of `count` canvases.
  static func text(_ count: Int) -> String {
    (count > most ? "The first \(most) of \(grouped(count)). " : "")
      + """
      Left: the true shapes. Right: the groups found. A perfectly grouped shape has the same \
      number and color on both sides; other groups have dashed boxes. ✓ right, ≈ grouped perfectly \
      but named or refused wrongly, ✗ grouped wrongly; * a label that was not taught.
      """
  }

  /// The canvases, those with the largest share of imperfectly grouped shapes first, then those
  /// with the most ink.
  static func worstFirst(
    _ outcomes: [SegmentationBenchmark.Outcome]
  ) -> [SegmentationBenchmark.Outcome] {
    let keys = outcomes.map { outcome in
      (
        perfect: Double(outcome.isPerfect.count { $0 }) / Double(outcome.isPerfect.count),
        ink: outcome.canvas.drawing.strokes.reduce(0) { $0 + $1.length }
      )
    }
    return outcomes.indices.sorted {
      (keys[$0].perfect, keys[$1].ink, $0) < (keys[$1].perfect, keys[$0].ink, $1)
    }.map { outcomes[$0] }
  }

  /// The figures.
  func markup(_ outcomes: [SegmentationBenchmark.Outcome]) -> Markup {
    var (figures, bytes) = (Markup(), 0)
    for outcome in Self.worstFirst(outcomes).prefix(Self.most) {
      let figure = figure(outcome)
      bytes += figure.html.utf8.count
      guard bytes <= Self.byteBudget else { break }
      figures += figure
    }
    return .tag("div", ["class": "scenes"], figures)
  }

  private func figure(_ outcome: SegmentationBenchmark.Outcome) -> Markup {
    let (drawing, shapes) = (outcome.canvas.drawing, outcome.canvas.shapes)
    let name = PageText.short(drawing.id)
    // A perfect group has the number of its shape, the others have the numbers after these.
    var next = shapes.count
    let numbers = outcome.segments.map { segment -> Int in
      if let shape = shapes.firstIndex(where: { $0.strokes == segment.strokes }) {
        return shape + 1
      }
      next += 1
      return next
    }
    let truth = zip(1..., shapes).map {
      ScenePicture.Group(strokes: $1.strokes, number: $0)
    }
    let found = zip(numbers, outcome.segments).map {
      ScenePicture.Group(strokes: $1.strokes, number: $0, isDashed: $0 > shapes.count)
    }
    let truthNames = shapes.indices.map { index in
      (
        index + 1, shapes[index].label,
        (known.contains(shapes[index].label) ? " " : "* ")
          + (outcome.isRight[index] ? "✓" : outcome.isPerfect[index] ? "≈" : "✗")
      )
    }
    let foundNames = zip(numbers, outcome.segments).map { number, segment in
      let best = segment.answer?.decision.best
      guard segment.answer?.decision.isRecognized == true, let best else {
        return (number, best?.label ?? "", best == nil ? "refused" : "? refused")
      }
      return (number, best.label, " " + ReportNumbers.percent(Double(best.confidence), 0))
    }
    let count = shapes.count
    return .tag(
      "figure", [:], .tag("h3", [:], PageText.name(drawing.id)),
      .tag(
        "p", ["class": "note"],
        Markup(
          "\(outcome.isPerfect.count { $0 }) of \(counted(count, "shape")) grouped perfectly, "
            + "\(outcome.isRight.count { $0 }) right; "
            + "\(ReportNumbers.percent(outcome.inkAccuracy, 0)) of the ink in the right group")),
      .tag(
        "div", ["class": "beside"],
        side(drawing, truth, truthNames, "True shapes of \(name)"),
        side(drawing, found, foundNames, "Groups found in \(name)")))
  }

  private func side(
    _ drawing: Drawing, _ groups: [ScenePicture.Group],
    _ names: [(number: Int, label: String, note: String)], _ caption: String
  ) -> Markup {
    var items = names.prefix(Self.mostNames).map { name in
      Markup.tag(
        "li", [:],
        .tag("b", ["class": ScenePicture.colorClass(name.number)], Markup("\(name.number)")),
        Markup(" "), name.label.isEmpty ? Markup() : PageText.name(name.label), Markup(name.note))
    }
    if names.count > Self.mostNames {
      items.append(.tag("li", [:], Markup("and \(names.count - Self.mostNames) more")))
    }
    return .tag(
      "div", [:], ScenePicture.markup(of: drawing, groups, caption: caption) ?? Markup(),
      .tag("ul", ["class": "names"], .joined(items)))
  }
}
