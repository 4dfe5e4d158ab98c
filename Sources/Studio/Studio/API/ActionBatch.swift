internal import Ink
internal import Segmentation
internal import Support
internal import Workspace

/// A client's actions on a playground's canvas since its last message.
struct ActionBatch: Sendable {
  /// The actions in order; times are of the client's clock.
  var actions: [CanvasAction]
  /// The ids of the actions' strokes, as the client chose them; nil for those without.
  var ids: [String?]
  /// The client's clock at sending; nil for the time of the last action.
  var now: Double?
  /// The sheet on which the strokes were drawn, in its units; nil for that of the playground.
  var canvas: Drawing.Canvas?
  /// The client's id, so that what it sends twice is applied once.
  var client: String?
  /// The number of the first action among all of the client's.
  var first: Int
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
    guard abs(head.now ?? 0) <= StudioLimits.latest, (head.client?.utf8.count ?? 0) <= 64,
      (0...StudioLimits.mostActions).contains(head.first ?? 0)
    else { throw StudioError.malformed("now, client or first is out of range") }
    (now, client, first, run) = (head.now, head.client, head.first ?? 0, head.run)
    canvas = head.canvas
    if let canvas { try DrawingInput.check(canvas) }
    (actions, ids) = ([], [])
    for (index, value) in list.enumerated() {
      let (action, id) = try Self.action(value, place: "action \(index): ", input)
      actions.append(action)
      ids.append(id)
    }
  }

  private struct Head: Decodable {
    var now: Double?
    var canvas: Drawing.Canvas?
    var client: String?
    var first: Int?
    var run: String?
  }

  private struct StrokeID: Decodable {
    var id: String?
  }

  private static func action(
    _ value: JSONValue, place: String, _ input: DrawingInput
  ) throws -> (CanvasAction, id: String?) {
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
      let id = try JSONText.decode(StrokeID.self, from: value).id
      guard id.map(PlaygroundItem.isStrokeID) ?? true else {
        throw StudioError.malformed("\(place)id is empty or too long")
      }
      return (.stroke(strokes[0], pen: line.pen, milliseconds: time), id)
    case .advance:
      throw StudioError.malformed("\(place)action is advance, which clients do not send")
    case .correct(let shape, _, _) where !isNumber(shape),
      .split(let shape, _, _) where !isNumber(shape):
      throw StudioError.malformed("\(place)shape is out of range")
    case .join(let numbers, _) where !numbers.allSatisfy(isNumber),
      .split(_, let numbers, _) where !numbers.allSatisfy(isNumber):
      throw StudioError.malformed("\(place)a number of a shape or stroke is out of range")
    case let action: return (action, nil)
    }
  }

  /// Whether every JSON reader knows a number of a shape or stroke.
  private static func isNumber(_ number: Int) -> Bool { abs(Double(number)) < 0x1p53 }
}
