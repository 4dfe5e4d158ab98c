internal import Calm
internal import Foundation
internal import Studio

/// What the calm surface and its adult's sheet ask for.
struct CalmEndpoints {
  let file: CalmFile
  let kiosk: CalmKiosk
  private let session = AdultSession()

  init(file: CalmFile, kiosk: CalmKiosk = .none) { (self.file, self.kiosk) = (file, kiosk) }

  private struct State: Encodable {
    var scene: CalmScene
    var isSoundOn: Bool
    var offered: [CalmScene]
    var hasPassphrase: Bool
    var kiosk: CalmKiosk
  }

  private struct Entry: Decodable { var passphrase: String }

  private struct Change: Decodable {
    /// What `unlock` gave.
    var key: String?
    var scene: CalmScene?
    var isSoundOn: Bool?
    var offered: [CalmScene]?
  }

  var all: [CompanionEndpoint] {
    [
      .init(.get, "/calm", work: .waiting) { _ in .json(try state()) },
      .init(.patch, "/calm", work: .waiting) { request in
        let change = try request.json(Change.self)
        guard try await session.isOpen(to: change.key) || !file.hasPassphrase() else {
          throw CompanionEndpoint.Failure(403, "locked", "The adult’s sheet is locked.")
        }
        try file.changeSettings { settings in
          if let scene = change.scene { settings.scene = scene }
          if let isSoundOn = change.isSoundOn { settings.isSoundOn = isSoundOn }
          if let offered = change.offered {
            settings.offered = CalmScene.allCases.filter(offered.contains)
          }
          guard settings.offered.contains(settings.scene) else {
            throw CompanionEndpoint.Failure(
              422, "notOffered", "The scene on the surface is always offered.")
          }
        }
        return .json(try state())
      },
      .init(.post, "/calm/unlock", work: .waiting) { request in
        try file.requirePassphrase(request.json(Entry.self).passphrase)
        return .json(["key": await session.open()])
      },
    ]
  }

  private func state() throws -> State {
    let settings = try file.settings()
    return State(
      scene: settings.scene, isSoundOn: settings.isSoundOn, offered: settings.offered,
      hasPassphrase: try file.hasPassphrase(), kiosk: kiosk)
  }
}

/// What is known of the browser that shows the surface.
enum CalmKiosk: String, Encodable {
  /// This program did not start it.
  case none
  /// This program started it over all of a desktop, whose own shortcuts still work.
  case desktop
  /// This program started it, and the screen shows nothing else.
  case alone
}

/// The page on which an adult entered the passphrase. It may change things for ten minutes, if it
/// is not left before: no other page knows its key.
private actor AdultSession {
  private var key: String?
  private var end = ContinuousClock.now

  func isOpen(to key: String?) -> Bool { key != nil && key == self.key && .now < end }

  func open() -> String {
    let key = UUID().uuidString
    (self.key, end) = (key, .now + .seconds(600))
    return key
  }
}
