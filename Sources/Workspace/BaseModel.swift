internal import CReleasedModel
public import Recognition
internal import Synchronization

/// What models are before they are taught: an embedding, what is known of drawings in general, and
/// perhaps labels that they all know from the beginning.
public final class BaseModel: Sendable {
  private struct Loaded {
    let recognizer: Recognizer
    var fingerprint: String?
  }

  private let keepsLabels: Bool
  private let load: @Sendable () throws -> Recognizer
  private let loaded = Mutex<Loaded?>(nil)

  /// A base that is loaded when it is needed first.
  ///
  /// - Parameters:
  ///   - keepsLabels: Whether what it was taught counts. No sample of a workspace has the id of one
  ///     of its samples: theirs hold a space.
  ///   - load: Gives a recognizer.
  public init(
    keepingLabels keepsLabels: Bool = false, _ load: @escaping @Sendable () throws -> Recognizer
  ) {
    self.keepsLabels = keepsLabels
    self.load = load
  }

  /// The base that DrawML is released with, which is part of the program.
  public static let released = BaseModel {
    let length = drawml_released_model_length()
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: drawml_released_model(), count: length))
    return try ModelFile.read(bytes, named: "the released model")
  }

  /// The released model of everyday things, which is part of the program, too.
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

  /// Names the base: a model that was taught on another one is taught anew.
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
  /// Whether it is a sample of the user's, and none that a base brought along.
  var isOwn: Bool { Workspace.isID(id) }
}
