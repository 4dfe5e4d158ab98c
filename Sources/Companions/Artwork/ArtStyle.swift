internal import CArtStyles
internal import JSON

/// A style in which a sketch can be made into a picture, as `styles.json` lists them.
public struct ArtStyle: Hashable, Sendable, Identifiable, Decodable {
  /// The name in commands and files, such as "watercolor-painting".
  public var id: String
  /// The name for people, such as "Watercolor Painting".
  public var name: String
  /// One emoji.
  public var emoji: String
  /// The color of its card, `#` and six hexadecimal digits.
  public var color: String
  /// A few words for people, such as "Soft, flowing colors".
  public var description: String
  /// What an image model is asked for, word for word.
  public var prompt: String

  /// The ten styles, in the order of their cards.
  public static let all: [ArtStyle] = {
    let bytes = unsafe [UInt8](
      UnsafeBufferPointer(start: drawml_art_styles(), count: drawml_art_styles_length()))
    do {
      return try JSONDocument.decode([ArtStyle].self, from: bytes)
    } catch {
      preconditionFailure("styles.json: \(error)")
    }
  }()

  /// The style with an id, or the only one with a word in it that begins with `name`, such as
  /// "watercolor" or "Comic".
  ///
  /// - Returns: Nil if there is no such style, or more than one.
  public static func named(_ name: String) -> ArtStyle? {
    let name = name.lowercased()
    if let style = all.first(where: { $0.id == name }) { return style }
    let found = all.filter { !name.isEmpty && "-\($0.id)".contains("-\(name)") }
    return found.count == 1 ? found[0] : nil
  }

  /// The filter that imitates the style on this machine.
  public var filter: ArtFilter? { ArtFilter(rawValue: id) }
}
