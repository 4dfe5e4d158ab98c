internal import Text

/// Why processes cannot train together.
package enum RankError: DescribedError, Equatable {
  /// The program was built without the trait `MPI`.
  case builtWithoutMPI(rankCount: Int)
  /// The launcher started several processes, but MPI knows only this one.
  case unconnected(rankCount: Int)
  /// A command that several processes cannot share.
  case notShared(command: String, rankCount: Int)
  /// MPI could not start.
  case noStart(String)
  /// A rank has another program, data or settings than rank 0.
  case differs(String, rank: Int, host: String, firstHost: String)
  /// Another rank ended, or its host cannot be reached.
  case lost(String)

  /// Whether every rank meets it, so that rank 0 tells of it for all.
  package var occursOnAllRanks: Bool {
    switch self {
    case .builtWithoutMPI, .unconnected, .differs: true
    case .noStart, .lost, .notShared: false
    }
  }

  /// One sentence for people: what is wrong, where, and what to do.
  package var description: String {
    switch self {
    case .builtWithoutMPI(let count):
      """
      \(count) processes were started, but this drawml is built without MPI, so that each would \
      train alone and overwrite the others' files: start one process, or build drawml with \
      --traits Studio,MPI
      """
    case .unconnected(let count):
      """
      \(count) processes were started, but they do not know each other, so that each would train \
      alone and overwrite the others' files: start them with mpirun, or with srun --mpi=pmix
      """
    case .notShared(let command, let count):
      "\(count) processes were started, but 'drawml \(command)' runs in one: start it without mpirun"
    case .noStart(let reason):
      "MPI cannot start: \(reason)"
    case .differs(let what, let rank, let host, let firstHost):
      """
      rank \(rank) on \(host) has other \(what) than rank 0 on \(firstHost): start the same \
      program with the same arguments on copies of the same files
      """
    case .lost(let reason):
      """
      another rank ended, or its host cannot be reached (\(reason)); continue with the same command \
      and --resume
      """
    }
  }
}
