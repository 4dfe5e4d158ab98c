import Foundation
import Testing

extension CommandLineTests {
  @Suite("Teaching and asking")
  struct RoundTripTests {
    @Test("train reports what it did, as text and as JSON, and leaves the model alone")
    func train() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let train = "train \(fixture.taught) --output m.drawml --epochs 1"
      let text = try await folder.run("\(train) --threads 2")
      #expect(text.lines[0] == "m.drawml: knows 3 labels from 30 samples")
      #expect(text.lines[1].hasPrefix("  trained on 27 drawings for 1 epoch; "))
      #expect(text.errors.contains("epoch 1: loss "))
      #expect(try folder.names == ["m.drawml"])
      let before = try folder.read("m.drawml")

      let run = try await folder.run("\(train) --threads 2 --hold-out 0.25 --format json")
      let report = try run.object()
      #expect(
        Set(report.keys) == [
          "model", "fingerprint", "labels", "samples", "heldOut", "trainingDrawings",
          "validationDrawings", "validationAccuracy", "validationMacroRecall", "epochs", "seed",
          "threads", "dataFingerprint", "seconds", "modelBytes", "peakMemoryBytes", "adaptation",
          "rates", "labelDoubts", "head", "curve", "curves", "baseValidationAccuracy",
          "validationFingerprint",
        ])
      #expect(report["adaptation"] is NSNull, "without a base there is nothing to adapt")
      #expect(report["heldOut"] as? Int == 9)
      #expect(report["samples"] as? Int == 21)
      #expect(report["seed"] as? Int == 1)
      let after = try folder.read("m.drawml")
      #expect(report["modelBytes"] as? Int == after.count)
      #expect(before != after, "the file that was there is replaced")

