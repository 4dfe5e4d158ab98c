internal import Files
public import Recognition

extension SegmenterModel {
  /// The SHA-256 of its JSON text: names the model.
  public func fingerprint() throws -> String {
    Fingerprint.sha256(try json())
  }
}

extension CanvasLog {
  /// The fingerprints of a canvas's models; with other models, a log's events may differ.
  public struct Models: Hashable, Sendable, Codable {
    /// `ModelFile.fingerprint(of:)` of the recognizer, refusal rate included; nil for a canvas
    /// without one.
    public var recognizer: String?
    /// `SegmenterModel.fingerprint()`.
    public var segmenter: String

    /// The models of a live canvas.
    ///
    /// - Throws: What writing the models throws.
    public init(recognizer: Recognizer?, segmenter: SegmenterModel) throws {
      self.recognizer = try recognizer.map { try ModelFile.fingerprint(of: $0) }
      self.segmenter = try segmenter.fingerprint()
    }
  }
}
