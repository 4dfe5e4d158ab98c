public import Ink

/// All that a page with a template on it shows besides its ink, as one value.
///
/// It never changes: `with` makes a new one from it.
public struct TraceState: Hashable, Sendable, Codable {
  /// What lies behind the template.
  public enum Mode: String, Hashable, Sendable, Codable {
    /// A white page, as on a light table.
    case underPaper
    /// The camera's picture.
    case abovePaper
  }

  /// What gestures move.
  public enum Target: String, Hashable, Sendable, Codable {
    /// The template.
    case template
    /// The camera's picture.
    case camera
  }

  /// What lies behind the template.
  public let mode: Mode
  /// Where the template lies.
  public let template: Similarity
  /// Where the camera's picture lies.
  public let camera: Similarity
  /// The template's opacity, in 0...1.
  public let opacity: Double
  /// The brightness of the white page, in 0...1.
  public let brightness: Double
  /// Whether the camera's light is on.
  public let isTorchOn: Bool
  /// What gestures move.
  public let target: Target
  /// Whether gestures only draw.
  public let isLocked: Bool

  /// A state, by default that of a page just opened; opacity and brightness are limited to 0...1.
  public init(
    mode: Mode = .underPaper, template: Similarity = .identity, camera: Similarity = .identity,
    opacity: Double = 0.5, brightness: Double = 0.5, isTorchOn: Bool = false,
    target: Target = .template, isLocked: Bool = false
  ) {
    precondition(!opacity.isNaN && !brightness.isNaN, "opacity and brightness are numbers")
    (self.mode, self.template, self.camera) = (mode, template, camera)
    (self.opacity, self.brightness) = (min(max(opacity, 0), 1), min(max(brightness, 0), 1))
    (self.isTorchOn, self.target, self.isLocked) = (isTorchOn, target, isLocked)
  }

  /// The state with the given members in place of its own.
  public func with(
    mode: Mode? = nil, template: Similarity? = nil, camera: Similarity? = nil,
    opacity: Double? = nil, brightness: Double? = nil, isTorchOn: Bool? = nil,
    target: Target? = nil, isLocked: Bool? = nil
  ) -> TraceState {
    TraceState(
      mode: mode ?? self.mode, template: template ?? self.template,
      camera: camera ?? self.camera, opacity: opacity ?? self.opacity,
      brightness: brightness ?? self.brightness, isTorchOn: isTorchOn ?? self.isTorchOn,
      target: target ?? self.target, isLocked: isLocked ?? self.isLocked)
  }

  /// The placement of what gestures move.
  public var placement: Similarity { target == .template ? template : camera }

  /// The state with another placement of what gestures move.
  public func with(placement: Similarity) -> TraceState {
    target == .template ? with(template: placement) : with(camera: placement)
  }

  /// The state after a gesture.
  ///
  /// - Parameters:
  ///   - gesture: What the fingers did.
  ///   - box: What is moved, in its own units; its middle stays on the page.
  ///   - page: The page's size.
  /// - Returns: The new state; a locked one stays as it is.
  public func applying(
    _ gesture: Similarity.Gesture, to box: BoundingBox, on page: Drawing.Canvas
  ) -> TraceState {
    guard !isLocked else { return self }
    return with(placement: placement.applying(gesture).reachable(box, on: page))
  }

  /// The state with what gestures move where it was at first.
  public func reset() -> TraceState { with(placement: .identity) }

  private enum CodingKeys: CodingKey {
    case mode, template, camera, opacity, brightness, isTorchOn, target, isLocked
  }

  /// Decodes a state; what is missing has its default.
  ///
  /// - Throws: `DecodingError` that names a member out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let usual = TraceState()
    func member<Value: Decodable>(_ key: CodingKeys, _ usual: Value) throws -> Value {
      try container.decodeIfPresent(Value.self, forKey: key) ?? usual
    }
    func fraction(_ key: CodingKeys, _ usual: Double) throws -> Double {
      let value = try member(key, usual)
      guard (0...1).contains(value) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container,
          debugDescription: "\(key.stringValue) is \(value); it must be from 0 to 1")
      }
      return value
    }
    self.init(
      mode: try member(.mode, usual.mode), template: try member(.template, usual.template),
      camera: try member(.camera, usual.camera), opacity: try fraction(.opacity, usual.opacity),
      brightness: try fraction(.brightness, usual.brightness),
      isTorchOn: try member(.isTorchOn, usual.isTorchOn),
      target: try member(.target, usual.target), isLocked: try member(.isLocked, usual.isLocked))
  }
}
