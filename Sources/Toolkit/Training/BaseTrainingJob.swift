package import Datasets
internal import Files
internal import Foundation
package import Ink
internal import Interchange
internal import JSON
package import NeuralNetwork
package import Recognition
internal import Report
internal import Text

/// Trains a base model without taught samples from a recipe and public drawings.
package struct BaseTrainingJob: Sendable {
  var recipe: TrainingRecipe
  var output: String
  /// A base model whose weights are trained further (fine-tuning); nil to begin at random.
  var start: String?
  var teacher: String?
  var head: HeadConfiguration
  /// The model's decision policy; nil for the standard one.
  var policy: DecisionPolicy?
  var seed: UInt64
  var threads: Int
  var resumes: Bool
  /// Whether the model is also taught the training drawings.
  var teaches: Bool
  /// The processes that train the networks together.
  package var reducer: any GradientReducer = OneProcess()

  package init(
    recipe: TrainingRecipe, output: String, from start: String? = nil, teacher: String?,
    head: HeadConfiguration, policy: DecisionPolicy?, seed: UInt64, threads: Int, resumes: Bool,
    teaches: Bool
  ) {
    (self.recipe, self.output, self.start, self.teacher) = (recipe, output, start, teacher)
    (self.head, self.policy, self.seed, self.threads) = (head, policy, seed, threads)
    (self.resumes, self.teaches) = (resumes, teaches)
  }

  /// The drawings of a training.
  package struct Data: Sendable {
    /// The labeled drawings of each of the recipe's sources.
    var sources: [String: SampleSet]
    /// Unlabeled drawings, used only for mixing.
    var unlabeled: [Drawing]
    /// Labels that replace the recipe's own held-out labels.
    var heldOut: HeldOutLabels?

    package init(sources: [String: SampleSet], unlabeled: [Drawing], heldOut: HeldOutLabels?) {
      (self.sources, self.unlabeled, self.heldOut) = (sources, unlabeled, heldOut)
    }
  }

  package struct Report: Encodable {
    var model: String
    var fingerprint: String
    var classes: Int
    var trainingDrawings: Int
    var mixedDrawings: Int
    var heldOutLabels: HeldOutLabels
    @OrNull var fewShotAccuracy: Double?
    var head: String
    var parameters: Int
    var examples: Int
    var seed: UInt64
    var threads: Int
    var dataFingerprint: String
    var seconds: Double
    var modelBytes: Int
    var peakMemoryBytes: Int
    /// The results of all epochs of each network, empty for one that an earlier run had finished.
    var curves: [LearningCurve]
  }

  /// The model's record of how drawings were sampled and augmented.
  struct Record: Codable {
    var recipe: TrainingRecipe
    var sources: [String: String]
    var unlabelledDrawings: Int
    var heldOut: HeldOutLabels
    /// The fingerprint of the embedding that the training began with; nil for random weights.
    var start: String?
  }

  /// What the user can do after stopping the training.
  package var hintAfterInterruption: String {
    TrainingCheckpointFile.hintAfterInterruption(
      hasFiles: recipe.members.contains {
        let path = MemberTraining.path(of: $0, beside: output)
        return AtomicFile.exists(path) || TrainingCheckpointFile(output: path).exists
      })
  }

  /// Trains and writes the model.
  ///
  /// - Parameters:
  ///   - data: The drawings.
  ///   - progress: Receives events.
  /// - Returns: The results.
  /// - Throws: Errors about recipe, drawings and files, `CancellationError`, and `RankIsDone` on all
  ///   ranks but the first.
  package func run(
    on data: Data, progress: @escaping JobProgress
  ) async throws -> Report {
    let started = ContinuousClock.now
    let heldOut = HeldOutLabels(data.heldOut, by: recipe, of: data.sources)
    let missing = heldOut.missing(from: data.sources)
    if !missing.isEmpty {
      progress(
        .note(
          "no drawing has \(counted(missing.count, "label")) that should be held out: "
            + listed(missing)))
    }
    let parts = try BaseData(data.sources, by: recipe, heldOut)
    if teaches {
      try ModelLimits.requireCapacity(forLabels: parts.labels.training.count)
      guard recipe.sources.allSatisfy({ $0.members == nil }) else {
        throw JobProblem(
          "only networks of the same labels can be taught at once: leave out --teach, or the "
            + "members of the recipe's sources")
      }
    }
    let start = try start.map { try Start(path: $0, keepingOut: heldOut) }
    let (teacher, teacherName) = try readTeacher()
    let validation = recipe.sources.flatMap { parts.validation[$0.name] ?? [] }
    let tasks = FewShotTasks(
      of: validation, count: recipe.tasks.count, ways: recipe.tasks.ways,
      shots: recipe.tasks.shots, queries: recipe.tasks.queries, seed: seed)
    let trainings = try recipe.members.map { member in
      let isTaught = member.teacherWeight > 0 && recipe.distillation != nil
      // Other members' settings and the statistics do not affect this member.
      var own = recipe
      own.members = [member]
      own.members[0].weight = 1
      own.sources = recipe.sources(of: member)
      let names = Set(own.sources.map(\.name))
      let training = parts.training.filter { names.contains($0.key) }
      // A mixed drawing has no label, only a teacher's vector.
      let sampler = try makeSampler(
        training, data.unlabeled, heldOut, member.augmentation,
        mixedShare: isTaught ? recipe.mixing?.share ?? 0 : 0)
      for index in own.sources.indices { own.sources[index].inStatistics = true }
      let record = Record(
        recipe: own, sources: training.mapValues(\.fingerprint),
        unlabelledDrawings: sampler.poolCount - sampler.count, heldOut: heldOut,
        start: start?.fingerprint)
      let plan = member.embeddingRecipe(
        describedAs: try jsonText(record), teacher: isTaught ? teacherName : nil,
        drawings: sampler.count)
      return MemberTraining(
        member: member, plan: plan, sampler: sampler, start: try start?.network(for: member),
        teacher: isTaught ? teacher : nil, tasks: tasks, output: output,
        provenance: Provenance(
          software: Version.text, seed: seed, threads: threads,
          dataFingerprint: sampler.fingerprint, trainingDrawings: sampler.count,
          validationDrawings: validation.count, validationAccuracy: nil, recipes: [plan]),
        resumes: resumes, reducer: reducer)
    }
    // The report is about all sources, whichever networks they train.
    let isWhole: (MemberTraining) -> Bool = { training in
      recipe.sources(of: training.member).count == recipe.sources.count
    }
    let sampler =
      try trainings.first(where: isWhole)?.sampler
      ?? makeSampler(
        parts.training, data.unlabeled, heldOut, recipe.members[0].augmentation,
        mixedShare: recipe.mixing?.share ?? 0)
    progress(
      .note(
        "\(counted(sampler.count, "drawing")) of \(grouped(sampler.classes.count)) classes, "
          + "\(counted(sampler.poolCount, "drawing")) to mix, "
          + "\(counted(heldOut.validation.count, "label")) held out for validation, "
          + "\(heldOut.test.count) for the final test"))
    var members: [Recognizer] = []
    var curves: [LearningCurve] = []
    for training in trainings {
      let name = training.member.name
      if trainings.count > 1 { progress(.note("Training \(name)")) }
      guard let (member, history) = try await training.run(progress) else { continue }
      members.append(member)
      curves.append(LearningCurve(network: name, epochs: history))
    }
    guard reducer.isFirst else { throw RankIsDone() }
    let embedding = try Embedding(
      zip(members, recipe.members).map { trained, member in
        let network = trained.embedding.members[0]
        return try EmbeddingMember(
          view: network.view, network: network.network, weight: member.weight)
      })
    let accuracy = try await tasks?.accuracy(of: embedding, threads: threads)
    let base = recipe.sources.flatMap { parts.training[$0.name]?.drawings ?? [] }
    let priors = try await parts.priors(
      of: embedding, by: recipe, seed: seed, threads: threads, progress)
    var recognizer = Recognizer(
      embedding: embedding,
      trained: teaches
        ? ClassVectors(joining: members.map(\.memory.trained), for: embedding).fitted(to: base)
        : ClassVectors(),
      priors: priors, head: head, policy: policy ?? .standard,
      provenance: Provenance(
        software: Version.text, seed: seed, threads: threads,
        dataFingerprint: sampler.fingerprint, trainingDrawings: sampler.count,
        validationDrawings: validation.count, validationAccuracy: accuracy,
        recipes: trainings.map(\.plan),
        labels: parts.labels.union(with: start?.labels)))
    if teaches {
      try await recognizer.update(with: base, threads: threads) {
        progress(.progress("Teaching", done: $0, of: $1))
      }
    }
    let written = try ModelFile.write(recognizer, to: output)
    for training in trainings { training.removeFiles() }
    return Report(
      model: output, fingerprint: written.fingerprint,
      classes: sampler.classes.count, trainingDrawings: sampler.count,
      mixedDrawings: sampler.poolCount, heldOutLabels: heldOut,
      fewShotAccuracy: accuracy, head: recognizer.head.configuration.name,
      parameters: embedding.parameterCount,
      examples: recipe.members.reduce(0) {
        $0 + $1.training.epochs * ($1.training.examplesPerEpoch ?? sampler.count)
      }, seed: seed, threads: threads,
      dataFingerprint: sampler.fingerprint,
      seconds: (ContinuousClock.now - started) / .seconds(1),
      modelBytes: written.byteCount, peakMemoryBytes: Resources.peakMemoryBytes, curves: curves)
  }

  private func makeSampler(
    _ training: [String: SampleSet], _ unlabeled: [Drawing], _ heldOut: HeldOutLabels,
    _ augmentation: Augmentation, mixedShare: Double
  ) throws -> ExampleSampler {
    // Drawings for mixing must not be of held-out labels either.
    let out = heldOut.all
    var counts: [String: Int] = [:]
    let limit = recipe.mixing?.drawingsPerLabel ?? 0
    let mixed = unlabeled.filter { drawing in
      guard let label = drawing.label else { return true }
      guard !out.contains(label) else { return false }
      counts[label, default: 0] += 1
      return counts[label, default: 0] <= limit
    }
    let sampler = ExampleSampler(
      recipe.sources.compactMap { source in
        training[source.name].map {
          ($0, ExampleSampler.Share(weight: source.weight, turning: source.turning))
        }
      }, unlabeled: mixed,
      settings: ExampleSampler.Settings(
        balance: recipe.balance, augmentation: augmentation, mixer: recipe.mixing?.mixer,
        mixedShare: mixedShare))
    guard let label = sampler.classes.first else {
      throw JobProblem("every label is held out, and none is left to train on: hold out fewer")
    }
    guard sampler.classes.count > 1 else { throw ModelError.oneLabel(label) }
    return sampler
  }

  /// A base model whose weights are trained further.
  private struct Start {
    let path: String
    let embedding: Embedding
    let labels: Provenance.Labels
    var fingerprint: String { embedding.fingerprint }

    /// Reads it.
    ///
    /// - Throws: `JobProblem` if a label of `heldOut` trained it, or if it does not say so.
    init(path: String, keepingOut heldOut: HeldOutLabels) throws {
      let model = try ModelFile.read(path)
      guard let labels = model.provenance.labels else {
        throw JobProblem("\(path) does not say which labels trained it: name a base model")
      }
      let seen = heldOut.all.intersection(labels.training)
      guard seen.isEmpty else {
        throw JobProblem(
          "\(path) was trained on labels that are to be held out, so their scores would be too "
            + "optimistic: " + listed(seen.sorted()))
      }
      (self.path, embedding, self.labels) = (path, model.embedding, labels)
    }

    /// The network of `member`.
    func network(for member: TrainingRecipe.Member) throws(JobProblem) -> Network {
      guard let network = embedding.members.first(where: { $0.view == member.view })?.network
      else {
        throw JobProblem("\(path) has no network with the input of \"\(member.name)\"")
      }
      return network
    }
  }

  /// The teacher and the SHA-256 of its file; nil if the recipe has no distillation.
  private func readTeacher() throws -> (Embedding?, String?) {
    guard let distillation = recipe.distillation else {
      guard teacher == nil else {
        throw JobProblem("the recipe asks for no teacher: its \"distillation\" is null")
      }
      return (nil, nil)
    }
    guard let teacher else {
      throw JobProblem(
        """
        the recipe asks for a teacher: name its file with --teacher, or set "distillation" to null
        """
      )
    }
    let name = Fingerprint.sha256(try AtomicFile.read(teacher))
    if let wanted = distillation.teacher, wanted != name {
      throw JobProblem("\(teacher) has the SHA-256 \(name), the recipe asks for \(wanted)")
    }
    return (
      try CoreMLImport.embedding(
        at: teacher, strokeWidth: distillation.strokeWidth, margin: distillation.margin), name
    )
  }
}

