internal import Files
public import Ink

/// Labeled drawings, validated and in a canonical order: the training and test data of a
/// classifier.
///
/// The order is by label, then by id (both as Unicode scalars of normal form C), independent of the
/// order of files and lines; so the same data give the same training run and the same
/// `fingerprint`. Every drawing has a label and a unique id:
/// - a drawing without an id gets one derived from its label and strokes ("sha256-" and 16 digits);
/// - so does one whose id is only its position, "star.ndjson:12" (file and line) or "star/1" (a
///   picture's folder and file), as assigned by `DatasetReader`, if files of the same name in two
///   folders have different drawings at that position;
/// - a drawing with the same id, label and strokes as another is kept once (`repeats` counts them);
/// - the same id with another label or other strokes is an error.
public struct SampleSet: Sendable {
  /// The drawings in canonical order, each with a label in normal form C and a unique id.
  public let drawings: [Drawing]
  /// The distinct labels, sorted by Unicode scalars.
  public let classes: [String]
  /// Indices into `classes`, one per drawing.
  public let classIndices: [Int]
  /// The number of drawings dropped because another one has the same id, label and strokes.
  public let repeats: Int
  /// The `digest` of each drawing.
  let strokeDigests: [String]
  /// Where each drawing was read; empty if that is not known.
  package let origins: [Origin]

  /// The origin of a drawing, for messages.
  public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// The file as the caller named it.
    public var path: String
    /// The line within it from 1, or nil for a file of one drawing.
    public var line: Int?

    /// A position in a file.
    public init(path: String, line: Int? = nil) {
      self.path = path
      self.line = line
    }

    /// The path, followed by a colon and the line if known.
    public var description: String { line.map { "\(path):\($0)" } ?? path }
  }

  /// The set of `drawings`; `origins`, if known, one per drawing, are named in errors.
  ///
  /// - Throws: `SampleSetError` for no drawings, a missing or invalid label, or an id shared by two
  ///   drawings.
  public init(_ drawings: [Drawing], origins: [Origin] = []) throws(SampleSetError) {
    precondition(
      origins.isEmpty || origins.count == drawings.count,
      "\(drawings.count) drawings need as many origins, got \(origins.count)")
    guard !drawings.isEmpty else { throw .empty }
    var drawings = drawings
    if !origins.isEmpty { Self.distinguish(&drawings, origins) }
    var samples: [Entry] = []
    samples.reserveCapacity(drawings.count)
    for (index, drawing) in drawings.enumerated() {
      let origin = origins.isEmpty ? nil : origins[index]
      let normalized = try Self.label(of: drawing, index: index, origin: origin)
      let digest = drawing.digest
      var named = drawing
      named.label = normalized
      if drawing.id.isEmpty { named.id = Self.id(label: normalized, digest: digest) }
      samples.append(
        Entry(drawing: named, label: normalized, digest: digest, index: index, origin: origin))
    }
    let order = samples.indices.sorted { samples[$0].precedes(samples[$1]) }
    var firstWithID: [String: Int] = [:]
    var kept: [Entry] = []
    kept.reserveCapacity(samples.count)
    for index in order {
      let sample = samples[index]
      if let first = firstWithID[sample.drawing.id] {
        let other = kept[first]
        guard other.label == sample.label, other.digest == sample.digest else {
          let (a, b) = (min(other.index, sample.index), max(other.index, sample.index))
          throw .conflictingID(
            sample.drawing.id, origins.isEmpty ? nil : origins[a],
            origins.isEmpty ? nil : origins[b])
        }
        continue
      }
      firstWithID[sample.drawing.id] = kept.count
      kept.append(sample)
    }
    self.init(sorted: kept, repeats: samples.count - kept.count)
  }

  /// Replaces ids that are only a position, and shared by different drawings, by ids derived from
  /// label and strokes.
  static func distinguish(_ drawings: inout [Drawing], _ origins: [Origin]) {
    var places: [String: [Int]] = [:]
    for (index, drawing) in drawings.enumerated()
    where PositionIDs(path: origins[index].path).contains(drawing.id) {
      places[drawing.id, default: []].append(index)
    }
    for indices in places.values where indices.count > 1 {
      let names = indices.map { id(label: drawings[$0].label ?? "", digest: drawings[$0].digest) }
      guard Set(names).count > 1 else { continue }
      for (index, name) in zip(indices, names) { drawings[index].id = name }
    }
  }

  /// Checks that drawings have the same id only if they are equal, with labels or without.
  ///
  /// - Throws: `SampleSetError.conflictingID`.
  static func requireDistinctIDs(
    _ drawings: [Drawing], origins: [Origin]
  ) throws(SampleSetError) {
    var drawings = drawings
    distinguish(&drawings, origins)
    var first: [String: Int] = [:]
    for (index, drawing) in drawings.enumerated() where !drawing.id.isEmpty {
      guard let other = first.updateValue(index, forKey: drawing.id) else { continue }
      guard drawings[other].label == drawing.label, drawings[other].digest == drawing.digest
      else { throw .conflictingID(drawing.id, origins[other], origins[index]) }
    }
  }

  private init(sorted samples: [Entry], repeats: Int) {
    var classes: [String] = []
    var classIndices: [Int] = []
    classIndices.reserveCapacity(samples.count)
    for sample in samples {
      if classes.last != sample.label { classes.append(sample.label) }
      classIndices.append(classes.count - 1)
    }
    drawings = samples.map(\.drawing)
    strokeDigests = samples.map(\.digest)
    origins = samples.compactMap(\.origin)
    self.classes = classes
    self.classIndices = classIndices
    self.repeats = repeats
  }

  private struct Entry {
    var drawing: Drawing
    var label: String
    var digest: String
    var index: Int
    var origin: Origin?

    /// Swift compares strings by the scalars of their normal form C. The digest comes third, so
    /// that the order of equal ids does not depend on the input order.
    func precedes(_ other: Entry) -> Bool {
      (label, drawing.id, digest, index) < (
        other.label, other.drawing.id, other.digest, other.index
      )
    }
  }
}

