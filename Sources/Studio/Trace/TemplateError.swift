internal import Ink
internal import Pictures
public import Text
public import Vectorizing

/// Why a file cannot be a template.
public enum TemplateError: DescribedError, Equatable {
  /// The file has more bytes than `TemplateContents.mostFileBytes`.
  case tooLong
  /// The file is not a PNG, JPEG or SVG picture.
  case foreign
  /// The picture has more pixels than `TemplatePicture.mostPixels`.
  case tooManyPixels(width: Int, height: Int)
  /// The file is damaged, or its reader refuses it.
  case unreadable(String)
  /// No lines can be made of the picture.
  case vectorizer(VectorizerError)
  /// The lines have more strokes than `TemplateContents.mostStrokes`.
  case tooManyStrokes(Int)
  /// The lines have more points than `TemplateContents.mostPoints`.
  case tooManyPoints(Int)
  /// All points coincide.
  case noExtent

  /// What is wrong, and what to do, without a full stop.
  public var description: String {
    switch self {
    case .tooLong:
      "it has more than \(TemplateContents.mostFileBytes >> 20) MB; make it smaller"
    case .foreign: "it is not a PNG, JPEG or SVG picture; save it as one of these"
    case .tooManyPixels(let width, let height):
      "it has \(grouped(width)) × \(grouped(height)) pixels; at most "
        + "\(TemplatePicture.mostPixels / 1_000_000) million are accepted: make it smaller"
    case .unreadable(let why): why
    case .vectorizer(let error): error.description
    case .tooManyStrokes(let count):
      "it has \(grouped(count)) strokes; a template has at most "
        + "\(grouped(TemplateContents.mostStrokes)): leave some out"
    case .tooManyPoints(let count):
      "it has \(grouped(count)) points; a template has at most "
        + "\(grouped(TemplateContents.mostPoints)): leave some lines out"
    case .noExtent: "its lines have no length"
    }
  }
}
