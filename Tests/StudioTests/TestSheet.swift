import Foundation
import NIOCore
import Testing

@testable import Studio

/// The body of a request that opens a sheet; without a `model`, one of the active model.
func openBody(
  _ id: String = "p", _ width: Int = 600, _ height: Int = 400, model: String? = nil
) -> String {
  let model = model.map { #","model":"\#($0)""# } ?? ""
  return #"{"id":"\#(id)","canvas":{"width":\#(width),"height":\#(height)}\#(model)}"#
}

/// The body of a request with a stroke, which takes 200 ms from `start` on: drawing `index` of a
/// shape whose top left corner is at x, y. The client calls it `id`, and its begin `begin`, and has
/// a window as large as `canvas`; `extra` is more of the body, with a comma at its end.
func strokeBody(
  _ label: String, x: Double = 0, y: Double = 0, from start: Double, id: String? = nil,
  begin: String? = nil, canvas: (width: Int, height: Int)? = nil, extra: String = "",
  _ index: Int = 30
) -> String {
  let stroke = Shapes.json(Shapes.stroke(label, x: x, y: y, from: start, index))
  func named(_ id: String?) -> String { id.map { #""id":"\#($0)","# } ?? "" }
  let canvas = canvas.map { #""canvas":{"width":\#($0.width),"height":\#($0.height)},"# } ?? ""
  let end = start + 200
  return """
    {"now":\(end),\(canvas)\(extra)"actions":[
    {"action":"begin",\(named(begin))"milliseconds":\(start),"pen":0},
    {"action":"stroke",\(named(id))"milliseconds":\(end),"pen":0,"strokes":\(stroke)}]}
    """
}

/// The body of a request with one action; `more` is more of it.
func action(_ name: String, at time: Double, pen: Int = 0, _ more: String = "") -> String {
  let more = more.isEmpty ? "" : "," + more
  return #"{"actions":[{"action":"\#(name)","milliseconds":\#(time),"pen":\#(pen)\#(more)}]}"#
}

extension TestStudio {
  /// A studio and a page that has opened the sheet `p`, after the studio was `taught` both shapes.
  static func withSheet(
    _ width: Int = 600, _ height: Int = 400, taught: Bool = false,
    change: (inout StudioLimits) -> Void = { _ in }
  ) async throws -> (studio: TestStudio, page: Browser) {
    let studio = try await TestStudio(change: change)
    if taught { try await studio.teach() }
    let page = try await studio.page()
    try await page.openSheet("p", width, height)
    return (studio, page)
  }

  /// Ends this studio, and opens another one on its folder.
  func restarted() async throws -> TestStudio {
    await services.close()
    return try await TestStudio(again: self)
  }

  /// A listener to the sheet `p`.
  func sheetListener() async throws -> EventListener {
    let listener = EventListener()
    try await services.playgrounds.find("p").join(listener)
    return listener
  }

  /// A listener to what is told to all pages.
  func listener() throws -> EventListener {
    let listener = EventListener()
    try #require(services.hub.join(listener))
    return listener
  }
}

extension EventListener {
  /// Ends listening; returns what was told until then.
  func told() async throws -> [ReceivedEvent] {
    finish()
    var told: [ReceivedEvent] = []
    try await forEach { told.append(ReceivedEvent(String(buffer: $0))) }
    return told
  }
}

extension Browser {
  @discardableResult
  func openSheet(
    _ id: String = "p", _ width: Int = 600, _ height: Int = 400, model: String? = nil
  ) async throws -> Reply {
    try await post("/api/playgrounds", openBody(id, width, height, model: model))
  }

  /// The sheet `p`.
  var sheet: Reply { get async throws { try await get("/api/playgrounds/p") } }

  /// Sends actions to a sheet.
  @discardableResult
  func act(_ json: String, on id: String = "p") async throws -> Reply {
    try await post("/api/playgrounds/\(id)/actions", json)
  }

  /// Sends actions to the sheet `p`; the reply also has the `events` that these cause, as they are
  /// sent to listeners, and the `canvas` then.
  func draw(_ json: String) async throws -> Reply {
    let listener = try await #require(studio).sheetListener()
    let isNamed = json.contains(#""client":"#)
    let named = isNamed ? json : #"{"client":"\#(UUID().uuidString)","# + json.dropFirst()
    var reply = try await act(named)
    let told = try await listener.told()
    guard reply.status == 200 else { return reply }
    let body = try JSONSerialization.jsonObject(with: Data(named.utf8)) as? [String: Any]
    let client = body?["client"] as? String
    var answer = reply[] as? [String: Any] ?? [:]
    answer["events"] = told.filter { $0.name == "canvas-event" && $0.text("client") == client }
      .compactMap { $0[] }
    answer["canvas"] = try await sheet["canvas"]
    reply.body = try JSONSerialization.data(withJSONObject: answer)
    return reply
  }

  /// Lets time pass, and waits until the shape at `index` on the sheet `p` is decided on: as
  /// `label`, or as nothing that is known.
  func decided(
    _ index: Int = 0, as label: String?, after milliseconds: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try #require(studio).time.advance(by: milliseconds)
    let state = label == nil ? "unrecognized" : "recognized"
    try await eventually(
      "shape \(index) is decided, as \(label ?? "nothing")", sourceLocation: sourceLocation
    ) {
      let sheet = try await sheet
      return sheet.text("shapes", index, "state") == state
        && sheet.text("shapes", index, "label") == label
    }
  }
}
