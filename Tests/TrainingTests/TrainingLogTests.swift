import Files
import Foundation
import Interchange
import Synchronization
import TestTools
import Testing

@testable import Training
@testable import NeuralNetwork

@Suite("Logs of trainings")
struct TrainingLogTests {
  /// A clock that goes on by a quarter of a second each time it is read.
  private static func clock() -> TrainingLog.Clock {
    let time = Mutex(Date(timeIntervalSince1970: 1_000_000_000))
    return {
      time.withLock { now in
        defer { now += 0.25 }
        return now
      }
    }
  }

  private static let step = TrainingLoop.StepSummary(
    number: 5, totalSteps: 8, epoch: 1, examples: 20, loss: 1.5, accuracy: 0.25,
    learningRate: 0.5)
  private static let epoch = TrainingLoop.EpochSummary(
    epoch: 1, trainingLoss: 1.25, trainingAccuracy: 0.5, validationLoss: 2,
    validationAccuracy: 0.75, learningRate: 0.25)

  private func record(_ log: TrainingLog, network: String? = nil) throws {
    let events: [TrainingLoop.Event] = [
      .started(step: 4, totalSteps: 8), .step(Self.step), .epoch(Self.epoch),
      .finished,
    ]
    for event in events { try log.record(.training(event, network: network)) }
    try log.record(.note("is not of a training"))
  }

  @Test("Each event is a line of JSON; a second run goes on after the first")
  func lines() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("run.jsonl")
    try record(TrainingLog(lines: path, events: nil, clock: Self.clock()))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let time = "2001-09-09T01:46:4"
    #expect(
      text.split(separator: "\n") == [
        """
        {"event":"start","format":"drawml-training-log","seconds":0,"step":4,"steps":8,\
        "time":"\(time)0.000Z"}
        """,
        """
        {"accuracy":0.25,"epoch":2,"event":"step","examples":20,"learningRate":0.5,"loss":1.5,\
        "seconds":0.25,"step":5,"time":"\(time)0.250Z"}
        """,
        """
        {"epoch":2,"event":"epoch","learningRate":0.25,"seconds":0.5,"step":5,\
        "time":"\(time)0.500Z","trainingAccuracy":0.5,"trainingLoss":1.25,\
        "validationAccuracy":0.75,"validationLoss":2}
        """,
        #"{"event":"finish","seconds":0.75,"step":5,"time":"\#(time)0.750Z"}"#,
      ])
    try record(TrainingLog(lines: path, events: nil, clock: Self.clock()))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text + text)
  }

  @Test("Each run has an event file; networks with names have folders of their own")
  func events() throws {
    let folder = try TemporaryFolder()
    let runs = folder.file("runs")
    for network in [nil, nil, "picture"] {
      try record(
        TrainingLog(lines: nil, events: runs, clock: Self.clock()), network: network)
    }
    let name = "events.out.tfevents.1000000000.drawml"
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: runs).sorted()
        == [name, name + ".1", "picture"])
    let seconds = 1_000_000_000.0
    let expected = [
      EventRecord.version.bytes(at: seconds), EventRecord.start(step: 5).bytes(at: seconds),
      EventRecord.scalars(step: 5, [.init("train/loss", 1.5), .init("train/learning_rate", 0.5)])
        .bytes(at: seconds + 0.25),
      EventRecord.scalars(
        step: 5,
        [
          .init("epoch/train_loss", 1.25), .init("epoch/train_accuracy", 0.5),
          .init("epoch/validation_loss", 2), .init("epoch/validation_accuracy", 0.75),
        ]
      ).bytes(at: seconds + 0.5),
    ].joined()
    #expect(try AtomicFile.read("\(runs)/picture/\(name)") == Array(expected))
  }

  @Test("A log that cannot be written is told once, and then left alone")
  func fullDisk() throws {
    let log = try TrainingLog(lines: "/dev/full", events: nil, clock: Self.clock())
    let event = JobEvent.training(.started(step: 0, totalSteps: 1), network: nil)
    #expect(throws: FileError("write", path: "/dev/full", reason: .system(code: ENOSPC))) {
      try log.record(event)
    }
    try log.record(event)
  }

  @Test("Records have the bytes that TensorBoard's own messages have, in their frame")
  func eventBytes() {
    func hex(_ record: EventRecord) -> String {
      record.bytes(at: 1.5).map { String(format: "%02x", $0) }.joined()
    }
    #expect(
      hex(.version)
        == "1800000000000000a37f4b2209000000000000f83f1a0d627261696e2e4576656e743a322a28646c")
    #expect(hex(.start(step: 0)) == "0d000000000000003c37b83409000000000000f83f3a020801b718825c")
    #expect(
      hex(.scalars(step: 300, [.init("a", 0), .init("a", 0.5)]))
        == """
        220000000000000078113dfd09000000000000f83f10ac022a140a080a016115000000000a080a01\
        61150000003ffb16ca4e
        """)
  }
}
