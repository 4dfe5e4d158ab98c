internal import Ink
internal import NeuralNetwork
internal import Recognition
internal import Synchronization

extension SpeedInputs {
  /// Steps from drawings, or network inputs, to vectors.
  func embeddingSteps() throws -> [SpeedStep] {
    [
      SpeedStep(
        name: "embed-1", title: "a drawing to its vector, one by one", unit: "drawings",
        prepare: prepareEmbedding),
      SpeedStep(
        name: "embed-256", title: "256 drawings to their vectors", unit: "drawings",
        threads: threads, prepare: prepareEmbeddings),
      SpeedStep(
        name: "network-1", title: "what the networks see to a vector, one by one", unit: "drawings",
        prepare: { try await self.prepareNetworks(count: 64, threads: 1, together: 1) }),
      SpeedStep(
        name: "network-256", title: "what the networks see to vectors, 256 at once",
        unit: "drawings", threads: threads,
        prepare: {
          try await self.prepareNetworks(
            count: Self.askedCount, threads: self.threads, together: InferenceWorkspace.chunk)
        }),
    ]
  }

  private func prepareEmbedding() throws -> PreparedStep {
    let embedding = try blankRecognizer().embedding
    let drawings = Array(try askedDrawings().prefix(64))
    return PreparedStep(count: drawings.count, operations: Self.operations(embedding, 64)) {
      try time {
        for drawing in drawings { _ = try embedding.vector(of: drawing) }
      }
    }
  }

  private func prepareEmbeddings() throws -> PreparedStep {
    let embedding = try blankRecognizer().embedding
    let (drawings, threads) = (try askedDrawings(), threads)
    return PreparedStep(
      count: drawings.count, operations: Self.operations(embedding, drawings.count)
    ) {
      try await time { _ = try await embedding.vectors(of: drawings, threads: threads) }
    }
  }

  private static func operations(_ embedding: Embedding, _ count: Int) -> Double {
    embedding.members.reduce(0) {
      $0 + OperationCount($1.network.architecture).inference * Double(count)
    }
  }

  /// One prepared network of the embedding, with the buffers of one thread.
  private struct NetworkBuffers: Sendable {
    let network: PreparedNetwork
    let input: [Float]
    var output: [Float]
    var workspace: InferenceWorkspace

    mutating func run() {
      Self.run(network, input, &output, &workspace)
    }

    private static func run(
      _ network: PreparedNetwork, _ input: [Float], _ output: inout [Float],
      _ workspace: inout InferenceWorkspace
    ) {
      var vectors = output.mutableSpan
      network.predict(
        input.span, count: input.count / network.inputSize, into: &vectors, workspace: &workspace)
    }
  }

  /// The networks of one thread; their buffers are reused from run to run.
  private final class ThreadBuffers: Sendable {
    let networks: Mutex<[NetworkBuffers]>

    init(_ networks: [NetworkBuffers]) { self.networks = Mutex(networks) }

    func run() {
      networks.withLock { networks in for index in networks.indices { networks[index].run() } }
    }
  }

  private func prepareNetworks(
    count: Int, threads: Int, together: Int
  ) async throws -> PreparedStep {
    let embedding = try blankRecognizer().embedding
    let drawings = Array(try askedDrawings().prefix(count))
    var threadBuffers: [ThreadBuffers] = []
    let share = (count + threads - 1) / threads
    for start in stride(from: 0, to: count, by: share) {
      let part = Array(drawings[start..<min(start + share, count)])
      threadBuffers.append(
        ThreadBuffers(
          try embedding.members.map { member in
            let network = PreparedNetwork(member.network)
            return NetworkBuffers(
              network: network, input: try Self.values(of: part, seenAs: member.view),
              output: [Float](repeating: 0, count: part.count * network.outputSize),
              workspace: InferenceWorkspace(for: network, capacity: together))
          }))
    }
    let all = threadBuffers
    return PreparedStep(count: count, operations: Self.operations(embedding, count)) {
      await time { await Self.run(all) }
    } record: {
      var record = SpeedRecord()
      await Self.run(all)
      let networks = all.map { $0.networks.withLock { $0 } }
      for (number, member) in embedding.members.enumerated() {
        record.add(
          "input\(number)", networks.flatMap { $0[number].input },
          shape: [count] + member.view.shape)
        record.add(
          "output\(number)", networks.flatMap { $0[number].output },
          shape: [count, member.dimension])
      }
      return record
    }
  }

  private static func run(_ threadBuffers: [ThreadBuffers]) async {
    guard threadBuffers.count > 1 else { return threadBuffers.forEach { $0.run() } }
    await withTaskGroup(of: Void.self) { group in
      for buffers in threadBuffers { group.addTask { buffers.run() } }
    }
  }
}
