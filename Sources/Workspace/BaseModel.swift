internal import CReleasedModel
public import Recognition
internal import Synchronization

/// What models are before they are taught: an embedding, and what is known of drawings in general.
public final class BaseModel: Sendable {
  private struct Loaded {
    let recognizer: Recognizer
    var fingerprint: String?
  }

  private let load: @Sendable () throws -> Recognizer
  private let loaded = Mutex<Loaded?>(nil)

  /// A base that is loaded when it is needed first.
  ///
  /// - Parameter load: Gives a recognizer; what it was taught does not count.
  public init(_ load: @escaping @Sendable () throws -> Recognizer) {
    self.load = load
  }

  /// The base that DrawML is released with, which is part of the program.
  public static let released = BaseModel {
    let length = drawml_released_model_length()
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: drawml_released_model(), count: length))
    return try ModelFile.read(bytes, named: "the released model")
  }

  /// The base as a recognizer that was taught nothing.
  ///
  /// - Throws: What loading throws.
  public func recognizer() throws -> Recognizer {
    try loaded.withLock { try Self.loaded(&$0, load).recognizer }
  }

  /// Names the base: a model that was taught on another one is taught anew.
  func fingerprint() throws -> String {
    try loaded.withLock { loaded in
      var current = try Self.loaded(&loaded, load)
      if let known = current.fingerprint { return known }
      let fingerprint = try ModelFile.fingerprint(of: current.recognizer)
      current.fingerprint = fingerprint
      loaded = current
      return fingerprint
    }
  }

  private static func loaded(
    _ loaded: inout Loaded?, _ load: () throws -> Recognizer
  ) throws -> Loaded {
    if let loaded { return loaded }
    let new = Loaded(recognizer: try load().untaught())
    loaded = new
    return new
  }
}
