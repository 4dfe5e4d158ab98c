/// How a launcher such as `mpirun` or `srun` started this process, by its environment.
package struct Launch: Sendable, Equatable {
  /// The number of this process, from 0.
  package var rank: Int
  /// How many processes were started; more than 1.
  package var rankCount: Int
  /// How many of them run on this machine.
  package var localCount: Int

  /// Variables of the number of processes and of a process's own number, by launcher: those of Open
  /// MPI; those of PMI, which MPICH and Slurm set; and Slurm's own.
  private static let variables = [
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), ("PMI_SIZE", "PMI_RANK"),
    ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID"),
  ]

  /// The launch that an environment tells of; nil where this process was started alone.
  package init?(environment: [String: String]) {
    func number(_ variable: String) -> Int? { environment[variable].flatMap { Int($0) } }
    let found = Self.variables.lazy.compactMap { size, rank in
      number(size).flatMap { size in number(rank).map { (rank: $0, count: size) } }
    }.first
    guard let found, found.count > 1, (0..<found.count).contains(found.rank) else { return nil }
    (rank, rankCount) = found
    let local = number("OMPI_COMM_WORLD_LOCAL_SIZE") ?? number("MPI_LOCALNRANKS") ?? 1
    localCount = max(1, min(local, rankCount))
  }
}