      let based = try await folder.run(
        "train \(fixture.taught) --base m.drawml --output b.drawml --format json")
      #expect(Set(try based.object().keys) == Set(report.keys), "null, not left out")
      #expect(try based.object()["validationAccuracy"] is NSNull)
    }

    @Test("F-004: train --base tells label by label what adapting gives; --no-adapt leaves it out")
    func adapt() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let train = "train \(fixture.unseen) --base \(fixture.model) --output"
      let run = try await folder.run("\(train) a.drawml --format json")
      let adaptation = try #require(try run.object()["adaptation"] as? [String: Any])
      #expect(
        Set(adaptation.keys) == [
          "outcome", "labels", "logLossBefore", "logLossAfter", "priorWeight",
        ])
      let outcome = try #require(adaptation["outcome"] as? String)
      #expect(["accepted", "noGain"].contains(outcome))
      let labels = try #require(adaptation["labels"] as? [[String: Any]])
      #expect(labels.map { $0["label"] as? String } == Fixture.labels)
      #expect(labels.allSatisfy { $0["count"] as? Int == 10 })
      func total(_ key: String) -> Int { labels.reduce(0) { $0 + ($1[key] as? Int ?? 0) } }
      #expect(total("rightBefore") > 15, "three labels by chance: 10 of 30")
      #expect(outcome == "noGain" || total("rightAfter") >= total("rightBefore"))

      let text = try await folder.run("\(train) b.drawml")
      let sentence =
        outcome == "accepted"
        ? "  adapted to your samples: with each sample left out in turn, "
        : "  not adapted: adapting to your samples gave no clear gain: with each sample left out "
          + "in turn, "
      #expect(
        text.lines[1]
          == sentence + "\(total("rightAfter")) of 30 samples are right, "
          + "and \(total("rightBefore")) without adapting")
      #expect(try folder.read("b.drawml") == folder.read("a.drawml"))

      let plain = try await folder.run("\(train) c.drawml --no-adapt --format json")
      #expect(try plain.object()["adaptation"] is NSNull)
      #expect(
        try (folder.read("c.drawml") == folder.read("a.drawml")) == (outcome == "noGain"))

      let fitted = try await folder.run(
        "train \(fixture.taught) --base \(fixture.model) --output d.drawml")
      #expect(
        fitted.lines[1] == "  not adapted: that takes at least two labels with at least two "
          + "samples that did not train the embedding")
    }

    @Test("evaluate leaves out what was taught and gives the keys of the guide")
    func evaluate() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let run = try await folder.run(
        """
        evaluate \(fixture.taught) \(fixture.unseen) --model \(fixture.model) --format json
        --report r.html
        """)
      #expect(
        run.errors.contains(
          "30 of 60 drawings were taught to the model, or trained its embedding, and are left out."
        ))
      let summary = try run.object()
      #expect(
        Set(summary.keys) == [
          "count", "accuracy", "confidenceInterval95", "top5Accuracy",
          "macroPrecision", "macroRecall", "macroF1",
          "expectedCalibrationError", "recognizedShare", "accuracyWhenRecognized",
          "areaUnderRiskCoverage", "perClass", "confusions", "facts",
        ])
      #expect(summary["count"] as? Int == 30)
      #expect(try #require(summary["accuracy"] as? Double) >= 0.8)
      let rows = try #require(summary["perClass"] as? [[String: Any]])
      #expect(rows.map { $0["label"] as? String } == Fixture.labels)
      #expect(rows.allSatisfy { $0["count"] as? Int == 10 })
      let page = String(decoding: try folder.read("r.html"), as: UTF8.self)
      #expect(page.hasPrefix("<!DOCTYPE html>"))
      #expect(page.hasSuffix("</html>\n"))
      #expect(page.contains("30 drawings that the model knows"))
      let facts = try #require(summary["facts"] as? [String: Any])
      #expect(facts["knownLeftOut"] as? Int == 30 && facts["knownJudged"] as? Int == 0)
      let flattered = try await folder.run(
        """
        evaluate \(fixture.taught) \(fixture.unseen) --model \(fixture.model) --format json
        --include-taught --report f.html
        """)
      #expect(
        flattered.errors.contains(
          "30 of 60 drawings are known to the model: the result is too optimistic.\n"))
      let told = try #require(try flattered.object()["facts"] as? [String: Any])
      #expect(told["knownLeftOut"] as? Int == 0 && told["knownJudged"] as? Int == 30)
      #expect(
        String(decoding: try folder.read("f.html"), as: UTF8.self).contains(
          "30 drawings: the result is too optimistic"))

      let text = try await folder.run("evaluate \(fixture.unseen) --model \(fixture.model)")
      #expect(text.output.hasPrefix("accuracy "))
      #expect(text.output.hasSuffix("\n") && !text.output.hasSuffix("\n\n"))
    }

    @Test("Options of a head that is not used are refused, not ignored")
    func foreignOptions() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      try folder.write("head: plda\n", to: "c.yaml")
      for (command, message) in [
        ("train \(fixture.taught) --neighbors 3 --output m", "go with --head knn."),
        (
          "train \(fixture.taught) --base \(fixture.model) --config c.yaml --penalty 3 --output m",
          "--penalty goes with --head linear."
        ),
        (
          "benchmark few-shot --samples \(fixture.unseen) --model \(fixture.model) --uniform",
          "go with --head knn."
        ),
      ] {
        let run = try await folder.run(command, status: 64)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(!folder.has("m"))
      }
    }

    @Test("evaluate leaves out what trained the embedding that a model was taught on")
    func evaluateBase() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      try folder.write(Fixture.lines("star", 20..<23), to: "few/star.ndjson")
      try folder.write(Fixture.lines("house", 20..<23), to: "few/house.ndjson")
      try await folder.run("train few --base \(fixture.model) --output few.drawml")
      let run = try await folder.run("evaluate \(fixture.taught) --model few.drawml --format json")
      // A tenth of each label's drawings chose when its training ended.
      #expect(try run.object()["count"] as? Int == 3)
      #expect(run.errors.contains("27 of 30 drawings were taught to the model, or trained its"))
    }

    @Test("evaluate on nothing but taught drawings says what to do instead")
    func evaluateTaught() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let evaluate = "evaluate \(fixture.taught) --model \(fixture.model)"
      let run = try await folder.run("\(evaluate) --report r.html", status: 1)
      #expect(
        run.errors.hasSuffix(
          "Error: the model was taught or trained on all 30 drawings, so they cannot judge it; "
            + "give others, train with --hold-out, or add --include-taught\n"))
      #expect(run.output.isEmpty)
      #expect(try folder.names.isEmpty)
      let all = try await folder.run("\(evaluate) --include-taught --format json")
      #expect(try all.object()["count"] as? Int == 30)
    }

    @Test("evaluate says that an imported model names no drawings; one without labels is refused")
    func evaluateWithoutNames() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let knn = "train \(fixture.taught) --base \(fixture.model) --head knn -o k.drawml"
      for arguments in [
        knn, "export onnx --model k.drawml --output k.onnx",
        "import onnx --model k.onnx --output i.drawml",
      ] {
        try await folder.run(arguments)
      }
      let run = try await folder.run("evaluate \(fixture.taught) --model i.drawml")
      #expect(
        run.errors.contains(
          "i.drawml was imported, and does not name the drawings that it was taught or trained on"))
      for label in Fixture.labels {
        try await folder.run("forget --model k.drawml --label \(label)")
      }
      let empty = try await folder.run("evaluate \(fixture.taught) --model k.drawml", status: 1)
      #expect(
        empty.errors.hasSuffix("Error: k.drawml knows no label: teach it some drawings first\n"))
    }

    @Test("What goes to standard output is whole: the summary goes beside it")
    func standardOutput() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let export = "$drawml export safetensors --model \(fixture.model) --output"
      let run = try await folder.shell(
        "\(export) file.safetensors; \(export) /dev/stdout >stream.safetensors")
      #expect(run.errors.contains("/dev/stdout: the arrays of 3 labels"))
      #expect(try folder.read("stream.safetensors") == folder.read("file.safetensors"))
      // Where there is no file, there is no other beside it.
      let onnx = try await folder.shell(
        "ln -s /dev/null nul.onnx; $drawml export onnx --model \(fixture.model) --output nul.onnx")
      #expect(!onnx.output.contains("test vectors"))
      #expect(try folder.names == ["file.safetensors", "nul.onnx", "stream.safetensors"])
    }

    @Test("evaluate says which labels the model cannot know, and counts them as wrong")
    func evaluateUnknownLabels() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      try folder.write(Fixture.lines("fish", 0..<3), to: "fish.ndjson")
      let run = try await folder.run("evaluate fish.ndjson --model \(fixture.model) --format json")
      #expect(
        run.errors.contains(
          "3 drawings of 1 label that the model was not taught count as wrong: 🐟\n"))
      #expect(try run.object()["accuracy"] as? Double == 0)
    }

    @Test("classify gives a JSON object a line with the keys of the design")
    func classify() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let run = try await folder.run(
        "classify \(fixture.unseen) --model \(fixture.model) --format json")
      #expect(run.errors.isEmpty, "nothing but data, and no progress for so little")
      #expect(run.lines.count == 30)
      for line in run.lines {
        let answer = try Program.Run.object(line)
        #expect(
          Set(answer.keys) == [
            "id", "decision", "label", "confidence", "candidates", "boundingBox", "reason",
            "typicality", "truth",
          ])
        #expect(Fixture.labels.contains(answer["truth"] as? String ?? ""))
        let decision = try #require(answer["decision"] as? String)
        #expect(["recognized", "unrecognized"].contains(decision))
        let candidates = try #require(answer["candidates"] as? [[String: Any]])
        #expect(candidates.count == 3)
        #expect(candidates.allSatisfy { Set($0.keys) == ["label", "confidence"] })
        let confidences = candidates.compactMap { $0["confidence"] as? Double }
        #expect(confidences == confidences.sorted(by: >))
        #expect(abs(confidences.reduce(0, +) - 1) < 1e-5)
        #expect(answer["label"] as? String == candidates[0]["label"] as? String)
        #expect(answer["confidence"] as? Double == confidences[0])
        let box = try #require(answer["boundingBox"] as? [String: Any])
        #expect(Set(box.keys) == ["x", "y", "width", "height"])
      }
      let ids = try run.lines.map { try Program.Run.object($0)["id"] as? String }
      #expect(ids[0] == "synthetic-circle-0010" && ids[29] == "synthetic-star-0019")
    }

    @Test("classify, segment and evaluate accept and refuse the same drawings, at every rate")
    func oneRule() async throws {
      let folder = try await Fixture.folderWithModel()
      let unseen = try await Fixture.shared.unseen
      var said: Set<String> = []
      for rate in ["0", "0.2", "0.5"] {
        try await folder.run("update \(unseen) --model m.drawml --refuse \(rate)")
        let asked = "--model m.drawml --format json"
        let classified = try await folder.run("classify \(unseen) \(asked)")
        let decisions = try classified.lines.map {
          try #require(try Program.Run.object($0)["decision"] as? String)
        }
        let segmented = try await folder.run("segment \(unseen) \(asked)")
        #expect(segmented.lines.count == decisions.count)
        for (line, decision) in zip(segmented.lines, decisions) {
          let shapes = try #require(try Program.Run.object(line)["shapes"] as? [[String: Any]])
          // What is taken apart there is no one drawing.
          if shapes.count == 1 { #expect(shapes[0]["decision"] as? String == decision) }
        }
        let evaluated = try await folder.run("evaluate \(unseen) --include-taught \(asked)")
        let share = try #require(try evaluated.object()["recognizedShare"] as? Double)
        let recognized = decisions.count { $0 == "recognized" }
        #expect(abs(share - Double(recognized) / Double(decisions.count)) < 1e-12)
        said.formUnion(decisions)
      }
      #expect(said == ["recognized", "unrecognized"])
    }

    @Test("classify reads standard input, names what has no id, and explains itself")
    func classifyInput() async throws {
      let (fixture, folder) = (try await Fixture.shared, try TestFolder())
      let classify = "classify --model \(fixture.model) --format json"
      let star = #"{"strokes":[[[0,30,10,20,30,0],[30,0,30,0,30,10]]]}"# + "\n"
      let run = try await folder.run("\(classify) --explain --top 1", input: star)
      let answer = try run.object()
      #expect(answer["id"] as? String == "stdin:1")
      #expect((answer["candidates"] as? [Any])?.count == 1)
      let box = try #require(answer["boundingBox"] as? [String: Int])
      #expect(box == ["x": 0, "y": 0, "width": 30, "height": 30])
      let explanation = try #require(answer["explanation"] as? [String: Any])
      #expect(
        Set(explanation.keys) == [
          "why", "label", "score", "leastScore", "leastScoreWithoutLead", "rival", "margin",
          "refusalRate", "neighbors",
        ])
      let neighbors = try #require(explanation["neighbors"] as? [[String: Any]])
      #expect(neighbors.count == 5)
      #expect(neighbors.allSatisfy { Set($0.keys) == ["id", "label", "distance"] })
    }

    @Test("classify gives the drawings of files the answers that they get one by one by a pipe")
    func classifyMany() async throws {
      let folder = try await Fixture.folderWithModel()
      let shapes = try ["circle", "star", "fish"].map { try Fixture.lines($0, 10..<35) }.joined()
      let dot = #"{"id":"dot","strokes":[[[4],[4]]]}"# + "\n"
      try folder.write(shapes + dot + shapes, to: "a.ndjson")
      try folder.write(Fixture.lines("house", 10..<20), to: "b.ndjson")
      let classify = "$drawml classify -m m.drawml --explain --format json"
      let piped = try await Program.shell("cat a.ndjson b.ndjson | \(classify)", in: folder)
      #expect(piped.lines.count == 161, "more than two threads take at once")
      for count in [1, 2] {
        let files = try await Program.shell(
          "\(classify) a.ndjson b.ndjson --threads \(count)", in: folder)
        #expect(files.output == piped.output)
      }
    }

    @Test("classify answers what comes through a pipe as it comes, and files before it")
    func classifyPipe() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(Fixture.lines("star", 0..<3), to: "a.ndjson")
      try folder.write(Fixture.lines("house", 0..<2), to: "b.ndjson")
      let run = try await Program.shell(
        """
        lines() { for i in $(seq 300); do [ "$(wc -l < out)" = $1 ] && break; sleep 0.1; done
          wc -l < out; }
        mkfifo pipe; : > out
        $drawml classify a.ndjson pipe --model m.drawml --top 1 > out & lines 3
        exec 3> pipe; cat b.ndjson >&3; lines 5
        exec 3>&-; wait
        """, in: folder)
      #expect(run.lines.map { $0.filter(\.isNumber) } == ["3", "5"], "\(run.errors)")
    }

    @Test("Five drawings teach a new label at once, and forget undoes it to the byte")
    func updateAndForget() async throws {
      let folder = try await Fixture.folderWithModel()
      let before = try folder.read("m.drawml")
      try folder.write(Fixture.lines("spiral", 0..<5), to: "five.ndjson")
      try folder.write(Fixture.lines("spiral", 20..<30), to: "others.ndjson")
      let update = "update five.ndjson --model m.drawml"

      let taught = try await folder.run("\(update) --format json")
      let report = try taught.object()
      #expect(
        Set(report.keys) == [
          "model", "added", "repeated", "relabeled", "newLabels", "labels", "samples", "rates",
        ])
      #expect(report["added"] as? Int == 5)
      #expect(report["newLabels"] as? [String] == ["🌀"])
      #expect(report["samples"] as? Int == 35)

      let asked = try await folder.run("classify others.ndjson --model m.drawml --format json")
      let answers = try asked.lines.map { try Program.Run.object($0) }
      #expect(answers.count == 10)
      let right = answers.count {
        $0["decision"] as? String == "recognized" && $0["label"] as? String == "🌀"
      }
      #expect(right >= 6, "\(asked.output)")

      let again = try await folder.run(update)
      #expect(
        again.lines[0] == "m.drawml: 0 samples added, 5 there already. "
          + "It now knows 4 labels from 35 samples.")
      // Of taught labels nothing is promised: most of these drawings trained the embedding.
      #expect(again.lines[1].hasPrefix("Drawings of other labels: about "))

      let forgotten = try await folder.run("forget --model m.drawml --label 🌀 --format json")
      #expect(
        Set(try forgotten.object().keys) == [
          "model", "forgotten", "inEmbedding", "labels", "samples",
        ])
      #expect(
        try forgotten.object()["forgotten"] as? [String]
          == (0..<5).map { "synthetic-spiral-000\($0)" })
      #expect(try folder.read("m.drawml") == before)
      #expect(try folder.names == ["five.ndjson", "m.drawml", "others.ndjson"])
    }

    @Test("forget --sample takes one drawing back, and teaching it again restores the bytes")
    func forgetSample() async throws {
      let folder = try await Fixture.folderWithModel()
      try folder.write(Fixture.lines("spiral", 0..<5), to: "five.ndjson")
      try folder.write(Fixture.lines("spiral", 2..<3), to: "one.ndjson")
      try await folder.run("update five.ndjson --model m.drawml")
      let before = try folder.read("m.drawml")
      let run = try await folder.run("forget --model m.drawml --sample synthetic-spiral-0002")
      #expect(
        run.output
          == "m.drawml: 1 sample forgotten. It now knows 4 labels from 34 samples.\n")
      #expect(try folder.read("m.drawml") != before)
      try await folder.run("update one.ndjson --model m.drawml")
      #expect(try folder.read("m.drawml") == before)
    }

    @Test("Of drawings with one id, forget takes the one whose ink is named; info lists them")
    func forgetOneOfTwo() async throws {
      let folder = try await Fixture.folderWithModel()
      for strokes in ["[[[0,50,100],[0,52,99]]]", "[[[0,50,100],[0,90,2]]]"] {
        let input = #"{"label":"vee","strokes":\#(strokes)}"#
        try await folder.run("update - --model m.drawml", input: input)
      }
      let list = try await folder.run("info m.drawml --samples --format json")
      struct Sample: Decodable { var label: String, id: String, digest: String }
      let all = try JSONDecoder().decode([Sample].self, from: Data(list.output.utf8))
      let two = all.filter { $0.label == "vee" }
      #expect(all.count == 32 && two.map(\.id) == ["stdin:1", "stdin:1"])
      let text = try await folder.run("info m.drawml --samples")
      #expect(text.lines.contains { $0.hasPrefix("vee") && $0.hasSuffix(two[1].digest) })

      let before = try folder.read("m.drawml")
      let both = try await folder.run("forget --model m.drawml --sample stdin:1", status: 1)
      #expect(
        both.errors
          == "Error: 2 samples have the id \"stdin:1\"; name one by its ink: "
          + "\(two[0].digest) (vee), \(two[1].digest) (vee)\n")
      #expect(try folder.read("m.drawml") == before)

      let one = try await folder.run(
        "forget --model m.drawml --sample \(two[0].digest) --format json")
      #expect(try one.object()["forgotten"] as? [String] == ["stdin:1"])
      let left = try await folder.run("info m.drawml --samples")
      #expect(left.output.contains(two[1].digest) && !left.output.contains(two[0].digest))
      try await folder.run("info m.drawml --samples --card", status: 64)
    }

    @Test("What the model does not know cannot be forgotten, and the model stays as it was")
    func forgetUnknown() async throws {
      let folder = try await Fixture.folderWithModel()
      let before = try folder.read("m.drawml")
      for (option, message) in [
        ("--label", "Error: the model knows no label nix; it knows ⭐, ⭕, 🏠\n"),
        ("--sample", "Error: the model was taught no sample nix\n"),
      ] {
        let run = try await folder.run("forget --model m.drawml \(option) nix", status: 1)
        #expect(run.errors == message)
        #expect(try folder.read("m.drawml") == before)
      }
    }

    @Test("Updates at the same time wait for each other, and none is lost")
    func concurrentUpdates() async throws {
      let folder = try await Fixture.folderWithModel()
      for number in 0..<8 {
        try folder.write(Fixture.lines("fish", number..<number + 1), to: "\(number).ndjson")
      }
      try await withThrowingTaskGroup { group in
        for number in 0..<8 {
          group.addTask { _ = try await folder.run("update \(number).ndjson --model m.drawml") }
        }
        try await group.waitForAll()
      }
      let run = try await folder.run("forget --model m.drawml --label 🐟 --format json")
      #expect((try run.object()["forgotten"] as? [String])?.count == 8)
      let original = try await Fixture.shared.model
      #expect(
        try folder.read("m.drawml") == Data(contentsOf: URL(fileURLWithPath: original)))
    }
  }
}
