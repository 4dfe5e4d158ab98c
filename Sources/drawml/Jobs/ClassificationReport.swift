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
    _ result: Classification, evidence: [(sample: TaughtSample, distance: Float)]?,
    policy: DecisionPolicy
  ) {
    id = result.id
    decision = result.decision.isRecognized ? "recognized" : "unrecognized"
    label = Nullable(value: result.decision.best?.label)
    confidence = result.decision.best?.confidence ?? 0
    candidates = result.candidates
    boundingBox = result.boundingBox
    explanation = evidence.map { evidence in
      Explanation(
        neighbors: evidence.map {
          Neighbor(id: $0.sample.id, label: $0.sample.label, distance: $0.distance)
        },
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
    if let explanation {
      lines.append(
        "  nearest taught drawings (a new one is accepted up to "
          + "\(decimal(explanation.maximumDistance)) away):")
      for neighbor in explanation.neighbors {
        lines.append("    \(decimal(neighbor.distance))  \(neighbor.label)  \(neighbor.id)")
      }
    }
    return lines.joined(separator: "\n")
  }
}
