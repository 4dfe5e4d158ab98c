internal import Files
internal import Ink
public import Text
internal import Trace

/// A failed operation of a workspace and its reason, with messages for people.
public struct WorkspaceError: DescribedError, Equatable {
  /// The operation that failed; its raw value is the message that it did.
  public enum Operation: String, Sendable, CaseIterable {
    /// Opening the workspace.
    case open = "Couldn’t open your models."
    /// Reading from it.
    case read = "Couldn’t read your models."
    /// Making a model.
    case createModel = "Couldn’t create the model."
    /// Giving a model another name.
    case renameModel = "Couldn’t rename the model."
    /// Deleting a model.
    case deleteModel = "Couldn’t delete the model."
    /// Choosing the active model, or changing its refusal rate.
    case changeModel = "Couldn’t change the model."
    /// Renaming a label.
    case changeLabel = "Couldn’t rename the label."
    /// Deleting a label with its samples.
    case deleteLabel = "Couldn’t delete the label."
    /// Bringing a deleted label or sample back.
    case restore = "Couldn’t bring it back."
    /// Adding samples (F-003).
    case saveSample = "Couldn’t save sample."
    /// Giving samples another label.
    case changeSample = "Couldn’t change the sample."
    /// Deleting samples.
    case deleteSample = "Couldn’t delete the sample."
    /// Training (F-004).
    case train = "Training failed."
    /// Loading the recognizer (F-005).
    case classify = "Couldn’t classify. Try again."
    /// Changing settings.
    case saveSettings = "Couldn’t save the settings."
    /// Changing the history.
    case saveHistory = "Couldn’t save the history."
    /// Keeping the playground.
    case savePlayground = "Couldn’t save the playground."
    /// Adding a template (TR-031, TR-033).
    case saveTemplate = "Couldn’t add the template."
    /// Deleting a template.
    case deleteTemplate = "Couldn’t delete the template."
    /// Reading an artwork.
    case readArtwork = "Couldn’t open the picture."
    /// Adding an artwork (TF-042).
    case saveArtwork = "Couldn’t save the picture."
    /// Changing an artwork's stars, or whether it is a favorite.
    case changeArtwork = "Couldn’t change the picture."
    /// Deleting an artwork.
    case deleteArtwork = "Couldn’t delete the picture."
    /// Asking an image model for a picture.
    case requestImage = "Couldn’t ask for a picture."
    /// Writing models to a file.
    case export = "Couldn’t export."
    /// Taking models from a file.
    case `import` = "Couldn’t import."
    /// Recovering what can be read of a damaged workspace.
    case rescue = "Couldn’t rescue anything."
  }

  /// Why a file in a workspace's folder is not opened.
  public enum ForeignFile: Hashable, Sendable {
    /// It is a symbolic link.
    case link
    /// It has a second hard link, so a change would also appear elsewhere.
    case hardLink
    /// It is a pipe, a socket, a device, or a folder instead of a file.
    case anotherKind
    /// It is a journal that names a super-journal, which SQLite would delete.
    case journalOfOthers
    /// It was removed or replaced since the workspace was opened.
    case replaced
  }

  /// Why it failed: one of the static members in `WorkspaceErrorReasons`.
  public struct Reason: Error, Equatable, Sendable {
    /// The name of a reason, by which programs tell it from others.
    public enum Code: String, Sendable, CaseIterable {
      case busy, damaged, database, diskFull, file, foreign, foreignFile, lost, newerSchema
      case readOnly, unreadable
      case noWorkspace, unknownLabel, unknownModel, unknownPlayground, unknownSample
      case unknownTemplate, unknownArtwork
      case labelEmpty, labelInvalid, labelTaken, labelTooLong
      case nameEmpty, nameInvalid, nameTaken, nameTooLong
      case emptyDrawing, idTaken, invalidDrawing, invalidID, invalidNumber, tooLittleInk, tooMuch
      case tooManyTemplates, unusableTemplate
      case lostArtwork, tooManyArtworks, unusableArtwork
      case exportTooLong, exportTooMany, model, noReport, noSamples, notImportable, ownFile
    }

    /// Which reason it is.
    public let code: Code
    /// What is wrong, and mostly also what to do about it.
    public let what: String
    /// What to do about it, where `what` does not say it; else empty.
    public let advice: String
    /// The cause that it was made with, such as the damage; nil for reasons without one.
    public let cause: String?

    init(_ code: Code, _ what: String, advice: String = "", cause: String? = nil) {
      (self.code, self.what, self.advice, self.cause) = (code, what, advice, cause)
    }
  }

  /// The operation that failed.
  public var operation: Operation
  /// Why it failed.
  public var reason: Reason

  /// An error of `operation`.
  public init(_ operation: Operation, _ reason: Reason) {
    self.operation = operation
    self.reason = reason
  }

  /// The message for people, in the wording of the requirements if they give one.
  public var message: String {
    if isWholeMessage { return reason.what }
    return operation == .train && reason == .noSamples
      ? "Training failed. Try with more samples." : operation.rawValue
  }

  /// The reason, and what to do about it.
  public var detail: String { isWholeMessage ? reason.advice : reason.description }

  /// The message and the detail.
  public var description: String { "\(message) \(detail)" }

  /// A machine-readable code, such as "diskFull": the name of the reason.
  public var code: String { reason.code.rawValue }

  /// Whether the reason alone is the message, because "Couldn't …" would add nothing to it.
  private var isWholeMessage: Bool {
    switch reason.code {
    case .noReport, .noWorkspace: true
    case .unknownModel: operation == .read
    default: false
    }
  }
}
