public import Ink
public import Recognition
internal import Support

/// One shape found on a canvas.
public struct Segment: Hashable, Sendable {
  /// Indices of its strokes in the order in which they were added, ascending.
  public var strokes: [Int]
  /// The box around its points.
  public var box: BoundingBox
  /// What the recognizer says of it; nil without a recognizer that was taught something, and for
  /// too little ink.
  public var answer: Answer?
  /// How sure it is that these strokes and no others are a shape: the share of the groupings that
  /// were kept, by their scores, in which they are one, in 0...1.
  public var sureness: Double
}

/// Groups the strokes of a canvas into shapes, one stroke after the other.
///
/// A grouping's score adds up how much the places and times of strokes speak for the groups that
/// they joined, and how much each group looks like one whole shape to the recognizer; the weights
/// are fitted to canvases. Of the groupings of all strokes so far the best `beam` are kept (a beam
/// search), so what a later stroke shows can change what came before. A group is looked at by the
/// recognizer once, whatever groupings it is in.
///
/// A value: a copy goes on by itself.
public struct Segmenter: Sendable {
  /// How much is tried.
  public struct Limits: Sendable, Hashable {
    /// How many groupings are kept from stroke to stroke.
    public var beam = 8
    /// The most groups that the recognizer looks at for one stroke.
    public var readings = 8
    /// The recognizer does not look at groups of groupings that are so much less likely than the
    /// best, by the logarithm of the odds before it looks: on 700 canvases, 5 gave the same rates
    /// as looking at all, with half as many looks.
    public var margin: Float = 6
    /// A stroke is compared with this many strokes before it; groups without any of them stay as
    /// they are.
    public var reach = 64
    /// Whether groups that are out of reach are settled: no longer part of the search, so that a
    /// stroke costs the same however many shapes came before. A live canvas, which closes shapes by
    /// itself, leaves this off.
    public var settles = false

    /// The usual limits.
    public init() {}
  }

  private let model: SegmenterModel
  private let reader: GroupReader
  /// What the terms of a grouping's score weigh.
  private let weights: [Float]
  private var limits: Limits
  private var history: StrokeHistory
  /// The strokes of groups that are not settled, in the order in which they came.
  private(set) var strokes = VisibleInk()
  /// Shapes that no later stroke changes.
  private var settled: [Segment] = []
  /// The groups of the groupings that are kept, by number.
  private(set) var groups: [Int: Entry] = [:]
  private var numbers: [[Int]: Int] = [:]
  private var nextNumber = 0
  private(set) var hypotheses = [Hypothesis()]
  /// Whether all that the recognizer looked at is kept, for fitting.
  var keepsReadings = false
  /// Each stroke's true shape, for fitting: then only the true grouping is followed.
  private var truth: [Int]?
  private(set) var looks: [Look] = []
  /// How many groups were looked at.
  public private(set) var readingCount = 0

  /// A group that was looked at, for fitting.
  struct Look: Sendable {
    /// Its strokes; the strokes before its last one were there too.
    var strokes: [Int]
    var frame: BoundingBox
  }

  struct Entry: Sendable {
    var group: Group
    var reading: Reading?
    /// What it adds to the score of a grouping.
    var worth: Float
  }

  /// One grouping of all strokes so far.
  struct Hypothesis: Sendable {
    /// The numbers of its groups.
    var groups: [Int] = []
    /// The sum of the strokes' log-probabilities by place and time.
    var joins: Float = 0
    /// With what its groups are worth.
    var score: Float = 0
  }

  /// A segmenter that has seen no stroke yet.
  ///
  /// - Parameters:
  ///   - recognizer: Says what groups of strokes are; without it, or untaught, places and times
  ///     alone decide.
  ///   - model: What it was fitted to.
  ///   - limits: How much is tried.
  public init(
    recognizer: Recognizer?, model: SegmenterModel, limits: Limits = Limits()
  ) {
    precondition(
      limits.beam >= 1 && limits.readings >= 1 && limits.reach >= 1 && limits.margin >= 0,
      "limits are at least 1, the margin at least 0")
    self.model = model
    self.limits = limits
    history = StrokeHistory(reach: limits.reach)
    reader = GroupReader(recognizer, model)
    weights = reader.answers ? model.weights : model.blindWeights
  }

  /// The same without any stroke.
  public func cleared() -> Segmenter {
    var copy = self
    (copy.history, copy.strokes) = (StrokeHistory(reach: limits.reach), VisibleInk())
    (copy.settled, copy.groups, copy.numbers) = ([], [:], [:])
    (copy.nextNumber, copy.hypotheses, copy.readingCount) = (0, [Hypothesis()], 0)
    (copy.truth, copy.looks) = (nil, [])
    return copy
  }

  /// The same without any stroke, and with another recognizer.
  func cleared(with recognizer: Recognizer?) -> Segmenter {
    Segmenter(recognizer: recognizer, model: model, limits: limits)
  }

  /// The shapes of a whole canvas.
  ///
  /// - Parameter drawing: Its strokes, in any order where all have times; its own truth is not
  ///   looked at.
  /// - Returns: The shapes, with indices into the drawing's strokes.
  /// - Throws: `InkError` for a stroke without points or with a number that is not finite.
  public func segments(of drawing: Drawing) throws -> [Segment] {
    let order = Self.order(of: drawing.strokes)
    var copy = cleared()
    copy.limits.settles = true
    for index in order { try copy.add(drawing.strokes[index]) }
    return copy.segments.map { segment in
      var named = segment
      named.strokes = segment.strokes.map { order[$0] }.sorted()
      return named
    }
  }

