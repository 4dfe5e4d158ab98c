public import Ink
internal import Pictures
public import Text

/// Why drawings cannot be used as labeled samples.
public enum SampleSetError: DescribedError, Equatable {
  /// There are no drawings.
  case empty
  /// The drawing at `index` (from 0, in the order given) has no label.
  case missingLabel(index: Int, id: String, origin: SampleSet.Origin?)
  /// The label of the drawing at `index` violates `LabelRule`.
  case invalidLabel(LabelError, index: Int, id: String, origin: SampleSet.Origin?)
  /// Two different drawings have the same id.
  case conflictingID(String, SampleSet.Origin?, SampleSet.Origin?)
  /// All drawings have the same label.
  case oneClass(String)
}

extension SampleSetError {
  /// One sentence for people: what, where, and what to do.
  public var description: String {
    switch self {
    case .empty:
      "there are no drawings; give files or folders with "
        + "\(DatasetFormat.listed(DatasetFormat.inFolders)) drawings"
    case .missingLabel(let index, let id, let origin):
      Self.place(index, id, origin) + " has no label; "
        + (origin.flatMap { DatasetFormat(path: $0.path) }?.isNamedByFile == true
          ? "put the picture into a folder named after what it shows, as in shapes/star/1.png, "
            + "and give the folder above, shapes"
          : "add a \"label\" (or \"word\") that says what it shows")
    case .invalidLabel(let error, let index, let id, let origin):
      Self.place(index, id, origin) + " has a label that \(error)"
    case .conflictingID(let id, let first, let second):
      "the id \"\(id)\" names two different drawings"
        + (first.map { " (\($0)" } ?? "") + (second.map { " and \($0))" } ?? "")
        + "; give each drawing its own id"
    case .oneClass(let label):
      "all drawings have the label \"\(label)\"; a classifier needs drawings of at least two labels"
    }
  }

  private static func place(_ index: Int, _ id: String, _ origin: SampleSet.Origin?) -> String {
    "\(origin.map(\.description) ?? "drawing \(index)"): the drawing"
      + (id.isEmpty ? "" : " with id \"\(id)\"")
  }
}
