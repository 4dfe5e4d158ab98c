public import Files
public import Ink
internal import Pictures
internal import Text

/// Writes drawings as a folder of pictures, one a drawing, in a folder for each label: reading SVG
/// gives the labels back, reading PNG those that the names of folders can hold.
public struct DrawingFolder {
  /// The form of the pictures.
  public enum Form: Hashable, Sendable {
    /// PNG, black on white, with the given rows and columns.
    case png(size: Int)
    /// SVG: see `SVGWriter`.
    case svg(isAnimated: Bool)

    fileprivate var ending: String {
      switch self {
      case .png: ".png"
      case .svg: ".svg"
      }
    }
  }

  /// The path of the folder.
  public let path: String
  /// The form of the pictures.
  public let form: Form

  /// A folder at `path`.
  ///
  /// - Throws: `FileError` if there is something in it already, or it is a file or a link.
  public init(_ path: String, of form: Form) throws(FileError) {
    try AtomicFolder.requireFree(path)
    self.path = path
    self.form = form
  }

  /// Writes a picture for each drawing, named after its id.
  ///
  /// - Parameters:
  ///   - drawings: The drawings; their numbers must be finite.
  ///   - progress: Called after each picture with the number of pictures written.
  /// - Returns: The labels whose folder has another name, in the order of the drawings.
  /// - Throws: `FileError`, also for a drawing that cannot be rasterized; the folder is then as it
  ///   was.
  @discardableResult
  public func write(
    _ drawings: [Drawing], progress: ((Int) -> Void)? = nil
  ) throws(FileError) -> [String] {
    try AtomicFolder.write([path]) { places throws(FileError) in
      try write(drawings, to: places[0], progress)
    }
  }

  private func write(
    _ drawings: [Drawing], to path: String, _ progress: ((Int) -> Void)?
  ) throws(FileError) -> [String] {
    var renamed: [String] = []
    var folderOfLabel: [String: String] = [:]
    /// The names in each folder: drawings without a label lie beside the folders of labels.
    var names: [String: FileNames] = [:]
    for (index, drawing) in drawings.enumerated() {
      if let label = drawing.label, folderOfLabel[label] == nil {
        let name = names[path, default: FileNames()].next(for: label, ending: "")
        if name != label { renamed.append(label) }
        folderOfLabel[label] = path + "/" + name
        try AtomicFile.makeFolder(path + "/" + name)
      }
      let folder = drawing.label.flatMap { folderOfLabel[$0] } ?? path
      // The id of a picture that was read begins with its label.
      let prefix = (drawing.label ?? "") + "/"
      let id =
        drawing.id.hasPrefix(prefix) ? String(drawing.id.dropFirst(prefix.count)) : drawing.id
      let name = names[folder, default: FileNames()].next(
        for: id.isEmpty ? String(index + 1) : id, ending: form.ending)
      let file = "\(folder)/\(name)"
      try AtomicFile.write(try picture(of: drawing, for: file), to: file)
      progress?(index + 1)
    }
    return renamed
  }

  private func picture(of drawing: Drawing, for file: String) throws(FileError) -> [UInt8] {
    switch form {
    case .svg(let isAnimated):
      return Array(SVGWriter.text(drawing, isAnimated: isAnimated).utf8)
    case .png(let size):
      let side = Double(size)
      let rasterizer = Rasterizer(
        width: size, height: size, strokeWidth: side / 32, margin: side / 16)
      do { return try rasterizer(drawing).png(.blackOnWhite) } catch {
        throw FileError(writing: file, "\(error)")
      }
    }
  }
}

/// Makes names of files of labels and ids, each different from the others in upper and lower case.
public struct FileNames: Sendable {
  private var taken = Set<String>()
  /// The number of the last name of a text that was taken already.
  private var lastNumber: [String: Int] = [:]

  /// Makes the first name.
  public init() {}

  /// The name for a text, ending in `ending`.
  public mutating func next(for text: String, ending: String) -> String {
    // File systems allow 255 bytes, including the extension and a number.
    var bytes = 0
    let kept = text.prefix(80).prefix {
      bytes += $0.utf8.count
      return bytes <= 200
    }.map { character in
      let isSafe = character.unicodeScalars.allSatisfy {
        !$0.isTerminalControl && $0 != "/" && $0 != "\\"
      }
      return isSafe ? String(character) : "-"
    }.joined()
    // A leading dot would hide the file, a leading "-" would look like an option. Nothing is kept
    // of one long character.
    let stem = kept.isEmpty || kept.hasPrefix(".") || kept.hasPrefix("-") ? "_" + kept : kept
    let first = stem + ending
    let key = first.lowercased()
    var (name, number) = (first, lastNumber[key] ?? 1)
    while !taken.insert(name.lowercased()).inserted {
      number += 1
      name = "\(stem) \(number)\(ending)"
    }
    lastNumber[key] = number
    return name
  }
}
