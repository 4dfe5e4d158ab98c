internal import Foundation
public import Support

/// What is wrong in a JSON text, and where, in plain words.
public struct JSONFault: DescribedError, Hashable {
  /// Such as "episodes[3].support[0].id"; empty for the whole text.
  public var place: String
  /// What is wrong there, to be read behind the place, such as "is missing".
  public var problem: String

  /// A fault.
  public init(place: String = "", _ problem: String) {
    (self.place, self.problem) = (place, problem)
  }

  /// One sentence, such as "episodes[3].support[0].id is missing".
  public var description: String { "\(place.isEmpty ? "it" : place) \(problem)" }

  /// The value that a JSON text describes.
  ///
  /// - Throws: `JSONFault`.
  public static func decode<Value: Decodable>(
    _ type: Value.Type, from json: [UInt8]
  ) throws(JSONFault) -> Value {
    // First: Foundation's decoder traps on a text that ends within 512 lists.
    if let fault = syntaxFault(in: json) { throw fault }
    do {
      return try JSONDecoder().decode(type, from: Data(json))
    } catch {
      guard Self.isAboutText(error) else { throw JSONFault(error) }
      throw JSONFault(inText: json) { text in
        do { _ = try JSONDecoder().decode(type, from: text) } catch { return isAboutText(error) }
        return false
      }
    }
  }

  /// What an error that decoding threw says.
  public init(_ error: any Error) {
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      self.init(place: Self.place(context.codingPath + [key]), "is missing")
    case .typeMismatch(let type, let context):
      self.init(place: Self.place(context.codingPath), "must be \(Self.words(for: type))")
    case .valueNotFound(let type, let context):
      self.init(place: Self.place(context.codingPath), "must be \(Self.words(for: type)), not null")
    case .dataCorrupted(let context):
      self.init(place: Self.place(context.codingPath), Self.words(for: context.debugDescription))
    default: self.init("cannot be used: \(error)")
    }
  }

  /// The path of a value, such as "members[0].view".
  static func place(_ path: [any CodingKey]) -> String {
    path.reduce(into: "") { place, key in
      if let index = key.intValue { return place += "[\(index)]" }
      place += place.isEmpty ? key.stringValue : "." + key.stringValue
    }
  }

  private static func words(for type: any Any.Type) -> String {
    switch type {
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is Bool.Type: "true or false"
    case is String.Type: "a text"
    case is [Any].Type: "a list"
    case is [String: Any].Type: "an object"
    default: "a \(type)"
    }
  }

  /// Our own words where we wrote the description; those of Swift and Foundation name types, and
  /// stay inside.
  private static func words(for description: String) -> String {
    if isOurs(description) { return description }
    if let match = description.wholeMatch(
      of: /Cannot initialize \S+ from invalid String value (.*)/)
    {
      return "has the value “\(match.1)”, which this drawml does not know"
    }
    return "has a value that this drawml cannot use"
  }

  /// Whether a description says what a value is, has or must be, as those do that our own types
  /// write.
  private static func isOurs(_ description: String) -> Bool {
    ["is ", "has ", "must "].contains { description.hasPrefix($0) }
  }
}

// Foundation says the same of a text that is no JSON and of a number that a type does not hold,
// such as 1.5 for a whole number, and not where. What follows finds out which, and where.
extension JSONFault {
  private static func isAboutText(_ error: any Error) -> Bool {
    guard case DecodingError.dataCorrupted(let context) = error else { return false }
    return context.codingPath.isEmpty && !isOurs(context.debugDescription)
  }

  /// The search decodes the text about twenty times, so it is limited to short texts.
  private static let longestSearched = 16 << 10

  /// - Parameters:
  ///   - json: A text that could not be decoded.
  ///   - isFaulty: Whether a changed text has such a fault, too.
  private init(inText json: [UInt8], _ isFaulty: (Data) -> Bool) {
    guard json.count <= Self.longestSearched else {
      self.init("has a number that does not fit, such as a fraction for a whole number")
      return
    }
    guard
      let object = try? JSONSerialization.jsonObject(
        with: Data(json), options: .fragmentsAllowed)
    else {
      // All that the grammar allows and Foundation refuses.
      self.init("has a number that is too large")
      return
    }
    var numbers: [(place: String, value: NSNumber)] = []
    _ = Self.replacing(Int.max, in: object, "", &numbers)
    // Replacing all numbers up to the last that does not fit is what heals the text.
    var (sick, whole) = (0, numbers.count)
    func isRefused(replacing count: Int) -> Bool {
      var seen: [(place: String, value: NSNumber)] = []
      let changed = Self.replacing(count, in: object, "", &seen)
      guard
        let text = try? JSONSerialization.data(
          withJSONObject: changed, options: .fragmentsAllowed)
      else { return false }
      return isFaulty(text)
    }
    guard !numbers.isEmpty, !isRefused(replacing: whole) else {
      self.init("is not JSON as it is expected here")
      return
    }
    while whole - sick > 1 {
      let middle = (sick + whole) / 2
      if isRefused(replacing: middle) { sick = middle } else { whole = middle }
    }
    let fault = numbers[whole - 1]
    let value = fault.value.doubleValue
    let problem =
      abs(value) >= 0x1p63
      ? "which is too large"
      : value != value.rounded() ? "which is not a whole number" : "which must not be below 0"
    self.init(place: fault.place, "is \(fault.value), \(problem)")
  }

  /// What breaks the grammar of JSON; nil in a text that keeps it.
  private static func syntaxFault(in json: [UInt8]) -> JSONFault? {
    let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
    var scanner = JSONScanner(json, from: json.starts(with: byteOrderMark) ? 3 : 0)
    do throws(InkError) {
      try scanner.skipValue()
      try scanner.expectEnd()
      return nil
    } catch {
      let line = json.prefix(scanner.position).count { $0 == 0x0a } + 1
      return JSONFault("is not JSON: \(line > 1 ? "line \(line), " : "")\(error)")
    }
  }

  /// A JSON value with the first `count` of its numbers replaced by 1; `seen` gets all of them.
  private static func replacing(
    _ count: Int, in value: Any, _ place: String, _ seen: inout [(place: String, value: NSNumber)]
  ) -> Any {
    switch value {
    case let object as [String: Any]:
      var changed = object
      for (key, value) in object.sorted(by: { $0.key < $1.key }) {
        let inside = place.isEmpty ? key : "\(place).\(key)"
        changed[key] = replacing(count, in: value, inside, &seen)
      }
      return changed
    case let list as [Any]:
      return list.enumerated().map { replacing(count, in: $1, "\(place)[\($0)]", &seen) }
    case is Bool: return value
    case let number as NSNumber:
      seen.append((place, number))
      return seen.count <= count ? 1 : number
    default: return value
    }
  }
}
