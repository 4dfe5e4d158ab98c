public import Files
public import Ink
internal import Text
public import Trace

extension WorkspaceError.Reason: CustomStringConvertible {
  /// The reason, and what to do about it.
  public var description: String { advice.isEmpty ? what : "\(what) \(advice)" }
}

/// Each reason with its message for people.
extension WorkspaceError.Reason {
  /// The disk is full.
  public static let diskFull = Self(
    .diskFull, "The disk is full. Free some space and try again: nothing was changed.")
  /// The folder or the file system is read-only.
  public static let readOnly = Self(
    .readOnly,
    "The folder is not writable. Change its permissions, or choose another one with "
      + "--workspace.")
  /// Another program has kept the workspace busy for too long.
  public static let busy = Self(
    .busy,
    "Another program is busy with the same workspace. Try again in a moment: nothing was changed.")
  /// A newer DrawML made the workspace or the file.
  public static func newerSchema(found: Int, supported: Int) -> Self {
    Self(
      .newerSchema,
      "It was made by a newer DrawML (its version is \(found), this program reads up to "
        + "\(supported)). Update DrawML.")
  }
  /// The database is damaged, and how.
  public static func damaged(_ what: String) -> Self {
    Self(
      .damaged,
      "The database is damaged (\(what)). Save what can be read with "
        + "'drawml workspace rescue --output rescued.drawmlx', and the same --workspace if you "
        + "named one.", cause: what)
  }
  /// The database is gone, and whether its log, of this path, trained models and pictures are there.
  public static func lost(log: String?, hasModels: Bool, hasArtworks: Bool) -> Self {
    Self(
      .lost,
      "The database is gone. Put it back, or move "
        + [
          log.map { "its log \($0)" }, hasModels ? "the folder models" : nil,
          hasArtworks ? "the folder artworks" : nil,
        ].compactMap { $0 }.joined(separator: " and ")
        + " away to start with an empty workspace."
        + (hasModels
          ? " 'drawml classify --model' reads the trained models in the folder models." : ""))
  }
  /// The database is so damaged that nothing can be read, and how.
  public static func unreadable(_ what: String) -> Self {
    Self(
      .unreadable,
      "Nothing in the database can be read (\(what)). The trained models in the folder models may "
        + "be intact: try 'drawml classify --model'.")
  }
  /// The database is another program's.
  public static func foreign(_ what: String) -> Self {
    Self(.foreign, "The database \(what) is not a DrawML workspace. Choose another folder.")
  }
  /// Something in the workspace's folder has the name of a DrawML file but is not one.
  public static func foreignFile(_ name: String, _ kind: WorkspaceError.ForeignFile) -> Self {
    let what =
      switch kind {
      case .link:
        "is a link, which DrawML does not follow. Put what it leads to in its place, or name the "
          + "folder that it leads to with --workspace."
      case .hardLink:
        "has a second name elsewhere (a hard link), so a file outside of the folder would change "
          + "with it. Put a copy in its place and try again."
      case .anotherKind:
        "is a pipe, a socket or something else that DrawML does not make under that name. Move it "
          + "somewhere else and try again."
      case .journalOfOthers:
        "names another file, which SQLite would remove. Move the journal somewhere else and try "
          + "again."
      case .replaced:
        "was removed or replaced while this program ran. Nothing was changed. Put back what was "
          + "there, or start the program again."
      }
    return Self(.foreignFile, "\(name.shown) in the workspace’s folder \(what)")
  }
  /// A file could not be read or written.
  public static func file(_ error: FileError) -> Self {
    Self(.file, error.description.sentence)
  }
  /// SQLite failed for another reason: its result code and message.
  public static func database(code: Int, _ words: String) -> Self {
    Self(.database, "The database says: \(words) (\(code)).")
  }
  /// There is no workspace in the folder.
  public static func noWorkspace(_ folder: String) -> Self {
    Self(
      .noWorkspace, "There is no workspace in \(folder.shown) yet.",
      advice:
        "'drawml studio', 'drawml model create', 'drawml sample add' and 'drawml workspace import' "
        + "make one; --workspace names another folder.")
  }
  /// There is no model with the id or name.
  public static func unknownModel(_ name: String) -> Self {
    Self(
      .unknownModel, "There is no model \(name.shown).",
      advice: "Look at the list: it may have been renamed.")
  }
  /// The model has no such label.
  public static func unknownLabel(_ label: String) -> Self {
    Self(.unknownLabel, "The model has no label \(label.shown). Look at the list of its labels.")
  }
  /// The model has no sample with the id.
  public static func unknownSample(_ id: String) -> Self {
    Self(
      .unknownSample,
      "The model has no sample \(id.shown). It may have been deleted: look at the list.")
  }
  /// There is no playground with the id.
  public static func unknownPlayground(_ id: String) -> Self {
    Self(.unknownPlayground, "There is no playground \(id.shown).")
  }
  /// There is no imported template with the id.
  public static func unknownTemplate(_: String) -> Self {
    Self(.unknownTemplate, "The template is not here. It may have been deleted: look at the list.")
  }
  /// A name is empty.
  public static let nameEmpty = Self(
    .nameEmpty, "Please give it a name.")
  /// A name is longer than `limit` characters.
  public static func nameTooLong(limit: Int) -> Self {
    Self(.nameTooLong, "The name is too long: \(limit) characters at most.")
  }
  /// A name has invisible characters.
  public static let nameInvalid = Self(
    .nameInvalid, "The name has invisible characters. Please type it again.")
  /// Another model has the name.
  public static func nameTaken(_ name: String) -> Self {
    Self(.nameTaken, "There is a model \(name.shown) already. Please choose another name.")
  }
  /// A label is empty.
  public static let labelEmpty = Self(
    .labelEmpty, "Please pick an emoji first.")
  /// A label is longer than `limit` characters.
  public static func labelTooLong(limit: Int) -> Self {
    Self(.labelTooLong, "The label is too long: \(limit) characters at most.")
  }
  /// A label has invisible characters.
  public static let labelInvalid = Self(
    .labelInvalid, "The label is only dots, or has invisible characters. Please pick another one.")
  /// The model has the label already.
  public static func labelTaken(_ label: String) -> Self {
    Self(
      .labelTaken,
      "The model has the label \(label.shown) already. Merge them, or choose another one.")
  }
  /// An id is empty, longer than 128 bytes, or has characters other than visible ASCII.
  public static func invalidID(_ id: String) -> Self {
    Self(
      .invalidID,
      "\(id.shown) is an invalid id: use 1 to \(WorkspaceLimits.idBytes) visible ASCII characters, "
        + "not only dots.")
  }
  /// The id is taken.
  public static func idTaken(_ id: String) -> Self {
    Self(
      .idTaken, "The id \(id.shown) belongs to something else. Choose another one, or leave it out."
    )
  }
  /// A drawing is invalid.
  public static func drawing(_ error: InkError) -> Self {
    Self(error == .emptyDrawing ? .emptyDrawing : .invalidDrawing, error.description.sentence)
  }
  /// A drawing has too little ink (hardly more than a dot) to be recognized.
  public static let tooLittleInk = Self(
    .tooLittleInk, "There is too little ink to be recognized. Draw it larger.")
  /// There are more than `limit` of the named things, such as points.
  public static func tooMuch(_ what: String, limit: Int) -> Self {
    Self(.tooMuch, "There are too many \(what): \(limit) at most.")
  }
  /// A file cannot be a template, and why.
  public static func template(_ error: TemplateError) -> Self {
    Self(.unusableTemplate, error.description.sentence)
  }
  /// There are as many imported templates, or bytes of them, as `WorkspaceLimits` allow.
  public static let tooManyTemplates = Self(
    .tooManyTemplates,
    "There is room for \(WorkspaceLimits.templates) templates of your own, with "
      + "\(WorkspaceLimits.templateBytes >> 20) MB together. Delete some that you no longer need.")
  /// There is no artwork with the id.
  public static func unknownArtwork(_: String) -> Self {
    Self(.unknownArtwork, "The picture is not here. It may have been deleted: look at the list.")
  }
  /// A picture cannot be kept as an artwork, and why.
  public static func unusableArtwork(_ why: String) -> Self {
    Self(.unusableArtwork, "The picture cannot be kept: \(why).", cause: why)
  }
  /// The file of an artwork's picture is not the one that was kept: which one, and what is wrong.
  public static func lostArtwork(_ name: String, _ why: String) -> Self {
    Self(
      .lostArtwork,
      "The picture \(name) cannot be read: \(why). Put its file back, or delete the picture.",
      cause: why)
  }
  /// There are as many artworks, or bytes of their pictures, as `WorkspaceLimits` allow.
  public static let tooManyArtworks = Self(
    .tooManyArtworks,
    "There is room for \(WorkspaceLimits.artworks) pictures, with "
      + "\(WorkspaceLimits.artworkBytes >> 20) MB together. Delete some that you no longer need.")
  /// A number is out of range.
  public static func invalidNumber(_ what: String) -> Self {
    Self(.invalidNumber, what.sentence, cause: what)
  }
  /// There are no samples to train from.
  public static let noSamples = Self(
    .noSamples, "The model has no samples yet. Draw a few and add them.")
  /// No report of the model's last training is stored.
  public static let noReport = Self(
    .noReport, "Train the model to see what it learned.", advice: "It has no training report.")
  /// The trained model cannot be used, and why.
  public static func model(_ why: String) -> Self {
    Self(.model, "The trained model cannot be used: \(why). Train it again.")
  }
  /// The file to write would be one of the workspace's own.
  public static func ownFile(_ path: String) -> Self {
    Self(
      .ownFile,
      "The file \(path.shown) would lie among the workspace's own. Choose another folder for it.")
  }
  /// The file to write would have more bytes than an import takes.
  public static func exportTooLong(limit: Int) -> Self {
    Self(
      .exportTooLong,
      "The file would have more than \(limit) bytes, the maximum for an import. Export the "
        + "models one by one.")
  }
  /// The file to write would have more rows of a table than an import takes.
  public static func exportTooMany(_ table: String, limit: Int) -> Self {
    Self(
      .exportTooMany,
      "The file would have more than \(limit) rows of \(table), the maximum for an import. "
        + "Export the models one by one.")
  }
  /// The file cannot be imported, and why.
  public static func notImportable(_ why: String) -> Self {
    Self(
      .notImportable,
      "The file cannot be imported: \(why). Choose a file that DrawML exported; one that was cut "
        + "off or changed on its way must be exported or copied again.", cause: why)
  }
}

extension String {
  /// The text with a capital letter at its beginning, unless that is an address, and a full stop at
  /// its end.
  public var sentence: String {
    let isAddress = prefix { $0 != " " }.contains("://")
    return (isAddress ? self : prefix(1).uppercased() + dropFirst()) + (hasSuffix(".") ? "" : ".")
  }

  /// The text in quotation marks, cut to 80 characters and without control characters.
  var shown: String {
    let visible = prefix(80).unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? "\u{fffd}" : String(scalar)
    }
    return "“\(visible.joined())\(count > 80 ? "…" : "")”"
  }
}
