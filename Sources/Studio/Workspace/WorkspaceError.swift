public import Ink
public import Support
public import Trace

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

  /// Why it failed.
  public enum Reason: Error, Equatable, Sendable {
    /// The disk is full.
    case diskFull
    /// The folder or the file system is read-only.
    case readOnly
    /// Another program has kept the workspace busy for too long.
    case busy
    /// A newer DrawML made the workspace or the file.
    case newerSchema(found: Int, supported: Int)
    /// The database is damaged, and how.
    case damaged(String)
    /// The database is gone, and whether its log, of this path, and trained models are there.
    case lost(log: String?, hasModels: Bool)
    /// The database is so damaged that nothing can be read, and how.
    case unreadable(String)
    /// The database is another program's.
    case foreign(String)
    /// Something in the workspace's folder has the name of a DrawML file but is not one.
    case foreignFile(_ name: String, ForeignFile)
    /// A file could not be read or written.
    case file(FileError)
    /// SQLite failed for another reason: its result code and message.
    case database(code: Int, String)

    /// There is no workspace in the folder.
    case noWorkspace(String)
    /// There is no model with the id or name.
    case unknownModel(String)
    /// The model has no such label.
    case unknownLabel(String)
    /// The model has no sample with the id.
    case unknownSample(String)
    /// There is no playground with the id.
    case unknownPlayground(String)
    /// There is no imported template with the id.
    case unknownTemplate(String)

    /// A name is empty.
    case nameEmpty
    /// A name is longer than `limit` characters.
    case nameTooLong(limit: Int)
    /// A name has invisible characters.
    case nameInvalid
    /// Another model has the name.
    case nameTaken(String)

    /// A label is empty.
    case labelEmpty
    /// A label is longer than `limit` characters.
    case labelTooLong(limit: Int)
    /// A label has invisible characters.
    case labelInvalid
    /// The model has the label already.
    case labelTaken(String)

    /// An id is empty, longer than 128 bytes, or has characters other than visible ASCII.
    case invalidID(String)
    /// The id is taken.
    case idTaken(String)
    /// A drawing is invalid.
    case drawing(InkError)
    /// A drawing has too little ink (hardly more than a dot) to be recognized.
    case tooLittleInk
    /// There are more than `limit` of the named things, such as points.
    case tooMuch(String, limit: Int)
    /// A file cannot be a template, and why.
    case template(TemplateError)
    /// There are as many imported templates, or bytes of them, as `WorkspaceLimits` allow.
    case tooManyTemplates
    /// A number is out of range.
    case invalidNumber(String)
    /// There are no samples to train from.
    case noSamples
    /// No report of the model's last training is stored.
    case noReport
    /// The trained model cannot be used, and why.
    case model(String)
    /// The file to write would be one of the workspace's own.
    case ownFile(String)
    /// The file to write would have more bytes than an import takes.
    case exportTooLong(limit: Int)
    /// The file to write would have more rows of a table than an import takes.
    case exportTooMany(_ table: String, limit: Int)
    /// The file cannot be imported, and why.
    case notImportable(String)
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
    if isWholeMessage { return reason.words.what }
    return operation == .train && reason == .noSamples
      ? "Training failed. Try with more samples." : operation.rawValue
  }

  /// The reason, and what to do about it.
  public var detail: String { isWholeMessage ? reason.words.advice : reason.description }

  /// The message and the detail.
  public var description: String { "\(message) \(detail)" }

  /// A machine-readable code, such as "diskFull": the name of the reason.
  public var code: String { reason.code }

  /// Whether the reason alone is the message, because "Couldn't …" would add nothing to it.
  private var isWholeMessage: Bool {
    switch (operation, reason) {
    case (.read, .unknownModel), (_, .noReport), (_, .noWorkspace): true
    default: false
    }
  }
}
