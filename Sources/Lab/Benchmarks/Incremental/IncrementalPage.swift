internal import Evaluation
internal import Report
internal import Training

/// The page of `benchmark incremental`.
enum IncrementalPage {
  /// The page, a whole HTML document.
  static func html(_ report: IncrementalReport, _ orders: [IncrementalBenchmark.Order]) -> String {
    typealias Numbers = ReportNumbers
    let last = report.finalAccuracy
    let interval = last.confidenceInterval95
    func note(_ estimate: IncrementalReport.Estimate, _ text: String) -> String {
      "95\u{202f}%: \(Numbers.percent(estimate.confidenceInterval95.lower)) to "
        + "\(Numbers.percent(estimate.confidenceInterval95.upper)); \(text)"
    }
    var cards: [(String, String, String)] = [
      (
        "Taught all at once", Numbers.percent(report.allAtOnceAccuracy.mean),
        report.equalsAllAtOnce
          ? "the same model, byte for byte" : note(report.allAtOnceAccuracy, "to compare with")
      )
    ]
    if let retrained = report.retrainedAccuracy {
      cards.append(
        (
          "Trained from scratch", Numbers.percent(retrained.mean),
          note(retrained, "a network that knows only these drawings")
        ))
    }
    let latency = report.teachMilliseconds
    cards += [
      (
        "Forgetting", Numbers.percent(report.forgetting.mean),
        note(report.forgetting, "among the labels known when taught")
      ),
      (
        "Backward transfer", Numbers.percent(report.backwardTransfer.mean),
        note(report.backwardTransfer, "what later labels changed")
      ),
      (
        "On the way", Numbers.percent(report.averageAccuracy.mean),
        note(report.averageAccuracy, "mean over the steps")
      ),
      (
        "Teaching one drawing", Numbers.decimal(latency.p50, 2) + "\u{202f}ms",
        "median; 95\u{202f}% stay below \(Numbers.decimal(latency.p95, 2))\u{202f}ms"
      ),
      (
        "Forgetting half of them", report.forgetIsExact ? "exact" : "not exact",
        report.forgetIsExact
          ? "byte for byte as if never taught" : "the model differs from one never taught them"
      ),
    ]
    let body = Markup.joined([
      PageParts.header(
        brand: "incremental benchmark", number: Numbers.percent(last.mean),
        text: "of the best answers are right after \(report.labels) labels, taught one by one",
        gauge: ("Accuracy", last.mean, interval),
        sentence: PageParts.sentence(
          "\(counted(report.shots, "drawing")) of each label taught, \(report.queries) held out, "
            + "\(counted(report.orders, "order")). With 95\u{202f}% confidence the mean lies "
            + "between ",
          PageParts.both(interval), "."), cards: cards),
      PageParts.section(
        "curves", "Label after label", nil,
        .joined([
          PageParts.charts(
            PageParts.chart(
              "Accuracy on all labels so far",
              """
              The mean over orders and its 95\u{202f}% band; thin lines are single orders. More \
              labels make the question harder for any learner: the dot at the end is what teaching \
              all at once gives.
              """,
              isWide: true, accuracy(report, orders))),
          PageParts.charts(
            PageParts.chart(
              "Is a label kept?",
              "How the accuracy on a label changed since it was taught, by how many came after it. "
                + "Solid: judged among the labels known when it was taught, so that a fall is "
                + "forgetting. Dotted: among all labels so far, where the question grows harder.",
              retention(orders)),
            PageParts.chart(
              "How long does teaching take?",
              """
              From strokes to the updated model: the median of each label’s drawings, by how many \
              drawings it knew.
              """,
              times(report, orders))),
        ])),
      PageParts.section(
        "labels", "Label by label", "Lowest accuracy at the end first, all orders together.",
        labels(orders)),
      PageParts.section("run", "This run", nil, report.facts.list()),
    ])
    return PageParts.document(
      title: "DrawML incremental benchmark: \(Numbers.percent(last.mean))", symbols: Markup(),
      body: body)
  }

