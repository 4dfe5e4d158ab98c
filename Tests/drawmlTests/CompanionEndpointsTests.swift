import Calm
import Capture
import Files
import Foundation
import Segmentation
import Studio
import Testing
import Workspace

@testable import drawml

@Suite("The endpoints of companions")
struct CompanionEndpointsTests {
  @Test("The description of the API has each of them, with its method, and no others")
  func described() throws {
    let folder = try PrivateTemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let segmenter = try SegmenterModel.standard()
    let capture = CaptureEndpoints(
      segmenter: segmenter, drafting: Drafting(examplesBecause: ""),
      history: PostHistory(folder: folder.path))
    let art = ArtEndpoints(
      workspace: try Workspace(folder: folder.path + "/workspace"), segmenter: segmenter,
      painting: ImagePainting(missingBecause: ""), adult: CalmFile(folder: folder.path))
    let text = try String(contentsOfFile: Guide.root + "/docs/studio-api.yaml", encoding: .utf8)
    var described: Set<String> = []
    var path = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("  /"), line.hasSuffix(":") {
        path = String(line.dropFirst(2).dropLast())
      } else if let match = line.wholeMatch(of: /\ {4}(get|post|patch|delete):/),
        ["/api/capture", "/api/art", "/api/calm"].contains(where: path.hasPrefix)
      {
        described.insert("\(match.1) \(path)")
      }
    }
    let calm = CalmEndpoints(file: CalmFile(folder: folder.path))
    #expect(
      Set((capture.all + art.all + calm.all).map { "\($0.method) /api\($0.path)" }) == described)
  }
}
