/// The ids of the newest actions, so that repeated ones are applied once.
struct AppliedActions: Sendable {
  private var ids: Set<String> = []
  /// The ids in the order in which they came, from `oldest` on, and then from the start.
  private var order: [String] = []
  private var oldest = 0

  /// The maximum number of ids: two of the largest requests.
  static let most = 2 * StudioLimits().actions

  /// Whether the action with an id was already applied.
  func contains(_ id: String?) -> Bool { id.map(ids.contains) ?? false }

  /// Records an action as applied, if it has an id.
  mutating func insert(_ id: String?) {
    guard let id, ids.insert(id).inserted else { return }
    guard order.count == Self.most else { return order.append(id) }
    ids.remove(order[oldest])
    order[oldest] = id
    oldest = (oldest + 1) % Self.most
  }
}
