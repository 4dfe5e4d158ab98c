package import Datasets
internal import Ink
internal import Report
internal import Text

/// The page of a data set: its labels with pictures, how long drawings are, and what is odd.
package enum DatasetPage {
  private typealias Numbers = ReportNumbers

  /// The pictures of labels on a page together, and of each label; about 1 kB each.
  private static let mostPictures = 4000
  private static let picturesOfALabel = 8...60
  /// Odd drawings and copies on a page.
  private static let mostOdd = 200

  /// The page, a whole HTML document.
  ///
  /// - Parameters:
  ///   - samples: The drawings.
  ///   - summary: Their summary.
  ///   - paths: Where they are from, as it was given.
  ///   - date: When the page is made.
  /// - Returns: The HTML.
  package static func html(
    _ samples: SampleSet, _ summary: SampleSummary, paths: [String], date: String
  ) -> String {
    let (drawings, classes) = (samples.drawings, samples.classIndices)
    var gallery = Gallery(drawings, byteBudget: 12 << 20) {
      PageText.short(samples.classes[classes[$0]])
    }
    let places = Dictionary(
      zip(drawings.map(\.id), drawings.indices), uniquingKeysWith: { first, _ in first })
    func place(_ id: String) -> Markup {
      guard let index = places[id] else { return Markup() }
      let origin = samples.origins.isEmpty ? nil : samples.origins[index].description
      return .tag("span", ["class": "line"], Markup(origin ?? id))
    }
    // The odd ones first, so that the labels' pictures do not take their room.
    let odd = odd(summary, places, &gallery, place)
    let copies = copies(summary, places, &gallery, place)
    let labels = labels(samples, &gallery)
    let body = Markup.joined([
      header(summary), PageParts.section("lengths", "How long they are", nil, lengths(drawings)),
      odd, copies, labels,
      PageParts.section(
        "data", "This set", nil,
        PageParts.facts([
          ("Drawings", paths.joined(separator: ", ")), ("SHA-256", summary.fingerprint),
          ("Made", date), ("By", "DrawML \(Version.text)"),
        ])),
    ])
    return PageParts.document(
      title: "DrawML data set: \(counted(drawings.count, "drawing"))", symbols: gallery.symbols,
      body: body)
  }

  private static func header(_ summary: SampleSummary) -> Markup {
    let notes = [
      (summary.duplicates, "with the same strokes as an earlier one"),
      (summary.nearDuplicates, "nearly the same as an earlier one"),
      (summary.unlabeled, "without a label left out"), (summary.withoutTimes, "without times"),
      (summary.notGuessed, "not guessed in the game of origin"),
    ].filter { $0.0 > 0 }.map { "\(grouped($0)) \($1)" }
    func range(_ numbers: SampleSummary.Quantiles) -> String {
      "\(grouped(numbers.minimum)) to \(grouped(numbers.maximum))"
    }
    return PageParts.header(
      brand: "data set", number: grouped(summary.drawings),
      text: "drawings of \(counted(summary.classes.count, "label"))", gauge: nil,
      sentence: Markup(notes.joined(separator: ", ")),
      cards: [
        (
          "A label", grouped(summary.drawingsPerClass.median),
          "drawings, the median; \(range(summary.drawingsPerClass))"
        ),
        (
          "A drawing", grouped(summary.strokesPerDrawing.median),
          "strokes, the median; \(range(summary.strokesPerDrawing))"
        ),
        ("Points", grouped(summary.pointsPerDrawing.median), "of a drawing, the median"),
        ("To look at", grouped(summary.findings.count), "odd drawings"),
      ])
  }

  // MARK: Lengths

  private static func lengths(_ drawings: [Drawing]) -> Markup {
    let seconds = drawings.compactMap { drawing -> Double? in
      let times = drawing.strokes.flatMap(\.points).compactMap(\.t)
      guard let first = times.min(), let last = times.max(), last > first else { return nil }
      return (last - first) / 1000
    }
    let charts = [
      ("Strokes", "strokes of a drawing", drawings.map { Double($0.strokes.count) }),
      ("Points", "points of a drawing", drawings.map { Double($0.pointCount) }),
      ("Time", "seconds from the first point to the last", seconds),
    ]
    return .tag(
      "div", ["class": "charts"],
      .joined(
        charts.filter { !$0.2.isEmpty }.map { title, unit, values in
          PageParts.chart(title, note(values), histogram(values, unit))
        }))
  }

  private static func note(_ values: [Double]) -> String {
    let sorted = values.sorted()
    func quantile(_ share: Double) -> String {
      let value = sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
      return Numbers.decimal(value, value == value.rounded() ? 0 : 1)
    }
    return "Half of them \(quantile(0.25)) to \(quantile(0.75)), a hundredth above "
      + "\(quantile(0.99))."
  }

  /// Values in 20 equally wide bins; the last also has the hundredth that is beyond it.
  private static func histogram(_ values: [Double], _ title: String) -> Markup {
    let sorted = values.sorted()
    let most = max(sorted[min(sorted.count - 1, Int(0.99 * Double(sorted.count)))], 1e-9)
    // Whole numbers are not cut.
    let isWhole = values.allSatisfy { $0 == $0.rounded() }
    let width = isWhole ? max(1, (most / 20).rounded(.up)) : most / 20
    let count = max(1, Int((most / width).rounded(.up)) + (isWhole ? 1 : 0))
    var counts = [Int](repeating: 0, count: count)
    for value in values { counts[Int(min(Double(count - 1), value / width))] += 1 }
    let highest = counts.max() ?? 1
    var plot = Plot(
      across: .numbers(title, upTo: Double(count) * width, digits: most < 5 ? 1 : 0),
      up: .counts("drawings", upTo: highest))
    for (bin, count) in counts.enumerated() where count > 0 {
      let low = Double(bin) * width
      plot.box(
        "right", from: (low + width * 0.08, 0), to: (low + width * 0.92, Double(count)),
        "\(Numbers.decimal(low, isWhole ? 0 : 2)): \(counted(count, "drawing"))")
    }
    return plot.markup(describedAs: "Histogram of drawings by \(title)")
  }

  // MARK: Odd drawings

  private typealias Places = [String: Int]

  private static func figure(
    _ index: Int?, _ lines: [Markup], _ gallery: inout Gallery
  ) -> Markup? {
    guard let index, let picture = gallery.picture(of: index) else { return nil }
    return .tag("figure", [:], picture, .tag("figcaption", [:], .joined(lines)))
  }

  private static func line(_ text: String, _ label: String) -> Markup {
    .tag("span", ["class": "line"], Markup(text), .tag("b", [:], PageText.name(label)))
  }

  private static func odd(
    _ summary: SampleSummary, _ places: Places, _ gallery: inout Gallery,
    _ place: (String) -> Markup
  ) -> Markup {
    guard !summary.findings.isEmpty else { return Markup() }
    var figures = Markup()
    for finding in summary.findings.prefix(mostOdd) {
      figures +=
        figure(
          places[finding.id],
          [
            line("", finding.label), .tag("span", ["class": "line"], Markup(finding.kind.text)),
            place(finding.id),
          ], &gallery) ?? Markup()
    }
    return PageParts.section(
      "odd", "To look at", shown(summary.findings.count, "odd drawing"),
      .tag("div", ["class": "figures wide"], figures))
  }

  private static func copies(
    _ summary: SampleSummary, _ places: Places, _ gallery: inout Gallery,
    _ place: (String) -> Markup
  ) -> Markup {
    guard !summary.copies.isEmpty else { return Markup() }
    var figures = Markup()
    for copy in summary.copies.prefix(mostOdd) {
      let text = copy.isExact ? "the same strokes as " : "nearly the same as "
      let earlier = places[copy.of].flatMap { gallery.picture(of: $0) } ?? Markup()
      guard let index = places[copy.id], let picture = gallery.picture(of: index) else { break }
      figures += .tag(
        "figure", [:], .tag("div", ["class": "beside"], picture, earlier),
        .tag(
          "figcaption", [:], line("", copy.label), place(copy.id),
          .tag("span", ["class": "line"], Markup(text)), place(copy.of)))
    }
    return PageParts.section(
      "copies", "Copies",
      shown(summary.copies.count, "copy", "copies")
        + " Splits and folds keep them together with what they are copies of.",
      .tag("div", ["class": "figures pairs-of-two"], figures))
  }

  private static func shown(_ count: Int, _ thing: String, _ things: String? = nil) -> String {
    let all = count == 1 ? "1 \(thing)." : "\(grouped(count)) \(things ?? thing + "s")."
    return count > mostOdd ? "\(all) The first \(grouped(mostOdd)) are shown." : all
  }

  // MARK: Labels

  /// Each label with drawings spread over all of its own, in the order of the set.
  private static func labels(_ samples: SampleSet, _ gallery: inout Gallery) -> Markup {
    var byClass = [[Int]](repeating: [], count: samples.classes.count)
    for (index, label) in samples.classIndices.enumerated() { byClass[label].append(index) }
    let range = picturesOfALabel
    let shown = min(range.upperBound, max(range.lowerBound, mostPictures / max(1, byClass.count)))
    var parts = Markup()
    for (label, own) in zip(samples.classes, byClass) {
      let chosen = own.indices.filter { place in
        own.count <= shown
          || place * shown / own.count != (place - 1) * shown / own.count || place == 0
      }
      var (first, rest) = (Markup(), Markup())
      for (number, place) in chosen.enumerated() {
        guard let picture = gallery.picture(of: own[place], isDecoration: true) else { break }
        if number < range.lowerBound { first += picture } else { rest += picture }
      }
      let strokes = SampleSummary.Quantiles(own.map { samples.drawings[$0].strokes.count })
      parts += .tag(
        "article", [:],
        .tag("h3", [:], PageText.name(label)),
        .tag(
          "p", ["class": "note"],
          Markup(
            "\(counted(own.count, "drawing")), median \(counted(strokes.median, "stroke"))")),
        .tag("div", ["class": "figures"], first),
        rest.html.isEmpty
          ? Markup()
          : .tag(
            "details", [:], .tag("summary", [:], Markup("More of them")),
            .tag("div", ["class": "figures"], rest)))
    }
    return PageParts.section(
      "labels", "The labels",
      "Up to \(shown) drawings of each, spread over all of its own.",
      .tag("div", ["class": "labels"], parts))
  }
}

extension SampleSummary.Finding.Kind {
  /// The finding in words.
  package var text: String {
    switch self {
    case .onePoint: "a single point"
    case .noExtent: "all points in one place"
    case .timeRunsBackwards: "its times run backwards"
    case .manyPoints: "more than \(grouped(SampleSummary.manyPoints)) points"
    case .sameStrokesOtherLabel: "the same strokes under another label"
    case .nearlySameStrokesOtherLabel: "nearly the same strokes under another label"
    }
  }
}