/// The ids of a file's drawings that are only their position in it, because they have none.
struct PositionIDs: Sendable {
  private let prefix: String
  private let areAll: Bool

  /// Those of the file at a path.
  init(path: String) {
    prefix = (path.split(separator: "/").last ?? "") + ":"
    areAll = DatasetFormat(path: path)?.isNamedByFile == true
  }

  /// Whether an id is one.
  func contains(_ id: String) -> Bool {
    if areAll { return true }
    guard id.hasPrefix(prefix) else { return false }
    let number = id.dropFirst(prefix.count)
    return !number.isEmpty && number.allSatisfy(\.isNumber)
  }
}

extension SampleSet {
  /// The label of a drawing, in the form of `LabelRule.label`.
  ///
  /// - Throws: `SampleSetError` for a missing label, or one that violates `LabelRule`: training
  ///   fails early, not when its model is written.
  static func label(
    of drawing: Drawing, index: Int, origin: Origin?
  ) throws(SampleSetError) -> String {
    guard let label = drawing.label else {
      throw .missingLabel(index: index, id: drawing.id, origin: origin)
    }
    do throws(LabelError) {
      return try LabelRule.label(label)
    } catch .empty {
      throw .missingLabel(index: index, id: drawing.id, origin: origin)
    } catch {
      throw .invalidLabel(error, index: index, id: drawing.id, origin: origin)
    }
  }

  /// The number of drawings.
  public var count: Int { drawings.count }

  /// The number of drawings of each class, in the order of `classes`.
  public var counts: [Int] {
    var counts = [Int](repeating: 0, count: classes.count)
    for index in classIndices { counts[index] += 1 }
    return counts
  }

  /// The set of the drawings at `indices`; its classes are the labels that occur in it.
  ///
  /// It may be empty, like the validation part of a small set.
  public func subset(_ indices: [Int]) -> SampleSet {
    SampleSet(
      sorted: Set(indices).sorted().map { index in
        Entry(
          drawing: drawings[index], label: classes[classIndices[index]],
          digest: strokeDigests[index], index: index,
          origin: origins.isEmpty ? nil : origins[index])
      }, repeats: 0)
  }

  /// Checks that there are at least two classes.
  ///
  /// - Throws: `SampleSetError.oneClass` when all drawings have the same label.
  public func requireTwoClasses() throws(SampleSetError) {
    guard classes.count != 1 else { throw .oneClass(classes[0]) }
  }

  /// The SHA-256 of ids, labels and strokes in canonical order, as 64 hexadecimal digits;
  /// independent of the files and their order.
  public var fingerprint: String {
    var fingerprint = Fingerprint()
    fingerprint.update("DrawML samples 2")
    for (index, drawing) in drawings.enumerated() {
      fingerprint.update(drawing.id)
      fingerprint.update(classes[classIndices[index]])
      fingerprint.update(strokeDigests[index])
    }
    return fingerprint.hexadecimal()
  }

  /// The id of a drawing that has none.
  package static func id(label: String, digest: String) -> String {
    var fingerprint = Fingerprint()
    fingerprint.update(label)
    fingerprint.update(digest)
    return "sha256-" + fingerprint.hexadecimal().prefix(16)
  }
}
