extension Character {
  /// Whether it is shown as an emoji: by itself, or because a variation selector says so.
  package var isShownAsEmoji: Bool {
    unicodeScalars.contains { $0.properties.isEmojiPresentation || $0.value == 0xfe0f }
  }
}