extension BaseTrainingJob.Report {
  /// The page with the learning curves of each network.
  ///
  /// - Parameters:
  ///   - dataPaths: The paths of the drawings as they were given.
  ///   - date: When it ran.
  /// - Returns: A whole HTML document.
  package func page(dataPaths: [String], date: String) -> String {
    let accuracy = fewShotAccuracy
    let number = accuracy.map { ReportNumbers.percent($0) } ?? counted(curves.count, "network")
    return TrainingPage.html(
      header: PageParts.header(
        brand: "training of a base", number: number,
        text: accuracy == nil ? "trained" : "right in few-shot tasks of held-out labels",
        gauge: nil,
        sentence: Markup(
          accuracy == nil
            ? "No label was held out, so no task can judge it."
            : "The tasks are of \(counted(heldOutLabels.validation.count, "held-out label"))."),
        cards: [
          ("Classes", grouped(classes), "labels and their turns"),
          ("Trained on", grouped(trainingDrawings), "drawings"),
          ("Parameters", grouped(parameters), "of all networks"),
        ]), title: number, curves: curves,
      facts: RunFacts(
        modelPath: model, modelFingerprint: fingerprint, dataPaths: dataPaths,
        dataFingerprint: dataFingerprint, head: head, seed: seed, threads: threads, date: date,
        seconds: seconds, peakMemoryBytes: peakMemoryBytes))
  }

  /// A few lines for people.
  package var lines: [String] {
    var lines = [
      "\(model): an embedding of \(counted(parameters, "parameter")), taught nothing yet",
      "  trained on \(counted(examples, "example")) of \(grouped(classes)) classes "
        + "from \(counted(trainingDrawings, "drawing"))",
    ]
    if let accuracy = fewShotAccuracy {
      lines.append(
        "  \(percent(accuracy)) right in few-shot tasks of "
          + "\(counted(heldOutLabels.validation.count, "label")) that it never saw")
    }
    return lines
      + runLines(
        seconds, threads: threads, peakMemoryBytes, modelBytes, seed: seed, data: dataFingerprint,
        model: fingerprint)
  }
}
