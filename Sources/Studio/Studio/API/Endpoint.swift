internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// A method and a path of the API with its handler. `docs/studio-api.yaml` describes each endpoint;
/// a test compares both.
struct Endpoint: Sendable {
  var method: HTTPRequest.Method
  /// The path below `/api`, with names in braces, such as "/models/{model}".
  var path: String
  /// Who may use it.
  var access: Access
  /// Whether its response continues until the client disconnects.
  var isStream = false
  var answer: @Sendable (Call) async throws -> Response

  static func get(
    _ path: String, for access: Access = .owner, isStream: Bool = false,
    _ answer: @escaping @Sendable (Call) async throws -> Response
  ) -> Endpoint {
    Endpoint(method: .get, path: path, access: access, isStream: isStream, answer: answer)
  }

  static func post(
    _ path: String, for access: Access = .owner,
    _ answer: @escaping @Sendable (Call) async throws -> Response
  ) -> Endpoint { Endpoint(method: .post, path: path, access: access, answer: answer) }

  static func patch(
    _ path: String, for access: Access = .owner,
    _ answer: @escaping @Sendable (Call) async throws -> Response
  ) -> Endpoint { Endpoint(method: .patch, path: path, access: access, answer: answer) }

  static func delete(
    _ path: String, for access: Access = .owner,
    _ answer: @escaping @Sendable (Call) async throws -> Response
  ) -> Endpoint { Endpoint(method: .delete, path: path, access: access, answer: answer) }
}

/// The context of a request: the connection that it came on, and who sent it.
struct StudioContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// Who sent it; a guest until the security middleware has found out.
  var visitor = Visitor.guest(browser: "")
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

/// A request with its path parameters.
struct Call: Sendable {
  var request: Request
  private let context: StudioContext

  init(_ request: Request, _ context: StudioContext) {
    (self.request, self.context) = (request, context)
  }

  /// Closes the connection, even if data is still queued.
  var disconnect: @Sendable () -> Void {
    { [channel = context.channel] in channel.close(promise: nil) }
  }

  /// Who sends the request.
  var visitor: Visitor { context.visitor }

  /// The port that it came to; nil if it is not known.
  var port: Int? { context.channel.localAddress?.port }

  /// The id of a playground in the path.
  ///
  /// - Throws: `StudioError.ownerOnly` for a guest and a playground that is not a guest's.
  func playground() throws -> String { try own(playground: part("playground")) }

  /// The id of a playground that the visitor may use.
  ///
  /// - Throws: `StudioError.ownerOnly` for another one.
  func own(playground id: String) throws -> String {
    guard visitor.mayUse(playground: id) else { throw StudioError.ownerOnly() }
    return id
  }

  /// The decoded path parameter for a name in braces: any text, which is only looked up and never
  /// part of a file's path.
  func part(_ name: String) throws -> String {
    guard let raw = context.parameters.get(name), let text = raw.removingPercentEncoding else {
      throw StudioError.malformed("The address has an invalid “%” escape.")
    }
    return text
  }

  /// The query parameter of a name; nil if there is no such parameter.
  ///
  /// - Throws: `StudioError` where there are several.
  func query(_ name: String) throws -> String? {
    let found = queries(name)
    guard found.count <= 1 else { throw StudioError.malformed("\(name) comes twice") }
    return found.first
  }

  /// All query parameters of a name. A plus is a space, as browsers and other programs write it.
  func queries(_ name: String) -> [String] {
    (request.uri.query ?? "").split(separator: "&").compactMap { parameter in
      let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { part in
          let spaced = part.replacing("+", with: " ")
          return spaced.removingPercentEncoding ?? String(spaced)
        }
      return parts[0] == name ? parts.dropFirst().first ?? "" : nil
    }
  }

  /// An integer query parameter; `usual` if it is missing.
  ///
  /// - Throws: `StudioError` for anything but an integer in `range`.
  func number(_ name: String, in range: ClosedRange<Int>, usually usual: Int) throws -> Int {
    guard let text = try query(name) else { return usual }
    guard text.wholeMatch(of: /-?[0-9]+/) != nil, let number = Int(text), range.contains(number)
    else {
      throw StudioError.malformed(
        "\(name) must be a whole number in \(range.lowerBound)...\(range.upperBound)")
    }
    return number
  }

  /// A number as JSON writes it in a query parameter; nil if it is missing.
  ///
  /// - Throws: `StudioError` for anything but a number in `range`.
  func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
    guard let text = try query(name) else { return nil }
    guard text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil,
      let number = Double(text), range.contains(number)
    else {
      throw StudioError.malformed(
        "\(name) must be a number in \(range.lowerBound)...\(range.upperBound)")
    }
    return number
  }
}

extension Router where Context == StudioContext {
  /// Adds the endpoints of the API, each GET for HEAD, too; `SecurityMiddleware` drops the body.
  func add(_ endpoints: [Endpoint], guests: GuestQueue) {
    for endpoint in endpoints {
      for method in endpoint.method == .get ? [.get, .head] : [endpoint.method] {
        on(RouterPath("/api" + endpoint.path), method: method) { request, context in
          guard endpoint.access == .guest || context.visitor == .owner else {
            throw StudioError.ownerOnly()
          }
          let call = Call(request, context)
          if context.visitor == .owner { return try await endpoint.answer(call) }
          return try await guests.answer(call, by: endpoint)
        }
      }
    }
  }

  /// Adds the files of the page.
  func add(_ files: [PageFile]) {
    for file in files {
      for method in [HTTPRequest.Method.get, .head] {
        on(RouterPath(file.path), method: method) { request, _ in
          var headers: HTTPFields = [.contentType: file.type, .cacheControl: "no-cache"]
          headers[.eTag] = file.tag
          if request.headers[.ifNoneMatch] == file.tag {
            return Response(status: .notModified, headers: headers)
          }
          return Response(
            status: .ok, headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: file.bytes)))
        }
      }
    }
  }
}
