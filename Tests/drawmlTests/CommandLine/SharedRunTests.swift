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

    @Test(
      "Commands that train in one process say so; others run in each process, as they always did")
    func others() async throws {
      let folder = try TestFolder()
      let sweep = try await folder.shell(
        Self.line(rank: 0, "sweep shapes --config c.yaml --output t.jsonl"), status: 1)
      #expect(
        sweep.errors.contains(
          "2 processes were started, but 'drawml sweep' runs in one: start it without mpirun"))
      let version = try await folder.shell(Self.line(rank: 1, "--version"))
      #expect(!version.output.isEmpty)
    }
  }
}
