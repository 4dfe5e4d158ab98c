package import Evaluation
internal import Text

/// The diagrams that several pages show.
package enum Charts {
  /// The reliability diagram: accuracy by confidence, against the diagonal of perfect calibration.
  package static func reliability(_ diagram: ReliabilityDiagram) -> Markup {
    var plot = Plot(across: .percent("confidence"), up: .percent("share that is right"))
    for bin in diagram.bins where bin.count > 0 {
      let inset = (bin.upper - bin.lower) * 0.08
      plot.box(
        "right", from: (bin.lower + inset, 0), to: (bin.upper - inset, bin.accuracy),
        """
        \(counted(bin.count, "drawing")): confidence \(ReportNumbers.percent(bin.meanConfidence)), \
        right \(ReportNumbers.percent(bin.accuracy))
        """
      )
    }
    plot.line("diagonal", (0, 0), (1, 1))
    let largest = diagram.bins.map(\.count).max() ?? 1
    for bin in diagram.bins where bin.count > 0 {
      // A mark at the mean, whose size grows with the number of drawings.
      let share = Double(bin.count) / Double(max(largest, 1))
      plot.dot(at: (bin.meanConfidence, bin.accuracy), radius: 2.5 + 3.5 * share.squareRoot())
    }
    return plot.markup(
      describedAs: "Reliability diagram: expected calibration error "
        + ReportNumbers.decimal(diagram.expectedCalibrationError, 3))
  }

  /// The risk-coverage curve: points (coverage, risk) in the order of coverage.
  package static func riskCoverage(
    _ points: [(Double, Double)], area: Double, recognizedShare: Double?
  ) -> Markup {
    let highest = points.map(\.1).max() ?? 0
    let scale = [0.02, 0.05, 0.1, 0.2, 0.5].first { highest <= $0 } ?? 1
    var plot = Plot(
      across: .percent("share answered, most confident first"),
      up: .percent("share of them wrong", 0...scale))
    plot.area(below: points)
    plot.curve("curve", points)
    if let recognizedShare {
      plot.line("diagonal", (recognizedShare, 0), (recognizedShare, scale))
      let leansLeft = recognizedShare > 0.5
      plot.words(
        "\(ReportNumbers.percent(recognizedShare)) recognized",
        at: (recognizedShare + (leansLeft ? -0.02 : 0.02), scale * 0.93),
        anchor: leansLeft ? "end" : "start")
    }
    return plot.markup(
      describedAs: "Risk-coverage curve: area \(ReportNumbers.decimal(area, 4)), "
        + "risk at full coverage \(ReportNumbers.percent(points.last?.1 ?? 0))")
  }

  /// A histogram of right, wrong and rejected answers by confidence.
  package static func confidences(
    _ answers: [(confidence: Double, isRecognized: Bool, isRight: Bool)]
  ) -> Markup {
    let binCount = 20
    var counts = [[Int]](repeating: [0, 0, 0], count: binCount)
    for answer in answers {
      let bin = min(binCount - 1, Int(answer.confidence * Double(binCount)))
      counts[bin][answer.isRecognized ? (answer.isRight ? 0 : 1) : 2] += 1
    }
    let highest = max(1, counts.map { $0.reduce(0, +) }.max() ?? 1)
    var plot = Plot(across: .percent("confidence"), up: .counts("drawings", upTo: highest))
    for (bin, parts) in counts.enumerated() {
      let (low, high) = (Double(bin) / Double(binCount), Double(bin + 1) / Double(binCount))
      var base = 0
      for (kind, count) in zip(["right", "wrong", "refused"], parts) where count > 0 {
        plot.box(
          kind, from: (low + 0.005, Double(base)), to: (high - 0.005, Double(base + count)),
          "\(ReportNumbers.percent(low, 0)) to \(ReportNumbers.percent(high, 0)): "
            + "\(grouped(count)) \(kind)")
        base += count
      }
    }
    let right = answers.count { $0.isRecognized && $0.isRight }
    let refused = answers.count { !$0.isRecognized }
    return plot.markup(
      describedAs: "Histogram of confidences: \(right) right, "
        + "\(answers.count - right - refused) wrong, \(refused) refused")
  }

  /// A histogram of the tasks' values in 0...1, with the mean and its interval.
  package static func spread(
    _ values: [Double], of title: String, mean: Double, _ interval: ConfidenceInterval
  ) -> Markup {
    let lowest = max(0, ((values.min() ?? 0) * 10 - 0.5).rounded(.down) / 10)
    let binCount = 20
    var counts = [Int](repeating: 0, count: binCount)
    for value in values {
      let place = (value - lowest) / (1 - lowest) * Double(binCount)
      counts[max(0, min(binCount - 1, Int(place)))] += 1
    }
    let highest = counts.max() ?? 1
    var plot = Plot(
      across: .percent(title, lowest...1), up: .counts("tasks", upTo: highest))
    let width = (1 - lowest) / Double(binCount)
    for (bin, count) in counts.enumerated() where count > 0 {
      let low = lowest + Double(bin) * width
      plot.box(
        "right", from: (low + width * 0.08, 0), to: (low + width * 0.92, Double(count)),
        "\(ReportNumbers.percent(low)) to \(ReportNumbers.percent(low + width)): "
          + "\(counted(count, "task"))")
    }
    plot.line("diagonal", (mean, 0), (mean, Double(max(1, highest))))
    return plot.markup(
      describedAs:
        "Histogram of tasks by \(title): mean \(ReportNumbers.percent(mean)), 95 % between "
        + "\(ReportNumbers.percent(interval.lower)) and \(ReportNumbers.percent(interval.upper))")
  }

  /// An operating curve from the lower left to the upper right, with the chance line and the
  /// model's operating point.
  package static func operating(
    _ points: [(Double, Double)], across: String, up: String, chance: Bool,
    at mark: (Double, Double)?, _ description: String
  ) -> Markup {
    var plot = Plot(across: .percent(across), up: .percent(up))
    plot.area(below: points)
    if chance { plot.line("diagonal", (0, 0), (1, 1)) }
    plot.curve("curve", points)
    if let mark {
      plot.dot(at: mark, radius: 5, "the model’s own threshold")
      let leansLeft = mark.0 > 0.5
      plot.words(
        "the model’s threshold", at: mark, anchor: leansLeft ? "end" : "start",
        down: leansLeft ? 56 : 22)
    }
    return plot.markup(describedAs: description)
  }

  /// The legend of the histogram's fills: plain, hatched and hollow, so that color is not needed.
  package static let legend: Markup = .literal(
    """
    <p class="legend"><span><svg class="key" aria-hidden="true" viewBox="0 0 12 12">\
    <rect class="right" width="12" height="12"></rect></svg> right</span> \
    <span><svg class="key" aria-hidden="true" viewBox="0 0 12 12">\
    <rect class="wrong" width="12" height="12"></rect></svg> wrong</span> \
    <span><svg class="key" aria-hidden="true" viewBox="0 0 12 12">\
    <rect class="refused" x="1" y="1" width="10" height="10"></rect></svg> refused</span></p>
    """)
}
