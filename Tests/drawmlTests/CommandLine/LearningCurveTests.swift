import Foundation
import TestTools
import Testing

extension CommandLineTests {
  @Suite("Learning curves")
  struct LearningCurveTests {
    private static let curve = "benchmark learning-curve drawings"

    private func folder() throws -> TestFolder {
      let folder = try TestFolder()
      for shape in Fixture.shapes {
        try folder.write(Fixture.lines(shape, 0..<15), to: "drawings/\(shape).ndjson")
      }
      return folder
    }

    @Test("Each size is trained and judged, nested in the next; the last step is told")
    func base() async throws {
      let folder = try folder()
      let base = "--base \(Repository.path)/models/base.drawml"
      let curve = "\(Self.curve) \(base) --repeats 3 --format json --report page.html"
      let run = try await folder.run(curve)
      let result = try run.object()
      let points = try #require(result["points"] as? [[String: Any]])
      // A fifth of 15 drawings judges, the others are taught; from 10 to 12 is no step.
      #expect(points.compactMap { $0["drawingsPerLabel"] as? Int } == [1, 2, 5, 12])
      #expect(points.compactMap { $0["drawings"] as? Int } == [3, 6, 15, 36])
      #expect(result["testDrawings"] as? Int == 9)
      for point in points {
        let accuracies = try #require(point["accuracies"] as? [Double])
        let mean = try #require(point["accuracy"] as? Double)
        #expect(accuracies.count == 3)
        #expect(abs(accuracies.reduce(0, +) / 3 - mean) < 1e-12)
        #expect(accuracies.allSatisfy { abs($0 * 9 - ($0 * 9).rounded()) < 1e-9 })
        let interval = try #require(point["confidenceInterval95"] as? [String: Double])
        #expect((interval["lower"] ?? 2) <= mean && mean <= (interval["upper"] ?? -1))
        // Nine drawings cannot say more than this.
        #expect((interval["upper"] ?? 0) - (interval["lower"] ?? 1) > 0.25)
      }
      let gain = try #require(result["gain"] as? [String: Any])
      #expect(gain["from"] as? Int == 5 && gain["to"] as? Int == 12)
      let page = String(decoding: try folder.read("page.html"), as: UTF8.self)
      #expect(page.contains("With more drawings") && page.contains("drawings a label"))
      // The same seed gives the same numbers; one repetition has no interval.
      let again = try await folder.run(curve).object()
      #expect(again["points"] as? NSArray == result["points"] as? NSArray)
      let one = try await folder.run("\(Self.curve) \(base) --repeats 1 --sizes 2,4")
      #expect(one.output.contains("From 2 to 4 drawings a label: "))
      #expect(one.output.contains(" points (95 %: "))
      let cut = try await folder.run("\(Self.curve) \(base) --repeats 1 --sizes 2,50")
      #expect(cut.errors.contains("No label has 50 drawings to train on, at most 12: larger sizes"))
    }

    @Test("From scratch it trains for each point; what cannot be is told")
    func scratch() async throws {
      let folder = try folder()
      let run = try await folder.run(
        "\(Self.curve) --sizes 5,10 --repeats 2 --epochs 1 --format json")
      let points = try #require(try run.object()["points"] as? [[String: Any]])
      #expect(points.compactMap { $0["drawings"] as? Int } == [15, 30])
      let large = try await folder.run("\(Self.curve) --sizes 50,100", status: 1)
      #expect(large.errors.contains("no label has 50 drawings to train on: it has at most 12"))
      for wrong in ["5,2", "0,2", "a", "2,", "2,2"] {
        _ = try await folder.run("\(Self.curve) --sizes \(wrong)", status: 64)
      }
      try folder.write("holdOut: 0.1", to: "c.yaml")
      let held = try await folder.run("\(Self.curve) --config c.yaml", status: 64)
      #expect(held.errors.contains("leave out holdOut, stream and examplesPerEpoch"))
      try folder.write(Fixture.lines("star", 0..<1), to: "few/star.ndjson")
      try folder.write(Fixture.lines("house", 0..<1), to: "few/house.ndjson")
      let few = try await folder.run(
        "benchmark learning-curve few --base \(Repository.path)/models/base.drawml", status: 1)
      #expect(few.errors.contains("there are too few drawings to hold out some of a label"))
      #expect(try folder.names == ["c.yaml", "drawings", "few"])
    }
  }
}
