internal import CLibrary
public import Ink
public import Recognition

/// One shape found on a canvas.
public struct Segment: Hashable, Sendable {
  /// Indices of its strokes in the order in which they were added, ascending.
  public var strokes: [Int]
  /// The box around its points.
  public var box: BoundingBox
  /// The recognizer's answer; nil without a recognizer that has labels, and for too little ink.
  public var answer: Answer?
  /// The probability that exactly these strokes are a shape: the share of the kept groupings,
  /// weighted by their scores, that contain this group, in 0...1.
  public var sureness: Double
}

/// Groups the strokes of a canvas into shapes, one stroke after the other.
///
/// A grouping's score is the weighted sum of the log-probabilities of its joins, by position and
/// timing, and of features of each group as one whole shape, which include the recognizer's answer;
/// the weights are fitted to canvases. A beam search keeps the best `beam` groupings of all strokes
/// so far, so a later stroke can change earlier decisions. Each group is evaluated once, even if
/// several groupings contain it.
///
/// A value type: copies are independent.
public struct Segmenter: Sendable {
  /// The limits of the search.
  public struct Limits: Sendable, Hashable {
    /// The beam width: the number of groupings kept from stroke to stroke.
    public var beam = 8
    /// The maximum number of groups evaluated per stroke.
    public var readings = 8
    /// Groups are not evaluated if their grouping's score before evaluation is lower than the best
    /// by more than this log-odds. `docs/research/segmentation.md` compares margins.
    public var margin: Float = 6
    /// The same for a canvas whose strokes are all there. A live canvas keeps some groups as they
    /// are, which may be far from the likeliest, so it needs a wider margin.
    public var wholeMargin: Float = 4
    /// A stroke is compared with this many strokes before it; groups without any of them are not
    /// extended.
    public var reach = 64
    /// Whether groups that are out of reach are settled: no longer part of the search, so that the
    /// cost of a stroke does not depend on the number of earlier shapes. A live canvas, which
    /// closes shapes itself, leaves this off.
    public var settles = false

    /// The default limits.
    public init() {}

    /// These limits for a canvas whose strokes are all there.
    public var forWholeCanvas: Limits {
      var limits = self
      (limits.settles, limits.margin) = (true, wholeMargin)
      return limits
    }
  }

  private let basis: Basis
  private var limits: Limits
  private var history: StrokeHistory
  /// The strokes of groups that are not settled, in drawing order.
  private(set) var strokes = VisibleInk()
  /// Shapes that no later stroke changes.
  private var settled: [Segment] = []
  /// The groups of the kept groupings, by number.
  private(set) var groups: [Int: Entry] = [:]
  private var nextNumber = 0
  private(set) var hypotheses = [Hypothesis()]
  /// Whether all evaluated groups are recorded in `evaluatedGroups`, for fitting.
  var recordsGroups = false
  /// Each stroke's true shape, for fitting; if set, only the true grouping is followed.
  private var truth: [Int]?
  private(set) var evaluatedGroups: [EvaluatedGroup] = []
  /// The number of groups evaluated.
  public private(set) var readingCount = 0

  /// Whether a recognizer is asked about groups.
  var asksRecognizer: Bool { basis.reader.answers }

  /// What scores groupings. All copies of a segmenter share it: undoing keeps many.
  private final class Basis: Sendable {
    let model: SegmenterModel
    let reader: GroupReader
    /// The weights of the terms of a grouping's score.
    let weights: [Float]

    init(_ recognizer: Recognizer?, _ model: SegmenterModel) {
      self.model = model
      reader = GroupReader(recognizer, model)
      weights = reader.answers ? model.weights : model.blindWeights
    }
  }

  /// A group that was evaluated, for fitting.
  struct EvaluatedGroup: Sendable {
    /// Its strokes; all strokes before its last one are part of the context.
    var strokes: [Int]
    var frame: BoundingBox
  }

  /// A group of the search, shared like `Basis`.
  final class Entry: Sendable {
    let group: Group
    let reading: Reading?
    /// Its contribution to the score of a grouping.
    let worth: Float

    init(_ group: Group, reading: Reading? = nil, worth: Float = 0) {
      (self.group, self.reading, self.worth) = (group, reading, worth)
    }
  }

