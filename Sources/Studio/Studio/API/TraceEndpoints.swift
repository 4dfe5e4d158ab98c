internal import HTTPTypes
internal import Hummingbird
internal import Ink
internal import JSON
internal import Pictures
internal import Text
internal import Trace
internal import Workspace

// Templates to draw over, the user's own among them, how well a trace follows one, and how many are
// left today.

private struct TemplateAnswer: Encodable {
  var id: String
  var name: String
  var source: String
  /// The label of its traces; empty if each trace gets its own.
  var label: String
  @OrNull var canvas: Drawing.Canvas?
  var strokes: [StrokeColumns]
  /// The size of its picture; nil for lines.
  @OrNull var picture: Template.PictureSize?

  init(_ template: Template) {
    (id, name, source) = (template.id, template.name, template.source.name)
    label = template.drawing.label ?? ""
    canvas = template.drawing.canvas
    strokes = template.drawing.strokes.map(StrokeColumns.init)
    picture = template.picture
  }
}

private struct ScoreAnswer: Encodable {
  var score: Double
  var cover: Double
  var precision: Double
}

private struct TracesAnswer: Encodable {
  /// How many drawings may still be traced today; nil for any number.
  @OrNull var left: Int?
}

extension Studio {
  var traceEndpoints: [Endpoint] {
    [
      .get("/templates", for: .guest) { _ in
        let all = Template.bundled + (try await workspace.importedTemplates())
        return try .json(["templates": all.map(TemplateAnswer.init)])
      },
      .post("/templates") { call in
        let bytes = try await call.request.bytes(
          upTo: limits.templateBytes, of: Self.templateTypes,
          "The body must be a PNG, JPEG or SVG picture, with its content type.")
        return try told(await addTemplate(bytes, named: try call.query("name") ?? ""))
      },
      .post("/templates/remote") { call in
        struct Body: Decodable { var address, name: String }
        guard let fetch else {
          throw StudioError(
            .forbidden, "remoteOff", "The studio sends no requests to the web.",
            detail: "Start it with --allow templates to permit that.")
        }
        let body = try await call.request.json(Body.self, upTo: limits.smallBodyBytes)
        let template = try await Task(executorPreference: web) {
          do {
            return try await fetch(body.address) { try await addTemplate($0, named: body.name) }
          } catch let error as any DescribedError where !(error is WorkspaceError) {
            throw StudioError(
              .badGateway, "notFetched", "Couldn’t fetch the picture.",
              detail: error.description.sentence)
          }
        }.value
        return try told(template)
      },
      .delete("/templates/imported/{template}") { call in
        try await workspace.deleteTemplate(try call.template())
        tell(.templates)
        return .empty
      },
      .get("/templates/imported/{template}/picture", for: .guest) { call in
        guard let picture = try await workspace.picture(ofTemplate: try call.template()) else {
          throw StudioError.notFound("The template has lines, not a picture.")
        }
        return .bytes(picture, of: "image/png")
      },
      .post("/templates/imported/{template}/lines") { call in
        let id = try call.template()
        let template = try await convert { try await workspace.makeLines(ofTemplate: id) }
        tell(.templates)
        return try .json(TemplateAnswer(template), status: .created)
      },
      .get("/models/{model}/templates", for: .guest) { call in
        let prototypes = try await workspace.prototypes(of: try call.part("model"))
        return try .json(["templates": prototypes.map(TemplateAnswer.init)])
      },
      .get("/traces", for: .guest) { call in
        // The limit is the owner's, for themselves.
        let isLimited = call.visitor == .owner
        return try .json(TracesAnswer(left: isLimited ? try await workspace.tracesLeft() : nil))
      },
      .post("/traces", for: .guest) { call in
        guard call.visitor == .owner else { return try .json(TracesAnswer(left: nil)) }
        let (isCounted, left) = try await workspace.countTrace()
        guard isCounted else {
          throw StudioError(
            .conflict, "dailyLimit", "That is all for today. Tomorrow you can trace again.")
        }
        return try .json(TracesAnswer(left: left))
      },
      .post("/traces/score", for: .guest) { call in
        let body = try JSONText.value(
          of: try await call.request.jsonBytes(upTo: limits.bodyBytes))
        func strokes(_ name: String) throws -> [Stroke] {
          guard let value = body[name] else { throw StudioError.malformed("\(name) is missing") }
          return try input.strokes(of: value, in: "\(name): ")
        }
        let (trace, template) = (try strokes("trace"), try strokes("template"))
        let score: TraceScore
        do throws(InkError) { score = try TraceScorer(template).score(trace) } catch {
          throw StudioError.drawing(error)
        }
        return try .json(
          ScoreAnswer(score: score.percent, cover: score.cover, precision: score.precision))
      },
    ]
  }

  /// The content types that a file may come with; its first bytes tell what it is.
  private static let templateTypes: Set = [
    "image/png", "image/jpeg", "image/svg+xml", "application/octet-stream",
  ]

  /// Adds a file as a template.
  private func addTemplate(_ bytes: [UInt8], named name: String) async throws -> Template {
    try await convert {
      let contents: TemplateContents
      do throws(TemplateError) { contents = try TemplateContents(file: bytes) } catch {
        throw WorkspaceError(.saveTemplate, .template(error))
      }
      return try await workspace.addTemplate(contents, named: name)
    }
  }

  /// The answer with a new template.
  private func told(_ template: Template) throws -> Response {
    tell(.templates)
    return try .json(TemplateAnswer(template), status: .created)
  }

  /// Converts a picture, one at a time: that takes seconds, and hundreds of megabytes.
  private func convert(
    _ work: @escaping @Sendable () async throws -> Template
  ) async throws -> Template {
    try await Task(executorPreference: pictures) { try await work() }.value
  }
}

extension Call {
  /// The id of the imported template in the path.
  fileprivate func template() throws -> String { Template.importedID(try part("template")) }
}
