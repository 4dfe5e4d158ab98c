internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Ink
internal import JSON
internal import Workspace

// Samples, and training from them.

private struct SampleAnswer: Encodable {
  var id: String
  var label: String
  var created: Date
  @OrNull var canvas: Drawing.Canvas?
  var strokes: [StrokeColumns]
  var isTaught: Bool
  /// The template that it was traced over.
  @OrNull var template: String?

  init(_ sample: WorkspaceSample) {
    (id, label, created) = (sample.id, sample.label, sample.created)
    template = sample.template
    canvas = sample.drawing.canvas
    strokes = sample.drawing.strokes.map(StrokeColumns.init)
    isTaught = sample.isTaught
  }
}

/// The fields of a new sample other than its drawing; decoded to detect nulls.
private struct Origin: Decodable {
  var id: String?
  var label: String?
  /// May be null, as in responses, so that a sample can be sent back.
  @OrNull var template: String?
}

private struct SamplesAnswer: Encodable {
  var samples: [SampleAnswer]
  /// The id after which the next page begins; nil at the end.
  @OrNull var next: String?
}

extension Studio {
  var sampleEndpoints: [Endpoint] {
    [
      .get("/models/{model}/samples", for: .guest) { call in
        let model = try call.part("model")
        let ids = call.queries("id")
        guard ids.count <= limits.samplesByID else {
          throw StudioError.malformed("\(ids.count) ids; \(limits.samplesByID) at most")
        }
        let limit = try call.number("limit", in: 1...500, usually: 60)
        let (label, before) = (try call.query("label"), try call.query("before"))
        guard ids.isEmpty else {
          let samples = try await workspace.samples(of: model, ids: ids)
          return try .json(SamplesAnswer(samples: samples.map(SampleAnswer.init), next: nil))
        }
        let page = try await workspace.samplePage(
          of: model, label: label, before: before, limit: limit)
        return try .json(
          SamplesAnswer(
            samples: page.samples.map(SampleAnswer.init),
            next: page.hasMore ? page.samples.last?.id : nil))
      },
      .post("/models/{model}/samples", for: .guest) { call in
        let model = try call.part("model")
        try await checkTeaching(model, by: call.visitor)
        let bytes = try await call.request.jsonBytes(upTo: limits.bodyBytes)
        let drawing = try input.drawing(bytes)
        try await checkRoom(for: drawing, label: drawing.label ?? "", by: call.visitor)
        let added = try await workspace.addSample(
          drawing, label: drawing.label ?? "", id: drawing.id.isEmpty ? nil : drawing.id,
          over: try JSONText.decode(Origin.self, from: bytes).template, to: model)
        if added.isNew {
          await guestSamples.note(added.sample, of: model, by: call.visitor)
          tell(.samples, of: model)
        }
        return try .json(SampleAnswer(added.sample), status: added.isNew ? .created : .ok)
      },
      .post("/models/{model}/sample-batch") { call in
        let model = try call.part("model")
        let body = try JSONText.value(of: try await call.request.jsonBytes(upTo: limits.bodyBytes))
        guard let values = body["samples"]?.elements, !values.isEmpty else {
          throw StudioError.malformed("samples is missing or empty")
        }
        let additions = try values.enumerated().map { index, value in
          let drawing = try input.drawing(of: value, in: "sample \(index): ")
          return SampleAddition(
            id: drawing.id.isEmpty ? nil : drawing.id, label: drawing.label ?? "", drawing: drawing)
        }
        let added = try await workspace.addSamples(additions, to: model).filter(\.isNew)
        if !added.isEmpty { tell(.samples, of: model) }
        return try .json(["added": added.map(\.sample.id)], status: .created)
      },
      .patch("/models/{model}/samples/{sample}", for: .guest) { call in
        struct Body: Decodable { var label: String }
        let (model, sample) = (try call.part("model"), try call.part("sample"))
        try await checkChange(of: sample, of: model, by: call.visitor)
        let body = try await call.request.json(Body.self, upTo: limits.smallBodyBytes)
        try await checkRoom(forLabel: body.label, by: call.visitor)
        let changed = try await workspace.relabelSample(sample, to: body.label, of: model)
        await guestSamples.note(changed, of: model, by: call.visitor)
        tell(.samples, of: model)
        return try .json(SampleAnswer(changed))
      },
      .delete("/models/{model}/samples/{sample}", for: .guest) { call in
        let (model, sample) = (try call.part("model"), try call.part("sample"))
        try await checkChange(of: sample, of: model, by: call.visitor)
        for gone in try await workspace.deleteSamples([sample], of: model) {
          await deletedSamples.keep(
            DeletedLabel(label: gone.label, samples: [gone]), of: model, as: gone.id,
            by: call.visitor)
        }
        tell(.samples, of: model)
        return .empty
      },
      .post("/models/{model}/samples/{sample}/restore", for: .guest) { call in
        let (model, sample) = (try call.part("model"), try call.part("sample"))
        try await checkTeaching(model, by: call.visitor)
        // An existing sample is also a success: a client that got no answer sends it again.
        if try await workspace.samples(of: model, ids: [sample]).isEmpty {
          _ = try await restore(sample, of: model, from: deletedSamples) { entry in
            // A sample that the owner deleted stays deleted.
            guard call.visitor == .owner || entry.visitor == call.visitor else {
              throw StudioError.ownerOnly()
            }
            for gone in entry.deleted.samples {
              try await checkOwner(of: gone, of: model, by: call.visitor)
              try await checkRoom(for: gone.drawing, label: gone.label, by: call.visitor)
            }
          }
          tell(.samples, of: model)
        }
        return try .json(SampleAnswer(try await workspace.sample(sample, of: model)))
      },
      .post("/models/{model}/train") { call in
        let state = try await trainer.start(try call.part("model"))
        return try .json(["training": state], status: .accepted)
      },
      .get("/models/{model}/report", for: .guest) { call in
        try .json(TrainedReport(try await workspace.report(of: try call.part("model"))))
      },
    ]
  }
}
