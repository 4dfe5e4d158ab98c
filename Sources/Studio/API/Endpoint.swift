internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// A method and a path of the interface, and what answers. `docs/studio-api.yaml` describes each of
/// them; a test compares both.
struct Endpoint: Sendable {
  var method: HTTPRequest.Method
  /// The path below `/api`, with names in braces, such as "/models/{model}".
  var path: String
  var answer: @Sendable (Call) async throws -> Response

  static func get(
    _ path: String, _ answer: @escaping @Sendable (Call) async throws -> Response
  ) -> Endpoint { Endpoint(method: .get, path: path, answer: answer) }

  static func post(
    _ path: String, _ answer: @escaping @Sendable (Call) async throws -> Response
  ) -> Endpoint { Endpoint(method: .post, path: path, answer: answer) }

  static func patch(
    _ path: String, _ answer: @escaping @Sendable (Call) async throws -> Response
  ) -> Endpoint { Endpoint(method: .patch, path: path, answer: answer) }

  static func delete(
    _ path: String, _ answer: @escaping @Sendable (Call) async throws -> Response
  ) -> Endpoint { Endpoint(method: .delete, path: path, answer: answer) }
}

/// What is known of a request besides what it says: the connection that it came on.
struct StudioContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

/// A request with the names of its path.
struct Call: Sendable {
  let request: Request
  private let context: StudioContext

  init(_ request: Request, _ context: StudioContext) {
    (self.request, self.context) = (request, context)
  }

  /// Closes the connection, whatever still waits to be sent.
  var disconnect: @Sendable () -> Void {
    { [channel = context.channel] in channel.close(promise: nil) }
  }

  /// What stands in the path for a name in braces, decoded: any text, which is looked up and never
  /// part of a file's path.
  func part(_ name: String) throws -> String {
    guard let raw = context.parameters.get(name), let text = raw.removingPercentEncoding else {
      throw StudioError.malformed("The address holds a “%” that means nothing.")
    }
    return text
  }

  /// What a query says for a name; nil where it does not.
  func query(_ name: String) -> String? {
    request.uri.queryParameters[name[...]].map(String.init)
  }

  /// All that a query says for a name.
  func queries(_ name: String) -> [String] {
    request.uri.queryParameters[values: name[...]].map(String.init)
  }

  /// A whole number in a query.
  ///
  /// - Throws: `StudioError` for another text, and for one out of `range`.
  func number(_ name: String, in range: ClosedRange<Int>, usually usual: Int) throws -> Int {
    guard let text = query(name) else { return usual }
    guard let number = Int(text), range.contains(number) else {
      throw StudioError.malformed(
        "\(name) must be a whole number in \(range.lowerBound)...\(range.upperBound)")
    }
    return number
  }
}

extension Router where Context == StudioContext {
  /// Takes in all of the interface. What is asked for with another method is told which there are.
  func add(_ endpoints: [Endpoint]) {
    for endpoint in endpoints {
      on(RouterPath("/api" + endpoint.path), method: endpoint.method) { request, context in
        try await endpoint.answer(Call(request, context))
      }
    }
    let methods = Dictionary(grouping: endpoints, by: \.path)
    for (path, endpoints) in methods.sorted(by: { $0.key < $1.key }) {
      let known = endpoints.map(\.method.rawValue)
      for method in [HTTPRequest.Method.get, .head, .post, .put, .patch, .delete, .options]
      where !known.contains(method.rawValue) {
        on(RouterPath("/api" + path), method: method) { (_, _) throws -> Response in
          var response = try Response.json(
            StudioError(
              .methodNotAllowed, "methodNotAllowed", "The studio couldn’t understand the request.",
              detail: "This address takes \(known.joined(separator: ", "))."),
            status: .methodNotAllowed)
          response.headers[.allow] = known.joined(separator: ", ")
          return response
        }
      }
    }
  }

  /// Takes in the files of the page.
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
