internal import Hummingbird
internal import HTTPTypes
internal import Ink
internal import Workspace

/// Why a request is refused: what to say to people, and what is wrong, and where.
struct StudioError: Error, Equatable {
  /// The status of the answer, 4xx or 5xx.
  var status: HTTPResponse.Status
  /// A word for programs.
  var code: String
  /// What to say to people, in the requirements' words where there are such.
  var message: String
  /// What is wrong, and where.
  var detail: String?

  init(_ status: HTTPResponse.Status, _ code: String, _ message: String, detail: String? = nil) {
    (self.status, self.code, self.message, self.detail) = (status, code, message, detail)
  }
}

extension StudioError {
  /// What is said where a drawing cannot be read (F-001).
  static let unreadableMessage = "Couldn’t read drawing. Please try again."
  /// What is said where a drawing cannot be classified (F-005).
  static let classifyMessage = "Couldn’t classify. Try again."
  private static let requestMessage = "The studio couldn’t understand the request."

  /// What is said to who speaks to a run of the server that has ended: nothing is done.
  static let otherRun = StudioError(
    .conflict, "otherRun", "The studio was started again. Open the playground once more.")

  /// A request that is not what its address takes.
  static func malformed(_ detail: String) -> StudioError {
    StudioError(.badRequest, "malformedRequest", requestMessage, detail: detail)
  }

  /// A drawing that cannot be read.
  static func drawing(_ detail: String, code: String = "unreadableDrawing") -> StudioError {
    StudioError(.badRequest, code, unreadableMessage, detail: detail)
  }

  /// A drawing that the reader of strokes refused.
  static func drawing(_ error: InkError, in place: String = "") -> StudioError {
    drawing(
      place + error.description,
      code: error == .emptyDrawing ? "emptyDrawing" : "unreadableDrawing")
  }

  /// More than is taken.
  static func tooLarge(_ detail: String) -> StudioError {
    StudioError(.contentTooLarge, "tooLarge", "That is too much at once.", detail: detail)
  }

  /// A body that ended before its end, or is not what HTTP says.
  static let incomplete = malformed("The body did not come whole.")

  /// What is said where the studio ends meanwhile.
  static let stopping = StudioError(
    .serviceUnavailable, "stopping", "The studio is about to end. Please start it again.")

  /// A body that does not come, or hardly.
  static let tooSlow = StudioError(
    .requestTimeout, "tooSlow", "The file didn’t arrive. Please try again.",
    detail: "Too little of it came for too long.")

  /// What is said to who imports while somebody else does.
  static let importing = StudioError(
    .serviceUnavailable, "busy", "Another import is running. Please try again when it is done.",
    detail: "The studio takes one import at a time.")

  /// Something that is not there.
  static func notFound(_ detail: String) -> StudioError {
    StudioError(.notFound, "notFound", "There is nothing here.", detail: detail)
  }

  /// An error that nobody foresaw: what it is stands on standard error.
  static func unforeseen(_ error: any Error, in what: String) -> StudioError {
    Studio.log("\(what): \(error)")
    return StudioError(
      .internalServerError, "internalError", "Something went wrong. Please try again.")
  }

  /// Any error as an answer; nil for one that nobody foresaw.
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

  /// What the workspace refused.
  init(_ error: WorkspaceError) {
    let status: HTTPResponse.Status =
      switch error.reason {
      case .unknownModel, .unknownLabel, .unknownSample, .unknownPlayground, .noReport: .notFound
      case .nameTaken, .labelTaken, .idTaken, .noSamples: .conflict
      case .nameEmpty, .nameTooLong, .nameInvalid, .labelEmpty, .labelTooLong, .labelInvalid,
        .invalidID, .drawing, .invalidNumber, .notImportable:
        .badRequest
      case .tooLittleInk: .unprocessableContent
      case .tooMuch, .exportTooLong, .exportTooMany: .contentTooLarge
      case .diskFull: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
      case .busy: .serviceUnavailable
      case .noWorkspace, .readOnly, .newerSchema, .damaged, .unreadable, .foreign, .foreignFile,
        .file, .database, .model, .ownFile:
        .internalServerError
      }
    var message = error.message
    switch error.reason {
    case .labelEmpty: message = error.detail
    case .drawing: message = Self.unreadableMessage
    default: break
    }
    // Where the user's files are is nothing for who asks from elsewhere.
    let detail = status.kind == .serverError ? error.detail.withoutFolders : error.detail
    self.init(status, error.code, message, detail: detail)
  }
}

extension String {
  /// The text with the last parts of paths in their place. A path may begin anywhere, and folders
  /// in it may have spaces in their names.
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
