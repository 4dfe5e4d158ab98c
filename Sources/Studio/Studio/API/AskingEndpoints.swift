internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Ink
internal import JSON
internal import Recognition
internal import Segmentation
internal import Workspace

// Classification, the history, and previews of decisions at another refusal rate.

private struct ClassifyOptions: Decodable {
  /// Whether to return the network's input and the nearest samples.
  var explain: Bool?
  /// Whether to record the prediction in the history.
  var record: Bool?
}

private struct ClassifyAnswer: Encodable {
  struct Raster: Encodable {
    var width: Int
    var height: Int
    /// Ink in 0...255, row by row.
    var pixels: [UInt8]
  }

  struct Neighbor: Encodable {
    var sample: String
    var label: String
    var distance: Float
    @OrNull var canvas: Drawing.Canvas?
    var strokes: [StrokeColumns]
  }

  var decision: Prediction.Decision
  @OrNull var label: String?
  var confidence: Double
  var candidates: [Candidate]
  var reason: String?
  var boundingBox: BoundingBox
  var placement: Placement
  var message: String?
  var raster: Raster?
  var neighbors: [Neighbor]?
}

private struct PredictionAnswer: Encodable {
  var id: String
  var created: Date
  var decision: Prediction.Decision
  @OrNull var label: String?
  @OrNull var confidence: Double?
  @OrNull var canvas: Drawing.Canvas?
  var strokes: [StrokeColumns]

  init(_ prediction: Prediction) {
    (id, created, decision) = (prediction.id, prediction.created, prediction.decision)
    label = prediction.label
    confidence = prediction.confidence
    canvas = prediction.drawing.canvas
    strokes = prediction.drawing.strokes.map(StrokeColumns.init)
  }
}

private struct CertaintyAnswer: Encodable {
  struct Judged: Encodable {
    var kind: Previews.Kind
    var id: String
    @OrNull var label: String?
    @OrNull var canvas: Drawing.Canvas?
    var strokes: [StrokeColumns]
    var decision: Prediction.Decision
    var shakes: Bool
  }

  var refusalRate: Double
  var drawings: [Judged]
  var shaking: Int
  var of: Int
}

extension Studio {
  var askingEndpoints: [Endpoint] {
    [
      .post("/models/{model}/classify", for: .guest) { call in
        let model = try call.part("model")
        let bytes = try await call.request.jsonBytes(upTo: limits.bodyBytes)
        let drawing = try input.drawing(bytes)
        var options = try JSONText.decode(ClassifyOptions.self, from: bytes)
        // The history is the owner's.
        if call.visitor != .owner { options.record = false }
        return try .json(try await classify(drawing, by: model, options))
      },
      .get("/models/{model}/history") { call in
        let history = try await workspace.history(
          of: try call.part("model"),
          limit: try call.number("limit", in: 1...WorkspaceLimits.predictions, usually: 50))
        return try .json(["predictions": history.map(PredictionAnswer.init)])
      },
      .delete("/models/{model}/history") { call in
        let model = try call.part("model")
        try await workspace.clearHistory(of: model)
        tell(.history, of: model)
        return .empty
      },
      .get("/models/{model}/certainty") { call in
        let model = try call.part("model")
        let usual = try await workspace.model(model).refusalRate
        let rate = try call.number("refusalRate", in: DecisionPolicy.rates)
        return try .json(try await certainty(at: rate ?? usual, of: model))
      },
    ]
  }

  private func classify(
    _ drawing: Drawing, by model: String, _ options: ClassifyOptions
  ) async throws -> ClassifyAnswer {
    let recognizer = try await recognizers.snapshot(of: model).recognizer
    let result: Classification
    do {
      result = try recognizer.classify(drawing, neighbors: options.explain == true ? 5 : 0)
    } catch {
      throw StudioError(
        .unprocessableContent, "couldntClassify", StudioError.classifyMessage, detail: "\(error)")
    }
    let (decision, best) = (result.decision, result.decision.best)
    var answer = ClassifyAnswer(
      decision: decision.isRecognized ? .recognized : .unrecognized, label: best?.label,
      confidence: best?.confidence ?? 0, candidates: result.candidates,
      reason: decision.refusal?.name, boundingBox: result.boundingBox,
      placement: Placement(for: result.boundingBox, on: drawing.canvas),
      message: decision.isRecognized ? nil : LiveCanvas.unrecognizedMessage)
    if options.explain == true {
      // Without ink there is no raster.
      answer.raster = (try? recognizer.embedding.rasterizer(drawing)).map { raster in
        .init(width: raster.width, height: raster.height, pixels: raster.bytes)
      }
      answer.neighbors =
        drawing.hasEnoughInk ? try await neighbors(of: result, model) : []
    }
    if options.record == true {
      try await workspace.record(
        drawing, decision: answer.decision, label: best?.label, confidence: best?.confidence,
        of: model)
      tell(.history, of: model)
    }
    return answer
  }

  /// The nearest training samples that still exist.
  private func neighbors(
    of result: Classification, _ model: String
  ) async throws -> [ClassifyAnswer.Neighbor] {
    let near = result.neighbors
    let samples = try await workspace.samples(of: model, ids: near.map(\.sample.id))
    let known = Dictionary(samples.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    return near.compactMap { near in
      known[near.sample.id].map { found in
        .init(
          sample: near.sample.id, label: near.sample.label, distance: near.distance,
          canvas: found.drawing.canvas,
          strokes: found.drawing.strokes.map(StrokeColumns.init))
      }
    }
  }

  private func certainty(at rate: Double, of model: String) async throws -> CertaintyAnswer {
    let policy = DecisionPolicy(refusalRate: rate)
    let judged = try await previews.drawings(of: model).map { preview in
      let isRecognized = policy.decision(on: preview.answer).isRecognized
      return CertaintyAnswer.Judged(
        kind: preview.kind, id: preview.id, label: preview.label,
        canvas: preview.drawing.canvas,
        strokes: preview.drawing.strokes.map(StrokeColumns.init),
        decision: isRecognized ? .recognized : .unrecognized, shakes: !isRecognized)
    }
    return CertaintyAnswer(
      refusalRate: rate, drawings: judged, shaking: judged.count(where: \.shakes),
      of: judged.count)
  }
}
