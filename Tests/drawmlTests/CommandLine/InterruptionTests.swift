import Foundation
import Glibc
import Testing

extension CommandLineTests {
  @Suite("Stopped trainings")
  struct InterruptionTests {
    private static let epochs = 9

    /// A folder with a few drawings, and the command that trains on them.
    private func prepare() throws -> (folder: TestFolder, train: String) {
      let folder = try TestFolder()
      for shape in ["circle", "star"] {
        try folder.write(Fixture.lines(shape, 0..<5), to: "drawings/\(shape).ndjson")
      }
      return (
        folder,
        "train drawings --output m.drawml --epochs \(Self.epochs) --threads 2 --seed 5"
      )
    }

    @Test("Killed at any moment and resumed, a training gives the bytes of one that never stopped")
    func killed() async throws {
      let (folder, train) = try prepare()
      try await folder.run(train)
      let expected = try folder.read("m.drawml")
      try FileManager.default.removeItem(atPath: folder.path + "/m.drawml")

      var resumed = 0
      // One and the same training, killed again and again: first as soon as there is a checkpoint,
      // then a little later each time, in steps that do not fall together with those of the
      // training.
      for delay in [0, 15, 40] {
        let process = try folder.start("\(train) --resume")
        let seen = try await process.wait {
          folder.has("m.drawml.checkpoint") && process.errorsSoFar.contains("epoch")
        }
        try #require(seen, "it ended before it was killed: \(process.errorsSoFar)")
        try await Task.sleep(for: .milliseconds(delay))
        process.signal(SIGKILL)
        let run = try await process.end()
        try #require(run.status == 128 + SIGKILL)
        #expect(!folder.has("m.drawml"))
        if run.errors.contains("Continuing from step ") { resumed += 1 }
      }
      #expect(resumed == 2)
      let last = try await folder.run("\(train) --resume")
      #expect(last.errors.contains("Continuing from step "))
      #expect(try folder.read("m.drawml") == expected)
      #expect(!folder.has("m.drawml.checkpoint"), "it is of no more use")
    }

    @Test("Ctrl-C stops in good order: no model, the checkpoint kept, and a word on how to go on")
    func interrupted() async throws {
      let (folder, train) = try prepare()
      let old = Data("DrawML model\nthat was there".utf8)
      try folder.write(old, to: "m.drawml")
      for (number, status) in [(SIGINT, Int32(130)), (SIGTERM, 143)] {
        let process = try folder.start(train)
        let seen = try await process.wait { process.errorsSoFar.contains("epoch 1") }
        try #require(seen)
        process.signal(number)
        let run = try await process.end()
        #expect(run.status == status)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasSuffix("Stopped; continue with the same command and --resume.\n"))
        #expect(try folder.names == ["drawings", "m.drawml", "m.drawml.checkpoint"])
        #expect(try folder.read("m.drawml") == old)
      }
      let again = try folder.start(train)
      _ = try await again.wait { again.errorsSoFar.contains("epoch 1") }
      again.signal(SIGINT)
      #expect(
        try await again.end().errors.contains(
          "There is a checkpoint of an unfinished training, m.drawml.checkpoint, which this "
            + "training will replace. To continue it instead, stop now and add --resume.\n"))
      try await refusals(folder, train)
    }

    /// The checkpoint in `folder` goes on with no other training.
    private func refusals(_ folder: TestFolder, _ train: String) async throws {
      let checkpoint = try folder.read("m.drawml.checkpoint")
      func refusal(_ line: String) async throws -> String {
        let run = try await folder.run("\(line) --resume", status: 1)
        #expect(try folder.read("m.drawml.checkpoint") == checkpoint)
        return run.errors.split(separator: "\n").last.map(String.init) ?? ""
      }
      let advice = "; use the same settings, or start from scratch without the checkpoint"
      #expect(
        try await refusal("\(train) --epochs 8")
          == "Error: cannot resume: the checkpoint has epochs 9, this run has 8" + advice)
      try folder.write(Fixture.lines("star", 6..<7), to: "drawings/more.ndjson")
      #expect(
        try await refusal(train).hasPrefix(
          "Error: cannot resume: the checkpoint has training data "))

      try folder.write(checkpoint.dropLast(9), to: "m.drawml.checkpoint")
      let broken = try await folder.run("\(train) --resume", status: 1)
      #expect(
        broken.errors.hasSuffix(
          "Error: cannot read m.drawml.checkpoint: it is truncated (\(checkpoint.count - 9) of "
            + "\(checkpoint.count) bytes); copy it again\n"))
    }

    @Test("--resume without a checkpoint starts from the beginning and says so")
    func nothingToResume() async throws {
      let (folder, train) = try prepare()
      let run = try await folder.run("\(train) --epochs 1 --resume")
      #expect(
        run.errors.contains(
          "There is no checkpoint at m.drawml.checkpoint: starting from the beginning.\n"))
      #expect(try folder.names == ["drawings", "m.drawml"])
    }
  }
}
