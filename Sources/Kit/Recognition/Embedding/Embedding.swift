internal import Files
public import Ink
public import NeuralNetwork
internal import Synchronization

/// Turns a drawing into a unit vector, so that drawings of the same thing lie close together.
///
/// With several networks that take different inputs, their weighted unit vectors are concatenated:
/// an ensemble whose members err differently.
///
/// The vector depends on the drawing alone, to the bit, not on the other drawings of the batch or
/// the number of threads: a `PreparedNetwork` computes each example independently.
public struct Embedding: Sendable, Equatable {
  /// The networks in the order of their vectors, at least one.
  public let members: [EmbeddingMember]
  /// The buffers of idle threads.
  private let workers = Pool<Worker>()
  /// The cached fingerprint, which hashes every weight.
  private let known = CachedText()

  /// An embedding by trained networks.
  ///
  /// - Throws: `ModelError.malformed` for no members, for several if one does not end in L2
  ///   normalization, and for networks that need too much memory.
  public init(_ members: [EmbeddingMember]) throws(ModelError) {
    guard !members.isEmpty else { throw .malformed("it has no network") }
    for member in members where members.count > 1 {
      guard case .l2Normalize? = member.network.architecture.layers.last else {
        throw .malformed("one of its networks gives no unit vectors")
      }
    }
    let values = members.reduce(0) { $0 + $1.workingValues }
    guard values <= Self.mostWorkingValues else {
      throw .malformed(
        "its networks keep \(values) values of a drawing while they run; at most "
          + "\(Self.mostWorkingValues) are allowed")
    }
    self.members = members
  }

  /// 20 MB per drawing; the base model's networks keep less than 1 MB.
  private static let mostWorkingValues = 5 << 20

  /// An embedding by one network that takes pixels.
  ///
  /// - Throws: `ModelError.malformed` if the input shapes differ or the network does not output a
  ///   vector.
  public init(rasterizer: Rasterizer, network: Network) throws(ModelError) {
    try self.init([EmbeddingMember(view: .picture(rasterizer), network: network)])
  }

  /// The length of a vector.
  public var dimension: Int { members.reduce(0) { $0 + $1.dimension } }

  /// The factor of each network's vector.
  package var shares: [Float] {
    guard members.count > 1 else { return [1] }
    let length = members.reduce(Float(0)) { $0 + $1.weight * $1.weight }.squareRoot()
    return members.map { $0.weight / length }
  }

  /// The number of weights of all networks.
  public var parameterCount: Int { members.reduce(0) { $0 + $1.network.parameters.count } }

  /// The rasterizer of the first network that takes pixels, or else the default one.
  public var rasterizer: Rasterizer {
    for member in members {
      if case .picture(let rasterizer) = member.view { return rasterizer }
    }
    return Rasterizer()
  }

  /// The drawing's unit vector, shape [dimension].
  ///
  /// - Throws: `ModelError.drawing` when the drawing has no ink.
  public func vector(of drawing: Drawing) throws(ModelError) -> [Float] {
    var worker = workers.take() ?? Worker(embedding: self)
    defer { workers.putBack(worker) }
    return try worker.vector(of: drawing)
  }

