internal import Datasets
internal import Ink
internal import Report
internal import Text
internal import Training

/// Drawings next to the taught drawing that they were mistaken for.
struct MistakeGallery {
  private let samples: SampleSet
  private var gallery: Gallery

  /// A gallery of drawings among `samples`.
  init(_ samples: SampleSet) {
    self.samples = samples
    gallery = Gallery(samples.drawings, byteBudget: Gallery.pageBytes)
  }

  /// The drawings shown so far, for the page.
  var symbols: Markup { gallery.symbols }

  /// Pairs of pictures with truth, answer and confidence.
  mutating func figures(_ answers: [TaskRunner.Answer], _ count: Int) -> Markup {
    figures(answers.map { ($0, nil) }, count) { truth, answer, verdict in
      .tag(
        "figcaption", [:],
        .tag("span", ["class": "line"], Markup("drawn "), .tag("b", [:], PageText.name(truth))),
        .tag("span", ["class": "line"], Markup("answered "), .tag("b", [:], PageText.name(answer))),
        .tag("span", ["class": "line times"], Markup(verdict)))
    }
  }

  /// Characters with labels such as "Greek/character01": the query, the drawing it was mistaken
  /// for, and a taught drawing of the true character.
  mutating func characters(
    _ answers: [(answer: TaskRunner.Answer, right: Int?)], _ count: Int
  ) -> Markup {
    figures(answers, count) { truth, answer, verdict in
      func last(_ label: String) -> String {
        label.split(separator: "/").last.map(String.init) ?? label
      }
      let group = truth.split(separator: "/").dropLast().joined(separator: "/")
      return .tag(
        "figcaption", [:],
        .tag(
          "span", ["class": "line"], .tag("b", [:], PageText.name(last(truth))),
          Markup(" taken for "), .tag("b", [:], PageText.name(last(answer)))),
        .tag(
          "span", ["class": "line times"], PageText.name(group), Markup(" · " + verdict)))
    }
  }

  private mutating func figures(
    _ answers: [(answer: TaskRunner.Answer, right: Int?)], _ count: Int,
    caption: (_ truth: String, _ answer: String, _ verdict: String) -> Markup
  ) -> Markup {
    guard !answers.isEmpty else { return .tag("p", [:], Markup("None.")) }
    var figures = Markup()
    for (answer, right) in answers.prefix(count) {
      guard let drawn = gallery.picture(of: answer.row, isDecoration: true),
        let taught = gallery.picture(of: answer.nearestTaught, isDecoration: true)
      else { break }
      let third = right.flatMap { gallery.picture(of: $0, isDecoration: true) } ?? Markup()
      let truth = answer.truth ?? samples.drawings[answer.row].label ?? ""
      let verdict = PageText.verdict(
        answer.shownConfidence, isRecognized: answer.isRecognized)
      figures += .tag(
        "figure", ["class": answer.isRecognized ? "" : "unsure"],
        .tag("div", ["class": right == nil ? "beside" : "beside three"], drawn, taught, third),
        caption(truth, answer.label, verdict))
    }
    let rest = answers.count - count
    return .joined([
      .tag("div", ["class": "figures pairs-of-two"], figures),
      rest > 0
        ? .tag("p", ["class": "note"], Markup("And \(grouped(rest)) more.")) : Markup(),
    ])
  }
}
