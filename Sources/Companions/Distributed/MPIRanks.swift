#if MPI
  internal import CLibrary
  internal import CMPI
  internal import Files
  internal import NeuralNetwork
  internal import Synchronization

  /// Ranks that exchange messages by MPI.
  ///
  /// A sum passes through the ranks in pieces, from rank 0 to the last, and the result returns the
  /// same way, while later pieces are still being added to. Each rank sends and receives the
  /// gradient twice, whatever the number of ranks.
  final class MPIRanks: RankGroup {
    let rank: Int
    let rankCount: Int
    let hosts: [String]
    /// Where the gradients' sum arrives; exchanged with the caller's buffer in each step.
    private let results = Mutex<[Float]>([])

    /// The values of a gradient that are sent at once: 256 KiB. See `docs/scale.md`.
    private static let pieceSize = 1 << 16
    /// How many facts ranks can agree on, and the bytes of a digest.
    private static let (factCount, digestSize) = (128, 32)

    /// Starts MPI.
    ///
    /// - Throws: `RankError` if it cannot start, or knows other processes than the launcher started.
    init(_ launch: Launch) throws {
      let code = drawml_mpi_start()
      guard code == MPI_SUCCESS else { throw RankError.noStart(MPIRequest.text(of: code)) }
      rank = Int(drawml_mpi_rank())
      rankCount = Int(drawml_mpi_rank_count())
      guard rankCount > 1 else { throw RankError.unconnected(rankCount: launch.rankCount) }
      var name = [CChar](repeating: 0, count: 64)
      unsafe gethostname(&name, name.count - 1)
      hosts = try Self.allGatherEqual(name.map { UInt8(bitPattern: $0) }, ranks: rankCount).map {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
    }

    func leave() {
      _ = try? Self.allGatherEqual([0], ranks: rankCount)
      MPI_Finalize()
    }

    func abort(status: Int32) { drawml_mpi_abort(status) }

    func agree(on facts: [(name: String, value: String)]) throws {
      precondition(facts.count <= Self.factCount, "\(facts.count) facts")
      var digests: [UInt8] = []
      for fact in facts {
        var fingerprint = Fingerprint()
        fingerprint.update(fact.value)
        digests += fingerprint.digest()
      }
      let length = Self.factCount * Self.digestSize
      digests += [UInt8](repeating: 0, count: length - digests.count)
      let all = try Self.allGatherEqual(digests, ranks: rankCount)
      for (number, fact) in facts.enumerated() {
        let place = (number * Self.digestSize)..<((number + 1) * Self.digestSize)
        guard let other = all.firstIndex(where: { $0[place] != all[0][place] }) else { continue }
        throw RankError.differs(fact.name, rank: other, host: hosts[other], firstHost: hosts[0])
      }
    }

    /// The bytes of every rank, of which each has equally many.
    private static func allGatherEqual(_ own: [UInt8], ranks: Int) throws -> [[UInt8]] {
      var all = [UInt8](repeating: 0, count: own.count * ranks)
      try unsafe own.withUnsafeBytes { own in
        try unsafe all.withUnsafeMutableBytes { all in
          var request = try unsafe MPIRequest {
            unsafe drawml_mpi_gather(own.baseAddress, Int32(own.count), all.baseAddress, &$0)
          }
          try request.wait()
        }
      }
      return (0..<ranks).map { Array(all[($0 * own.count)..<(($0 + 1) * own.count)]) }
    }

    func allGather(bytes own: [UInt8]) throws -> [[UInt8]] {
      let counts = try Self.allGatherEqual(
        (0..<8).map { UInt8(truncatingIfNeeded: own.count >> (8 * $0)) }, ranks: rankCount
      ).map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
      return try counts.enumerated().map { other, count in
        var bytes = other == rank ? own : [UInt8](repeating: 0, count: count)
        try unsafe bytes.withUnsafeMutableBytes { try unsafe Self.broadcast($0, from: other) }
        return bytes
      }
    }

    func broadcast(_ values: inout [Double]) throws {
      try unsafe values.withUnsafeMutableBytes { try unsafe Self.broadcast($0, from: 0) }
    }

    /// Replaces the bytes by those of one rank.
    private static func broadcast(_ bytes: UnsafeMutableRawBufferPointer, from rank: Int) throws {
      // MPI counts in 32 bits.
      for start in stride(from: 0, to: bytes.count, by: 1 << 24) {
        let part = unsafe UnsafeMutableRawBufferPointer(
          rebasing: bytes[start..<min(start + 1 << 24, bytes.count)])
        var request = try unsafe MPIRequest {
          unsafe drawml_mpi_broadcast(part.baseAddress, Int32(part.count), Int32(rank), &$0)
        }
        try request.wait()
      }
    }

    func reduce(
      _ totals: inout ShardTotals, _ gradient: inout [Float],
      addTotals: (inout ShardTotals) -> Void,
      addGradients: (_ sum: inout MutableSpan<Float>, _ places: Range<Int>) -> Void
    ) throws {
      let places = stride(from: 0, to: gradient.count, by: Self.pieceSize).map {
        $0..<min($0 + Self.pieceSize, gradient.count)
      }
      var (head, headResult) = (totals.values, totals.values)
      var result: [Float] = []
      results.withLock { swap(&$0, &result) }
      if result.count != gradient.count { result = [Float](repeating: 0, count: gradient.count) }
      try unsafe gradient.withUnsafeMutableBufferPointer { sum in
        try unsafe result.withUnsafeMutableBufferPointer { result in
          try unsafe head.withUnsafeMutableBufferPointer { head in
            try unsafe headResult.withUnsafeMutableBufferPointer { headResult in
              let sums =
                unsafe [UnsafeMutableRawBufferPointer(head)]
                + places.map { UnsafeMutableRawBufferPointer(sum.extracting($0)) }
              let returned =
                unsafe [UnsafeMutableRawBufferPointer(headResult)]
                + places.map { UnsafeMutableRawBufferPointer(result.extracting($0)) }
              try unsafe pass(sums, returned) { number in
                if number == 0 {
                  totals.values = unsafe Array(head)
                  addTotals(&totals)
                  for (index, value) in totals.values.enumerated() { unsafe head[index] = value }
                } else {
                  var piece = unsafe sum.extracting(places[number - 1]).mutableSpan
                  addGradients(&piece, places[number - 1])
                }
              }
            }
          }
        }
      }
      if rank + 1 < rankCount {
        totals.values = headResult
        swap(&gradient, &result)
      }
      results.withLock { $0 = result }
    }

    /// Passes pieces from rank to rank and their results back.
    ///
    /// - Parameters:
    ///   - pieces: Where each comes from the rank before, and where this rank adds to it.
    ///   - results: Where each comes back from the rank after.
    ///   - add: Adds what this rank has to a piece.
    /// - Throws: `RankError.lost` and `CancellationError`. Messages may then still be under way, so
    ///   that no other call of MPI may follow, but to end.
    private func pass(
      _ pieces: [UnsafeMutableRawBufferPointer], _ results: [UnsafeMutableRawBufferPointer],
      add: (Int) -> Void
    ) throws {
      let before = rank > 0 ? rank - 1 : nil
      let after = rank + 1 < rankCount ? rank + 1 : nil
      var arriving = try before.map { rank in
        try unsafe pieces.enumerated().map {
          try unsafe MPIRequest(receiving: $1, from: rank, tag: 2 * $0)
        }
      }
      var returning = try after.map { rank in
        try unsafe results.enumerated().map {
          try unsafe MPIRequest(receiving: $1, from: rank, tag: 2 * $0 + 1)
        }
      }
      var sent: [MPIRequest] = []
      func send(_ piece: UnsafeMutableRawBufferPointer, to rank: Int?, tag: Int) throws {
        if let rank { sent.append(try unsafe MPIRequest(sending: piece, to: rank, tag: tag)) }
      }
      var (added, returned) = (0, 0)
      var pause = Pause()
      let count = unsafe pieces.count
      while returned < count {
        var hasMoved = false
        if added < count, try arriving?[added].isDone() ?? true {
          add(added)
          try unsafe send(pieces[added], to: after, tag: 2 * added)
          added += 1
          hasMoved = true
        }
        if returned < added, try returning?[returned].isDone() ?? true {
          try unsafe send(
            (after == nil ? pieces : results)[returned], to: before, tag: 2 * returned + 1)
          returned += 1
          hasMoved = true
        }
        if hasMoved { pause = Pause() } else { try pause.wait() }
      }
      for index in sent.indices { try sent[index].wait() }
    }
  }
#endif
