internal import Files
public import Foundation

/// The last drafts that were copied or shared: `history.json` in a folder.
public struct PostHistory: Sendable {
  /// A draft that was used.
  public struct Item: Sendable, Codable, Equatable, Identifiable {
    /// Its identifier.
    public var id: UUID
    /// What it is about.
    public var excerpt: ExcerptCapture
    /// The draft.
    public var variant: Variant
    /// When it was copied or shared.
    public var postedAt: Date

    /// A draft that was used now.
    public init(
      id: UUID = UUID(), excerpt: ExcerptCapture, variant: Variant, postedAt: Date = Date()
    ) {
      (self.id, self.excerpt, self.variant, self.postedAt) = (id, excerpt, variant, postedAt)
    }
  }

  /// The most items that are kept.
  public static let most = 20

  private let path: String

  /// The history of a folder.
  public init(folder: String) { path = folder + "/history.json" }

  /// What was used, the newest first, and where a file that could not be read was put aside: told as
  /// long as it is there.
  ///
  /// - Throws: `FileError` if the file cannot be read for another reason than its contents.
  public func items() throws -> (items: [Item], broken: String?) {
    let items = try readable() ?? locked { try setAside() }
    return (items, asides.last)
  }

  /// The items in the file; nil if it is broken.
  private func readable() throws -> [Item]? {
    guard AtomicFile.exists(path) else { return [] }
    let bytes = try AtomicFile.read(path)
    // The lock of a new file makes it empty.
    guard !bytes.isEmpty else { return [] }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return (try? decoder.decode([Item].self, from: Data(bytes))).map { Array($0.prefix(Self.most)) }
  }

  /// The items in the file, which is put aside if it is broken; to be called while it is locked.
  private func setAside() throws -> [Item] {
    if let items = try readable() { return items }
    let aside = asides.isEmpty ? "\(path).broken" : "\(path).broken-\(asides.count + 1)"
    try FileManager.default.moveItem(atPath: path, toPath: aside)
    return []
  }

  /// The files that were put aside, the newest last.
  private var asides: [String] {
    let names = (["\(path).broken"] + (2...99).map { "\(path).broken-\($0)" })
    return Array(names.prefix(while: AtomicFile.exists))
  }

  /// Does `work` while no other process changes the file.
  private func locked<Value>(_ work: () throws -> Value) throws -> Value {
    let lock = try FileLock(path: path, creating: true)
    defer { withExtendedLifetime(lock) {} }
    return try work()
  }

  /// Adds a draft that was copied or shared; the oldest goes when there are more than `most`.
  ///
  /// - Throws: `FileError`; the file is then as it was.
  public func add(_ item: Item) throws {
    try change { [item] + $0 }
  }

  /// Removes one.
  ///
  /// - Throws: `FileError`; the file is then as it was.
  public func remove(_ id: UUID) throws {
    try change { $0.filter { $0.id != id } }
  }

  /// Changes the items, while no other process does.
  private func change(_ change: ([Item]) -> [Item]) throws {
    try locked {
      let items = try change(setAside())
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try AtomicFile.write([UInt8](encoder.encode(Array(items.prefix(Self.most)))), to: path)
    }
  }
}
