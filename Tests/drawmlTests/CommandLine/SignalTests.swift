import Foundation
import Glibc
import Testing

@testable import drawml

extension CommandLineTests {
  @Suite("Signals")
  struct SignalTests {
    @Test("Commands at long work end with SIGINT and SIGTERM, and leave nothing half written")
    func longWork() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(Fixture.lines("star", 0..<20), to: "star.ndjson")
      let many = (0..<100_000).map {
        Fixture.line("[[[0,10,\($0)],[0,10,5]]]", id: "\($0)", label: "⭐")
      }
      try folder.write(many.joined(), to: "many.ndjson")
      let before = try folder.names
      let canvases = "dataset synthesize canvases --from star.ndjson"
      for arguments in [
        "dataset synthesize --output shapes --count 100000",
        "\(canvases) --output canvases.ndjson --count 100000",
        "dataset convert many.ndjson --to svg --output pictures",
        "classify many.ndjson --model m.drawml",
        "segment many.ndjson --model m.drawml",
        "evaluate many.ndjson --model m.drawml",
        // Work that keeps all processors busy.
        """
        benchmark stream star.ndjson --allow-debug --count 1000000000 --interval 100000 --threads 8
        """,
      ] {
        for (number, status) in [(SIGTERM, Int32(143)), (SIGINT, 130)] {
          let process = try folder.start(arguments)
          // It has begun: it listens, or its end comes from the signal's usual action.
          try await Task.sleep(for: .milliseconds(300))
          process.signal(number)
          let run = try await process.end()
          #expect(run.status == status, "\(arguments): \(run.errors)")
          #expect(try folder.names.filter { $0 != "shapes" } == before, "\(arguments)")
          #expect(try !folder.names(in: "shapes").contains { $0.hasSuffix(".tmp") })
        }
      }
    }

    @Test("Work that does not look for cancellation ends with the second signal")
    func secondSignal() async throws {
      await #expect(processExitsWith: .exitCode(130)) {
        let interruption = Interruption()
        Task {
          // The work has begun by then; before it, a signal ends the process at once.
          try await Task.sleep(for: .milliseconds(300))
          kill(getpid(), SIGTERM)
          try await Task.sleep(for: .milliseconds(600))
          kill(getpid(), SIGINT)
        }
        try await interruptible(hint: { "" }) { while true { usleep(10_000) } }
        withExtendedLifetime(interruption) {}
      }
    }

    @Test("Work that does not look for cancellation ends after its time")
    func gracePeriod() async throws {
      await #expect(processExitsWith: .exitCode(143)) {
        let interruption = Interruption()
        Task {
          try await Task.sleep(for: .milliseconds(300))
          kill(getpid(), SIGTERM)
        }
        try await interruptible(hint: { "" }) { while true { usleep(10_000) } }
        withExtendedLifetime(interruption) {}
      }
    }
  }
}
