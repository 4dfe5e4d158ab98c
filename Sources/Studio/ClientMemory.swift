/// What the last clients sent, so that what comes twice is done once.
struct ClientMemory: Sendable {
  private struct Client {
    var next = 0
    /// The numbers of strokes by the numbers of actions.
    var strokes: [Int: Int] = [:]
    var used = 0
  }

  private var clients: [String: Client] = [:]
  private var uses = 0

  private static let most = 16
  private static let mostStrokes = 512

  /// Whether a client's action was done already; then the number of its stroke, nil where that is
  /// not known.
  func isKnown(_ client: String?, _ action: Int) -> Int?? {
    guard let client, let known = clients[client], action < known.next else { return nil }
    return .some(known.strokes[action])
  }

  /// Remembers a client's action.
  mutating func note(_ client: String?, _ action: Int, _ stroke: Int?) {
    guard let client else { return }
    uses += 1
    var known = clients[client] ?? Client()
    (known.next, known.used) = (action + 1, uses)
    if let stroke {
      known.strokes[action] = stroke
      if known.strokes.count > 2 * Self.mostStrokes {
        known.strokes = known.strokes.filter { $0.key > action - Self.mostStrokes }
      }
    }
    clients[client] = known
    if clients.count > Self.most,
      let oldest = clients.min(by: { $0.value.used < $1.value.used })
    {
      clients[oldest.key] = nil
    }
  }
}
