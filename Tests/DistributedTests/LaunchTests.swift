import Testing

@testable import Distributed

@Suite("How a launcher started a process")
struct LaunchTests {
  @Test("Open MPI, PMI and Slurm tell the number of processes and which one it is")
  func launchers() {
    let open = Launch(environment: [
      "OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_LOCAL_SIZE": "2",
    ])
    #expect(open?.rank == 3 && open?.rankCount == 4 && open?.localCount == 2)
    let pmi = Launch(environment: ["PMI_SIZE": "2", "PMI_RANK": "0", "MPI_LOCALNRANKS": "9"])
    #expect(pmi?.rank == 0 && pmi?.rankCount == 2 && pmi?.localCount == 2)
    let slurm = Launch(environment: ["SLURM_STEP_NUM_TASKS": "8", "SLURM_PROCID": "7"])
    #expect(slurm?.rank == 7 && slurm?.rankCount == 8 && slurm?.localCount == 1)
  }

  @Test(
    "A process that was started alone, or by a launcher that makes no sense, is alone",
    arguments: [
      [:], ["OMPI_COMM_WORLD_SIZE": "1", "OMPI_COMM_WORLD_RANK": "0"],
      ["PMI_SIZE": "2"], ["PMI_SIZE": "two", "PMI_RANK": "0"], ["PMI_SIZE": "2", "PMI_RANK": "2"],
      ["PMI_SIZE": "2", "PMI_RANK": "-1"],
      // A batch script that starts one process itself.
      ["SLURM_NTASKS": "4", "SLURM_PROCID": "0"],
    ])
  func alone(environment: [String: String]) {
    #expect(Launch(environment: environment) == nil)
  }

  @Test("What is wrong is told in a sentence that names ranks, hosts and what to do")
  func errors() {
    #expect(
      RankError.differs("settings", rank: 2, host: "b", firstHost: "a").description
        == "rank 2 on b has other settings than rank 0 on a: start the same program with the same "
        + "arguments on copies of the same files")
    #expect(
      RankError.builtWithoutMPI(rankCount: 3).description.contains("3 processes were started"))
    #expect(RankError.builtWithoutMPI(rankCount: 3).occursOnAllRanks)
    #expect(!RankError.lost("no answer").occursOnAllRanks)
  }
}
