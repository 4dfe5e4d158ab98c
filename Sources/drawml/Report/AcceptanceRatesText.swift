internal import Recognition
internal import Report

extension AcceptanceRates {
  /// What new drawings can hope for, for people.
  var lines: [String] {
    func text(_ rate: Rate) -> String {
      "\(percent(rate.share)) (\(percent(rate.lower)) to \(percent(rate.upper)))"
    }
    return [
      knownRefused.map { "New drawings of taught labels: about \(text($0)) will be refused." },
      unknownAccepted.map { "Drawings of other labels: about \(text($0)) will be accepted." },
    ].compactMap(\.self)
  }
}
