internal import Ink
internal import JSON
internal import Recognition

/// The model's facts in a file's metadata, as written by `ExportFacts`; empty for files of other
/// programs.
struct ImportFacts {
  /// What makes the input of each name.
  var views: [String: DrawingView] = [:]
  /// The weight of each network's vector.
  var weights: [Float]?
  /// The labels.
  var labels: [String] = []
  /// The kind of the head.
  var head: HeadConfiguration?
  /// The share of drawings of taught labels that may be refused.
  var policy = DecisionPolicy.standard

  /// The maximum number of bytes of an entry.
  private static let entryBytes = 1 << 20

  /// Reads the entries that are there.
  ///
  /// - Throws: `ImportError.malformed` with the entry.
  init(_ entries: [String: String]) throws(ImportError) {
    views = try Self.value(of: "drawml.views", in: entries) ?? [:]
    weights = try Self.value(of: "drawml.weights", in: entries)
    labels = try Self.value(of: "drawml.labels", in: entries) ?? []
    head = try Self.value(of: "drawml.head", in: entries)
    if case .nearestNeighbors(let count, _)? = head, !(1...10_000).contains(count) {
      throw .malformed("drawml.head has \(count) neighbors; they must be from 1 to 10000")
    }
    guard let rate: Double = try Self.value(of: "drawml.refusalRate", in: entries) else { return }
    guard DecisionPolicy.rates.contains(rate) else {
      throw .malformed("drawml.refusalRate is \(rate); it must be from 0 to 0.5")
    }
    policy = DecisionPolicy(refusalRate: rate)
  }

  private static func value<Value: Decodable>(
    of key: String, in entries: [String: String]
  ) throws(ImportError) -> Value? {
    guard let text = entries[key] else { return nil }
    guard text.utf8.count <= entryBytes else { throw .malformed("\(key) is too long") }
    do throws(JSONFault) {
      return try JSONDocument.decode(Value.self, from: Array(text.utf8))
    } catch { throw .malformed("\(key) in its metadata: \(error)") }
  }
}
