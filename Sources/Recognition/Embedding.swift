public import Ink
public import NeuralNetwork
internal import Support

/// Turns a drawing into a unit vector, so that drawings of the same thing lie close together.
///
/// The vector depends on the drawing alone, to the bit: each drawing goes through the network by itself,
/// so it does not matter which others come along or how many threads there are.
public struct Embedding: Sendable, Equatable {
  /// Makes the network's pixels.
  public let rasterizer: Rasterizer
  /// Pixels [height, width, channels] → unit vector [dimension]; batch normalisation still apart, for training on.
  public let network: Network
  private let folded: Network

  /// An embedding by a trained network.
  ///
  /// - Throws: `ModelError.malformed` when pixels and network do not fit, or the network gives no vector.
  public init(rasterizer: Rasterizer, network: Network) throws {
    guard network.inputShape == rasterizer.shape else {
      throw ModelError.malformed(
        "its network takes \(network.inputShape) and its rasteriser gives \(rasterizer.shape)")
    }
    guard network.outputShape.count == 1 else {
      throw ModelError.malformed("its network gives \(network.outputShape), not a vector")
    }
    self.rasterizer = rasterizer
    self.network = network
    folded = network.folded()
    guard (folded.parameters + folded.statistics).allSatisfy(\.isFinite) else {
      throw ModelError.malformed("its network's numbers are too large, or a variance is below 0")
    }
  }

  /// The length of a vector.
  public var dimension: Int { network.outputShape[0] }

  /// The drawing's unit vector, shape [dimension].
  ///
  /// - Throws: `ModelError.drawing` when the drawing has no ink.
  public func vector(of drawing: Drawing) throws -> [Float] {
    var worker = Worker(embedding: self)
    return try worker.vector(of: drawing)
  }

  /// The drawings' unit vectors, row-major, shape [drawings, dimension].
  ///
  /// - Parameters:
  ///   - drawings: The drawings.
  ///   - threads: How many are embedded at the same time.
  ///   - progress: Told how many of how many are done, from any thread.
  /// - Returns: One row a drawing, in their order.
  /// - Throws: `ModelError.drawing` for a drawing without ink, and `CancellationError`.
  public func vectors(
    of drawings: [Drawing], threads: Int = 1,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> [Float] {
    let blockLength = 64
    let blocks = stride(from: 0, to: drawings.count, by: blockLength).map {
      $0..<min($0 + blockLength, drawings.count)
    }
    var vectors = [Float](repeating: 0, count: drawings.count * dimension)
    var done = 0
    try await withThrowingTaskGroup(of: ([Float], Range<Int>).self) { group in
      var waiting = blocks.makeIterator()
      func start(_ group: inout ThrowingTaskGroup<([Float], Range<Int>), any Error>) {
        guard let block = waiting.next() else { return }
        group.addTask {
          try Task.checkCancellation()
          var worker = Worker(embedding: self)
          return (try block.flatMap { try worker.vector(of: drawings[$0]) }, block)
        }
      }
      for _ in 0..<max(1, threads) { start(&group) }
      while let (values, block) = try await group.next() {
        vectors.replaceSubrange(
          (block.lowerBound * dimension)..<(block.upperBound * dimension), with: values)
        done += block.count
        progress?(done, drawings.count)
        start(&group)
      }
    }
    return vectors
  }

  /// Whether both turn every drawing into the same vector.
  public static func == (a: Embedding, b: Embedding) -> Bool {
    a.rasterizer == b.rasterizer && a.network == b.network
  }

  /// The buffers of one thread.
  package struct Worker: Sendable {
    private let embedding: Embedding
    private var pixels: [Float]
    private var scratch = Rasterizer.Scratch()
    private var workspace: InferenceWorkspace

    /// Buffers for `embedding`.
    package init(embedding: Embedding) {
      self.embedding = embedding
      pixels = [Float](repeating: 0, count: embedding.folded.inputSize)
      workspace = InferenceWorkspace(for: embedding.folded, capacity: 1)
    }

    /// The drawing's unit vector, as `Embedding.vector(of:)` gives it.
    package mutating func vector(of drawing: Drawing) throws -> [Float] {
      try draw(drawing)
      var vector = [Float](repeating: 0, count: embedding.dimension)
      var result = vector.mutableSpan
      try run(into: &result, id: drawing.id)
      return vector
    }

    /// Draws the picture to look at.
    mutating func draw(_ drawing: Drawing, strokeWidthFactor: Double = 1) throws(ModelError) {
      do throws(InkError) {
        try Self.draw(
          drawing, embedding.rasterizer.widened(by: strokeWidthFactor), &pixels, &scratch)
      } catch {
        throw .drawing(id: drawing.id, reason: "\(error)")
      }
    }

    /// Takes the ink of a picture that is drawn already, [height, width, channels].
    mutating func read(_ picture: borrowing MutableSpan<Float>, channels: Int) {
      precondition(picture.count == pixels.count * channels, "a picture of another size")
      for index in pixels.indices { pixels[index] = picture[index * channels] }
    }

    /// The picture's vector.
    mutating func run(into vector: inout MutableSpan<Float>, id: String) throws(ModelError) {
      Self.run(embedding.folded, pixels, into: &vector, &workspace)
      for index in 0..<vector.count where !vector[index].isFinite {
        throw .drawing(id: id, reason: "its vector is not finite")
      }
    }

    /// The buffers apart: a span of one keeps the whole struct that holds it busy.
    private static func run(
      _ network: Network, _ pixels: [Float], into vector: inout MutableSpan<Float>,
      _ workspace: inout InferenceWorkspace
    ) {
      network.predict(pixels.span, count: 1, into: &vector, workspace: &workspace)
    }

    private static func draw(
      _ drawing: Drawing, _ rasterizer: Rasterizer, _ pixels: inout [Float],
      _ scratch: inout Rasterizer.Scratch
    ) throws(InkError) {
      var slot = pixels.mutableSpan
      try rasterizer.draw(drawing, into: &slot, using: &scratch)
    }
  }

  /// Names the network's values and the pixels it takes: SHA-256, 64 hexadecimal digits.
  public var fingerprint: String {
    var fingerprint = Fingerprint()
    fingerprint.update("\(rasterizer.shape) \(rasterizer.strokeWidth) \(rasterizer.margin)")
    for value in network.parameters + network.statistics {
      var bytes: [UInt8] = []
      for shift in stride(from: UInt32(0), to: 32, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> shift))
      }
      fingerprint.update(bytes)
    }
    return fingerprint.hexadecimal()
  }
}
