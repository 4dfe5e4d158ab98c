internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Ink
internal import JSON
internal import NIOCore

// Bodies of requests and responses.

extension Response {
  /// A response with a JSON body.
  static func json(
    _ value: some Encodable, status: HTTPResponse.Status = .ok
  ) throws -> Response {
    .bytes(try JSONText.encode(value), of: "application/json", status: status)
  }

  /// A response with a body of the given content type.
  static func bytes(
    _ bytes: some Sequence<UInt8>, of type: String, status: HTTPResponse.Status = .ok
  ) -> Response {
    Response(
      status: status, headers: [.contentType: type],
      body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// A response without a body.
  static var empty: Response { Response(status: .noContent) }
}

extension Request {
  /// The content type without its parameters, in lower case.
  var mediaType: String? {
    headers[.contentType]?.split(separator: ";").first?
      .trimmingCharacters(in: .whitespaces).lowercased()
  }

  /// The bytes of a JSON body.
  ///
  /// - Throws: `StudioError` for another content type, and for more than `limit` bytes.
  func jsonBytes(upTo limit: Int) async throws -> [UInt8] {
    try await bytes(
      upTo: limit, of: ["application/json"],
      "The body must be JSON, with the content type application/json.")
  }

  /// The bytes of a body.
  ///
  /// - Throws: `StudioError` with `detail` for another content type than `types`, and for more than
  ///   `limit` bytes.
  func bytes(upTo limit: Int, of types: Set<String>, _ detail: String) async throws -> [UInt8] {
    guard let mediaType, types.contains(mediaType) else {
      throw StudioError.wrongContentType(detail)
    }
    return Array(buffer: try await collected(upTo: limit))
  }

  /// The body as a whole.
  ///
  /// - Throws: `StudioError` for more than `limit` bytes, and a body that breaks off.
  func collected(upTo limit: Int) async throws -> ByteBuffer {
    // Reject early if the announced length is too large.
    if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit {
      throw StudioError.tooLarge("The body has \(length) bytes; at most \(limit) are accepted.")
    }
    do {
      return try await body.collect(upTo: limit)
    } catch is NIOTooManyBytesError {
      throw StudioError.tooLarge("The body has more than \(limit) bytes.")
    } catch let error where !(error is CancellationError) {
      throw StudioError.incomplete
    }
  }

  /// The decoded JSON body.
  func json<Value: Decodable>(_ type: Value.Type, upTo limit: Int) async throws -> Value {
    try JSONText.decode(type, from: await jsonBytes(upTo: limit))
  }
}

/// The API's JSON format.
enum JSONText {
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
    return try encoder.encode(value)
  }

  /// - Throws: `StudioError` that says where the text is not JSON.
  static func value(of bytes: some Collection<UInt8>) throws -> JSONValue {
    do throws(JSONFault) { return try JSONDocument(Array(bytes), takesNull: false).root } catch {
      throw StudioError.malformed(error.description)
    }
  }

  /// - Throws: `StudioError` that says what is wrong, and where.
  static func decode<Value: Decodable>(_ type: Value.Type, from value: JSONValue) throws -> Value {
    do throws(JSONFault) { return try value.decoded(type) } catch {
      throw StudioError.malformed(error.description)
    }
  }

  /// - Throws: `StudioError` that says what is wrong, and where.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: some Collection<UInt8>
  ) throws -> Value {
    try decode(type, from: value(of: bytes))
  }
}