  /// One grouping of all strokes so far.
  struct Hypothesis: Sendable {
    /// The numbers of its groups.
    var groups: [Int] = []
    /// The sum of the strokes' log-probabilities by place and time.
    var joins: Float = 0
    /// The total score, including the contributions of its groups.
    var score: Float = 0
  }

  /// A segmenter without strokes.
  ///
  /// - Parameters:
  ///   - recognizer: Classifies groups of strokes; without it, or without labels, groupings are
  ///     scored by position, timing and wholeness alone.
  ///   - model: The fitted weights and networks.
  ///   - limits: The limits of the search.
  public init(
    recognizer: Recognizer?, model: SegmenterModel, limits: Limits = Limits()
  ) {
    precondition(
      limits.beam >= 1 && limits.readings >= 1 && limits.reach >= 1 && limits.margin >= 0,
      "limits are at least 1, the margin at least 0")
    self.init(Basis(recognizer, model), limits)
  }

  private init(_ basis: Basis, _ limits: Limits) {
    (self.basis, self.limits) = (basis, limits)
    history = StrokeHistory(reach: limits.reach)
  }

  /// The same without any stroke.
  public func cleared() -> Segmenter { Segmenter(basis, limits) }

  /// The recognizer's answer to strokes as one drawing; nil without a recognizer, and for too
  /// little ink.
  func answer(about strokes: [Stroke]) -> Answer? {
    basis.reader.answered([Drawing(strokes: strokes)])[0]
  }

  /// The same without any stroke, and with another recognizer.
  func cleared(with recognizer: Recognizer?) -> Segmenter {
    Segmenter(recognizer: recognizer, model: basis.model, limits: limits)
  }

  /// The shapes of a whole canvas.
  ///
  /// - Parameter drawing: The strokes, in any order if all have times; its labels are ignored.
  /// - Returns: The shapes, with indices into the drawing's strokes.
  /// - Throws: `InkError` for a stroke without points or with a number that is not finite.
  public func segments(of drawing: Drawing) throws -> [Segment] {
    let order = Self.order(of: drawing.strokes)
    var copy = cleared()
    copy.limits = limits.forWholeCanvas
    for index in order {
      do {
        try copy.add(drawing.strokes[index])
      } catch InkError.invalidNumber(_, let point, let axis) {
        throw InkError.invalidNumber(stroke: index, point: point, axis: axis)
      }
    }
    return copy.segments.map { segment in
      var named = segment
      named.strokes = segment.strokes.map { order[$0] }.sorted()
      return named
    }
  }

