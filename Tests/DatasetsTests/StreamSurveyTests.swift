import Ink
import TestTools
import Testing

@testable import Datasets

@Suite("A first look through a set larger than the memory")
struct StreamSurveyTests {
  @Test("It counts all drawings and keeps so many of each label")
  func counts() throws {
    let folder = try TemporaryFolder()
    try write([3, 50, 20], to: folder)
    let survey = try StreamSurvey([folder.path], kept: 5, seed: 1)
    #expect(survey.count == 73)
    let kept = Dictionary(grouping: survey.drawings) { $0.label ?? "" }.mapValues(\.count)
    #expect(kept == ["0": 3, "1": 5, "2": 5])
    #expect(Set(survey.drawings.map(\.id)).count == 13)
    #expect(survey.origins.count == 13)
  }

  @Test("Which are kept depends on the seed alone, the fingerprint on the drawings alone")
  func seeded() throws {
    let folder = try TemporaryFolder()
    try write([40, 40], to: folder)
    let first = try StreamSurvey([folder.path], kept: 6, seed: 1)
    let again = try StreamSurvey([folder.path], kept: 6, seed: 1)
    let other = try StreamSurvey([folder.path], kept: 6, seed: 2)
    #expect(first.drawings == again.drawings)
    #expect(first.drawings != other.drawings)
    #expect(first.fingerprint == other.fingerprint)
    try write([40, 41], to: folder)
    #expect(try StreamSurvey([folder.path], kept: 6, seed: 1).fingerprint != first.fingerprint)
  }

  @Test("Each drawing is kept about equally often")
  func fair() throws {
    let folder = try TemporaryFolder()
    try write([20], to: folder)
    var counts = [Int](repeating: 0, count: 20)
    for seed in 0..<400 {
      for drawing in try StreamSurvey([folder.path], kept: 5, seed: UInt64(seed)).drawings {
        counts[try #require(Int(drawing.id.dropFirst(2)))] += 1
      }
    }
    // 400 times 5 of 20: 100 each, with a standard deviation below 9.
    #expect(counts.allSatisfy { (60...140).contains($0) }, "\(counts)")
  }

  @Test("A drawing without a label is refused with its place, or left out and counted")
  func unlabeled() throws {
    let folder = try TemporaryFolder()
    let lines = #"{"word":"a","drawing":[[[0],[0]]]}"# + "\n" + #"{"drawing":[[[0],[1]]]}"# + "\n"
    let path = try folder.put(lines, "some.ndjson")
    let error = refusal(SampleSetError.self) { try StreamSurvey([path], kept: 5, seed: 1) }
    #expect(error.hasPrefix("\(path):2: "))
    let survey = try StreamSurvey([path], kept: 5, seed: 1, skippingInvalid: true)
    #expect(survey.count == 1 && survey.skippedCount == 1)
  }
}
