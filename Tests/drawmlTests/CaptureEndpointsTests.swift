import Capture
import Foundation
import Segmentation
import Studio
import Testing

@testable import drawml

@Suite("The endpoints of paper")
struct CaptureEndpointsTests {
  @Test("The description of the API has each of them, with its method, and no others")
  func described() throws {
    let endpoints = CaptureEndpoints(
      segmenter: try .standard(), drafting: Drafting(examplesBecause: ""),
      history: PostHistory(folder: "/nonexistent"))
    let text = try String(contentsOfFile: Guide.root + "/docs/studio-api.yaml", encoding: .utf8)
    var described: Set<String> = []
    var path = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("  /"), line.hasSuffix(":") {
        path = String(line.dropFirst(2).dropLast())
      } else if let match = line.wholeMatch(of: /\ {4}(get|post|delete):/),
        path.hasPrefix("/api/capture")
      {
        described.insert("\(match.1) \(path)")
      }
    }
    #expect(Set(endpoints.all.map { "\($0.method) /api\($0.path)" }) == described)
  }
}
