internal import HTTPTypes
internal import Hummingbird

/// The methods that each address accepts. A request with any other method gets 405 with a list of
/// these (RFC 9110, section 15.5.6): the router knows only pairs of address and method.
struct AllowedMethods: RouterMiddleware {
  typealias Context = StudioContext

  /// By address: its parts, nil for one that may be anything.
  private let addresses: [(parts: [Substring?], methods: [String])]

  init(_ endpoints: [Endpoint], files: [PageFile]) {
    let paths = Dictionary(grouping: endpoints, by: \.path).map { path, endpoints in
      ("/api" + path, endpoints.map(\.method.rawValue))
    }
    let all = paths + files.map { ($0.path, ["GET"]) }
    addresses = all.map { path, methods in
      (
        Self.parts(path).map { $0.hasPrefix("{") ? nil : $0 },
        methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }
      )
    }
  }

  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let methods = methods(of: request.uri.path), !methods.contains(request.method.rawValue)
    else { return try await next(request, context) }
    let known = methods.joined(separator: ", ")
    var response = try Response.json(
      StudioError(
        .methodNotAllowed, "methodNotAllowed", "The studio couldn’t understand the request.",
        detail: "This address takes \(known)."),
      status: .methodNotAllowed)
    response.headers[.allow] = known
    return response
  }

  /// The methods of an address; nil for one that is not known.
  private func methods(of path: String) -> [String]? {
    let parts = Self.parts(path)
    return addresses.first { address in
      address.parts.count == parts.count
        && zip(address.parts, parts).allSatisfy { $0 == nil || $0 == $1 }
    }?.methods
  }

  private static func parts(_ path: String) -> [Substring] { path.split(separator: "/") }
}
