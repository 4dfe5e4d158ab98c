import Foundation
import Glibc
import NeuralNetwork
import Recognition
import TestTools
import Testing

extension CommandLineTests {
  @Suite("Training by a recipe")
  struct BaseTrainingTests {
    private static let shapes = ["circle", "house", "star", "sun", "tree"]

    private static let teacher = "--teacher '\(Repository.teacher)'"

    /// A folder with drawings of two sources, unlabeled ones and a tiny recipe.
    private func prepare(hasTeacher: Bool) throws -> (folder: TestFolder, train: String) {
      let folder = try TestFolder()
      for shape in Self.shapes {
        try folder.write(Fixture.lines(shape, 0..<8), to: "everyday/\(shape).ndjson")
        try folder.write(Fixture.lines(shape, 8..<12), to: "more/\(shape).ndjson")
      }
      for shape in ["cloud", "key"] {
        try folder.write(Fixture.lines(shape, 0..<8), to: "signs/\(shape).ndjson")
      }
      try folder.write(Repository.tinyRecipe(hasTeacher: hasTeacher), to: "recipe.json")
      let train = """
        train-base everyday characters=signs --unlabelled more --recipe recipe.json
        --output base.drawml --threads 2 --seed 3 --format json
        """
      return (folder, hasTeacher ? "\(train) \(Self.teacher)" : train)
    }

    @Test("A base model knows nothing, judges itself on labels it never saw, and can be taught")
    func whole() async throws {
      let (folder, train) = try prepare(hasTeacher: true)
      let run = try await folder.run(train)
      let report = try run.object()
      // Two networks, two epochs of 48 examples each.
      #expect(report["examples"] as? Int == 192)
      // Three everyday labels and two signs, each upright and in three turns.
      #expect(report["classes"] as? Int == 20)
      #expect(report["trainingDrawings"] as? Int == 3 * 8 + 2 * 8)
      // Of the five shapes to mix, the two that are held out are not shown.
      #expect(report["mixedDrawings"] as? Int == 40 + 3 * 4)
      let heldOut = try #require(report["heldOutLabels"] as? [String: [String]])
      #expect(heldOut["validation"]?.count == 2)
      #expect((report["fewShotAccuracy"] as? Double).map { (0...1).contains($0) } == true)
      #expect(run.errors.contains("few-shot"))
      for part in ["picture", "picture.checkpoint", "strokes", "strokes.checkpoint"] {
        #expect(!folder.has("base.drawml.\(part)"))
      }

      // A benchmark on labels that the model knows is too optimistic, and the user is told.
      let measured = try await folder.run(
        """
        benchmark few-shot --samples everyday --model base.drawml --ways 2 --shots 2 --queries 2
        --unknown 2 --tasks 2
        """)
      #expect(measured.errors.contains("was trained on 3 of the 5 labels"))
      #expect(measured.errors.contains("was calibrated on 2 of the 5 labels"))
      let asked = try await folder.run("classify everyday/star.ndjson --model base.drawml")
      #expect(asked.errors.contains("base.drawml was taught no label yet. Teach it: drawml train"))

      let taught = try await folder.run(
        "train more --base base.drawml --output mine.drawml --format json")
      #expect(try taught.object()["labels"] as? Int == 5)
      #expect(try taught.object()["samples"] as? Int == 20)
      let updated = try await folder.run("update signs --model base.drawml --format json")
      #expect(try updated.object()["labels"] as? Int == 2)
    }

