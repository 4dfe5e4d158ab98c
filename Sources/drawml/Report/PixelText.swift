/// Text of dots, for pictures: the program brings no font, and a picture must look the same
/// everywhere.
enum PixelText {
  /// The width of a letter with the gap behind it, and its height, in dots.
  static let advance = 6
  static let height = 7

  /// Seven rows a letter, the lowest five bits of each its dots from left to right.
  private static let glyphs: [Character: [UInt8]] = [
    "a": [0, 0, 14, 1, 15, 17, 15], "b": [16, 16, 30, 17, 17, 17, 30],
    "c": [0, 0, 14, 17, 16, 17, 14], "d": [1, 1, 15, 17, 17, 17, 15],
    "e": [0, 0, 14, 17, 31, 16, 14], "f": [6, 9, 8, 28, 8, 8, 8],
    "g": [0, 15, 17, 17, 15, 1, 14], "h": [16, 16, 30, 17, 17, 17, 17],
    "i": [4, 0, 12, 4, 4, 4, 14], "j": [2, 0, 6, 2, 2, 18, 12],
    "k": [16, 16, 18, 20, 24, 20, 18], "l": [12, 4, 4, 4, 4, 4, 14],
    "m": [0, 0, 26, 21, 21, 21, 21], "n": [0, 0, 30, 17, 17, 17, 17],
    "o": [0, 0, 14, 17, 17, 17, 14], "p": [0, 30, 17, 17, 30, 16, 16],
    "q": [0, 15, 17, 17, 15, 1, 1], "r": [0, 0, 22, 25, 16, 16, 16],
    "s": [0, 0, 15, 16, 14, 1, 30], "t": [8, 8, 28, 8, 8, 9, 6],
    "u": [0, 0, 17, 17, 17, 17, 15], "v": [0, 0, 17, 17, 17, 10, 4],
    "w": [0, 0, 17, 21, 21, 21, 10], "x": [0, 0, 17, 10, 4, 10, 17],
    "y": [0, 17, 17, 17, 15, 1, 14], "z": [0, 0, 31, 2, 4, 8, 31],
    "0": [14, 17, 19, 21, 25, 17, 14], "1": [4, 12, 4, 4, 4, 4, 14],
    "2": [14, 17, 1, 6, 8, 16, 31], "3": [30, 1, 1, 14, 1, 1, 30],
    "4": [2, 6, 10, 18, 31, 2, 2], "5": [31, 16, 30, 1, 1, 17, 14],
    "6": [6, 8, 16, 30, 17, 17, 14], "7": [31, 1, 2, 4, 8, 8, 8],
    "8": [14, 17, 17, 14, 17, 17, 14], "9": [14, 17, 17, 15, 1, 2, 12],
    "?": [14, 17, 1, 6, 4, 0, 4], "%": [24, 25, 2, 4, 8, 19, 3],
    "-": [0, 0, 0, 14, 0, 0, 0], "/": [1, 1, 2, 4, 8, 16, 16],
    ".": [0, 0, 0, 0, 0, 12, 12], ":": [0, 12, 12, 0, 12, 12, 0],
    "+": [0, 4, 4, 31, 4, 4, 0], " ": [0, 0, 0, 0, 0, 0, 0],
  ]

  /// What stands for a letter that there is no glyph for.
  private static let box: [UInt8] = [31, 17, 17, 17, 17, 17, 31]

  /// Text in letters that there are glyphs for: an emoji becomes its Unicode name.
  static func readable(_ text: String) -> String {
    text.lowercased().map { letter in
      if glyphs[letter] != nil { return String(letter) }
      // Of an emoji of several scalars the first says most; the others are tones, joiners and
      // variants.
      return letter.unicodeScalars.first?.properties.name?.lowercased() ?? "?"
    }.joined()
  }

  /// The places of the dots of `text`, in dots from its top left corner.
  static func dots(_ text: String) -> [(x: Int, y: Int)] {
    var dots: [(x: Int, y: Int)] = []
    for (index, letter) in readable(text).enumerated() {
      for (row, bits) in (glyphs[letter] ?? box).enumerated() {
        for column in 0..<5 where bits & (16 >> column) != 0 {
          dots.append((index * advance + column, row))
        }
      }
    }
    return dots
  }
}
