internal import Evaluation
internal import JSON
internal import Recognition
internal import Report
internal import Text

/// A model card in Markdown: what a model was trained and taught on, how right it is, with
/// intervals, and its settings (Mitchell et al. 2019, doi:10.1145/3287560.3287596). All of it comes
/// from the model's file, so that no card can be of another model.
package enum ModelCard {
  /// The card of the model at `path`, line by line.
  ///
  /// - Throws: `FileError`, as `ModelFile.read`.
  package static func lines(path: String) throws -> [String] {
    let opened = try ModelFile.open(path)
    let info = ModelInfo(opened, path: path)
    var lines = [
      "# Model card: \(escaped(path))", "",
      "Labels: \(info.labels.count). Taught samples: \(grouped(info.samples)).", "",
    ]
    lines += table(
      ["", ""],
      info.facts.map { [escaped($0.name), escaped($0.value)] }
        + [["SHA-256 of the model", info.fingerprint]])
    lines += section("How right it is", try accuracy(info, opened.recognizer))
    let counts = info.labels.map { [escaped($0.label), "\($0.samples)"] }
    lines += section(
      "Taught samples by label",
      counts.isEmpty ? ["None yet."] : table(["label", "samples"], counts))
    lines += section("Settings of the training", try settings(info.origin))
    // The settings are several lines of one text.
    return lines.flatMap {
      $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
  }

  private static func section(_ title: String, _ lines: [String]) -> [String] {
    ["", "## \(title)", ""] + lines
  }

  private static func table(_ headings: [String], _ rows: [[String]]) -> [String] {
    ([headings, headings.map { _ in "---" }] + rows)
      .map { "| \($0.joined(separator: " | ")) |" }
  }

  private static func accuracy(_ info: ModelInfo, _ recognizer: Recognizer) throws -> [String] {
    let origin = info.origin
    var lines = recognizer.acceptanceRates().lines.map { "- \($0)" }
    if let accuracy = origin.validationAccuracy {
      if origin.labels == nil, origin.validationDrawings > 0 {
        let interval = try ConfidenceInterval.wilson(
          successes: Int((accuracy * Double(origin.validationDrawings)).rounded()),
          trials: origin.validationDrawings)
        lines.append(
          "- The network was right on \(percent(accuracy)) (95 %: \(percent(interval.lower)) to "
            + "\(percent(interval.upper))) of "
            + "\(counted(origin.validationDrawings, "validation drawing")).")
      } else {
        lines.append(
          "- The networks were right on \(percent(accuracy)) in few-shot tasks of held-out labels.")
      }
    }
    return lines + ["- `drawml evaluate` measures the whole model on drawings it was not taught."]
  }

  private static func settings(_ origin: Provenance) throws -> [String] {
    var lines = [
      "Seed \(origin.seed). SHA-256 of the drawings that the embedding was trained on: "
        + "\(escaped(origin.dataFingerprint))."
    ]
    for recipe in origin.recipes {
      lines += ["", "```json", try jsonText(recipe, pretty: true), "```"]
    }
    return lines
  }

  /// A text of others, such as a label, that Markdown and HTML in it do not obey.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      // Markdown lets any ASCII punctuation be escaped (commonmark.org, section 2.4).
      if character.isNewline {
        escaped += " "
      } else {
        if "\\`*_{}[]<>#+!|&~$".contains(character) { escaped += "\\" }
        escaped.append(character)
      }
    }
  }
}
