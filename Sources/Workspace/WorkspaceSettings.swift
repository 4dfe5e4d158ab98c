/// What the user has set (D-005).
///
/// Keys that are not known are refused when settings are decoded; missing ones are as usual.
public struct WorkspaceSettings: Hashable, Sendable, Codable {
  /// Light or dark.
  public enum Theme: String, Hashable, Sendable, Codable, CaseIterable {
    /// As the system is.
    case system
    /// Always light.
    case light
    /// Always dark.
    case dark
  }

  /// Light or dark.
  public var theme: Theme = .system
  /// Whether the first steps were shown.
  public var onboardingSeen = false
  /// The width of the pen in CSS pixels, in `penSizes`.
  public var penSize: Double = 6

  /// The widths that there are.
  public static let penSizes = 1.0...40.0

  /// The usual settings.
  public init() {}

  /// Reads settings; missing ones are as usual.
  ///
  /// - Throws: `DecodingError` for a key that is not known and for a value that none may have.
  public init(from decoder: any Decoder) throws {
    self = try WorkspaceSettings().changed(by: Patch(from: decoder))
  }

  /// Some settings to change; the others stay.
  public struct Patch: Hashable, Sendable, Codable {
    /// Light or dark.
    public var theme: Theme?
    /// Whether the first steps were shown.
    public var onboardingSeen: Bool?
    /// The width of the pen in CSS pixels, in `penSizes`.
    public var penSize: Double?

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case theme, onboardingSeen, penSize
    }

    private struct AnyKey: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init?(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    /// Changes nothing.
    public init() {}

    /// Reads changes.
    ///
    /// - Throws: `DecodingError` for a key that is not known and for a value that none may have.
    public init(from decoder: any Decoder) throws {
      let known = CodingKeys.allCases.map(\.rawValue)
      let all = try decoder.container(keyedBy: AnyKey.self)
      if let key = all.allKeys.filter({ !known.contains($0.stringValue) })
        .min(by: { $0.stringValue < $1.stringValue })
      {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: all,
          debugDescription: "there is no setting \(key.stringValue); there are "
            + known.joined(separator: ", "))
      }
      let container = try decoder.container(keyedBy: CodingKeys.self)
      theme = try container.decodeIfPresent(Theme.self, forKey: .theme)
      onboardingSeen = try container.decodeIfPresent(Bool.self, forKey: .onboardingSeen)
      penSize = try container.decodeIfPresent(Double.self, forKey: .penSize)
      if let penSize, !penSizes.contains(penSize) {
        throw DecodingError.dataCorruptedError(
          forKey: .penSize, in: container,
          debugDescription:
            "penSize is in \(Int(penSizes.lowerBound))...\(Int(penSizes.upperBound))")
      }
    }
  }

  /// The settings with those of `patch` in their places.
  public func changed(by patch: Patch) -> WorkspaceSettings {
    var settings = self
    if let theme = patch.theme { settings.theme = theme }
    if let seen = patch.onboardingSeen { settings.onboardingSeen = seen }
    if let size = patch.penSize { settings.penSize = size }
    return settings
  }
}
