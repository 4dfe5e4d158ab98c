internal import Datasets
internal import JSON
internal import NeuralNetwork
internal import Recognition
internal import Text

/// Trains a base model's embedding further on labeled drawings (fine-tuning), each of its networks
/// with a classifier of these labels on top.
struct FineTuning: Sendable {
  let base: Recognizer
  /// Where the base was read.
  let path: String
  /// The networks, in the embedding's order.
  let members: [TrainingRecipe.Member]
  /// The processes that train them together.
  var reducer: any GradientReducer = OneProcess()

  /// The standard settings, of which a base's networks replace their own. Chosen on labels that
  /// trained no base: `docs/research/fine-tuning.md`.
  static let recipe: EmbeddingRecipe = {
    var recipe = EmbeddingRecipe.standard
    recipe.training.epochs = 0
    recipe.training.learningRate = 1e-3
    recipe.training.averagingDecay = 0.99
    return recipe
  }()

  /// The networks of a base model, to be trained as the settings say.
  ///
  /// - Throws: `JobProblem` for a base whose layers are not known by a recipe, and for settings that
  ///   do not suit them.
  init(of path: String, by settings: TrainingSettings) throws {
    (base, self.path) = (try ModelFile.read(path), path)
    let (recipes, networks) = (base.provenance.recipes, base.embedding.members)
    guard recipes.count == networks.count, zip(recipes, networks).allSatisfy({ $0.view == $1.view })
    else {
      throw JobProblem(
        "\(path) does not say how its networks are made, as an imported model does not: it can only "
          + "be taught, without --epochs")
    }
    var named: [String: Int] = [:]
    members = try zip(recipes, networks).map { recipe, network in
      let kind = if case .picture = recipe.view { "picture" } else { "strokes" }
      named[kind, default: 0] += 1
      let member = TrainingRecipe.Member(
        name: named[kind].map { $0 == 1 ? kind : "\(kind)-\($0)" } ?? kind, weight: network.weight,
        view: recipe.view,
        network: recipe.network, training: settings.training, augmentation: settings.augmentation,
        teacherWeight: 0)
      do throws(JSONFault) { try member.check("") } catch {
        throw JobProblem("\(path) cannot be trained further so: \(error)")
      }
      return member
    }
  }

  /// A description of the training: where it began, and how drawings were sampled.
  private struct Record: Encodable {
    /// The fingerprint of the embedding that the training began with.
    var start: String
    var sampling: ExampleSampler.Settings
    /// The fingerprint of the drawings that judge each epoch.
    var validation: String?
  }

  /// What became of the embedding.
  struct Outcome: Sendable {
    /// The model, without taught samples.
    var recognizer: Recognizer
    var curves: [LearningCurve]
  }

  /// The paths of the finished networks that a training keeps beside its output until it is done.
  func files(beside output: String) -> [String] {
    members.map { MemberTraining.path(of: $0, beside: output) }
  }

  /// Trains the networks.
  ///
  /// - Parameters:
  ///   - training: What the weights are fitted to.
  ///   - validation: Other drawings of these labels.
  ///   - settings: The settings of the training.
  ///   - threads: How many threads train.
  ///   - output: The path beside which unfinished and finished networks are kept; nil to keep none.
  ///   - resumes: Whether to go on from these files.
  ///   - progress: Receives events.
  /// - Returns: The model, and the epochs of each network.
  /// - Throws: What training throws, `CancellationError`, and `RankIsDone` on all ranks but the first.
  func run(
    on training: SampleSet, validation: SampleSet, settings: TrainingSettings, threads: Int,
    output: String?, resumes: Bool, _ progress: @escaping JobProgress
  ) async throws -> Outcome {
    try training.requireTwoClasses()
    let sampling = ExampleSampler.Settings(
      balance: settings.balance, augmentation: settings.augmentation)
    let sampler = ExampleSampler([(training, .init())], settings: sampling)
    let description = try jsonText(
      Record(
        start: base.embedding.fingerprint, sampling: sampling,
        validation: validation.count > 0 ? validation.fingerprint : nil))
    func provenance(_ recipes: [EmbeddingRecipe]) -> Provenance {
      Provenance(
        software: Version.text, seed: settings.seed, threads: threads,
        dataFingerprint: training.fingerprint,
        trainingDrawings: base.provenance.trainingDrawings + training.count,
        validationDrawings: validation.count, validationAccuracy: nil, recipes: recipes)
    }
    let trainings = zip(members, base.embedding.members).map { member, start in
      var plan = member.embeddingRecipe(
        describedAs: description, teacher: nil, drawings: training.count)
      plan.keepsBest = settings.keepBest
      return MemberTraining(
        member: member, plan: plan, sampler: sampler, start: start.network,
        validation: validation.drawings, isStratified: true, output: output,
        provenance: provenance([plan]), resumes: resumes, reducer: reducer)
    }
    var (trained, curves): ([Recognizer], [LearningCurve]) = ([], [])
    for training in trainings {
      let name = training.member.name
      if trainings.count > 1 { progress(.note("Training \(name)")) }
      guard let (member, history) = try await training.run(progress) else { continue }
      trained.append(member)
      curves.append(
        LearningCurve(
          network: trainings.count > 1 ? name : nil, epochs: history, keepsBest: settings.keepBest))
    }
    guard reducer.isFirst else { throw RankIsDone() }
    let embedding = try Embedding(
      zip(trained, members).map { recognizer, member in
        let network = recognizer.embedding.members[0]
        return try EmbeddingMember(
          view: network.view, network: network.network, weight: member.weight)
      })
    // What the base knew of how labels differ is of other vectors.
    let prior = try await PLDAPrior.unlessTooFew(
      of: embedding, base: training.drawings, fresh: validation.drawings, seed: settings.seed,
      threads: threads)
    var record = provenance(trainings.map(\.plan))
    let before = base.provenance.labels
    record.labels = Provenance.Labels(
      training: Set(training.classes).union(base.embeddingLabels).sorted(),
      validation: before?.validation ?? [])
    return Outcome(
      recognizer: Recognizer(
        embedding: embedding,
        trained: ClassVectors(joining: trained.map(\.memory.trained), for: embedding)
          .fitted(to: training.drawings, after: base.memory.trained),
        priors: prior.map { [$0] } ?? base.memory.priors, head: base.head.configuration,
        policy: base.policy,
        provenance: record),
      curves: curves)
  }
}
