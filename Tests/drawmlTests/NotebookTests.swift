import Datasets
import Evaluation
import Files
import Foundation
import Ink
import NotebookTools
import Pictures
import Report
import Synthesis
import Testing

@testable import FewShot
@testable import FirstModel
@testable import OneByOne
@testable import Unknowns
@testable import StrokesToEmojis
@testable import WhatItSees

/// The notebooks tell their stories to the end and leave what they promise.
@Suite("Notebooks")
struct NotebookTests {
  @Test("both run, one after the other, and leave their pictures")
  func bothRun() async throws {
    let folder = try TestFolder()
    let setting = setting(in: folder)
    await #expect(throws: NotebookError.self) {
      try await WhatItSees(setting: setting).run()
    }
    let first = try await FirstModel(setting: setting).run()
    #expect(
      first == [
        "drawings.svg", "pixels.png", "augmentation.svg", "split.svg", "loss.svg", "accuracy.svg",
        "confusion.svg", "worst.svg",
      ])
    let second = try await WhatItSees(setting: setting).run()
    #expect(
      second == [
        "views.png", "map.svg", "neighbors.svg", "similarity.svg", "unsure.svg", "refusals.svg",
        "unknowns.svg", "teaching.svg",
      ])
    try check([("01-first-model", first), ("02-what-it-sees", second)], in: folder)
  }

  @Test("few drawings, unknowns and one label after another: each runs by itself")
  func newLabelsRun() async throws {
    let folder = try TestFolder()
    var setting = setting(in: folder)
    setting.isQuick = false
    await #expect(throws: SettingError.missingBase(setting.base)) {
      try await FewShot(setting: setting).run()
    }
    setting.isQuick = true
    let third = try await FewShot(setting: setting).run()
    let fourth = try await Unknowns(setting: setting).run()
    let fifth = try await OneByOne(setting: setting).run()
    // With a network as tiny as this one there are always mistakes to show.
    #expect(
      third == [
        "task.svg", "shots.svg", "ways.svg", "luck.svg", "confusion.svg", "errors.svg",
      ])
    #expect(
      fourth == [
        "scores.svg", "typicality.svg", "roc.svg", "dial.svg", "price.svg", "risk.svg",
        "reliability.svg", "gallery.svg", "slips.svg",
      ])
    #expect(
      fifth == [
        "growing.svg", "matrix.svg", "first.svg", "changes.svg", "back.svg", "time.svg",
      ])
    try check(
      [
        ("03-few-shot", third), ("04-refusing-unknowns", fourth),
        ("05-one-after-another", fifth),
      ], in: folder)
  }

  @Test(
    "a canvas goes from strokes to emojis, and back; drawings without times are refused by name")
  func canvasRuns() async throws {
    let folder = try TestFolder()
    var setting = setting(in: folder)
    let pictures = try await StrokesToEmojis(setting: setting).run()
    // With a network as tiny as this one there are always mistakes to show.
    #expect(
      pictures == [
        "drawn.svg", "times.svg", "cues.svg", "plain.svg", "readings.svg", "shapes.svg",
        "mistakes.svg", "live.svg", "waiting.svg", "refusals.svg", "emojis.svg", "squares.svg",
        "undo.svg",
      ])
    try check([("06-strokes-to-emojis", pictures)], in: folder)
    let log = String(decoding: try folder.read("06-strokes-to-emojis/canvas.log"), as: UTF8.self)
    #expect(log.hasPrefix(#"{"canvas":{"#) && log.contains(#""models":{"recognizer":""#))

    // Four labels are enough; times are needed.
    var lines: [String] = []
    for label in ["a", "b", "c", "d"] {
      for number in 0..<9 {
        let strokes = "[[[0,90,\(number)],[0,50,99]]]"
        lines.append(Fixture.line(strokes, id: "\(label)\(number)", label: label))
      }
    }
    setting.ownDrawings = "\(folder.path)/untimed.ndjson"
    try folder.write(lines.joined(), to: "untimed.ndjson")
    await #expect(throws: CanvasSynthesisError.self) {
      try await StrokesToEmojis(setting: setting).run()
    }
    try folder.write(lines.prefix(20).joined(), to: "untimed.ndjson")
    await #expect(throws: SettingError.self) {
      try await StrokesToEmojis(setting: setting).run()
    }
  }

  @Test("own drawings take the place of the synthetic ones")
  func ownDrawings() throws {
    var setting = Setting()
    setting.isQuick = true
    setting.ownDrawings = "\(Guide.starter)/star.ndjson"
    let samples = try setting.newDrawings()
    #expect(samples.classes == ["⭐"])
    #expect(samples.count == 20)
    #expect(setting.description(of: samples).hasSuffix("from your own folder"))
  }

  @Test("the synthetic drawings are the same each time, and unsteady only where that is wanted")
  func newDrawings() throws {
    var setting = Setting()
    setting.drawings = Guide.starter
    setting.isQuick = true
    let (first, again) = (try setting.newDrawings(), try setting.newDrawings())
    let neat = try setting.newDrawings(isUnsteady: false)
    #expect(first.classes.count == 8 && first.count == 160)
    #expect(first.fingerprint == again.fingerprint)
    #expect(first.drawings.map(\.id) == neat.drawings.map(\.id))
    #expect(zip(first.drawings, neat.drawings).allSatisfy { $0.strokes != $1.strokes })
  }

  /// A quick setting without a base model, whose pages go to the folder.
  private func setting(in folder: TestFolder) -> Setting {
    var setting = Setting()
    setting.drawings = Guide.starter
    setting.base = "\(folder.path)/none.drawml"
    setting.output = folder.path
    (setting.isQuick, setting.isPrinting) = (true, false)
    return setting
  }

  /// Checks pages and their pictures.
  private func check(
    _ notebooks: [(name: String, pictures: [String])], in folder: TestFolder
  ) throws {
    for (name, pictures) in notebooks {
      let page = String(decoding: try folder.read("\(name)/index.html"), as: UTF8.self)
      #expect(page.hasPrefix("<!doctype html>"))
      #expect(!page.contains("nan") && !page.contains("ANOTHER"), "\(name)")
      for picture in pictures {
        #expect(page.contains("src=\"\(picture)\""))
        try check("\(folder.path)/\(name)/\(picture)")
      }
    }
  }

  /// Checks that the picture can be read and shows something.
  private func check(_ path: String) throws {
    let bytes = try AtomicFile.read(path)
    guard path.hasSuffix(".svg") else {
      let picture = try PNG.decode(bytes, as: .gray)
      #expect(picture.values.contains { $0 < 128 }, "\(path) has no ink")
      #expect(picture.values.contains { $0 > 128 }, "\(path) has no ground")
      return
    }
    var elements: [String] = []
    var reader = try XMLReader(bytes, path: path)
    while let part = try reader.next() {
      if case .start(let name, _) = part { elements.append(name) }
    }
    #expect(elements.count { $0 == "svg" } == 1)
    // A chart without data has a ground and straight lines.
    let marks = elements.count { ["polyline", "path", "circle", "rect"].contains($0) }
    #expect(marks > 1, "\(path) shows nothing")
    #expect(!String(decoding: bytes, as: UTF8.self).contains("nan"), "\(path) has no numbers")
  }

  @Test("the principal plane of points on a plane keeps them as they are")
  func planeOfAPlane() throws {
    // Three dimensions, all points in x and z, longer along x.
    let points: [Float] = [-4, 7, 1, 4, 7, 1, -4, 7, -1, 4, 7, -1]
    let plane = try PrincipalPlane(of: points, dimension: 3)
    #expect(abs(plane.explained - 1) < 1e-9)
    for place in plane.places {
      #expect(abs(abs(place.x) - 4) < 1e-6)
      #expect(abs(abs(place.y) - 1) < 1e-6)
    }
  }

  @Test("an axis has round numbers, and reaches beyond its values or not, as it is told")
  func axesAreRound() {
    let axis = Chart.Axis("share", from: 0.83, to: 1, isShare: true)
    #expect(axis.ticks.map { ($0.value * 1000).rounded() } == [800, 850, 900, 950, 1000])
    #expect(abs(axis.range.lowerBound - 0.8) < 1e-9 && abs(axis.range.upperBound - 1) < 1e-9)
    let inside = Chart.Axis.inside("labels", 0...22)
    #expect(inside.range == 0...22)
    #expect(inside.ticks.map { $0.value.rounded() } == [0, 5, 10, 15, 20])
    let flat = Chart.Axis("nothing", from: 0, to: 0)
    #expect(flat.range.upperBound > flat.range.lowerBound)
  }

  @Test("a histogram counts what is beyond its ends in its last bars")
  func histogramCounts() {
    let bars = Chart.Series.histogram("", of: [-9, 0.1, 0.6, 1, 7], in: 0...1, bins: 2)
    #expect(bars.points.map(\.x) == [0, 0.5, 1])
    #expect(bars.points.map(\.y) == [0.4, 0.6, 0])
  }

  @Test("a chart names its axes and lines, and shows intervals as bands")
  func chartHasNames() {
    let chart = Chart(
      across: Chart.Axis("shots", 1...5, ticks: [1, 5]), up: .shares("right"),
      [Chart.Series("ours", [.init(1, 0.5, interval: 0.4...0.6), .init(5, 1, interval: 0.9...1)])])
    let text = chart.picture(width: 100, height: 100).html
    for word in [">shots<", ">right<", ">ours<", ">100 %<", "class=\"area s0\""] {
      #expect(text.contains(word), "\(word)")
    }
    // From the left end half way up to the right end at the top.
    #expect(text.contains("class=\"line s0\" d=\"M62.0 60.0L154.0 10.0\""))
  }

  @Test("a reduced task keeps the first labels, their first drawings, and the questions about them")
  func reducedTask() {
    func examples(_ ids: String...) -> [Episodes.Example] {
      ids.map { .init(id: $0, label: String($0.prefix(1))) }
    }
    let task = Episodes.Episode(
      support: examples("b1", "b2", "b3", "a1", "a2", "a3", "c1", "c2", "c3"),
      query: examples("a9", "c9", "b9"), unknown: ["x"])
    let small = task.reduced(ways: 2, shots: 2)
    #expect(small.support.map(\.id) == ["b1", "b2", "a1", "a2"])
    #expect(small.query.map(\.id) == ["a9", "b9"])
    #expect(small.unknown == ["x"])
    #expect(task.reduced() == task)
  }

  @Test("curves are read at any place")
  func curvesAreRead() throws {
    let detection = try DetectionCurve(positives: [4, 2], negatives: [3, 1])
    // Up to 1/2, right to (1/2, 1/2), up to 1, right to the end.
    #expect(detection.truePositiveRate(at: 0) == 0.5)
    #expect(detection.truePositiveRate(at: 0.5) == 1)
    #expect(detection.truePositiveRate(at: 1) == 1)
    let risk = try RiskCoverageCurve(
      confidences: [0.9, 0.8, 0.7, 0.6], correct: [true, false, true, false])
    #expect(risk.risk(atCoverage: 0.25) == 0)
    #expect(risk.risk(atCoverage: 0.5) == 0.5)
    #expect(risk.risk(atCoverage: 1) == 0.5)
  }

  @Test("an estimate of rates stays within 0 and 1")
  func estimateStaysInside() throws {
    let estimate = try Estimate(of: [1, 1, 0.7])
    #expect(abs(estimate.value - 0.9) < 1e-9)
    #expect(estimate.interval.upperBound == 1)
    #expect(try Estimate(of: [0.25]).interval == 0.25...0.25)
  }

  @Test("text that XML reserves is escaped")
  func textIsEscaped() {
    var svg = SVG(width: 10, height: 10)
    svg.text("a < b & \"c\"", x: 1, y: 2.5)
    #expect(svg.markup.html.contains(">a &lt; b &amp; &quot;c&quot;</text>"))
    #expect(svg.markup.html.contains("y=\"2.5\""))
  }
}