  /// The drawings' unit vectors, row-major, shape [drawings, dimension].
  ///
  /// - Parameters:
  ///   - drawings: The drawings.
  ///   - threads: How many are embedded at the same time.
  ///   - progress: Called with the numbers of drawings done and in total, from any thread.
  /// - Returns: One row per drawing, in their order.
  /// - Throws: `ModelError.drawing` for a drawing without ink, and `CancellationError`.
  public func vectors(
    of drawings: [Drawing], threads: Int = 1,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> [Float] {
    try await vectors(of: drawings, threads: threads, sharedBy: OneProcess(), progress: progress)
  }

  /// The drawings' unit vectors, of which each rank computes a part, and all have all.
  ///
  /// - Parameters:
  ///   - drawings: The drawings, the same on all ranks.
  ///   - threads: How many are embedded at the same time.
  ///   - ranks: The processes that share the work.
  ///   - progress: Called with the numbers of this rank's drawings, done and in total.
  /// - Returns: One row per drawing, in their order.
  /// - Throws: `ModelError.drawing` for a drawing without ink, `CancellationError`, and when a rank
  ///   is lost.
  package func vectors(
    of drawings: [Drawing], threads: Int, sharedBy ranks: any Ranks,
    progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> [Float] {
    let blockLength = 64
    let blocks = stride(from: 0, to: drawings.count, by: blockLength).map {
      $0..<min($0 + blockLength, drawings.count)
    }
    let own = Array(blocks[ranks.part(of: blocks.count)])
    let first = own.first?.lowerBound ?? 0
    let total = own.reduce(0) { $0 + $1.count }
    var vectors = [Float](repeating: 0, count: total * dimension)
    var done = 0
    try await concurrently(own.count, threads: threads) { number in
      var worker = workers.take() ?? Worker(embedding: self)
      defer { workers.putBack(worker) }
      return try worker.vectors(of: drawings[own[number]])
    } then: { number, values in
      let start = (own[number].lowerBound - first) * dimension
      vectors.replaceSubrange(start..<(start + values.count), with: values)
      done += own[number].count
      progress?(done, total)
    }
    return try ranks.allGather(vectors)
  }

  /// The drawings' unit vectors, computed on the calling thread: row-major, shape
  /// [drawings, dimension].
  ///
  /// - Throws: `ModelError.drawing` for a drawing without ink.
  public func vectors(of drawings: [Drawing]) throws(ModelError) -> [Float] {
    var worker = workers.take() ?? Worker(embedding: self)
    defer { workers.putBack(worker) }
    return try worker.vectors(of: drawings[...])
  }

  /// Whether both turn every drawing into the same vector.
  public static func == (a: Embedding, b: Embedding) -> Bool { a.members == b.members }

  /// The buffers of one thread.
  package struct Worker: Sendable {
    private var networks: [NetworkBuffers]
    private let dimension: Int
    /// With larger numbers, scores may not be finite. A single network need not end in L2
    /// normalization.
    private static let largestNumber: Float = 1e6

    /// Buffers for `embedding`.
    package init(embedding: Embedding) {
      // The shares scale the concatenated vector to length 1.
      networks = zip(embedding.members, embedding.shares).map { NetworkBuffers($0, share: $1) }
      dimension = embedding.dimension
    }

    /// The drawing's unit vector, as `Embedding.vector(of:)` gives it.
    package mutating func vector(of drawing: Drawing) throws(ModelError) -> [Float] {
      try draw(drawing)
      var vector = [Float](repeating: 0, count: dimension)
      var result = vector.mutableSpan
      try run(into: &result, id: drawing.id)
      return vector
    }

    /// The drawings' unit vectors, [drawings, dimension].
    mutating func vectors(of drawings: ArraySlice<Drawing>) throws(ModelError) -> [Float] {
      var vectors = [Float](repeating: 0, count: drawings.count * dimension)
      var result = vectors.mutableSpan
      for first in stride(
        from: drawings.startIndex, to: drawings.endIndex, by: NetworkBuffers.places)
      {
        let part = drawings[first...].prefix(NetworkBuffers.places)
        for (place, drawing) in part.enumerated() { try draw(drawing, at: place) }
        try run(part.map(\.id), into: &result, at: first - drawings.startIndex)
      }
      return vectors
    }

    /// Writes the drawing into each network's input.
    mutating func draw(
      _ drawing: Drawing, strokeWidthFactor: Double = 1, at place: Int = 0
    ) throws(ModelError) {
      for index in networks.indices {
        do throws(InkError) {
          try networks[index].draw(drawing, strokeWidthFactor, at: place)
        } catch {
          throw .drawing(id: drawing.id, reason: "\(error)")
        }
      }
    }

    /// Copies the ink channel of a rendered picture, shape [height, width, channels], to the input
    /// of an embedding of one network that takes ink alone.
    mutating func read(_ picture: borrowing MutableSpan<Float>, channels: Int) {
      networks[0].read(picture, channels: channels)
    }

    /// Computes the vector of the drawing in the input.
    mutating func run(into vector: inout MutableSpan<Float>, id: String) throws(ModelError) {
      try run([id], into: &vector, at: 0)
    }

    /// Computes the vectors of the first `ids.count` inputs, into the rows from `row` on.
    private mutating func run(
      _ ids: [String], into vectors: inout MutableSpan<Float>, at row: Int
    ) throws(ModelError) {
      var start = row * dimension
      for index in networks.indices {
        networks[index].run(ids.count)
        let width = networks[index].dimension
        for place in ids.indices {
          for column in 0..<width {
            let value = networks[index].output[place * width + column]
            guard abs(value) <= Self.largestNumber else {
              throw .drawing(
                id: ids[place],
                reason: "the model's embedding gives it no unit vector; the model is broken, "
                  + "train it again")
            }
            vectors[start + place * dimension + column] = value
          }
        }
        start += width
      }
    }
  }

  /// The buffers of one network, for some drawings.
  private struct NetworkBuffers: Sendable {
    /// How many drawings one network embeds before the next one does: together their weights do
    /// not fit in most caches.
    static let places = 16

    private let member: EmbeddingMember
    /// The input of one drawing.
    private var seen: [Float]
    /// The inputs of all places.
    private var input: [Float]
    private var scratch = DrawingView.Scratch()
    private var workspace: InferenceWorkspace
    /// The output of the last `run`, shape [places, dimension].
    private(set) var output: [Float]
    /// The factor of the network's vector.
    private let share: Float

    init(_ member: EmbeddingMember, share: Float) {
      self.member = member
      self.share = share
      seen = [Float](repeating: 0, count: member.prepared.inputSize)
      input = [Float](repeating: 0, count: Self.places * seen.count)
      output = [Float](repeating: 0, count: Self.places * member.dimension)
      workspace = InferenceWorkspace(for: member.prepared)
    }

    var dimension: Int { member.dimension }

    mutating func draw(
      _ drawing: Drawing, _ strokeWidthFactor: Double, at place: Int
    ) throws(InkError) {
      try Self.draw(drawing, strokeWidthFactor, member.view, &seen, &scratch)
      let start = place * seen.count
      input.replaceSubrange(start..<(start + seen.count), with: seen)
    }

    mutating func read(_ picture: borrowing MutableSpan<Float>, channels: Int) {
      precondition(picture.count == seen.count * channels, "a picture of another size")
      for index in seen.indices { input[index] = picture[index * channels] }
    }

    mutating func run(_ count: Int) {
      Self.run(member.prepared, input, count, &output, &workspace)
      if share != 1 { for index in 0..<(count * dimension) { output[index] *= share } }
    }

    // These take the buffers as separate parameters, because a mutable span of a property holds
    // exclusive access to the whole struct.

    private static func draw(
      _ drawing: Drawing, _ strokeWidthFactor: Double, _ view: DrawingView,
      _ seen: inout [Float], _ scratch: inout DrawingView.Scratch
    ) throws(InkError) {
      var slot = seen.mutableSpan
      try view.draw(
        drawing, strokeWidthFactor: strokeWidthFactor, into: &slot, using: &scratch)
    }

    private static func run(
      _ network: PreparedNetwork, _ input: [Float], _ count: Int, _ output: inout [Float],
      _ workspace: inout InferenceWorkspace
    ) {
      var vectors = output.mutableSpan
      network.predict(input.span, count: count, into: &vectors, workspace: &workspace)
    }
  }

  /// Identifies the networks' weights and inputs: SHA-256, 64 hexadecimal digits.
  public var fingerprint: String { known.text(computeFingerprint) }

  private func computeFingerprint() -> String {
    var fingerprint = Fingerprint()
    for member in members {
      fingerprint.update("\(member.view.description) \(member.weight)")
      for values in [member.network.parameters, member.network.statistics] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 * values.count)
        for value in values {
          for shift in stride(from: UInt32(0), to: 32, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> shift))
          }
        }
        fingerprint.update(bytes)
      }
    }
    return fingerprint.hexadecimal()
  }
}

/// A string that is computed on first use and cached.
private final class CachedText: Sendable {
  private let made = Mutex<String?>(nil)

  func text(_ make: () -> String) -> String {
    made.withLock { made in
      if let made { return made }
      let text = make()
      made = text
      return text
    }
  }
}
