import Foundation
import Testing

@testable import Workspace
@testable import drawml

@Suite("A training's report as people read it")
struct TrainingReportTextTests {
  private func report(_ labels: [TrainingReport.Label]) -> TrainingReport {
    TrainingReport(
      model: WorkspaceModel(
        id: "m", name: "Shapes", created: Date(timeIntervalSince1970: 0), lastTrained: nil,
        isActive: true, labelCount: labels.count, sampleCount: 0, untrainedCount: 0,
        refusalRate: 0.05, generation: 1, isEveryday: false),
      findings: .init(
        seconds: 1, samples: labels.reduce(0) { $0 + $1.samples }, added: 3, relabeled: 0,
        removed: 0, labels: labels, mistakes: [], refusals: []))
  }

  @Test("The old drawings are compared, and those that were added are counted beside them")
  func knownAndAdded() {
    let text = report([
      .init(
        label: "⭐", name: nil, samples: 7,
        shares: .init(
          judged: 7, recognized: 4 / 7, known: .init(judged: 4, before: 1, after: 0.75),
          added: .init(judged: 3, recognized: 1 / 3)), change: .worse),
      .init(
        label: "🏠", name: nil, samples: 4,
        shares: .init(judged: 4, recognized: 1, known: .init(judged: 4, before: 1, after: 1)),
        change: .same),
      .init(
        label: "🐧", name: nil, samples: 2,
        shares: .init(judged: 2, recognized: 0.5, added: .init(judged: 2, recognized: 0.5)),
        change: .new),
      .init(label: "🐟", name: nil, samples: 1, shares: .init(judged: 0), change: .unknown),
    ]).lines.joined(separator: "\n")
    #expect(
      text == """
        “Shapes” knows 4 labels from 14 samples: 3 new, 0 relabeled, 0 forgotten.

        label  samples   before      now     new
        ⭐           7  100.0 %   75.0 %  1 of 3  worse
        🏠           4  100.0 %  100.0 %
        🐧           2                    1 of 2  new
        🐟           1                            one drawing is not enough: add more

        Each sample is classified by a model without it. before, now: samples of the previous \
        training; new: those added since.
        """)
  }

  @Test("Where nothing can be compared, one share says it all")
  func first() {
    let text = report([
      .init(
        label: "⭐", name: nil, samples: 4,
        shares: .init(judged: 4, recognized: 0.75, added: .init(judged: 4, recognized: 0.75)),
        change: .new)
    ]).lines.joined(separator: "\n")
    #expect(text.contains("label  samples  recognized\n⭐           4      75.0 %  new"))
    #expect(!text.contains("before"))
  }

  @Test("A model that has forgotten everything says so, in place of an empty table")
  func nothingLeft() {
    var forgotten = report([])
    forgotten.findings.removed = 12
    #expect(forgotten.lines == ["“Shapes” forgot 12 samples and knows nothing now."])
  }

  @Test("A slip or two is a near word; short words are not taken for any other")
  func spelling() {
    #expect(Spelling.editDistance(from: "", to: "abc") == 3)
    #expect(Spelling.editDistance(from: "kitten", to: "sitting") == 3)
    #expect(Spelling.editDistance(from: "lsit", to: "list") == 1, "two that are swapped")
    #expect(Spelling.editDistance(from: "LIST", to: "list") == 0)
    let words = ["list", "use", "train", "rename"]
    #expect(Spelling.near("lst", among: words) == ["list"])
    #expect(Spelling.near("trian", among: words) == ["train"])
    #expect(Spelling.near("foo", among: ["host", "port"]) == [])
    #expect(Spelling.near("me", among: ["use"]) == [])
    #expect(Spelling.near("rename", among: ["renames", "rename"]) == ["rename", "renames"])
  }
}
