private struct AnyKey: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  /// Checks that an object has no keys but those of a type.
  ///
  /// - Parameters:
  ///   - type: The keys.
  ///   - what: What a key stands for, such as "setting".
  /// - Throws: `DecodingError` that names the first unknown key, and all known ones.
  func requireKeys<Key: CodingKey & CaseIterable>(
    of type: Key.Type, calledA what: String
  ) throws {
    let known = type.allCases.map(\.stringValue)
    let all = try container(keyedBy: AnyKey.self)
    guard
      let key = all.allKeys.filter({ !known.contains($0.stringValue) })
        .min(by: { $0.stringValue < $1.stringValue })
    else { return }
    throw DecodingError.dataCorruptedError(
      forKey: key, in: all,
      debugDescription: "there is no \(what) \(key.stringValue); there are "
        + known.joined(separator: ", "))
  }
}