  /// The order in which strokes were drawn: that of their beginnings where all have finite times,
  /// else as they are.
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
    if limits.settles, truth == nil, !keepsReadings { settle() }
    forgetUnused()
  }

  /// The recognizer is shown this many points of a stroke at most: more than its pictures can show.
  private static let mostPoints = 512

  /// The shapes of the best grouping, in the order of their first strokes.
  public var segments: [Segment] {
    (settled + segments(of: hypotheses[0], among: hypotheses)).sorted {
      $0.strokes[0] < $1.strokes[0]
    }
  }

  /// The groups of one grouping, how sure each is among `kept` ones, and what may be said of it.
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

  /// A grouping that a stroke makes of another one.
  private struct Extension {
    var parent: Int
    /// The group that is joined, nil for a new one.
    var joined: Int?
    var group: Int
    var joins: Float
    var guess: Float
  }

  private mutating func extend(_ context: JoinFeatures.Context) throws(InkError) {
    var scores: [Int: Float] = [:]
    var extensions: [Extension] = []
    for (parent, hypothesis) in hypotheses.enumerated() {
      var open: [(number: Int, score: Float)] = []
      for number in hypothesis.groups {
        guard let group = groups[number]?.group,
          group.strokes[group.strokes.count - 1] >= context.oldest,
          truth != nil || group.strokes.count < Self.mostStrokes
        else { continue }
        let score =
          scores[number] ?? model.join.score(JoinFeatures.features(context, group))
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
        let number = number(joining: joined, context)
        let old = joined.flatMap { groups[$0]?.worth } ?? 0
        let joins = hypothesis.joins + probability
        // Before it is read, a group is taken to be worth what it was before the stroke.
        let worth = groups[number].flatMap { $0.reading == nil ? nil : $0.worth } ?? old
        extensions.append(
          Extension(
            parent: parent, joined: joined, group: number, joins: joins,
            guess: hypothesis.score + weights[0] * probability - old + worth))
      }
    }
    extensions.sort { ($1.guess, $0.group, $0.parent) < ($0.guess, $1.group, $1.parent) }
    var chosen: [Hypothesis] = []
    var read = 0
    for candidate in extensions {
      if groups[candidate.group]?.reading == nil {
        guard read < limits.readings, candidate.guess >= extensions[0].guess - limits.margin
        else {
          continue
        }
        read += 1
        try look(at: candidate.group, usualSide: context.usualSide)
      }
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

  /// A group of this many strokes is whole: what a stroke costs grows with those of its group.
  private static let mostStrokes = 512
  /// Less likely continuations are not tried: about 1 in 3000.
  private static let leastLogProbability: Float = -8

  private func score(of hypothesis: Hypothesis) -> Float {
    hypothesis.groups.reduce(weights[0] * hypothesis.joins) {
      $0 + (groups[$1]?.worth ?? 0)
    }
  }

  /// The number of the group that a stroke makes by joining another one.
  private mutating func number(
    joining joined: Int?, _ context: JoinFeatures.Context
  ) -> Int {
    let group =
      joined.flatMap { groups[$0]?.group.adding(context) }
      ?? Group(context.index, context.summary)
    if let known = numbers[group.strokes] { return known }
    defer { nextNumber += 1 }
    numbers[group.strokes] = nextNumber
    var entry = Entry(group: group, reading: nil, worth: 0)
    // One stroke of very many changes little: such groups are read again from time to time only.
    let count = group.strokes.count
    if count > limits.reach, !count.isMultiple(of: 16), let old = joined.flatMap({ groups[$0] }) {
      (entry.reading, entry.worth) = (old.reading, old.worth)
    }
    groups[nextNumber] = entry
    return nextNumber
  }

  private mutating func look(at number: Int, usualSide: Double) throws(InkError) {
    guard var entry = groups[number] else { return }
    let frame = GroupPicture.frame(of: entry.group.box, usualSide: usualSide)
    let (own, others) = strokes.seen(entry.group.strokes, in: frame)
    let reading = try reader.read(own, among: others, frame: frame)
    readingCount += 1
    if keepsReadings { looks.append(Look(strokes: entry.group.strokes, frame: frame)) }
    entry.worth = zip(reading.features, weights.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
    entry.reading = reading
    groups[number] = entry
  }

  /// Takes groups that no later stroke can join out of the search, as the best grouping has them.
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
    // What all groupings have in common says nothing of which is best.
    let joins = hypotheses[0].joins
    for index in hypotheses.indices {
      hypotheses[index].groups.removeAll { passed.contains($0) }
      hypotheses[index].joins -= joins
      hypotheses[index].score = score(of: hypotheses[index])
    }
  }

  /// Forgets groups that are in no grouping.
  private mutating func forgetUnused() {
    let used = Set(hypotheses.lazy.flatMap(\.groups))
    for (number, entry) in groups where !used.contains(number) {
      groups[number] = nil
      numbers[entry.group.strokes] = nil
    }
  }

  // MARK: For fitting

  /// What the score of the given grouping is a weighted sum of.
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

  /// What the score of a grouping is a weighted sum of, shape [1 + GroupFeatures.count].
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
