internal import Hummingbird
internal import HTTPTypes
internal import Ink
internal import Workspace

/// The reason why a request failed, with a message for people and the details.
struct StudioError: Error, Equatable {
  /// The status of the response, 4xx or 5xx.
  var status: HTTPResponse.Status
  /// A machine-readable code.
  var code: String
  /// The message for people, in the wording of the requirements if they give one.
  var message: String
  /// What is wrong, and where.
  var detail: String?

  init(_ status: HTTPResponse.Status, _ code: String, _ message: String, detail: String? = nil) {
    (self.status, self.code, self.message, self.detail) = (status, code, message, detail)
  }
}

extension StudioError {
  /// The message if a drawing cannot be read (F-001).
  static let unreadableMessage = "Couldn’t read drawing. Please try again."
  /// The message if a drawing cannot be classified (F-005).
  static let classifyMessage = "Couldn’t classify. Try again."
  private static let requestMessage = "The studio couldn’t understand the request."

  /// The request refers to an earlier run of the server; nothing is done.
  static let otherRun = StudioError(
    .conflict, "otherRun", "The studio was restarted. Open the playground again.")

  /// A guest's request for what only the owner may do.
  static func ownerOnly(
    _ message: String = "Only the owner of this studio can do that."
  ) -> StudioError { StudioError(.forbidden, "ownerOnly", message) }

  /// A request that its endpoint cannot parse.
  static func malformed(_ detail: String) -> StudioError {
    StudioError(.badRequest, "malformedRequest", requestMessage, detail: detail)
  }

  /// A body of another content type than its endpoint takes.
  static func wrongContentType(_ detail: String) -> StudioError {
    StudioError(.unsupportedMediaType, "wrongContentType", requestMessage, detail: detail)
  }

  /// A drawing that cannot be read.
  static func drawing(_ detail: String, code: String = "unreadableDrawing") -> StudioError {
    StudioError(.badRequest, code, unreadableMessage, detail: detail)
  }

  /// A drawing that the parser rejected.
  static func drawing(_ error: InkError, in place: String = "") -> StudioError {
    drawing(
      place + error.description,
      code: error == .emptyDrawing ? "emptyDrawing" : "unreadableDrawing")
  }

  /// A request over a limit.
  static func tooLarge(_ detail: String) -> StudioError {
    StudioError(.contentTooLarge, "tooLarge", "That is too much at once.", detail: detail)
  }

  /// A body that was cut off, or violates HTTP.
  static let incomplete = malformed("The body arrived incomplete.")

  /// The studio is shutting down.
  static let stopping = StudioError(
    .serviceUnavailable, "stopping", "The studio is stopping. Please start it again.")

  /// A body that arrives too slowly.
  static let tooSlow = StudioError(
    .requestTimeout, "tooSlow", "The file didn’t arrive. Please try again.",
    detail: "The upload was too slow.")

  /// Another import is running.
  static let importing = StudioError(
    .serviceUnavailable, "busy", "Another import is running. Please try again when it is done.",
    detail: "The studio takes one import at a time.")

  /// Too many requests of guests wait.
  static let busy = StudioError(
    .serviceUnavailable, "busy", "The studio has too much to do. Please try again.")

  /// Something that does not exist.
  static func notFound(_ detail: String) -> StudioError {
    StudioError(.notFound, "notFound", "There is nothing here.", detail: detail)
  }

  /// An unexpected error, whose description goes to standard error only.
  static func unforeseen(_ error: any Error, in what: String) -> StudioError {
    Studio.log("\(what): \(error)")
    return StudioError(
      .internalServerError, "internalError", "Something went wrong. Please try again.")
  }

  /// Converts an error; nil if it is unexpected.
  init?(_ error: any Error) {
    switch error {
    case let error as StudioError: self = error
    case let error as WorkspaceError: self.init(error)
    case let error as InkError: self = .drawing(error)
    case is CancellationError: self = .stopping
    case let error as HTTPError where error.status == .notFound:
      self = .notFound("The studio has no such address.")
    case let error as HTTPError where error.status == .contentTooLarge:
      self = .tooLarge("The body is larger than this address takes.")
    case let error as HTTPError: self.init(error.status, "malformedRequest", Self.requestMessage)
    default: return nil
    }
  }

  /// Converts an error of the workspace.
  init(_ error: WorkspaceError) {
    let status: HTTPResponse.Status =
      switch error.reason.code {
      case .unknownModel, .unknownLabel, .unknownSample, .unknownPlayground, .unknownTemplate,
        .unknownArtwork, .noReport:
        .notFound
      case .nameTaken, .labelTaken, .idTaken, .noSamples, .tooManyTemplates,
        .tooManyArtworks:
        .conflict
      case .nameEmpty, .nameTooLong, .nameInvalid, .labelEmpty, .labelTooLong, .labelInvalid,
        .invalidID, .emptyDrawing, .invalidDrawing, .invalidNumber, .notImportable,
        .unusableTemplate, .unusableArtwork:
        .badRequest
      case .tooLittleInk: .unprocessableContent
      case .tooMuch, .exportTooLong, .exportTooMany: .contentTooLarge
      case .diskFull: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
      case .busy: .serviceUnavailable
      case .noWorkspace, .readOnly, .newerSchema, .damaged, .lost, .unreadable, .foreign,
        .foreignFile, .file, .database, .model, .lostArtwork, .ownFile:
        .internalServerError
      }
    var message = error.message
    switch error.reason.code {
    case .labelEmpty: message = error.detail
    case .emptyDrawing, .invalidDrawing: message = Self.unreadableMessage
    default: break
    }
    // Do not reveal the paths of the user's files to clients.
    let detail = status.kind == .serverError ? error.detail.withoutFolders : error.detail
    self.init(status, error.code, message, detail: detail)
  }
}

extension String {
  /// The text with paths replaced by their last components. A path may begin anywhere, and its
  /// folders may have spaces in their names.
  fileprivate var withoutFolders: String { replacing(/[^ :“”]*\/([^:“”]*\/)*/, with: "") }
}

extension StudioError: Encodable {
  private enum Key: CodingKey { case error }
  private enum Part: CodingKey { case code, message, detail }

  /// Writes `{"error":{"code":…,"message":…,"detail":…}}`.
  func encode(to encoder: any Encoder) throws {
    var whole = encoder.container(keyedBy: Key.self)
    var parts = whole.nestedContainer(keyedBy: Part.self, forKey: .error)
    try parts.encode(code, forKey: .code)
    try parts.encode(message, forKey: .message)
    try parts.encodeIfPresent(detail, forKey: .detail)
  }
}
