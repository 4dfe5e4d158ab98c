import Datasets
import Foundation
import Ink
import Recognition
import TestTools
import Testing

@testable import Training

@Suite("Answers as a file")
struct AnswerFileTests {
  private func record(_ id: String, _ truth: String, line: Int?, refusal: Refusal? = nil)
    -> EvaluationRecord
  {
    var record = ReportRecords.record(truth, "cat", 0.75, others: ["dog", "a, b"])
    record.drawing.id = id
    record.origin = SampleSet.Origin(path: "pets/all.ndjson", line: line)
    record.refusal = refusal
    return record
  }

  private func text(_ file: AnswerFile, _ format: AnswerFile.Format) throws -> String {
    let path = NSTemporaryDirectory() + "answers-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    try file.write(to: path, as: format)
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test("CSV: a row for each model and drawing, right for programs and harmless in a spreadsheet")
  func csv() throws {
    let file = AnswerFile(answers: [
      (.model("m.drawml"), [record("1", "cat", line: 7)]),
      (.model("-n.drawml"), [record("=a\"\nb", "@home", line: nil, refusal: .likeNothingTaught)]),
    ])
    #expect(
      try text(file, .csv) == """
        model,id,file,line,truth,answer,isRight,confidence,decision,reason,answer2,confidence2,\
        answer3,confidence3,answer4,confidence4,answer5,confidence5
        m.drawml,1,pets/all.ndjson,7,cat,cat,true,0.75,recognized,,dog,0.01,"a, b",0.01,,,,
        '-n.drawml,"'=a""
        b",pets/all.ndjson,,'@home,cat,false,0.75,unrecognized,likeNothingTaught,dog,0.01,"a, b",\
        0.01,,,,

        """)
  }

  @Test("JSON Lines: an object a line with the same keys, null for what is missing")
  func jsonLines() throws {
    var blank = record("b\n\u{2028}", "⭐", line: nil, refusal: .betweenLabels("cat", "dog"))
    (blank.candidates, blank.label, blank.confidence) = ([], "", 0)
    let file = AnswerFile(answers: [(.fold(2), [record("=1", "cat", line: 7), blank])])
    #expect(
      try text(file, .jsonLines) == #"""
        {"answer":"cat","candidates":[{"confidence":0.75,"label":"cat"},{"confidence":0.01,\#
        "label":"dog"},{"confidence":0.01,"label":"a, b"}],"confidence":0.75,"decision":\#
        "recognized","file":"pets/all.ndjson","fold":2,"id":"=1","isRight":true,"line":7,\#
        "reason":null,"truth":"cat"}
        {"answer":null,"candidates":[],"confidence":0,"decision":"unrecognized","file":\#
        "pets/all.ndjson","fold":2,"id":"b\n\u2028","isRight":false,"line":null,"reason":\#
        "betweenLabels","truth":"⭐"}

        """#)
    #expect(try text(file, .csv).hasPrefix("fold,id,file,"))
    #expect(try text(file, .csv).contains("\n2,'=1,pets"))
  }

  @Test("A row has the five best labels")
  func candidates() throws {
    var one = record("1", "cat", line: 1)
    one.candidates = (1...9).map { ("label \($0)", 0.1) }
    let file = AnswerFile(answers: [(.fold(1), [one])])
    #expect(try text(file, .csv).hasSuffix(",label 4,0.1,label 5,0.1\n"))
    #expect(!(try text(file, .jsonLines)).contains("label 6"))
  }

  @Test("A name's ending gives the format; without one, only devices have one")
  func formats() {
    typealias Format = AnswerFile.Format
    #expect(Format(path: "a.csv") == .csv && Format(path: "A.CSV") == .csv)
    #expect(Format(path: "a.jsonl") == .jsonLines)
    #expect(Format(path: "/dev/stdout") == .jsonLines && Format(path: "/dev/null") == .jsonLines)
    for other in ["a.ndjson", "a.json", "csv", "a.csv.gz", "a.tsv", "", "-"] {
      #expect(Format(path: other) == nil)
    }
  }
}