  /// The order in which strokes were drawn: by start time if all have finite times, else unchanged.
  ///
  /// - Returns: Indices into `strokes`.
  public static func order(of strokes: [Stroke]) -> [Int] {
    let starts = strokes.compactMap { $0.points.first?.t }.filter(\.isFinite)
    guard starts.count == strokes.count else { return Array(strokes.indices) }
    return strokes.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }
  }

  /// Adds the stroke that was drawn next.
  ///
  /// - Throws: `InkError` for a stroke without points or with a number that is not finite; nothing
  ///   has changed then.
  public mutating func add(_ stroke: Stroke) throws {
    guard !stroke.points.isEmpty else { throw InkError.emptyDrawing }
    guard let summary = StrokeSummary(stroke) else {
      let point = stroke.points.firstIndex { !$0.x.isFinite || !$0.y.isFinite } ?? 0
      throw InkError.invalidNumber(
        stroke: history.count, point: point, axis: stroke.points[point].x.isFinite ? .y : .x)
    }
    let context = history.add(summary)
    let isLong = stroke.points.count > Self.mostPoints
    strokes.add(
      isLong ? stroke.resampled(count: Self.mostPoints) : stroke, summary.box, at: context.index)
    try extend(context)
    if limits.settles, truth == nil, !recordsGroups { settle() }
    forgetUnused()
  }

  /// The maximum number of points of a stroke for the recognizer: more than its pictures resolve.
  private static let mostPoints = 512

  /// The shapes of the best grouping, in the order of their first strokes.
  public var segments: [Segment] {
    (settled + segments(of: hypotheses[0], among: hypotheses)).sorted {
      $0.strokes[0] < $1.strokes[0]
    }
  }

  /// The groups of one grouping, with their probability among the `kept` groupings and their
  /// answers.
  func segments(of best: Hypothesis, among kept: [Hypothesis]) -> [Segment] {
    var shares: [Int: Double] = [:]
    var sum = 0.0
    for hypothesis in kept {
      let share = exp(Double(hypothesis.score - best.score))
      guard share.isFinite else { continue }
      sum += share
      for number in hypothesis.groups { shares[number, default: 0] += share }
    }
    return best.groups.compactMap { number in
      groups[number].map {
        segment($0, sureness: sum > 0 ? min(1, (shares[number] ?? 0) / sum) : 1)
      }
    }
  }

  private func segment(_ entry: Entry, sureness: Double) -> Segment {
    Segment(
      strokes: entry.group.strokes, box: entry.group.box, answer: entry.reading?.answer,
      sureness: sureness)
  }

  // MARK: The search

  /// A grouping extended by a stroke.
  private struct Extension {
    var parent: Int
    /// The group that is joined; nil for a new one.
    var joined: Int?
    var group: Int
    var joins: Float
    var guess: Float
  }

  private mutating func extend(_ context: JoinFeatures.Context) throws(InkError) {
    var scores: [Int: Float] = [:]
    // The group that the stroke makes of each that it may join: the others have no such stroke.
    var numbers: [Int?: Int] = [:]
    var extensions: [Extension] = []
    for (parent, hypothesis) in hypotheses.enumerated() {
      var open: [(number: Int, score: Float)] = []
      for number in hypothesis.groups {
        guard let group = groups[number]?.group,
          group.strokes[group.strokes.count - 1] >= context.oldest,
          truth != nil || group.strokes.count < Self.mostStrokes
        else { continue }
        let score =
          scores[number] ?? basis.model.join.score(JoinFeatures.features(context, group))
        scores[number] = score
        open.append((number, score))
      }
      let top = max(0, open.map(\.score).max() ?? 0)
      let sum = open.reduce(expf(-top)) { $0 + expf($1.score - top) }
      let norm = top + logf(sum)
      var ways: [(joined: Int?, score: Float)] = [(nil, 0)]
      ways += open.map { ($0.number, $0.score) }
      for (joined, score) in ways {
        let probability = score - norm
        guard isAllowed(joined, context.index, probability, among: open.map(\.number)) else {
          continue
        }
        let number = numbers[joined] ?? add(joining: joined, context)
        numbers[joined] = number
        let old = joined.flatMap { groups[$0]?.worth } ?? 0
        let joins = hypothesis.joins + probability
        // Until it is evaluated, a group's contribution is estimated by its value before the
        // stroke.
        let worth = groups[number].flatMap { $0.reading == nil ? nil : $0.worth } ?? old
        extensions.append(
          Extension(
            parent: parent, joined: joined, group: number, joins: joins,
            guess: hypothesis.score + basis.weights[0] * probability - old + worth))
      }
    }
    extensions.sort { ($1.guess, $0.group, $0.parent) < ($0.guess, $1.group, $1.parent) }
    var unread: [Int] = []
    for candidate in extensions where candidate.guess >= extensions[0].guess - limits.margin {
      guard unread.count < limits.readings else { break }
      if groups[candidate.group]?.reading == nil, !unread.contains(candidate.group) {
        unread.append(candidate.group)
      }
    }
    try evaluate(unread, usualSide: context.usualSide)
    var chosen: [Hypothesis] = []
    for candidate in extensions where groups[candidate.group]?.reading != nil {
      let parent = hypotheses[candidate.parent]
      var next = Hypothesis(
        groups: parent.groups.filter { $0 != candidate.joined } + [candidate.group],
        joins: candidate.joins)
      next.score = score(of: next)
      chosen.append(next)
    }
    chosen.sort {
      $0.score == $1.score
        ? $0.groups.lexicographicallyPrecedes($1.groups) : $0.score > $1.score
    }
    hypotheses = Array(chosen.prefix(limits.beam))
  }

  private func isAllowed(
    _ joined: Int?, _ stroke: Int, _ probability: Float, among open: [Int]
  ) -> Bool {
    guard let truth else { return probability > Self.leastLogProbability }
    func isTrue(_ number: Int) -> Bool {
      groups[number].map { truth[$0.group.strokes[0]] == truth[stroke] } ?? false
    }
    return joined.map(isTrue) ?? !open.contains(where: isTrue)
  }

  /// A group of this many strokes is not extended: the cost of a stroke grows with the size of its
  /// group.
  private static let mostStrokes = 512
  /// Less likely joins are not tried: about 1 in 3000.
  private static let leastLogProbability: Float = -8

  private func score(of hypothesis: Hypothesis) -> Float {
    hypothesis.groups.reduce(basis.weights[0] * hypothesis.joins) {
      $0 + (groups[$1]?.worth ?? 0)
    }
  }

  /// Adds the group that results from a stroke joining a group, or starting one.
  ///
  /// - Returns: Its number.
  private mutating func add(joining joined: Int?, _ context: JoinFeatures.Context) -> Int {
    let group =
      joined.flatMap { groups[$0]?.group.adding(context) }
      ?? Group(context.index, context.summary)
    defer { nextNumber += 1 }
    // One stroke of very many changes little: such groups are re-evaluated only every 16 strokes.
    let count = group.strokes.count
    let isAsBefore = count > limits.reach && !count.isMultiple(of: 16)
    let old = isAsBefore ? joined.flatMap { groups[$0] } : nil
    groups[nextNumber] = Entry(group, reading: old?.reading, worth: old?.worth ?? 0)
    return nextNumber
  }

  private mutating func evaluate(_ numbers: [Int], usualSide: Double) throws(InkError) {
    let unread = numbers.compactMap { number in groups[number].map { (number, $0.group) } }
    let subjects = unread.map { _, group in
      let frame = GroupPicture.frame(of: group.box, usualSide: usualSide)
      let (own, others) = strokes.seen(group.strokes, in: frame)
      return GroupReader.Subject(strokes: own, others: others, frame: frame)
    }
    let readings = try basis.reader.read(subjects)
    for ((number, group), (subject, reading)) in zip(unread, zip(subjects, readings)) {
      let worth = zip(reading.features, basis.weights.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
      groups[number] = Entry(group, reading: reading, worth: worth)
      if recordsGroups {
        evaluatedGroups.append(EvaluatedGroup(strokes: group.strokes, frame: subject.frame))
      }
    }
    readingCount += readings.count
  }

  /// Removes groups that no later stroke can join from the search, as they are in the best
  /// grouping.
  private mutating func settle() {
    let passed = hypotheses[0].groups.filter { number in
      groups[number]?.group.strokes.last.map { $0 < history.count - limits.reach } ?? false
    }
    guard !passed.isEmpty else { return }
    var over = hypotheses[0]
    over.groups = passed
    settled += segments(of: over, among: hypotheses)
    hypotheses.removeAll { hypothesis in
      !passed.allSatisfy { hypothesis.groups.contains($0) }
    }
    for number in passed {
      strokes.remove(groups[number]?.group.strokes ?? [])
    }
    // Subtract a common offset, which does not affect the ranking.
    let joins = hypotheses[0].joins
    for index in hypotheses.indices {
      hypotheses[index].groups.removeAll { passed.contains($0) }
      hypotheses[index].joins -= joins
      hypotheses[index].score = score(of: hypotheses[index])
    }
  }

  /// Removes groups that are in no grouping.
  private mutating func forgetUnused() {
    let used = Set(hypotheses.lazy.flatMap(\.groups))
    groups = groups.filter { used.contains($0.key) }
  }

  // MARK: For fitting

  /// The terms of the given grouping's score, which is their weighted sum.
  func terms(of truth: [[Int]], on strokes: [Stroke]) throws -> [Float] {
    var segmenter = cleared()
    var owners = [Int](repeating: 0, count: strokes.count)
    for (shape, members) in truth.enumerated() {
      for stroke in members { owners[stroke] = shape }
    }
    segmenter.truth = owners
    for stroke in strokes { try segmenter.add(stroke) }
    return segmenter.terms(of: segmenter.hypotheses[0])
  }

  /// The terms of a grouping's score, which is their weighted sum; shape [1 + GroupFeatures.count].
  func terms(of hypothesis: Hypothesis) -> [Float] {
    var sum = [Float](repeating: 0, count: 1 + GroupFeatures.count)
    sum[0] = hypothesis.joins
    for number in hypothesis.groups {
      for (k, value) in (groups[number]?.reading?.features ?? []).enumerated() {
        sum[1 + k] += value
      }
    }
    return sum
  }
}
