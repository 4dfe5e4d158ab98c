internal import Calm
internal import Foundation
internal import Report
internal import Studio
internal import Text

/// What the calm surface and its adult's sheet ask for.
struct CalmEndpoints {
  let file: CalmFile
  /// Whether the browser was started in kiosk mode by this program.
  let isKiosk: Bool
  private let session = AdultSession()

  init(file: CalmFile, isKiosk: Bool) { (self.file, self.isKiosk) = (file, isKiosk) }

  private struct State: Encodable {
    var scene: CalmScene
    var isSoundOn: Bool
    var offered: [CalmScene]
    var hasPassphrase: Bool
    var isKiosk: Bool
  }

  private struct Entry: Decodable { var passphrase: String }

  private struct Change: Decodable {
    var scene: CalmScene?
    var isSoundOn: Bool?
    var offered: [CalmScene]?
  }

  var all: [CompanionEndpoint] {
    [
      .init(.get, "/calm", work: .waiting) { _ in .json(try state()) },
      .init(.patch, "/calm", work: .waiting) { request in
        guard try await session.isOpen || !file.hasPassphrase() else {
          throw CompanionEndpoint.Failure(403, "locked", "The adult’s sheet is locked.")
        }
        let change = try request.json(Change.self)
        var settings = try file.settings()
        if let scene = change.scene { settings.scene = scene }
        if let isSoundOn = change.isSoundOn { settings.isSoundOn = isSoundOn }
        if let offered = change.offered {
          settings.offered = CalmScene.allCases.filter(offered.contains)
        }
        guard settings.offered.contains(settings.scene) else {
          throw CompanionEndpoint.Failure(
            422, "notOffered", "The scene on the surface is always offered.")
        }
        try file.set(settings)
        return .json(try state())
      },
      .init(.post, "/calm/unlock", work: .waiting) { request in
        let entered = try request.json(Entry.self).passphrase
        guard entered.count <= Passphrase.lengths.upperBound else {
          throw CompanionEndpoint.Failure(403, "wrongPassphrase", "That is not it.")
        }
        switch try file.answer(to: entered) {
        case .open: return .json(["until": await session.open().formatted(.iso8601)])
        case .wrong: throw CompanionEndpoint.Failure(403, "wrongPassphrase", "That is not it.")
        case .wait(let seconds):
          throw CompanionEndpoint.Failure(
            429, "wait", "Wait \(counted(seconds, "second")).", detail: String(seconds))
        }
      },
    ]
  }

  private func state() throws -> State {
    let settings = try file.settings()
    return State(
      scene: settings.scene, isSoundOn: settings.isSoundOn, offered: settings.offered,
      hasPassphrase: try file.hasPassphrase(), isKiosk: isKiosk)
  }
}

/// Until when an adult who knew the passphrase may change things.
private actor AdultSession {
  private static let seconds = 600.0
  private var until = Date.distantPast

  var isOpen: Bool { until > Date() }

  func open() -> Date {
    until = Date().addingTimeInterval(Self.seconds)
    return until
  }
}
