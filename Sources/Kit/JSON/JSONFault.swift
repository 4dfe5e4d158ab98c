public import Text

/// What is wrong in a JSON text, and where.
public struct JSONFault: DescribedError, Hashable {
  /// The path of the value, such as "episodes[3].support[0].id"; empty for the whole text.
  public var place: String
  /// What is wrong there, as the rest of a sentence that starts with the place, such as "is
  /// missing".
  public var problem: String

  /// A fault.
  public init(place: String = "", _ problem: String) {
    (self.place, self.problem) = (place, problem)
  }

  init(path: [any CodingKey], _ problem: String) {
    let place = path.reduce(into: "") { place, key in
      if let index = key.intValue { return place += "[\(index)]" }
      place += place.isEmpty ? key.stringValue : "." + key.stringValue
    }
    self.init(place: place, problem)
  }

  /// Converts an error that a type threw while decoding the value at `path`.
  init(_ error: any Error, at path: @autoclosure () -> [any CodingKey]) {
    switch error {
    case let fault as JSONFault: self = fault
    case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
      DecodingError.valueNotFound(_, let context), DecodingError.keyNotFound(_, let context):
      self.init(path: context.codingPath, Self.words(for: context.debugDescription))
    default: self.init(path: path(), "cannot be used: \(error)")
    }
  }

  /// One sentence, such as "episodes[3].support[0].id is missing".
  public var description: String { "\(place.isEmpty ? "it" : place) \(problem)" }

  /// The description if it is one of ours; Swift's own descriptions name types, so they are
  /// replaced.
  private static func words(for description: String) -> String {
    if ["is ", "has ", "must "].contains(where: description.hasPrefix) { return description }
    if let match = description.wholeMatch(
      of: /Cannot initialize \S+ from invalid String value (.*)/)
    {
      return "has the value “\(match.1)”, which this drawml does not know"
    }
    return "has a value that this drawml cannot use"
  }
}
