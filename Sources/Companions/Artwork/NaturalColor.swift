internal import Ink

/// The colors that things have, by their emojis.
///
/// Things of several colors, such as a rainbow or a zebra, and things of any color are left out.
enum NaturalColor {
  /// The color of what a label names.
  ///
  /// - Parameter label: An emoji, with or without its variation selector.
  /// - Returns: Nil for other labels.
  static func of(_ label: String) -> SketchColor? { colors[label.inLabelForm] }

  private static let colors: [String: SketchColor] = {
    var colors: [String: SketchColor] = [:]
    for (color, emojis) in table {
      for emoji in emojis.split(whereSeparator: \.isWhitespace) {
        colors[String(emoji).inLabelForm] = SketchColor(color)
      }
    }
    return colors
  }()

  private static let table: [(color: UInt32, emojis: String)] = [
    // Yellow.
    (
      0xffd23f,
      """
      ⭐ 🌟 ☀️ 🌞 🌙 🌛 🌜 🌝 🍌 🐥 🐤 🐣 🌻 🌼 🍋 🧀 👑 🏆 🔑 🐝 ⚡ 🌽
      🍍 💡 🔔 🎺 🚌 🚕 😀 🙂 😊 😃 😄 😐 ☹️ 😂 🦁 🐆 🦒 📣 🛎️ 🏅 🍯 🐠
      🧇 🍟 ✨
      """
    ),
    // Orange.
    (
      0xff9f3a,
      """
      🥕 🎃 🍊 🦊 🐅 🐯 🏀 🦀 🔥 🍑 🥭 📙 🧡 🦧 🔶
      """
    ),
    // Red.
    (
      0xe94b3c,
      """
      ❤️ 🍎 🍓 🍒 🌹 🌷 🚒 🛑 🍅 🌶️ 🦞 🏎️ 🚗 🍄 ☂️ ⛱️ 🎈 🧨 🐞 🎅
      🧣 📕 ⛑️ 🔴 💄 🥊 🏮 👹 🧰 ♥️ 🐙
      """
    ),
    // Pink.
    (
      0xf48fb1,
      """
      🌸 🐷 🐖 🐽 🦩 👛 🎀 🧠 🌺 💗 💖 🍭 🩰 🍬 🎂 🦶 👃 👂 🦵 🍩 🦄 👅 🫦
      🧁
      """
    ),
    // Purple.
    (
      0xa65fc4,
      """
      🍇 🍆 💜 👾 🔮 🟣 🪻 🌂 🦑
      """
    ),
    // Blue.
    (
      0x4a90d9,
      """
      🌊 🐬 🐳 🐋 🐟 💧 💙 👖 🦋 🚙 🐦 📘 🔵 🧿 🌍 🌎 🌏 🩳 💎 🌐 🛶 🧊 🌧️
      ⛲ 👕 🦈 🥶
      """
    ),
    // Light blue.
    (
      0x8fd3f4,
      """
      ❄️ ☁️ 🌨️ 🌪️ 🛁 🥛 🕊️ 🐧 ⛄ ☃️ 🪁 🌬️ 💨 🚿
      """
    ),
    // Green.
    (
      0x5fb85a,
      """
      🌳 🌲 🌴 🎄 🌵 🍀 ☘️ 🌿 🍃 🌱 🐸 🐢 🐊 🐍 🐉 🐲 🦎 🥒 🥦 🥬 🍐 🍏
      🥝 🫛 🍾 🚜 💚 🐛 🥑 🪖 📗 🦖 🦕 🍉 🟢 🪴
      """
    ),
    // Brown.
    (
      0xb07a48,
      """
      🐻 🧸 🍞 🍪 🥔 🪵 🎻 🎸 🏺 🐿️ 🐴 🐎 🐒 🐵 🦘 🐫 🐪 🦉 🦌 🐂 🐕 🐶
      👞 🥾 🧺 🚪 🥜 🌰 🍫 🥨 🧹 💼 🪃 🦫 🦔 🪑 🛏️ 🍖 🥐 🐨 🐓 🐔 🪜 ☕
      🤎
      """
    ),
    // Tan.
    (
      0xd9a066,
      """
      🏠 🏡 🛖 🏰 🏖️ 🍕 🥪 🌮 🥧 📦 👒 🦆 🐌 🦂 🍔 🥖 🐱 🐈 🏝️ 🪐 🥚
      """
    ),
    // Gray.
    (
      0xb9bec6,
      """
      🐘 🐭 🐁 🐀 🐺 🗡️ 🔪 🍴 🥄 🚁 ✈️ 🛩️ 🤖 ⚙️ 🔩 🗿 🦏 🦛 🐰 🐇 🪓
      🚆 🪣 🔧 🔨 ⚓ 🛸 🐑 🚀 🪨 💀 👻
      """
    ),
  ]
}
