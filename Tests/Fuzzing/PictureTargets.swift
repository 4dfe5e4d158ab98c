internal import Ink
internal import Pictures
internal import Vectorizing

extension Target {
  /// Pictures, down to their strokes.
  static let pictureTargets = [
    Target("png", ending: ".png", seeds: { try Samples.pictures() }) { path in
      let picture = try GrayPicture(path: path)
      _ = try Vectorizer()(picture)
    },
    Target("jpeg", ending: ".jpg", seeds: { Samples.photographs() }) { path in
      _ = try GrayPicture(path: path)
    },
  ]
}
