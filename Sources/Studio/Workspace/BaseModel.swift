internal import CReleased
public import Recognition
internal import Synchronization

/// The untrained starting point of models: an embedding, the prior over drawings, and possibly
/// built-in labels.
public final class BaseModel: Sendable {
  private struct Loaded {
    let recognizer: Recognizer
    var fingerprint: String?
  }

  private let keepsLabels: Bool
  private let load: @Sendable () throws -> Recognizer
  private let loaded = Mutex<Loaded?>(nil)

  /// A base that is loaded on first use.
  ///
  /// - Parameters:
  ///   - keepsLabels: Whether to keep the base's own samples. Their ids contain a space, so they
  ///     cannot collide with ids in a workspace.
  ///   - load: Returns the recognizer.
  public init(
    keepingLabels keepsLabels: Bool = false, _ load: @escaping @Sendable () throws -> Recognizer
  ) {
    self.keepsLabels = keepsLabels
    self.load = load
  }

  /// The released base, embedded in the program.
  public static let released = BaseModel {
    let length = drawml_released_model_length()
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: drawml_released_model(), count: length))
    return try ModelFile.read(bytes, named: "the released model")
  }

  /// The released model of everyday things, also embedded in the program.
  public static let everyday = BaseModel(keepingLabels: true) {
    let length = drawml_everyday_model_length()
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: drawml_everyday_model(), count: length))
    return try ModelFile.read(bytes, named: "the model of everyday things")
  }

  /// The base as a recognizer.
  ///
  /// - Throws: What loading throws.
  public func recognizer() throws -> Recognizer {
    try loaded.withLock { try read(&$0).recognizer }
  }

  /// A digest that identifies the base: a model trained on another base is retrained from scratch.
  func fingerprint() throws -> String {
    try loaded.withLock { loaded in
      var current = try read(&loaded)
      if let known = current.fingerprint { return known }
      let fingerprint = try ModelFile.fingerprint(of: current.recognizer)
      current.fingerprint = fingerprint
      loaded = current
      return fingerprint
    }
  }

  private func read(_ loaded: inout Loaded?) throws -> Loaded {
    if let loaded { return loaded }
    let recognizer = try load()
    let new = Loaded(recognizer: keepsLabels ? recognizer : recognizer.untaught())
    loaded = new
    return new
  }
}

extension TaughtSample {
  /// Whether it is one of the user's samples rather than one of the base's.
  var isOwn: Bool { Workspace.isID(id) }
}
