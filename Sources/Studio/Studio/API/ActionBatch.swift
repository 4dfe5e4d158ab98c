internal import Ink
internal import JSON
internal import Segmentation
internal import Workspace

/// A client's actions on a playground's canvas since its last message.
struct ActionBatch: Sendable {
  /// The actions in order; times are of the client's clock.
  var actions: [CanvasAction]
  /// The actions' ids, as the client chose them, so that what it sends twice is applied once; nil
  /// for those without. A stroke has that of its action.
  var ids: [String?]
  /// The client's clock at sending; nil for the time of the last action.
  var now: Double?
  /// The sheet on which the strokes were drawn, in its units; nil for that of the playground.
  var canvas: Drawing.Canvas?
  /// The client's id, for the events that its actions cause.
  var client: String?
  /// The run of the server that the client knows of; nil for any.
  var run: String?

  /// Parses the body of a request.
  ///
  /// - Throws: `StudioError` that names the action, the stroke and the point.
  init(_ bytes: [UInt8], _ input: DrawingInput) throws {
    let body = try JSONText.value(of: bytes)
    guard body.members != nil else {
      throw StudioError.malformed("The body is not a JSON object.")
    }
    guard let list = body["actions"]?.elements else {
      throw StudioError.malformed("actions is missing or not a list")
    }
    guard list.count <= input.limits.actions else {
      throw StudioError.tooLarge(
        "\(list.count) actions; at most \(input.limits.actions) are accepted")
    }
    let head = try JSONText.decode(Head.self, from: body)
    guard abs(head.now ?? 0) <= StudioLimits.latest, (head.client?.utf8.count ?? 0) <= 64
    else { throw StudioError.malformed("now or client is out of range") }
    (now, client, run, canvas) = (head.now, head.client, head.run, head.canvas)
    if let canvas { try DrawingInput.check(canvas) }
    (actions, ids) = ([], [])
    for (index, value) in list.enumerated() {
      let place = "action \(index): "
      actions.append(try Self.action(value, place: place, input))
      ids.append(try Self.id(of: value, place: place))
    }
  }

  private struct Head: Decodable {
    var now: Double?
    var canvas: Drawing.Canvas?
    var client: String?
    var run: String?
  }

  private struct Named: Decodable {
    var id: String?
  }

  private static func id(of value: JSONValue, place: String) throws -> String? {
    let id = try JSONText.decode(Named.self, from: value).id
    guard id.map(PlaygroundItem.isStrokeID) ?? true else {
      throw StudioError.malformed("\(place)id is empty or too long")
    }
    return id
  }

  private static func action(
    _ value: JSONValue, place: String, _ input: DrawingInput
  ) throws -> CanvasAction {
    let line = try JSONText.decode(ActionLine.self, from: value)
    let time = line.action.milliseconds
    guard abs(time) <= StudioLimits.latest, (0...1_000_000).contains(line.pen) else {
      throw StudioError.malformed("\(place)milliseconds or pen is out of range")
    }
    switch line.action {
    case .stroke:
      guard value["strokes"] != nil else {
        throw StudioError.malformed("\(place)strokes is missing")
      }
      let strokes = try input.strokes(of: value, in: place)
      guard strokes.count == 1 else {
        throw StudioError.malformed("\(place)strokes has \(strokes.count); it must be one")
      }
      return .stroke(strokes[0], pen: line.pen, milliseconds: time)
    case .advance:
      throw StudioError.malformed("\(place)action is advance, which clients do not send")
    case .correct(let shape, _, _) where !isNumber(shape),
      .split(let shape, _, _) where !isNumber(shape):
      throw StudioError.malformed("\(place)shape is out of range")
    case .join(let numbers, _) where !numbers.allSatisfy(isNumber),
      .split(_, let numbers, _) where !numbers.allSatisfy(isNumber):
      throw StudioError.malformed("\(place)a number of a shape or stroke is out of range")
    case let action: return action
    }
  }

  /// Whether every JSON reader knows a number of a shape or stroke.
  private static func isNumber(_ number: Int) -> Bool { abs(Double(number)) < 0x1p53 }
}
