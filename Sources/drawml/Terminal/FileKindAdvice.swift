internal import Capture
internal import Datasets
internal import Files
internal import Foundation
internal import Ink
internal import Interchange
internal import JSON
internal import Pictures
internal import Recognition
internal import Report
internal import Segmentation
internal import Text
internal import Training
internal import Workspace

extension FileKind {
  /// Every kind that the program tells apart: stroke JSON and other JSON last, as they fit much.
  private static let all: [FileKind] =
    [
      .model, .checkpoint, .export, .workspace, .database, .safetensors, .page, .foreignPage,
      .tasks, .segmenter, .testVectors, .canvasLog, .trainingLog, .trials, .answers, .coreML, .onnx,
      .document,
    ] + FileKind.ofDrawings + [.json]

  /// The kind of the file at a path; nil if a file may be written there.
  init?(of path: String) throws(FileError) { try self.init(of: path, among: Self.all) }

  /// Refuses to replace a file of another kind.
  func requireReplaceable(_ path: String, remedy: String) throws(FileError) {
    try requireReplaceable(path, among: Self.all, remedy: remedy)
  }

  /// The command for a file of this kind, if any; models have none.
  ///
  /// - Parameter path: The file.
  /// - Returns: A line of shell; words in capitals are for the user to fill in.
  func nextCommand(for path: String) -> String? {
    let file = path.shellWord
    switch self {
    case .drawings, .shards, .strokes, .inkML, .svg, .gesture, .bitmaps, .archive, .packed,
      .excalidraw, .tldraw, .xournal, .remarkable:
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
    default: return nil
    }
  }

  /// What a file is that is not the model it was taken for, and what to do with it; nil for another
  /// error or an unknown kind of file.
  static func explanation(of error: FileError) -> String? {
    guard error.reason == .foreign(expected: ModelFile.kind), error.path != "-",
      let kind = try? FileKind(of: error.path), kind != .other, kind != .model
    else { return nil }
    return "\(error) but \(kind.name)\(kind.advice(for: error.path))"
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
    if let ending = kind.drawingEnding {
      return "cannot read \(error.path): it is \(kind.name), but has another ending; "
        + "rename it to end in \(ending)"
    }
    guard kind != .json, kind != .other, !FileKind.ofDrawings.contains(kind) else { return nil }
    return "cannot read \(error.path): it is \(kind.name), not a file of drawings"
      + kind.advice(for: error.path)
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
      reason: .malformed("it is \(found.name), not \(name)\(found.advice(for: path))"))
  }

  /// Refuses a name for a file of this kind that suggests another kind.
  func requireName(_ path: String) throws(FileError) {
    let url = URL(fileURLWithPath: path)
    let end = url.pathExtension.lowercased()
    // A folder of Core ML has this ending.
    let isOthers =
      Self.all.contains { $0.ending == end } || end == "mlpackage"
      || ending != nil && DatasetFormat(path: path) != nil
    guard isOthers, end != ending else { return }
    let better = ending.map { "; name it \(url.deletingPathExtension().lastPathComponent).\($0)" }
    throw FileError(
      "write", path: path,
      reason: .malformed(
        "the ending .\(end) is not for \(name)\(better ?? "; choose another"), or add --force"
      ))
  }

  /// The end of a sentence about a file that is of this kind but should be of another.
  private func advice(for path: String) -> String {
    nextCommand(for: path).map { "; go on with: \($0)" } ?? ""
  }
}
