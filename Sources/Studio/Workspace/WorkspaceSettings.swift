internal import Foundation
internal import GRDB
internal import JSON

/// The user's settings (D-005).
///
/// Decoding rejects unknown keys; missing ones get their defaults.
public struct WorkspaceSettings: Hashable, Sendable, Codable {
  /// Light or dark.
  public enum Theme: String, Hashable, Sendable, Codable, CaseIterable {
    /// The system's setting.
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
  /// Whether guests of the studio may add samples to the active model. It holds for this workspace:
  /// neither does an export have it, nor does an import change it.
  public var guestsMayTeach = false
  /// How many drawings a day may be traced, in `tracesADay`; 0 for any number.
  public var tracingLimit = 0
  /// How many pictures a day image models may be asked for, in `pictureLimits`; 0 for any number.
  public var picturesADay = 5
  /// Whether a finger draws on a sketch; otherwise only a pen and a mouse do.
  public var drawsWithFinger = true
  /// Whether the first steps of sketching were shown.
  public var sketchTipsSeen = false
  /// The width of a sketch's lines in five-hundredths of the canvas's longer side, in `penSizes`.
  public var sketchWidth: Double = 5

  /// The range of `tracingLimit`.
  public static let tracesADay = 0...1_000
  /// The range of `picturesADay`.
  public static let pictureLimits = 0...1_000
  /// The range of pen widths.
  public static let penSizes = 1.0...40.0

  /// The default settings.
  public init() {}

  /// Decodes settings; missing ones get their defaults.
  ///
  /// - Throws: `DecodingError` for an unknown key or an invalid value.
  public init(from decoder: any Decoder) throws {
    self = try WorkspaceSettings().changed(by: Patch(from: decoder))
  }

  /// The settings as another workspace takes them: who may teach is decided there.
  var forTransfer: WorkspaceSettings {
    var settings = self
    settings.guestsMayTeach = false
    return settings
  }

  /// Some settings to change; the others stay.
  public struct Patch: Hashable, Sendable, Codable {
    /// Light or dark.
    public var theme: Theme?
    /// Whether the first steps were shown.
    public var onboardingSeen: Bool?
    /// The width of the pen in CSS pixels, in `penSizes`.
    public var penSize: Double?
    /// Whether guests of the studio may add samples to the active model.
    public var guestsMayTeach: Bool?
    /// How many drawings a day may be traced, in `tracesADay`; 0 for any number.
    public var tracingLimit: Int?
    /// How many pictures a day image models may be asked for, in `pictureLimits`; 0 for any number.
    public var picturesADay: Int?
    /// Whether a finger draws on a sketch.
    public var drawsWithFinger: Bool?
    /// Whether the first steps of sketching were shown.
    public var sketchTipsSeen: Bool?
    /// The width of a sketch's lines in five-hundredths of the canvas's longer side, in
    /// `penSizes`.
    public var sketchWidth: Double?

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case theme, onboardingSeen, penSize, guestsMayTeach, tracingLimit
      case picturesADay, drawsWithFinger, sketchTipsSeen, sketchWidth
    }

    /// An empty patch, which changes nothing.
    public init() {}

    /// A patch that makes the default settings these. Newer settings are left out unless they are
    /// set: older programs refuse those that they do not know.
    fileprivate init(_ settings: WorkspaceSettings) {
      (theme, onboardingSeen) = (settings.theme, settings.onboardingSeen)
      penSize = settings.penSize
      func unlessUsual<Value: Equatable>(_ path: KeyPath<WorkspaceSettings, Value>) -> Value? {
        let value = settings[keyPath: path]
        return value == WorkspaceSettings()[keyPath: path] ? nil : value
      }
      guestsMayTeach = unlessUsual(\.guestsMayTeach)
      tracingLimit = unlessUsual(\.tracingLimit)
      picturesADay = unlessUsual(\.picturesADay)
      drawsWithFinger = unlessUsual(\.drawsWithFinger)
      sketchTipsSeen = unlessUsual(\.sketchTipsSeen)
      sketchWidth = unlessUsual(\.sketchWidth)
    }

