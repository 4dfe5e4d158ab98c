internal import Ink
internal import Support
internal import Trace

extension WorkspaceError.Reason: CustomStringConvertible {
  /// The reason, and what to do about it.
  public var description: String {
    let (what, advice) = words
    return advice.isEmpty ? what : "\(what) \(advice)"
  }

  /// The problem and the advice; most reasons say both in one sentence, without separate advice.
  var words: (what: String, advice: String) {
    switch self {
    case .unknownModel(let name):
      (
        "There is no model \(name.shown).",
        "Look at the list: it may have been renamed."
      )
    case .noWorkspace(let folder):
      (
        "There is no workspace in \(folder.shown) yet.",
        "'drawml studio', 'drawml model create', 'drawml sample add' and 'drawml workspace import' "
          + "make one; --workspace names another folder."
      )
    case .noReport:
      ("Train the model to see what it learned.", "It has no training report.")
    default: (sentence, "")
    }
  }

  private var sentence: String {
    switch self {
    case .unknownModel, .noWorkspace, .noReport: words.what
    case .diskFull: "The disk is full. Free some space and try again: nothing was changed."
    case .readOnly:
      "The folder is not writable. Change its permissions, or choose another one with "
        + "--workspace."
    case .busy:
      "Another program is busy with the same workspace. Try again in a moment: nothing was changed."
    case .newerSchema(let found, let supported):
      "It was made by a newer DrawML (its version is \(found), this program reads up to "
        + "\(supported)). Update DrawML."
    case .damaged(let what):
      "The database is damaged (\(what)). Save what can be read with "
        + "'drawml workspace rescue --output rescued.drawmlx', and the same --workspace if you "
        + "named one."
    case .lost(let log, let hasModels):
      "The database is gone. Put it back, or move "
        + [log.map { "its log \($0)" }, hasModels ? "the folder models" : nil]
        .compactMap { $0 }.joined(separator: " and ")
        + " away to start with an empty workspace."
        + (hasModels
          ? " 'drawml classify --model' reads the trained models in the folder models." : "")
    case .unreadable(let what):
      "Nothing in the database can be read (\(what)). The trained models in the folder models may "
        + "be intact: try 'drawml classify --model'."
    case .foreign(let what):
      "The database \(what) is not a DrawML workspace. Choose another folder."
    case .foreignFile(let name, .link):
      "\(name.shown) in the workspace’s folder is a link, which DrawML does not follow. Put what "
        + "it leads to in its place, or name the folder that it leads to with --workspace."
    case .foreignFile(let name, .hardLink):
      "\(name.shown) in the workspace’s folder has a second name elsewhere (a hard link), so a "
        + "file outside of the folder would change with it. Put a copy in its place and try again."
    case .foreignFile(let name, .anotherKind):
      "\(name.shown) in the workspace’s folder is a pipe, a socket or something else that DrawML "
        + "does not make under that name. Move it somewhere else and try again."
    case .foreignFile(let name, .replaced):
      "\(name.shown) in the workspace’s folder was removed or replaced while this program ran. "
        + "Nothing was changed. Put back what was there, or start the program again."
    case .foreignFile(let name, .journalOfOthers):
      "\(name.shown) in the workspace’s folder names another file, which SQLite would remove. Move "
        + "the journal somewhere else and try again."
    case .file(let error): error.description.sentence
    case .database(let code, let words): "The database says: \(words) (\(code))."
    case .unknownLabel(let label):
      "The model has no label \(label.shown). Look at the list of its labels."
    case .unknownSample(let id):
      "The model has no sample \(id.shown). It may have been deleted: look at the list."
    case .unknownPlayground(let id): "There is no playground \(id.shown)."
    case .unknownTemplate:
      "The template is not here. It may have been deleted: look at the list."
    case .nameEmpty: "Please give it a name."
    case .nameTooLong(let limit): "The name is too long: \(limit) characters at most."
    case .nameInvalid: "The name has invisible characters. Please type it again."
    case .nameTaken(let name): "There is a model \(name.shown) already. Please choose another name."
    case .labelEmpty: "Please pick an emoji first."
    case .labelTooLong(let limit): "The label is too long: \(limit) characters at most."
    case .labelInvalid:
      "The label is only dots, or has invisible characters. Please pick another one."
    case .labelTaken(let label):
      "The model has the label \(label.shown) already. Merge them, or choose another one."
    case .invalidID(let id):
      "\(id.shown) is an invalid id: use 1 to \(WorkspaceLimits.idBytes) visible ASCII characters, "
        + "not only dots."
    case .idTaken(let id):
      "The id \(id.shown) belongs to something else. Choose another one, or leave it out."
    case .drawing(let error): error.description.sentence
    case .tooLittleInk: "There is too little ink to be recognized. Draw it larger."
    case .tooMuch(let what, let limit): "There are too many \(what): \(limit) at most."
    case .template(let error): error.description.sentence
    case .tooManyTemplates:
      "There is room for \(WorkspaceLimits.templates) templates of your own, with "
        + "\(WorkspaceLimits.templateBytes >> 20) MB together. Delete some that you no longer need."
    case .invalidNumber(let what): what.sentence
    case .noSamples: "The model has no samples yet. Draw a few and add them."
    case .model(let why): "The trained model cannot be used: \(why). Train it again."
    case .ownFile(let path):
      "The file \(path.shown) would lie among the workspace's own. Choose another folder for it."
    case .exportTooLong(let limit):
      "The file would have more than \(limit) bytes, the maximum for an import. Export the "
        + "models one by one."
    case .exportTooMany(let table, let limit):
      "The file would have more than \(limit) rows of \(table), the maximum for an import. "
        + "Export the models one by one."
    case .notImportable(let why):
      "The file cannot be imported: \(why). Choose a file that DrawML exported; one that was cut "
        + "off or changed on its way must be exported or copied again."
    }
  }

  /// A machine-readable code.
  public var code: String {
    switch self {
    case .diskFull: "diskFull"
    case .readOnly: "readOnly"
    case .busy: "busy"
    case .newerSchema: "newerSchema"
    case .damaged: "damaged"
    case .lost: "lost"
    case .unreadable: "unreadable"
    case .foreign: "foreign"
    case .foreignFile: "foreignFile"
    case .file: "file"
    case .database: "database"
    case .noWorkspace: "noWorkspace"
    case .unknownModel: "unknownModel"
    case .unknownLabel: "unknownLabel"
    case .unknownSample: "unknownSample"
    case .unknownPlayground: "unknownPlayground"
    case .unknownTemplate: "unknownTemplate"
    case .nameEmpty: "nameEmpty"
    case .nameTooLong: "nameTooLong"
    case .nameInvalid: "nameInvalid"
    case .nameTaken: "nameTaken"
    case .labelEmpty: "labelEmpty"
    case .labelTooLong: "labelTooLong"
    case .labelInvalid: "labelInvalid"
    case .labelTaken: "labelTaken"
    case .invalidID: "invalidID"
    case .idTaken: "idTaken"
    case .drawing(.emptyDrawing): "emptyDrawing"
    case .drawing: "invalidDrawing"
    case .tooLittleInk: "tooLittleInk"
    case .tooMuch: "tooMuch"
    case .template: "unusableTemplate"
    case .tooManyTemplates: "tooManyTemplates"
    case .invalidNumber: "invalidNumber"
    case .noSamples: "noSamples"
    case .noReport: "noReport"
    case .model: "model"
    case .ownFile: "ownFile"
    case .exportTooLong: "exportTooLong"
    case .exportTooMany: "exportTooMany"
    case .notImportable: "notImportable"
    }
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
