public import Ink
public import Support

/// Why the workspace could not do something: what to say to people, and why it was.
public struct WorkspaceError: DescribedError, Equatable {
  /// What was tried.
  public enum Operation: String, Sendable, CaseIterable {
    /// Opening the workspace.
    case open
    /// Reading from it.
    case read
    /// Making a model.
    case createModel
    /// Giving a model another name.
    case renameModel
    /// Deleting a model.
    case deleteModel
    /// Choosing the active model, or how sure it must be.
    case changeModel
    /// Renaming a label.
    case changeLabel
    /// Deleting a label with its samples.
    case deleteLabel
    /// Bringing a deleted label back.
    case restoreLabel
    /// Adding samples (F-003).
    case saveSample
    /// Giving samples another label.
    case changeSample
    /// Deleting samples.
    case deleteSample
    /// Training (F-004).
    case train
    /// Making the recognizer ready (F-005).
    case classify
    /// Changing settings.
    case saveSettings
    /// Changing the history.
    case saveHistory
    /// Keeping the playground.
    case savePlayground
    /// Writing models to a file.
    case export
    /// Taking models from a file.
    case `import`
    /// Saving what can be read of a damaged workspace.
    case rescue
  }

  /// Why a file in a workspace's folder is not opened.
  public enum ForeignFile: Hashable, Sendable {
    /// It is a symbolic link.
    case link
    /// It has another name elsewhere (a hard link), where a change would be seen, too.
    case hardLink
    /// It is a pipe, a socket, a device, or a folder in the place of a file.
    case anotherKind
    /// It is a journal with the name of another file in it, which SQLite would remove.
    case journalOfOthers
    /// It was removed, or another was put in its place, since the workspace was opened.
    case replaced
  }

  /// Why it failed.
  public enum Reason: Error, Equatable, Sendable {
    /// The disk is full.
    case diskFull
    /// The folder or the file system lets nothing be written.
    case readOnly
    /// Another program has kept the workspace busy for too long.
    case busy
    /// A newer DrawML made the workspace or the file.
    case newerSchema(found: Int, supported: Int)
    /// The database is damaged, and how.
    case damaged(String)
    /// The database is damaged so much that nothing can be read, and how.
    case unreadable(String)
    /// The database is another program's.
    case foreign(String)
    /// In the workspace's folder something has the name of a file of DrawML and is none.
    case foreignFile(_ name: String, ForeignFile)
    /// A file could not be read or written.
    case file(FileError)
    /// SQLite refused for another reason: its result code and words.
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

    /// A name is empty.
    case nameEmpty
    /// A name is longer than so many characters.
    case nameTooLong(limit: Int)
    /// A name has characters that cannot be seen.
    case nameInvalid
    /// Another model has the name.
    case nameTaken(String)

    /// A label is empty.
    case labelEmpty
    /// A label is longer than so many characters.
    case labelTooLong(limit: Int)
    /// A label has characters that cannot be seen.
    case labelInvalid
    /// The model has the label already.
    case labelTaken(String)

    /// An id is empty, longer than 128 bytes, or has other characters than the visible ones of
    /// ASCII.
    case invalidID(String)
    /// The id is that of something else.
    case idTaken(String)
    /// A drawing is none.
    case drawing(InkError)
    /// A drawing is hardly more than a dot, which is never recognized.
    case tooLittleInk
    /// Something has more than so many of what is named.
    case tooMuch(String, limit: Int)
    /// A number is none that is possible.
    case invalidNumber(String)
    /// There is nothing to train from.
    case noSamples
    /// No report of the model's last training is kept.
    case noReport
    /// The trained model cannot be used, and why.
    case model(String)
    /// The file to write would be one of the workspace's own.
    case ownFile(String)
    /// The file to write would have more bytes than an import takes.
    case exportTooLong(limit: Int)
    /// The file to write would have more rows of a table than an import takes.
    case exportTooMany(_ table: String, limit: Int)
    /// The file holds no exported models that this program would take, and why.
    case notImportable(String)
  }

  /// What was tried.
  public var operation: Operation
  /// Why it failed.
  public var reason: Reason

  /// An error of `operation`.
  public init(_ operation: Operation, _ reason: Reason) {
    self.operation = operation
    self.reason = reason
  }

  /// What to say to people, in the requirements' words where there are such.
  public var message: String {
    if saysItself { return reason.words.what }
    return operation == .train && reason.isForWantOfSamples
      ? "Training failed. Try with more samples." : operation.failed
  }

  /// Why, and what to do about it.
  public var detail: String { saysItself ? reason.words.advice : reason.description }

  /// Both.
  public var description: String { "\(message) \(detail)" }

  /// A word for programs, such as "diskFull": the name of the reason.
  public var code: String { reason.code }

  /// Whether the reason alone says what is wrong: nothing that could be read was not read.
  private var saysItself: Bool {
    switch (operation, reason) {
    case (.read, .unknownModel), (_, .noReport), (_, .noWorkspace): true
    default: false
    }
  }
}

extension WorkspaceError.Reason {
  /// Whether a training that failed for it would not with more samples.
  fileprivate var isForWantOfSamples: Bool { self == .noSamples }
}

extension WorkspaceError.Operation {
  /// What to say where it failed.
  fileprivate var failed: String {
    switch self {
    case .open: "Couldn’t open your models."
    case .read: "Couldn’t read your models."
    case .createModel: "Couldn’t create the model."
    case .renameModel: "Couldn’t rename the model."
    case .deleteModel: "Couldn’t delete the model."
    case .changeModel: "Couldn’t change the model."
    case .changeLabel: "Couldn’t rename the label."
    case .deleteLabel: "Couldn’t delete the label."
    case .restoreLabel: "Couldn’t bring the label back."
    case .saveSample: "Couldn’t save sample."
    case .changeSample: "Couldn’t change the sample."
    case .deleteSample: "Couldn’t delete the sample."
    case .train: "Training failed."
    case .classify: "Couldn’t classify. Try again."
    case .saveSettings: "Couldn’t save the settings."
    case .saveHistory: "Couldn’t save the history."
    case .savePlayground: "Couldn’t save the playground."
    case .export: "Couldn’t export."
    case .import: "Couldn’t import."
    case .rescue: "Couldn’t rescue anything."
    }
  }
}
