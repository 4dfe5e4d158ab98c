/// How many actions the last clients sent, so that what comes twice is done once.
struct ClientMemory: Sendable {
  private var clients: [String: (next: Int, used: Int)] = [:]
  private var uses = 0

  private static let most = 16

  /// Whether a client's action was done already.
  func isDone(_ client: String?, _ action: Int) -> Bool {
    client.flatMap { clients[$0] }.map { action < $0.next } ?? false
  }

  /// Remembers a client's action.
  mutating func note(_ client: String?, _ action: Int) {
    guard let client else { return }
    uses += 1
    clients[client] = (action + 1, uses)
    if clients.count > Self.most,
      let oldest = clients.min(by: { $0.value.used < $1.value.used })
    {
      clients[oldest.key] = nil
    }
  }
}
