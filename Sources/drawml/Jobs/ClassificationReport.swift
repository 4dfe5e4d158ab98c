internal import Ink
internal import Recognition

/// A classification as `classify` prints it; the keys are those of the guide.
struct ClassificationReport: Encodable {
  struct Neighbor: Encodable {
    var id: String
    var label: String
    var distance: Float
  }

  struct Explanation: Encodable {
    var neighbors: [Neighbor]
    var distance: Float
    var margin: Float
    var maximumDistance: Float
    var minimumMargin: Float
  }

  var id: String
  var decision: String
  var label: Nullable<String>
  var confidence: Double
  var candidates: [Candidate]
  var boundingBox: BoundingBox
  var explanation: Explanation?

  init(
    _ result: Classification, nearest: [(sample: TaughtSample, distance: Float)]?,
    policy: DecisionPolicy
  ) {
    id = result.id
    decision = result.decision.isRecognized ? "recognized" : "unrecognized"
    label = Nullable(value: result.decision.best?.label)
    confidence = result.decision.best?.confidence ?? 0
    candidates = result.candidates
    boundingBox = result.boundingBox
    explanation = nearest.map { nearest in
      Explanation(
        neighbors: nearest.map {
          Neighbor(id: $0.sample.id, label: $0.sample.label, distance: $0.distance)
        },
        distance: result.evidence.distance, margin: result.evidence.margin,
        maximumDistance: policy.maximumDistance, minimumMargin: policy.minimumMargin)
    }
  }

  /// A line for people, and the explanation below it.
  var text: String {
    let sure = label.value.map { "\($0)  \(percent(confidence))" } ?? "no labels taught"
    var lines = [
      decision == "recognized" ? "\(id): \(sure)" : "\(id): not recognized (closest: \(sure))"
    ]
    let others = candidates.dropFirst().map { "\($0.label) \(percent($0.confidence))" }
    if !others.isEmpty { lines.append("  then " + others.joined(separator: ", ")) }
    if let explanation, let label = label.value {
      lines.append(
        "  the nearest \(label) is \(decimal(explanation.distance)) away "
          + "(at most \(decimal(explanation.maximumDistance))); any other is "
          + "\(decimal(explanation.margin)) farther (at least \(decimal(explanation.minimumMargin)))"
      )
      lines.append("  nearest taught drawings:")
      for neighbor in explanation.neighbors {
        lines.append("    \(decimal(neighbor.distance))  \(neighbor.label)  \(neighbor.id)")
      }
    }
    return lines.joined(separator: "\n")
  }
}
