internal import Files
internal import Ink

/// The English names of emojis, those of the picker.
package enum EmojiNames {
  /// The name of each emoji in label form, such as "star".
  private static let names: [String: String] = {
    guard let file = PageFile.all.first(where: { $0.path == "/emoji-en.txt.gz" }),
      let text = Deflate.gunzipped(file.bytes)
    else { return [:] }
    var names: [String: String] = [:]
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: "\t")
      if fields.count > 1 { names[String(fields[0]).inLabelForm] = String(fields[1]) }
    }
    return names
  }()

  /// The name of a label that is an emoji; nil for other labels.
  package static func name(of label: String) -> String? { names[label] }
}
