internal import JSON
internal import Recognition
internal import Text
internal import Training

/// A head as other languages name it, in JSON: {"head":"knn","neighbors":5,"uniform":false}. A
/// setting that is missing has its standard value.
struct HeadChoice: Codable, Equatable {
  /// A name of `drawml train --head`.
  var head: String
  /// How many neighbors vote, with the head knn.
  var neighbors: Int?
  /// Whether every neighbor's vote counts the same, with the head knn.
  var uniform: Bool?
  /// What holds the weights near the class means, with the head linear.
  var penalty: Double?
  /// The exponent of class frequency, in 0...1, with the head linear.
  var balance: Double?

  /// The choice that a model has.
  init(_ configuration: HeadConfiguration) {
    head = configuration.kind.rawValue
    switch configuration {
    case .nearestNeighbors(let count, let weights):
      (neighbors, uniform) = (count, weights == .uniform)
    case .linear(let penalty, let balance):
      (self.penalty, self.balance) = (penalty, balance ?? 1)
    case .classMeans, .twoCovariance: break
    }
  }

  /// The choice that a JSON object describes.
  ///
  /// - Throws: `JSONFault`, or `InterfaceError.head` that names an unknown key.
  init(json: [UInt8]) throws {
    let document = try JSONDocument(json, notesKeys: true)
    self = try document.decode(HeadChoice.self)
    guard let key = document.unknownKey else { return }
    throw InterfaceError.head(
      "\(key) is not a setting of a head; it can be head, neighbors, uniform, penalty or balance")
  }

  /// The head with its hyper-parameters.
  ///
  /// - Throws: `InterfaceError`, which lists the valid choices, or `JSONFault` for a number out of
  ///   its range.
  func configuration() throws -> HeadConfiguration {
    guard let kind = HeadConfiguration.Kind(rawValue: head) else {
      let known = HeadConfiguration.Kind.allCases.map(\.rawValue)
      throw InterfaceError.head("there is no head \(head); it can be \(listed(known))")
    }
    guard kind == .knn || (neighbors == nil && uniform == nil) else {
      throw InterfaceError.head("neighbors and uniform go with the head knn; leave them out")
    }
    guard kind == .linear || (penalty == nil && balance == nil) else {
      throw InterfaceError.head("penalty and balance go with the head linear; leave them out")
    }
    var settings = TrainingSettings(hasBase: false)
    settings.head = kind
    if let neighbors { settings.neighbors = neighbors }
    if let uniform { settings.uniform = uniform }
    if let penalty { settings.penalty = penalty }
    if let balance { settings.balance = balance }
    try settings.check(hasBase: false)
    return settings.head(standard: .classMeans)
  }
}
