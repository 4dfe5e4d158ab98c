internal import Artwork
internal import Remote
internal import Studio

/// What makes pictures of sketches by an image model.
struct ImagePainting: Sendable {
  /// The image model and its server; nil where there is none.
  let model: (name: String, server: String)?
  /// Why there is none, and what to do; nil with a model.
  let reason: String?
  private let source: ImageModel?
  private let threads = WorkPool("gemini", width: 8)

  /// No model.
  init(missingBecause reason: String) { (model, self.reason, source) = (nil, reason, nil) }

  /// Pictures by a model.
  init(by model: ImageModel) {
    self.model = (model.name, model.address.description)
    (reason, source) = (nil, model)
  }

  /// Sends a sketch, as a picture, and the prompt of a style to the model, and nothing else.
  /// Cancelling its task ends the request.
  ///
  /// - Returns: The picture that came, of at most 4,096 × 4,096 pixels.
  /// - Throws: `PictureFailure`, or `CancellationError`.
  func picture(of sketch: Sketch, style: ArtStyle) async throws -> RGBPicture {
    guard let source else { throw PictureFailure(notAskedBecause: reason ?? "") }
    return try await withTaskExecutorPreference(threads) {
      let png = try SketchPicture.picture(of: sketch).png()
      do {
        return try RGBPicture(file: source.picture(of: png, prompt: style.prompt))
      } catch let error as ImageModelError {
        throw PictureFailure(error)
      } catch let error as RGBPicture.Unreadable {
        throw PictureFailure(error)
      }
    }
  }
}