  private static func accuracy(
    _ report: IncrementalReport, _ orders: [IncrementalBenchmark.Order]
  ) -> Markup {
    let single = orders.map { $0.amongAll.accuracies.map(\.mean) }
    let lowest =
      (single.joined() + orders.flatMap { [$0.allAtOnce] + ($0.retrained.map { [$0] } ?? []) })
      .min() ?? 0
    let floor = max(0, ((lowest - 0.02) * 10).rounded(.down) / 10)
    let count = report.labels
    let step = [1, 2, 5, 10, 20, 50, 100].first { count / $0 <= 10 } ?? 200
    var ticks = [(1.0, "1")]
    ticks += stride(from: step, through: count, by: step).filter { $0 > 1 }.map {
      (Double($0), "\($0)")
    }
    var plot = Plot(
      across: Plot.Axis(title: "labels taught", range: 1...Double(count) + 0.5, ticks: ticks),
      up: .percent("accuracy", floor...1), isWide: true)
    func clamp(_ value: Double) -> Double { min(1, max(floor, value)) }
    let steps = report.steps
    plot.band(
      steps.map { (Double($0.labels), clamp($0.confidenceInterval95.lower)) },
      steps.map { (Double($0.labels), clamp($0.confidenceInterval95.upper)) })
    if orders.count > 1 {
      for values in single {
        plot.curve("faint", values.enumerated().map { (Double($0.offset + 1), clamp($0.element)) })
      }
    }
    plot.curve("curve", steps.map { (Double($0.labels), $0.accuracy) })
    let end = Double(count)
    plot.dot(at: (end, report.allAtOnceAccuracy.mean), radius: 5, "taught all at once")
    plot.words(
      "all at once \(ReportNumbers.percent(report.allAtOnceAccuracy.mean))",
      at: (end, report.allAtOnceAccuracy.mean), anchor: "end", down: 22)
    if let retrained = report.retrainedAccuracy {
      plot.dot("refused", at: (end, retrained.mean), radius: 5, "trained from scratch")
      plot.words(
        "from scratch \(ReportNumbers.percent(retrained.mean))", at: (end, retrained.mean),
        anchor: "end", down: 22)
    }
    return plot.markup(
      describedAs:
        "Accuracy by labels taught: \(ReportNumbers.percent(steps[0].accuracy)) after one, "
        + "\(ReportNumbers.percent(report.finalAccuracy.mean)) after \(count)")
  }

  /// How the accuracy on a label changed since it was taught, by the number of labels taught since.
  private static func retention(_ orders: [IncrementalBenchmark.Order]) -> Markup {
    func curve(_ table: (IncrementalBenchmark.Order) -> [[Double]]) -> [(Double, Double)] {
      let count = orders[0].labels.count
      return (0..<count).map { later in
        let changes = orders.flatMap { order in
          let rows = table(order)
          return (later..<count).map { rows[$0][$0 - later] - rows[$0 - later][$0 - later] }
        }
        return (Double(later), changes.mean)
      }
    }
    let known = curve { $0.amongKnown.accuracies }
    let all = curve { $0.amongAll.accuracies }
    let values = (known + all).map(\.1)
    let low = min(-0.05, ((values.min() ?? 0) * 20).rounded(.down) / 20)
    let high = max(0.05, ((values.max() ?? 0) * 20).rounded(.up) / 20)
    var plot = Plot(
      across: .counts("labels taught since", upTo: max(1, known.count - 1)),
      up: .percent("change of accuracy", low...high))
    plot.line("axis", (0, 0), (Double(known.count - 1), 0))
    plot.curve("second", all)
    plot.curve("curve", known)
    return plot.markup(
      describedAs: "Change of the accuracy on a label by labels taught since: at the end "
        + "\(ReportNumbers.percent(known[known.count - 1].1)) among the labels known when it was "
        + "taught, \(ReportNumbers.percent(all[all.count - 1].1)) among all")
  }

  private static func times(_ report: IncrementalReport, _ orders: [IncrementalBenchmark.Order])
    -> Markup
  {
    let count = report.labels * report.shots
    let medians = (0..<report.labels).map { label in
      let own = (label * report.shots)..<((label + 1) * report.shots)
      let values = orders.flatMap { $0.teachMilliseconds[own] }.sorted()
      return (Double(own.upperBound), values[values.count / 2])
    }
    var plot = Plot(
      across: .counts("drawings known", upTo: count),
      up: .numbers("milliseconds", upTo: medians.map(\.1).max() ?? 1, digits: 1))
    plot.area(below: medians)
    plot.curve("curve", medians)
    return plot.markup(describedAs: "Time to teach one drawing by drawings known")
  }

  private static func labels(_ orders: [IncrementalBenchmark.Order]) -> Markup {
    struct Row {
      var first: [Double] = []
      var known: [Double] = []
      var last: [Double] = []
    }
    var rows: [String: Row] = [:]
    for order in orders {
      let (all, known) = (order.amongAll.accuracies, order.amongKnown.accuracies)
      for (number, label) in order.labels.enumerated() {
        rows[label, default: Row()].first.append(known[number][number])
        rows[label, default: Row()].known.append(known[known.count - 1][number])
        rows[label, default: Row()].last.append(all[all.count - 1][number])
      }
    }
    let sorted = rows.sorted { ($0.value.last.mean, $0.key) < ($1.value.last.mean, $1.key) }
    let cells = sorted.map { label, row in
      (
        name: PageText.name(label),
        cells: [
          PageParts.cell("\(row.last.count)"),
          PageParts.bar(row.first.mean, ReportNumbers.percent(row.first.mean), "recall"),
          PageParts.bar(row.known.mean, ReportNumbers.percent(row.known.mean), "recall"),
          PageParts.bar(row.last.mean, ReportNumbers.percent(row.last.mean)),
        ]
      )
    }
    return PageParts.longTable(
      [
        "Label", "Orders", "When taught", "At the end, among the labels known then",
        "At the end, among all",
      ], cells, "labels")
  }
}
