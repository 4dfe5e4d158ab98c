internal import HTTPTypes
internal import Hummingbird
internal import Ink
internal import Support
internal import Trace
internal import Workspace

// Templates to draw over, how well a trace follows one, and how many are left today.

private struct TemplatesAnswer: Encodable {
  var templates: [TemplateAnswer]
}

private struct TemplateAnswer: Encodable {
  var id: String
  var name: String
  var source: Template.Source
  /// The label of its traces.
  var label: String
  @OrNull var canvas: CanvasSize?
  var strokes: [StrokeColumns]

  init(_ template: Template) {
    (id, name, source) = (template.id, template.name, template.source)
    label = template.drawing.label ?? ""
    _canvas = OrNull(wrappedValue: template.drawing.canvas.map(CanvasSize.init))
    strokes = template.drawing.strokes.map(StrokeColumns.init)
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

extension StudioServices {
  var traceEndpoints: [Endpoint] {
    [
      .get("/templates", for: .guest) { _ in
        try .json(TemplatesAnswer(templates: Template.bundled.map(TemplateAnswer.init)))
      },
      .get("/models/{model}/templates", for: .guest) { call in
        let prototypes = try await workspace.prototypes(of: try call.part("model"))
        return try .json(TemplatesAnswer(templates: prototypes.map(TemplateAnswer.init)))
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
          return try input.drawing(Array(value.bytes), needsCanvas: false, in: "\(name): ").strokes
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
}