    @Test(
      "How labels differ is relearned without training, to the bytes of the training itself")
    func statistics() async throws {
      let (folder, train) = try prepare(hasTeacher: false)
      let run = try await folder.run(train)
      let expected = try folder.read("base.drawml")
      func learn(_ output: String, of model: String = "base.drawml") -> String {
        """
        train-base everyday characters=signs --recipe recipe.json --statistics-of \(model)
        --threads 1 --seed 3 --format json --output \(output)
        """
      }
      let again = try await folder.run(learn("again.drawml"))
      #expect(try again.object()["backgrounds"] as? [String] == ["everyday", "characters"])
      #expect(try folder.read("again.drawml") == expected)

      // Other drawings give other statistics; the samples that the model was taught stay.
      try await folder.run("update more --model again.drawml --format json")
      for shape in ["heart", "moon", "flower"] {
        try folder.write(Fixture.lines(shape, 0..<8), to: "signs/\(shape).ndjson")
      }
      try await folder.run(learn("changed.drawml", of: "again.drawml"))
      #expect(try folder.read("changed.drawml") != folder.read("again.drawml"))
      let update = try await folder.run("update more --model changed.drawml --format json")
      #expect(try update.object()["added"] as? Int == 0)

      // Further labels may be held out, where they trained nothing: they are calibrated with.
      let kept = try #require(try run.object()["heldOutLabels"] as? [String: [String]])
      let wider = (kept["validation"] ?? []) + ["🌙", "🌸"]
      try folder.write(wider.joined(separator: "\n"), to: "wider.txt")
      try await folder.run(learn("wider.drawml --hold-out-classes wider.txt"))
      try await folder.run(learn("plain.drawml"))
      #expect(try folder.read("wider.drawml") != folder.read("plain.drawml"))
      try folder.write((wider + ["🔑"]).joined(separator: "\n"), to: "wider.txt")
      let flattered = try await folder.run(
        learn("other.drawml --hold-out-classes wider.txt"), status: 1)
      #expect(!folder.has("other.drawml"))
      #expect(flattered.errors.contains("too optimistic: 🔑"))

      // What was held out stays so.
      try folder.write("[\"\(Self.shapes[0])\"]", to: "out.json")
      let other = try await folder.run(learn("other.drawml --hold-out-classes out.json"), status: 1)
      #expect(!folder.has("other.drawml"))
      #expect(other.errors.contains("held out other labels"))
      let own = try await Fixture.folderWithModel()
      let foreign = try await folder.run(
        learn("other.drawml", of: "\(own.path)/m.drawml"), status: 1)
      #expect(foreign.errors.contains("does not name its recipe"))
    }

