internal import Ink
internal import JSON
internal import Report
internal import Trace
internal import Training

// Texts of commands about templates.

/// An imported template in JSON, without its strokes and its picture.
struct TemplateRecord: Encodable {
  let id: String
  let name: String
  let strokes: Int
  @OrNull var picture: Template.PictureSize?

  init(_ template: Template) {
    (id, name, strokes) = (template.id, template.name, template.drawing.strokes.count)
    picture = template.picture
  }
}

extension Template {
  /// What it consists of, for people.
  var extent: String {
    picture.map { "picture, \($0.width) × \($0.height)" }
      ?? counted(drawing.strokes.count, "stroke")
  }

  /// Whether a user means it by its name or id.
  func isNamed(_ nameOrID: String) -> Bool { name == nameOrID || id == nameOrID }
}

extension JobProblem {
  /// The error for an unknown template or file.
  ///
  /// - Parameters:
  ///   - name: The unknown name.
  ///   - what: The kind of thing that was not found, such as "no template of yours".
  ///   - templates: The templates whose names may be meant.
  /// - Returns: The error, with suggestions.
  static func unknownTemplate(
    _ name: String, _ what: String, among templates: [Template]
  ) -> JobProblem {
    let near = Spelling.near(name, among: templates.map(\.name)).first
    return JobProblem(
      "there is \(what) '\(TextTable.shortened(name))': "
        + (near.map { "did you mean '\($0)'?" } ?? "'drawml trace templates' lists the templates"))
  }
}
