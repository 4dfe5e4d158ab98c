internal import HTTPTypes
internal import Hummingbird
internal import JSON

// The address for guests.

private struct InvitationAnswer: Encodable {
  struct Code: Encodable {
    var size: Int
    var path: String
  }

  struct Address: Encodable {
    var url: String
    var code: Code
  }

  var addresses: [Address]
  /// The command that starts the studio for other machines; null if they reach it.
  @OrNull var command: String?

  /// - Parameters:
  ///   - urls: The guests' URLs; those of names that are too long for a code are left out.
  ///   - command: The command that starts the studio for other machines; nil if they reach it.
  init(_ urls: [String], command: String?) {
    self.command = command
    addresses = urls.compactMap { url in
      QRCode(url).map { Address(url: url, code: Code(size: $0.size, path: $0.path)) }
    }
  }
}

extension Studio {
  var invitationEndpoints: [Endpoint] {
    [
      .get("/invitation") { call in
        let port = call.port ?? address.port
        let urls = address.urls(port: port, seenAt: call.request.head.authority)
        let command = address.isOpenToOthers ? nil : commandForOthers?(port)
        return try .json(InvitationAnswer(urls.guests, command: command))
      }
    ]
  }
}
