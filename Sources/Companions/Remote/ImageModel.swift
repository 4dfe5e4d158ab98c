internal import Foundation
internal import JSON

/// A model that makes pictures of pictures, behind an address that speaks Google's protocol (POST
/// /v1beta/models/…:generateContent).
///
///     let model = try ImageModel(at: RemoteAddress(ImageModel.standardServer), key: key)
///     let picture = try model.picture(of: png, prompt: "A watercolor painting")
///
/// Source: Google, Gemini API reference, Method: models.generateContent.
public struct ImageModel: Sendable {
  /// Where a request has the key.
  public enum KeyPlace: String, Sendable, CaseIterable {
    /// In the header `x-goog-api-key`.
    case header
    /// In the address, as `?key=`; servers may note addresses in their logs.
    case query
  }

  /// Google's server.
  public static let standardServer = "https://generativelanguage.googleapis.com"
  /// The name of the model that makes pictures there.
  public static let standardName = "gemini-3.1-flash-image-preview"
  /// The most bytes of a picture.
  public static let mostBytes = 32 << 20

  /// Where the server is.
  public var address: RemoteAddress { server.address }
  /// The model's name.
  public let name: String
  private let keyPlace: KeyPlace
  private let server: ModelServer<ImageModelError>

  /// A model.
  ///
  /// - Parameters:
  ///   - address: Where the server is.
  ///   - key: What the server knows the user by; it goes to this server alone.
  ///   - name: The model's name: letters, digits, ".", "-" and "_".
  ///   - keyPlace: Where requests have the key.
  /// - Throws: `ImageModelError.key` or `.name`.
  public init(
    at address: RemoteAddress, key: String, name: String = standardName,
    keyPlace: KeyPlace = .header
  ) throws(ImageModelError) {
    // Others, such as "/", would lead to another path.
    guard name.wholeMatch(of: /[A-Za-z0-9._\-]{1,200}/) != nil else { throw .name(name) }
    server = try ModelServer(at: address, key: key)
    (self.name, self.keyPlace) = (name, keyPlace)
  }

  /// Asks the model for a picture; once more if its answer has none, and never otherwise. Blocks its
  /// thread; cancelling its task ends it.
  ///
  /// - Parameters:
  ///   - png: The PNG file that the model gets.
  ///   - prompt: What it is to make of it.
  ///   - seconds: How long each request may take.
  /// - Returns: The bytes that the answer calls a picture, at most `mostBytes`, unread.
  /// - Throws: `ImageModelError`, or `CancellationError`.
  public func picture(of png: [UInt8], prompt: String, seconds: Int = 30) throws -> [UInt8] {
    let request = Request(png, prompt)
    for _ in 1...2 {
      let (status, body) = try server.post(
        request, to: "v1beta/models/\(name):generateContent",
        query: keyPlace == .query ? [("key", server.key)] : [],
        headers: keyPlace == .header ? ["x-goog-api-key: \(server.key)"] : [], seconds: seconds,
        // Base64 has four characters for three bytes; the rest is text.
        mostBytes: Self.mostBytes / 3 * 4 + 1 << 20)
      guard status == 200 else { throw Self.refusal(status, body) }
      if let picture = try Self.picture(in: body) { return picture }
    }
    throw ImageModelError.noPicture
  }

  /// The sketch, the prompt and how many pictures to make: nothing about the user or the machine.
  private struct Request: Encodable {
    struct Content: Encodable {
      var parts: [Part]
    }
    struct Part: Encodable {
      var inlineData: InlineData?
      var text: String?

      enum CodingKeys: String, CodingKey {
        case inlineData = "inline_data"
        case text
      }
    }
    struct InlineData: Encodable {
      var type = "image/png"
      var data: String

      enum CodingKeys: String, CodingKey {
        case type = "mime_type"
        case data
      }
    }
    struct Configuration: Encodable {
      var responseModalities = ["IMAGE", "TEXT"]
      var candidateCount = 1
    }

    var contents: [Content]
    var generationConfig = Configuration()

    init(_ png: [UInt8], _ prompt: String) {
      let data = Data(png).base64EncodedString()
      contents = [Content(parts: [Part(inlineData: .init(data: data)), Part(text: prompt)])]
    }
  }

  private static func refusal(_ status: Int, _ body: [UInt8]) -> ImageModelError {
    // Google's server answers an unknown key with 400, as it does malformed requests.
    let message = text((try? JSONDocument(body))?.root["error"]?["message"]) ?? ""
    let isAboutKey = [401, 403].contains(status) || status == 400 && message.contains("API key")
    return isAboutKey ? .keyRefused(status) : .status(status)
  }

  /// The picture in the body of an answer; nil if it has none.
  private static func picture(in body: [UInt8]) throws(ImageModelError) -> [UInt8]? {
    let answer: JSONValue
    do { answer = try JSONDocument(body).root } catch { throw .answer("\(error)") }
    guard answer.members != nil else { throw .answer("it is no object") }
    let candidate = answer["candidates"]?.elements?.first
    guard text(answer["promptFeedback"]?["blockReason"]) == nil,
      !refusals.contains(text(candidate?["finishReason"]) ?? "")
    else { throw .blocked }
    for part in candidate?["content"]?["parts"]?.elements ?? [] {
      // Servers write the names as in Protobuf's JSON, or as requests have them.
      guard let data = part["inline_data"] ?? part["inlineData"],
        text(data["mime_type"] ?? data["mimeType"])?.hasPrefix("image/") == true
      else { continue }
      guard let picture = text(data["data"]).flatMap({ Data(base64Encoded: $0) }) else {
        throw .answer("its picture is not in base64")
      }
      guard picture.count <= mostBytes else { throw .tooLarge(mostBytes) }
      return Array(picture)
    }
    return nil
  }

  /// The reasons to finish that mean a refusal.
  private static let refusals: Set = [
    "SAFETY", "IMAGE_SAFETY", "PROHIBITED_CONTENT", "IMAGE_PROHIBITED_CONTENT",
  ]

  private static func text(_ value: JSONValue?) -> String? {
    value.flatMap { try? $0.decode(String.self) }
  }
}
