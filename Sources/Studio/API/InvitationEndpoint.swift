internal import HTTPTypes
internal import Hummingbird

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

  /// - Parameter urls: The guests' URLs; those of names that are too long for a code are left out.
  init(_ urls: [String]) {
    addresses = urls.compactMap { url in
      QRCode(url).map { Address(url: url, code: Code(size: $0.size, path: $0.path)) }
    }
  }
}

extension Studio {
  var invitationEndpoints: [Endpoint] {
    [
      .get("/invitation") { call in
        let urls = address.urls(
          port: call.port ?? address.port, seenAt: call.request.head.authority)
        return try .json(InvitationAnswer(urls.guests))
      }
    ]
  }
}