    /// Decodes a patch.
    ///
    /// - Throws: `DecodingError` for an unknown key or an invalid value.
    public init(from decoder: any Decoder) throws {
      try decoder.requireKeys(of: CodingKeys.self, calledA: "setting")
      let container = try decoder.container(keyedBy: CodingKeys.self)
      theme = try container.decodeIfPresent(Theme.self, forKey: .theme)
      onboardingSeen = try container.decodeIfPresent(Bool.self, forKey: .onboardingSeen)
      penSize = try container.decodeIfPresent(Double.self, forKey: .penSize)
      guestsMayTeach = try container.decodeIfPresent(Bool.self, forKey: .guestsMayTeach)
      tracingLimit = try container.decodeIfPresent(Int.self, forKey: .tracingLimit)
      picturesADay = try container.decodeIfPresent(Int.self, forKey: .picturesADay)
      drawsWithFinger = try container.decodeIfPresent(Bool.self, forKey: .drawsWithFinger)
      sketchTipsSeen = try container.decodeIfPresent(Bool.self, forKey: .sketchTipsSeen)
      sketchWidth = try container.decodeIfPresent(Double.self, forKey: .sketchWidth)
      func refused<Value>(_ key: CodingKeys, _ range: ClosedRange<Value>) -> DecodingError {
        DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "\(key.rawValue) is in \(range.lowerBound)...\(range.upperBound)")
      }
      if let tracingLimit, !tracesADay.contains(tracingLimit) {
        throw refused(.tracingLimit, tracesADay)
      }
      if let picturesADay, !pictureLimits.contains(picturesADay) {
        throw refused(.picturesADay, pictureLimits)
      }
      for (key, width) in [(CodingKeys.penSize, penSize), (.sketchWidth, sketchWidth)] {
        guard let width, !penSizes.contains(width) else { continue }
        throw refused(key, Int(penSizes.lowerBound)...Int(penSizes.upperBound))
      }
    }
  }

  /// The settings with those of `patch` applied.
  public func changed(by patch: Patch) -> WorkspaceSettings {
    var settings = self
    if let theme = patch.theme { settings.theme = theme }
    if let seen = patch.onboardingSeen { settings.onboardingSeen = seen }
    if let size = patch.penSize { settings.penSize = size }
    if let teach = patch.guestsMayTeach { settings.guestsMayTeach = teach }
    if let limit = patch.tracingLimit { settings.tracingLimit = limit }
    if let limit = patch.picturesADay { settings.picturesADay = limit }
    if let draws = patch.drawsWithFinger { settings.drawsWithFinger = draws }
    if let seen = patch.sketchTipsSeen { settings.sketchTipsSeen = seen }
    if let width = patch.sketchWidth { settings.sketchWidth = width }
    return settings
  }
}

/// Settings (D-005).
extension Workspace {
  /// The settings; the defaults if nothing was set.
  public func settings() async throws -> WorkspaceSettings {
    try await read(.read) { db in try Self.settings(in: db) }
  }

  /// Changes some settings; the others stay as they are.
  ///
  /// - Returns: All settings.
  @discardableResult
  public func update(_ patch: WorkspaceSettings.Patch) async throws -> WorkspaceSettings {
    try await write(.saveSettings) { db in
      let settings = try Self.settings(in: db).changed(by: patch)
      try Self.save(settings, in: db)
      return settings
    }
  }

  static func settings(in db: Database) throws -> WorkspaceSettings {
    try storedSettings(in: db) ?? WorkspaceSettings()
  }

  /// The settings; nil if nothing was set.
  static func storedSettings(in db: Database) throws -> WorkspaceSettings? {
    guard let text = try String.fetchOne(db, sql: "SELECT json FROM settings") else { return nil }
    do {
      return try JSONDocument.decode(WorkspaceSettings.self, from: Array(text.utf8))
    } catch {
      throw WorkspaceError.Reason.damaged("the settings cannot be read")
    }
  }

  static func save(_ settings: WorkspaceSettings, in db: Database) throws {
    let widths = [settings.penSize, settings.sketchWidth]
    guard widths.allSatisfy(WorkspaceSettings.penSizes.contains) else {
      throw WorkspaceError.Reason.invalidNumber("there is no pen of that size")
    }
    try db.execute(
      sql:
        """
        INSERT INTO settings (id, json) VALUES (1, ?) ON CONFLICT DO UPDATE SET json = excluded.json
        """,
      arguments: [jsonText(WorkspaceSettings.Patch(settings))])
  }
}
