internal import Datasets
internal import Foundation
internal import Ink
internal import Pictures
internal import Recognition
internal import Support

extension FileKind {
  /// The command for a file of this kind, which is not a model; nil if there is none.
  ///
  /// - Parameter path: The file.
  /// - Returns: A line of shell; words in capitals are for the user to fill in.
  func nextCommand(for path: String) -> String? {
    let file = path.shellWord
    switch self {
    case .drawings, .strokes, .inkML, .svg, .gesture, .bitmaps, .archive, .packed, .excalidraw,
      .tldraw, .xournal, .remarkable:
      return "drawml dataset info \(file)"
    case .checkpoint:
      guard path.hasSuffix(".checkpoint") else { return nil }
      let output = String(path.dropLast(".checkpoint".count)).shellWord
      return "drawml train DRAWINGS --output \(output) --resume"
    case .export: return "drawml workspace import \(file)"
    case .workspace:
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      return "drawml workspace info --workspace \(folder.shellWord)"
    case .picture, .photograph: return "drawml vectorize \(file) --output drawings.ndjson"
    case .canvasLog: return "drawml replay \(file) --model MODEL"
    case .tasks:
      return "drawml benchmark few-shot --samples DRAWINGS --model MODEL --episodes \(file)"
    case .segmenter: return "drawml segment CANVAS --model MODEL --segmenter \(file)"
    case .coreML: return "drawml import coreml --model \(file) --output MODEL"
    case .onnx: return "drawml import onnx --model \(file) --output MODEL"
    case .model, .trainingLog, .answers, .trials, .database, .hdf5, .page, .foreignPage,
      .safetensors,
      .testVectors, .json, .other:
      return nil
    }
  }

  /// What a file is that is not the model it was taken for, and what to do with it; nil for another
  /// error or an unknown kind of file.
  static func explanation(of error: FileError) -> String? {
    guard error.reason == .foreign(expected: ModelFile.kind), error.path != "-",
      let kind = try? FileKind(of: error.path), kind != .other, kind != .model
    else { return nil }
    return "\(error) but \(kind.rawValue)\(kind.advice(for: error.path))"
  }

  /// What a file is that was read as drawings, if its first line shows that it has none.
  static func explanation(of error: DrawingFileError) -> String? {
    guard error.line == 1, error.path != "-", let kind = try? FileKind(of: error.path) else {
      return nil
    }
    if kind == .other,
      let start = try? AtomicFile.beginning(of: error.path, length: UnreadPicture.length),
      let picture = UnreadPicture(start)
    {
      return "cannot read \(error.path): it is \(picture.rawValue); \(picture.advice)"
    }
    switch kind {
    case .model, .checkpoint, .export, .workspace, .database, .page, .foreignPage, .canvasLog,
      .trainingLog, .answers, .trials, .tasks, .segmenter, .coreML, .onnx, .safetensors,
      .testVectors:
      return "cannot read \(error.path): it is \(kind.rawValue), not a file of drawings"
        + kind.advice(for: error.path)
    case .excalidraw, .tldraw, .xournal, .remarkable:
      guard let ending = kind.drawingEnding else { return nil }
      return "cannot read \(error.path): it is \(kind.rawValue), but has another ending; "
        + "rename it to end in \(ending)"
    case .drawings, .hdf5, .picture, .strokes, .inkML, .svg, .photograph, .gesture, .bitmaps,
      .archive, .packed, .json, .other:
      return nil
    }
  }

  /// The ending that a drawing of this kind needs; nil for kinds that are not drawings or need
  /// none.
  private var drawingEnding: String? {
    let format: DatasetFormat? =
      switch self {
      case .excalidraw: .excalidraw
      case .tldraw: .tldraw
      case .xournal: .xournal
      case .remarkable: .remarkable
      default: nil
      }
    return format.map { DatasetFormat.listed([$0]) }
  }

  /// Refuses to read a file that is clearly of another kind.
  func require(_ path: String) throws(FileError) {
    // The reader reports what cannot be read.
    guard let found = try? FileKind(of: path), found != self, found != .other else { return }
    throw FileError(
      "read", path: path,
      reason: .malformed("it is \(found.rawValue), not \(rawValue)\(found.advice(for: path))"))
  }

  /// The file ending of this kind, if it has one.
  private static let endings: [FileKind: String] = [
    .model: "drawml", .export: "drawmlx", .coreML: "mlmodel", .onnx: "onnx",
    .safetensors: "safetensors", .page: "html", .picture: "png",
  ]

  /// Refuses a name for a file of this kind that suggests another kind.
  func requireName(_ path: String) throws(FileError) {
    let url = URL(fileURLWithPath: path)
    let (own, end) = (Self.endings[self], url.pathExtension.lowercased())
    // A folder of Core ML has this ending.
    let isOthers =
      Self.endings.values.contains(end) || end == "mlpackage"
      || own != nil && DatasetFormat(path: path) != nil
    guard isOthers, end != own else { return }
    let better = own.map { "; name it \(url.deletingPathExtension().lastPathComponent).\($0)" }
    throw FileError(
      "write", path: path,
      reason: .malformed(
        "the ending .\(end) is not for \(rawValue)\(better ?? "; choose another"), or add --force"
      ))
  }

  /// The end of a sentence about a file that is of this kind but should be of another.
  private func advice(for path: String) -> String {
    nextCommand(for: path).map { "; go on with: \($0)" } ?? ""
  }
}
