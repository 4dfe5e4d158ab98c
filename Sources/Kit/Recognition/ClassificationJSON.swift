extension Classification: Encodable {
  private enum CodingKeys: CodingKey {
    case id, decision, label, confidence, candidates, boundingBox, typicality, reason
  }

  /// Encodes the answer with the keys of `drawml classify --format json`; what is missing is null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(decision.name, forKey: .decision)
    try container.encode(decision.best?.label, forKey: .label)
    try container.encode(decision.best?.confidence ?? 0, forKey: .confidence)
    try container.encode(candidates, forKey: .candidates)
    try container.encode(boundingBox, forKey: .boundingBox)
    try container.encode(evidence?.typicality, forKey: .typicality)
    try container.encode(decision.refusal?.name, forKey: .reason)
  }
}

extension Decision {
  /// The decision's name in JSON.
  package var name: String { isRecognized ? "recognized" : "unrecognized" }
}

extension Refusal {
  /// The refusal's name in JSON.
  package var name: String {
    switch self {
    case .nothingTaught: "nothingTaught"
    case .tooLittleInk: "tooLittleInk"
    case .likeNothingTaught: "likeNothingTaught"
    case .betweenLabels: "betweenLabels"
    }
  }
}
