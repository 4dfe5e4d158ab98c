internal import Files
package import NeuralNetwork
internal import Text

/// The processes that a launcher started, of which this is one.
package protocol RankGroup: GradientReducer {
  /// The host of each rank.
  var hosts: [String] { get }

  /// Waits until all ranks are here, without keeping a processor busy, and parts from them.
  func leave()

  /// Ends all ranks.
  ///
  /// - Parameter status: Their exit status, more than 0.
  func abort(status: Int32)
}

extension Launch {
  /// Joins the other ranks.
  ///
  /// - Parameter command: What this process does, such as "train".
  /// - Returns: All ranks, which have the same program and the same command.
  /// - Throws: `RankError`; where the package is built without its trait `MPI`, always.
  package func join(for command: String) throws -> any RankGroup {
    #if MPI
      let group = try MPIRanks(self)
      let program = Fingerprint.sha256(try AtomicFile.read("/proc/self/exe"))
      try group.agree(on: [
        ("programs", "\(Version.text) \(program)"), ("commands", command),
      ])
      return group
    #else
      throw RankError.builtWithoutMPI(rankCount: rankCount)
    #endif
  }
}
