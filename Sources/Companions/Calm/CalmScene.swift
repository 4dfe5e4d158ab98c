/// A scene of the calm surface, named as the page's files are.
public enum CalmScene: String, Sendable, Codable, CaseIterable {
  /// Flakes of snow in a globe.
  case snow
  /// Rings on water.
  case ripples
  /// Soft colors under the fingers.
  case colors
  /// Bubbles that rise, and pop softly.
  case bubbles
  /// Dust that is drawn to the fingers.
  case dust
  /// Slow bands of light.
  case aurora
  /// Nearly nothing: the calmest.
  case still
  /// Lines of light that become what they show.
  case bloom
}
