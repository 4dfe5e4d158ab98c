/// A size of paper.
public enum Paper: String, Sendable, Codable, CaseIterable {
  /// 210 × 297 mm (ISO 216).
  case a4
  /// 8.5 × 11 inches (ANSI A).
  case letter

  /// In millimeters.
  public var width: Double {
    switch self {
    case .a4: 210
    case .letter: 215.9
    }
  }

  /// In millimeters.
  public var height: Double {
    switch self {
    case .a4: 297
    case .letter: 279.4
    }
  }
}
