internal import Datasets
internal import Ink

/// Drawings beside the taught drawing that they were taken for.
struct MistakeGallery {
  private let samples: SampleSet
  private var gallery: Gallery

  /// A gallery of drawings among `samples`.
  init(_ samples: SampleSet) {
    self.samples = samples
    gallery = Gallery(
      records: samples.drawings.map { drawing in
        EvaluationRecord(
          drawing: drawing, truth: drawing.label ?? "", recognized: true,
          label: drawing.label ?? "", confidence: 1, candidates: [])
      }, byteBudget: EvaluationPage.drawingBytes)
  }

  /// The drawings shown so far, for the page.
  var symbols: Markup { gallery.symbols }

  /// Pairs of pictures with what was drawn, what was answered, and how surely.
  mutating func figures(_ answers: [TaskRunner.Answer], _ count: Int) -> Markup {
    figures(answers.map { ($0, nil) }, count)
  }

  /// The same with a third picture, of a taught drawing that would have been right.
  mutating func figures(
    _ answers: [(answer: TaskRunner.Answer, right: Int?)], _ count: Int
  ) -> Markup {
    guard !answers.isEmpty else { return .tag("p", [:], Markup("There are none.")) }
    var figures = Markup()
    for (answer, right) in answers.prefix(count) {
      guard let drawn = gallery.picture(of: answer.row, isDecoration: true),
        let taught = gallery.picture(of: answer.nearestTaught, isDecoration: true)
      else { break }
      let third = right.flatMap { gallery.picture(of: $0, isDecoration: true) } ?? Markup()
      let truth = answer.truth ?? samples.drawings[answer.row].label ?? ""
      let verdict =
        ReportNumbers.percent(answer.shownConfidence, 0)
        + (answer.isRecognized ? "" : ", refused")
      figures += .tag(
        "figure", ["class": answer.isRecognized ? "" : "unsure"],
        .tag("div", ["class": right == nil ? "beside" : "beside three"], drawn, taught, third),
        .tag(
          "figcaption", [:],
          .tag("span", ["class": "line"], Markup("drawn "), .tag("b", [:], PageText.name(truth))),
          .tag(
            "span", ["class": "line"], Markup("answered "),
            .tag("b", [:], PageText.name(answer.label))),
          .tag("span", ["class": "line times"], Markup(verdict))))
    }
    let rest = answers.count - count
    return .joined([
      .tag("div", ["class": "figures pairs-of-two"], figures),
      rest > 0
        ? .tag("p", ["class": "note"], Markup("And \(ReportNumbers.count(rest)) more."))
        : Markup(),
    ])
  }
}
