internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Ink
internal import JSON
internal import Workspace

// The overall state, settings, models and their labels.

private struct StateAnswer: Encodable {
  struct Limits: Encodable {
    var points: Int
    var strokes: Int
    var bodyBytes: Int
    var templateBytes: Int
    var labelLength: Int
    var nameLength: Int
  }

  var version: String
  /// Whether the visitor is a guest.
  var isGuest: Bool
  var activeModel: WorkspaceModel
  var settings: WorkspaceSettings
  var limits: Limits
  /// The current trainings, and the first of them.
  var trainings: [TrainingState]
  @OrNull var training: TrainingState?
  /// Whether the page for tracing may ask for the camera.
  var hasCamera: Bool
  /// Whether templates may be fetched from the web.
  var hasWeb: Bool
}

private struct ModelChange: Decodable {
  var name: String?
  var isActive: Bool?
  var refusalRate: Double?
}

/// A label with its newest drawing, or null.
private func labelAnswer(_ label: WorkspaceLabel) -> some Encodable {
  Joined(label, ["example": label.example.map(DrawingAnswer.init)])
}

/// A drawing's canvas and strokes.
struct DrawingAnswer: Encodable {
  @OrNull var canvas: Drawing.Canvas?
  var strokes: [StrokeColumns]

  init(_ drawing: Drawing) {
    canvas = drawing.canvas
    strokes = drawing.strokes.map(StrokeColumns.init)
  }
}

extension Studio {
  var stateEndpoints: [Endpoint] {
    [
      .get("/state", for: .guest) { call in
        let trainings = await trainer.states
        return try .json(
          StateAnswer(
            version: version, isGuest: call.visitor != .owner,
            activeModel: try await workspace.activeModel(),
            settings: try await workspace.settings(),
            limits: .init(
              points: call.visitor == .owner ? limits.points : limits.guestSamplePoints,
              strokes: limits.strokes, bodyBytes: limits.bodyBytes,
              templateBytes: limits.templateBytes, labelLength: WorkspaceLimits.labelLength,
              nameLength: WorkspaceLimits.nameLength),
            trainings: trainings, training: trainings.first, hasCamera: hasCamera,
            hasWeb: fetch != nil))
      },
      .get("/settings") { _ in try .json(try await workspace.settings()) },
      .patch("/settings") { call in
        let patch = try await call.request.json(
          WorkspaceSettings.Patch.self, upTo: limits.smallBodyBytes)
        let settings = try await workspace.update(patch)
        tell(.settings)
        return try .json(settings)
      },
    ]
  }

  var modelEndpoints: [Endpoint] {
    [
      .get("/models", for: .guest) { _ in
        try .json(["models": try await workspace.models()])
      },
      .post("/models") { call in
        struct Body: Decodable {
          var name: String
          var isEveryday: Bool?
        }
        let body = try await call.request.json(Body.self, upTo: limits.smallBodyBytes)
        let model = try await workspace.createModel(
          named: body.name, everyday: body.isEveryday ?? false)
        tell(.models)
        return try .json(model, status: .created)
      },
      .patch("/models/{model}") { call in
        let id = try call.part("model")
        let change = try await call.request.json(ModelChange.self, upTo: limits.smallBodyBytes)
        guard change.isActive != false else {
          throw StudioError.malformed("isActive can only become true: make another model active")
        }
        let model = try await workspace.changeModel(
          id, name: change.name, refusalRate: change.refusalRate,
          activating: change.isActive == true)
        if change.refusalRate != nil { await playgrounds.follow(id) }
        tell(.models, of: id)
        return try .json(model)
      },
      .delete("/models/{model}") { call in
        let id = try call.part("model")
        _ = try await workspace.deleteModel(id)
        await trainer.forget(id)
        await playgrounds.follow(id)
        await deletedLabels.forget(id)
        await deletedSamples.forget(id)
        tell(.models)
        return .empty
      },
    ]
  }

  var labelEndpoints: [Endpoint] {
    [
      .get("/models/{model}/labels", for: .guest) { call in
        let labels = try await workspace.labels(of: try call.part("model"))
        return try .json(["labels": labels.map(labelAnswer)])
      },
      .patch("/models/{model}/labels/{label}") { call in
        struct Body: Decodable {
          var label: String?
          var merge: Bool?
        }
        let (model, label) = (try call.part("model"), try call.part("label"))
        let value = try JSONText.value(
          of: try await call.request.jsonBytes(upTo: limits.smallBodyBytes))
        let body = try JSONText.decode(Body.self, from: value)
        // A null name removes the name; a missing one keeps it.
        let name = try value["name"].map { name in
          try name.isNull ? "" : JSONText.decode(String.self, from: name)
        }
        guard body.label != nil || name != nil else {
          throw StudioError.malformed("label or name is missing")
        }
        let changed = try await workspace.changeLabel(
          label, to: body.label, name: name,
          merging: body.merge ?? false, of: model)
        tell(.labels, of: model)
        return try .json(labelAnswer(changed))
      },
      .delete("/models/{model}/labels/{label}") { call in
        let model = try call.part("model")
        let deleted = try await workspace.deleteLabel(try call.part("label"), of: model)
        await deletedLabels.keep(deleted, of: model, as: deleted.label)
        tell(.labels, of: model)
        return .empty
      },
      .post("/models/{model}/labels/{label}/restore") { call in
        let (model, label) = (try call.part("model"), try call.part("label"))
        let restored = try await restore(label, of: model, from: deletedLabels)
        tell(.labels, of: model)
        return try .json(labelAnswer(restored))
      },
    ]
  }
}
