import Testing

extension CommandLineTests {
  @Suite("Processes that a launcher started")
  struct SharedRunTests {
    /// A line of shell that starts the program as one of two processes that do not know each other:
    /// without MPI they cannot, and with it no launcher introduces them.
    private static func line(rank: Int, _ arguments: String) -> String {
      "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=\(rank) $drawml \(arguments)"
    }

    @Test("Trainings that do not know each other are refused, in one sentence, by rank 0 alone")
    func apart() async throws {
      let folder = try TestFolder()
      for shape in ["star", "sun"] {
        try folder.write(Fixture.lines(shape, 0..<8), to: "shapes/\(shape).ndjson")
      }
      let train = "train shapes --output m.drawml --epochs 1"
      let first = try await folder.shell(Self.line(rank: 0, train), status: 1)
      #expect(first.errors.contains("Error: 2 processes were started, but "))
      #expect(first.errors.contains("each would train alone and overwrite the others' files"))
      let second = try await folder.shell(Self.line(rank: 1, train))
      #expect(second.output.isEmpty && second.errors.isEmpty)
      #expect(!folder.has("m.drawml"))
    }

    @Test("Any other command is refused, by another rank, too, if rank 0 does not end it meanwhile")
    func others() async throws {
      let folder = try TestFolder()
      for (command, name) in [
        ("sweep shapes --config c.yaml --output t.jsonl", "sweep"), ("info m.drawml", "info"),
        ("benchmark speed", "benchmark speed"),
      ] {
        let run = try await folder.shell(Self.line(rank: 0, command), status: 1)
        #expect(
          run.errors.contains(
            "2 processes were started, but 'drawml \(name)' runs in one: start it without mpirun"))
      }
      let other = try await folder.shell(Self.line(rank: 1, "info m.drawml"), status: 1)
      #expect(other.errors.hasPrefix("Rank 1:\n"))
      for rank in [0, 1] {
        let version = try await folder.shell(Self.line(rank: rank, "--version"))
        #expect(version.output.isEmpty == (rank == 1))
      }
    }
  }
}