    @Test(
      "Where all labels trained, the calibration may be that of a model that left some out")
    func calibration() async throws {
      let (folder, train) = try prepare(hasTeacher: false)
      try await folder.run(train)
      // Nothing of it is drawn here, so that all labels train.
      try folder.write(#"{"validation": [], "test": ["🌙"]}"#, to: "test.json")
      let held = "--hold-out-classes test.json"
      func whole(_ output: String) -> String {
        "\(train) \(held)".replacing("base.drawml", with: output)
      }
      func learn(_ model: String, calibrationOf fewer: String, _ output: String) -> String {
        """
        train-base everyday characters=signs --recipe recipe.json --statistics-of \(model) \(held)
        --calibration-of '\(fewer)' --threads 1 --seed 3 --output \(output)
        """
      }
      try await folder.run(whole("all.drawml"))
      try FileManager.default.copyItem(
        atPath: folder.path + "/base.drawml", toPath: folder.path + "/fewer.drawml")
      try await folder.run(learn("all.drawml", calibrationOf: "fewer.drawml", "new.drawml"))
      func priors(_ name: String) throws -> [PLDAPrior] {
        try ModelFile.read(folder.path + "/\(name).drawml").memory.priors
      }
      let (new, crossFitted, fewer) = (try priors("new"), try priors("all"), try priors("fewer"))
      #expect(new.map(\.name) == ["everyday", "characters"])
      #expect(new.map(\.model) == crossFitted.map(\.model))
      #expect(new.map(\.calibration) == fewer.map(\.calibration))
      #expect(new.map(\.calibration) != crossFitted.map(\.calibration))

      // What does not fit is told, and nothing is written.
      let released = Repository.path + "/models/base.drawml"
      let foreign = try await folder.run(
        learn("all.drawml", calibrationOf: released, "other.drawml"), status: 1)
      #expect(foreign.errors.contains("models/base.drawml has other networks"))
      try folder.write(#"{"validation": [], "test": ["⭐"]}"#, to: "test.json")
      try await folder.run(whole("starless.drawml"))
      let seen = try await folder.run(
        learn("starless.drawml", calibrationOf: "fewer.drawml", "other.drawml"), status: 1)
      #expect(seen.errors.contains("fewer.drawml was trained on labels that are to be held out"))
      #expect(seen.errors.contains("⭐"))
      #expect(!folder.has("other.drawml"))
      let alone = try await folder.run(
        "\(whole("other.drawml")) --calibration-of fewer.drawml", status: 64)
      #expect(alone.errors.contains("goes with --statistics-of"))
    }

    @Test("A base model's weights are trained further, unless scores would be too optimistic")
    func further() async throws {
      let (folder, train) = try prepare(hasTeacher: false)
      try folder.write(#"{"validation": [], "test": ["🌳"]}"#, to: "test.json")
      let held = "--hold-out-classes test.json"
      try await folder.run("\(train) \(held)")
      func further(_ output: String, _ more: String = "") -> String {
        "\(train.replacing("--output base", with: "--output \(output)")) --from base.drawml \(more)"
      }
      // Nothing is learned at a rate of 0, so that the weights are those to begin with.
      let recipe = String(decoding: try folder.read("recipe.json"), as: UTF8.self)
      let still = recipe.replacing("\"learningRate\":0.003", with: "\"learningRate\":0")
        .replacing("\"averagingDecay\":0.998", with: "\"averagingDecay\":0")
      #expect(still != recipe)
      try folder.write(still, to: "still.json")
      try await folder.run(
        further("still", held).replacing("recipe.json", with: "still.json"))
      func parameters(_ name: String) throws -> [[Float]] {
        try ModelFile.read(folder.path + "/\(name).drawml").embedding.members
          .map(\.network.parameters)
      }
      #expect(try parameters("still") == parameters("base"))
      try await folder.run(further("more", held))
      #expect(try parameters("more") != parameters("base"))
      // Without the file, the recipe holds out labels that have trained the model.
      let flattered = try await folder.run(further("other"), status: 1)
      #expect(flattered.errors.contains("was trained on labels that are to be held out"))
      #expect(!folder.has("other.drawml"))
    }

    @Test("Killed and resumed, without a teacher, it gives the bytes of one that never stopped")
    func killed() async throws {
      let (folder, train) = try prepare(hasTeacher: false)
      try await folder.run(train)
      let expected = try folder.read("base.drawml")
      try FileManager.default.removeItem(atPath: folder.path + "/base.drawml")
      // Once in the middle of each network's training.
      for member in ["picture", "strokes"] {
        var isKilled = false
        // On a busy machine it may be done before it is looked at.
        for _ in 0..<5 where !isKilled {
          try? FileManager.default.removeItem(atPath: folder.path + "/base.drawml")
          let process = try folder.start("\(train) --resume")
          _ = try await process.wait { folder.has("base.drawml.\(member).member.checkpoint") }
          process.signal(SIGKILL)
          _ = try await process.end()
          isKilled = !folder.has("base.drawml")
        }
        #expect(isKilled)
      }
      let resumed = try await folder.run("\(train) --resume")
      #expect(resumed.errors.contains("picture: already trained"))
      #expect(try folder.read("base.drawml") == expected)
    }

    @Test("A network of some sources is the one of a recipe with only these")
    func membersOfSources() async throws {
      let (folder, train) = try prepare(hasTeacher: false)
      let data = try folder.read("recipe.json")
      var recipe = try #require(
        try JSONSerialization.jsonObject(with: data) as? [String: Any])
      let members = try #require(recipe["members"] as? [[String: Any]])
      var sources = try #require(recipe["sources"] as? [[String: Any]])
      func write(_ name: String) throws {
        let data = try JSONSerialization.data(withJSONObject: recipe)
        try folder.write(String(decoding: data, as: UTF8.self), to: name)
      }
      (recipe["members"], recipe["sources"]) = ([members[1]], [sources[0]])
      try write("strokes.json")
      sources[1]["members"] = ["picture"]
      (recipe["members"], recipe["sources"]) = (members, sources)
      try write("recipe.json")

      let alone = try await folder.run(
        train.replacing("characters=signs ", with: "").replacing(
          "recipe.json", with: "strokes.json"))
      #expect(try alone.object()["classes"] as? Int == 12)
      try FileManager.default.moveItem(
        atPath: folder.path + "/base.drawml", toPath: folder.path + "/base.drawml.strokes.member")
      let both = try await folder.run("\(train) --resume")
      #expect(both.errors.contains("strokes: already trained"))
      #expect(try both.object()["classes"] as? Int == 20)

      // The report is about all drawings, whichever network is trained on fewer.
      sources[1]["members"] = ["strokes"]
      sources[0]["members"] = ["picture"]
      recipe["sources"] = sources
      try write("recipe.json")
      let apart = try await folder.run(train)
      #expect(try apart.object()["classes"] as? Int == 20)
      #expect(try apart.object()["trainingDrawings"] as? Int == 3 * 8 + 2 * 8)
      let taught = try await folder.run("\(train) --teach", status: 1)
      #expect(taught.errors.contains("only networks of the same labels can be taught at once"))
    }

    @Test("However a recipe names its networks, no file of the user's is taken for one")
    func memberNames() async throws {
      let (folder, train) = try prepare(hasTeacher: false)
      let names = ["picture", "strokes"]
      for name in names { try folder.write("precious", to: "base.drawml.\(name)") }
      try await folder.run(train)
      for name in names {
        #expect(try folder.read("base.drawml.\(name)") == Data("precious".utf8))
        #expect(!folder.has("base.drawml.\(name).member"))
      }
    }

    @Test("A network of another training is not taken for one of this, and nothing of it is lost")
    func otherMember() async throws {
      let (folder, train) = try prepare(hasTeacher: false)
      try await folder.run(train)
      let base = try folder.read("base.drawml")
      try FileManager.default.moveItem(
        atPath: folder.path + "/base.drawml", toPath: folder.path + "/base.drawml.picture.member")
      let run = try await folder.run("\(train) --resume", status: 1)
      #expect(
        run.errors.contains("base.drawml.picture.member is of a training with other drawings"))
      #expect(try folder.read("base.drawml.picture.member") == base)
    }

    @Test("A recipe and what is given with it must fit, and the message says what to do")
    func misfits() async throws {
      let (folder, train) = try prepare(hasTeacher: true)
      func errors(_ line: String) async throws -> String {
        let run = try await Program.run(line, in: folder)
        #expect(run.status != 0)
        return run.errors
      }
      let without = train.replacing(Self.teacher, with: "")
      #expect(try await errors(without).contains("name its file with --teacher"))
      #expect(
        try await errors("train-base everyday --recipe recipe.json -o b")
          .contains("the recipe has the sources everyday, characters"))
      #expect(
        try await errors("train-base everyday -o b --teach")
          .contains("Missing expected argument '--recipe <recipe>'"))
      for more in ["\(Self.teacher) --teach", "--resume", "--head knn"] {
        #expect(
          try await errors("\(train) --statistics-of x.drawml \(more)")
            .contains(
              "leave out --from, --teacher, --unlabelled, --teach, --resume, --log, "))
      }
      for log in ["recipe.json", Repository.teacher] {
        #expect(try await errors("\(train) --log '\(log)' --force").contains("it is read here"))
      }
      try folder.write("⭕\n🏠\n⭐\n☀️\n🌳\n☁️\n🔑\n", to: "all.txt")
      #expect(
        try await errors("\(train) --hold-out-classes all.txt")
          .contains("every label is held out, and none is left to train on: hold out fewer"))
      // For the file names that it derives from its output, it follows no link and waits for no
      // pipe.
      let member = folder.path + "/base.drawml.picture.member"
      try FileManager.default.copyItem(
        atPath: Repository.path + "/models/base.drawml", toPath: folder.path + "/mine.drawml")
      let mine = try folder.read("mine.drawml")
      for make in ["ln -s mine.drawml", "mkfifo"] {
        #expect(try await Program.shell("\(make) \(member)", in: folder).status == 0)
        for more in ["", "--resume"] {
          #expect(try await errors("\(train) \(more)").contains("it is a link or a pipe"))
        }
        try FileManager.default.removeItem(atPath: member)
      }
      #expect(try folder.read("mine.drawml") == mine)
      try folder.write("{\"version\":1}", to: "recipe.json")
      #expect(try await errors(train).contains("is missing"))
      try folder.write(
        Repository.recipe([(["distillation", "teacher"], "0123")]), to: "recipe.json")
      #expect(try await errors(train).contains("the recipe asks for 0123"))
    }

    @Test(
      "Who gives train what train-base takes is told so",
      arguments: [
        "--recipe recipe.json", "--recipe=recipe.json --teacher t.mlmodel",
        "--base b.drawml --statistics-of x.drawml",
      ])
    func movedOptions(options: String) async throws {
      let run = try await TestFolder().run(
        "train everyday --output b.drawml \(options)", status: 64)
      #expect(run.errors.contains("Use 'drawml train-base' to train a base model"))
      #expect(run.output.isEmpty)
    }

    @Test(
      "With kernels of its own choice and with those of the environment, its answer is the same")
    func kernels() async throws {
      let folder = try TestFolder()
      let line = "export OPENBLAS_CORETYPE=Haswell; $drawml --version; unset OPENBLAS_CORETYPE; "
      let run = try await folder.shell(line + "$drawml --version")
      #expect(run.lines.count == 2 && run.lines[0] == run.lines[1])
    }
  }
}
