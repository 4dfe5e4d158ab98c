/// Who sends a request.
enum Visitor: Hashable, Sendable {
  /// The owner: everybody who knows the studio's token, or everybody if it has none.
  case owner
  /// A guest, with the id of their browser; it is empty for a program without one.
  case guest(browser: String)

  /// Whether it may use a playground.
  ///
  /// Guests share one token, so a guest's playground is protected by its id, which is random and
  /// never listed. Ids of the owner's programs may be guessable.
  func mayUse(playground id: String) -> Bool {
    self == .owner || Self.isGuests(playground: id)
  }

  /// Whether a playground is a guest's.
  @Sendable static func isGuests(playground id: String) -> Bool {
    id.wholeMatch(of: /guest-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil
  }
}

/// Who may use an endpoint.
enum Access: Sendable {
  /// Only the owner.
  case owner
  /// Guests, too.
  case guest
}
