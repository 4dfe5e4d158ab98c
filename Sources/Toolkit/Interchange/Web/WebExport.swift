internal import Foundation
public import Recognition

/// Writes a recognizer as one HTML file in which a person draws and is answered, without a server:
/// networks, head, acceptance and rasterizer as a script.
///
/// The page loads nothing, which its Content-Security-Policy enforces, and decides as
/// `Recognizer.classify` does. Text of the model and the title are in it only as JSON, which the
/// script inserts as text.
public enum WebExport {
  /// The maximum size of a page in bytes: what is easily sent.
  public static let usualLimit = 12_000_000

  /// The bytes of an `.html` file; the same recognizer gives the same bytes.
  ///
  /// - Parameters:
  ///   - recognizer: The model.
  ///   - title: The page's heading.
  ///   - software: The program and version to name in the page's data.
  ///   - limit: The maximum size of the page in bytes.
  /// - Returns: The file's bytes, UTF-8.
  /// - Throws: `ExportError`, and what `ModelFile.fingerprint` throws.
  public static func bytes(
    of recognizer: Recognizer, title: String, software: String, limit: Int = usualLimit
  ) throws -> [UInt8] {
    guard !recognizer.labels.isEmpty else { throw ExportError.nothingTaught }
    let embedding = recognizer.embedding
    let inputs = NetworkInput.all(of: embedding.members)
    var graph = WebGraph()
    let vector = try graph.embedding(
      embedding.members, shares: embedding.shares, inputs: inputs.map(\.name))
    let terms = try WebModel.Terms(
      DecisionTerms(of: recognizer), addingTo: &graph.numbers)
    let model = WebModel(
      title: title, software: software, fingerprint: try ModelFile.fingerprint(of: recognizer),
      inputs: inputs, steps: graph.steps, embedding: vector, terms: terms)
    let page = WebPage.html(model: try model.json(), numbers: graph.numbers.packed)
    let bytes = Array(page.utf8)
    guard bytes.count <= limit else {
      throw ExportError.tooLarge(bytes: bytes.count, most: limit)
    }
    return bytes
  }
}
