/// The number of actions that recent clients sent, so that repeated ones are applied once.
struct ClientMemory: Sendable {
  private var clients: [String: (next: Int, used: Int)] = [:]
  private var uses = 0

  private static let most = 16

  /// Whether a client's action was already applied.
  func isDone(_ client: String?, _ action: Int) -> Bool {
    client.flatMap { clients[$0] }.map { action < $0.next } ?? false
  }

  /// Records a client's action as applied.
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
