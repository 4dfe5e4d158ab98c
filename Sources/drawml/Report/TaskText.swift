internal import Evaluation
internal import Report

extension TaskBenchmark.Report {
  /// A few lines for people.
  var lines: [String] {
    var lines = [
      "accuracy            \(rate(scores.accuracy, scores.confidenceInterval95))"
        + "  \(counted(scores.episodes, "task"))\(shape), \(head)\(adaptation)"
    ]
    if let interval = scores.intervals95.accuracyOverLabels {
      lines.append(
        "  for other labels  \(percent(interval.lower)) to \(percent(interval.upper))"
          + " (95 %, by the labels' differences)")
    }
    lines += refusal + calibration
    if let reference {
      lines += [
        "", "\(PublishedRows.fewShotHeading): \(reference.name)",
        "  3 nearest neighbors, as it ships   accuracy \(percent(reference.neighbors))"
          + (reference.auroc.map { ", AUROC \(decimal(Float($0)))" } ?? ""),
        "  its embedding with class means      accuracy \(percent(reference.classMeans))"
          + (reference.bestAUROC.map { ", best AUROC \(decimal(Float($0)))" } ?? ""),
        "  (Apple's updatable drawing classifier on 100 other Quick, Draw! classes)",
      ]
    }
    return lines
  }

  /// The same, what was refused first.
  var refusalLines: [String] {
    var lines = refusal
    if let oscr = scores.oscr, let interval = scores.intervals95.oscr {
      lines.append("OSCR                \(number(oscr, interval))")
    }
    lines.append("risk-coverage area  \(number(scores.aurc, scores.intervals95.aurc))")
    lines += calibration
    lines.append(
      "accuracy            \(rate(scores.accuracy, scores.confidenceInterval95))"
        + "  \(counted(scores.episodes, "task"))\(shape), \(head)\(adaptation)")
    return lines
  }

  /// The reference at the same ways and shots, if it was measured there.
  var reference: PublishedRows.FewShotRow? {
    PublishedRows.fewShot.first { $0.ways == ways && $0.shots == shots }
  }

  /// ", 10-way 5-shot" where all tasks are alike.
  private var shape: String {
    guard let ways, let shots else { return "" }
    return ", \(ways)-way \(shots)-shot"
  }

  /// ", adapted in 40.0 % of the tasks" where that was tried.
  private var adaptation: String {
    adapted.map { ", adapted in \(percent($0)) of the tasks" } ?? ""
  }

  private var refusal: [String] {
    var lines: [String] = []
    if let auroc = scores.auroc, let interval = scores.intervals95.auroc {
      lines.append("AUROC of strangers  \(number(auroc, interval))")
    }
    if let fpr95 = scores.fpr95, let interval = scores.intervals95.fpr95 {
      lines.append(
        "FPR95               \(rate(fpr95, interval))  strangers let in where 95 % of the known are"
      )
    }
    if let accepted = scores.strangersAccepted, let interval = scores.intervals95.strangersAccepted
    {
      lines.append("strangers accepted  \(rate(accepted, interval))  at the model's threshold")
    }
    lines.append(
      "known ones refused  \(rate(scores.knownRefused, scores.intervals95.knownRefused))  "
        + "drawings of taught labels; the dial: \(percent(scores.dialTarget))")
    if let refused = scores.rightRefused, let interval = scores.intervals95.rightRefused {
      lines.append("right ones refused  \(rate(refused, interval))  whose best label is right")
    }
    return lines
  }

  private var calibration: [String] {
    ["calibration error   \(number(scores.ece, scores.intervals95.ece))"]
  }

  private func rate(_ value: Double, _ interval: ConfidenceInterval) -> String {
    "\(percent(value)) (95 %: \(percent(interval.lower)) to \(percent(interval.upper)))"
  }

  private func number(_ value: Double, _ interval: ConfidenceInterval) -> String {
    "\(decimal(Float(value))) (95 %: \(decimal(Float(interval.lower))) to "
      + "\(decimal(Float(interval.upper))))"
  }
}
