public import Files
internal import Foundation
internal import Pictures

/// The official runs of Omniglot's one-shot classification task, as a folder of pictures: `run01` …
/// `run20`, each with `training/class01.png` …, `test/item01.png` … and `class_labels.txt`.
///
/// A line of `class_labels.txt` is a test picture and the training picture of its class, such as
/// `run01/test/item01.png run01/training/class07.png`; the paths may also be relative to the run.
///
/// Source: Lake, Salakhutdinov and Tenenbaum, "Human-level concept learning through probabilistic
/// program induction", Science 2015, doi:10.1126/science.aab3050.
public struct OmniglotRuns: Hashable, Sendable {
  /// One run.
  public struct Run: Hashable, Sendable {
    /// Its folder's name, such as "run01".
    public var name: String
    /// The training pictures, one per class.
    public var training: [Picture]
    /// The test pictures.
    public var test: [Picture]
  }

  /// A picture and its class.
  public struct Picture: Hashable, Sendable {
    /// The path of the file.
    public var path: String
    /// The id, such as "run01/test/item01".
    public var id: String
    /// The class, such as "run01/class07".
    public var label: String
  }

  /// The runs, in the order of their folders.
  public var runs: [Run]

  /// The runs in `folder` or in folders below it, however deep.
  ///
  /// - Throws: `FileError` when there are no runs, or a run names a missing picture; it names the
  ///   line.
  public init(folder: String) throws(FileError) {
    guard let files = try FolderListing.files(below: folder) else {
      throw FileError(
        "read", path: folder,
        reason: AtomicFile.exists(folder)
          ? .malformed("it is not a folder; give the folder that holds run01, run02, …")
          : .system(code: ENOENT))
    }
    let lists = files.filter { $0 == Self.list || $0.hasSuffix("/" + Self.list) }
    guard !lists.isEmpty else {
      throw FileError(
        reading: folder,
        "there is no \(Self.list) in it or below; give the folder that holds run01, run02, …")
    }
    var runs: [Run] = []
    for list in lists {
      let place = list.dropLast(Self.list.count)
      let own = Set(files.filter { $0.hasPrefix(place) }.map { String($0.dropFirst(place.count)) })
      runs.append(try Self.run(in: folder + "/" + place.dropLast(), own))
    }
    self.runs = runs
  }

  private static let list = "class_labels.txt"

  /// The run in `folder`; `files` are all files in it and below.
  private static func run(in folder: String, _ files: Set<String>) throws(FileError) -> Run {
    let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    let path = base + "/" + list
    let name = base.split(separator: "/").last.map(String.init) ?? base
    func fault(_ line: Int, _ what: String) -> FileError {
      FileError(reading: path, "line \(line): \(what)")
    }
    func picture(_ file: String, _ classFile: String) -> Picture {
      Picture(
        path: "\(base)/\(file)", id: "\(name)/\(stem(file))",
        label: "\(name)/\(stem(classFile).split(separator: "/").last ?? "")")
    }
    var test: [Picture] = []
    var lines = try LineReader(path: path, limit: 1 << 14)
    while let line = try lines.nextText() {
      let number = lines.lineNumber
      let fields = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard !fields.isEmpty else { continue }
      guard fields.count == 2 else {
        throw fault(
          number,
          "a test picture and a training picture are needed, there are \(fields.count) words")
      }
      var (item, taught) = (relative(fields[0], to: name), relative(fields[1], to: name))
      if item.hasPrefix("training/"), taught.hasPrefix("test/") { swap(&item, &taught) }
      for file in [item, taught] where !files.contains(file) {
        throw fault(number, "there is no \(file) beside it; unpack all files of the runs")
      }
      guard taught.hasPrefix("training/") else {
        throw fault(number, "\(taught) is not a training picture")
      }
      test.append(picture(item, taught))
    }
    guard !test.isEmpty else { throw fault(1, "there are no lines") }
    let training = files.filter { $0.hasPrefix("training/") && $0.lowercased().hasSuffix(".png") }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return Run(name: name, training: training.map { picture($0, $0) }, test: test)
  }

  /// The path relative to the run: everything before the run's name is dropped.
  private static func relative(_ path: String, to run: String) -> String {
    var parts = path.split(separator: "/").filter { $0 != "." }
    if let own = parts.lastIndex(where: { $0 == run }) {
      parts.removeFirst(own + 1)
    } else if let kind = parts.lastIndex(where: { $0 == "test" || $0 == "training" }) {
      parts.removeFirst(kind)
    }
    return parts.joined(separator: "/")
  }

  private static func stem(_ file: String) -> String {
    guard let dot = file.lastIndex(of: ".") else { return file }
    return String(file[..<dot])
  }

  /// Each run as a task, with its training pictures as support and its test pictures as queries, by
  /// their ids.
  public var episodes: Episodes {
    Episodes(
      runs.map { run in
        Episodes.Episode(
          support: run.training.map { .init(id: $0.id, label: $0.label) },
          query: run.test.map { .init(id: $0.id, label: $0.label) })
      })
  }
}
