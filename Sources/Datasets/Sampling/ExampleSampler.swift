public import Ink
public import Support

/// Draws the examples of a training at random: drawings of rare and frequent labels in fair shares,
/// turned ones as labels of their own, and mixed ones without a label.
public struct ExampleSampler: Sendable {
  /// How the drawings of one source take part.
  public struct Share: Codable, Hashable, Sendable {
    /// What this source's drawings weigh beside those of other sources, > 0.
    public var weight: Double
    /// How often a drawing is turned by 90, 180 or 270 degrees and then belongs to a label of its
    /// own, in 0...1.
    public var turning: Double

    /// A share.
    public init(weight: Double = 1, turning: Double = 0) {
      self.weight = weight
      self.turning = turning
    }
  }

  /// What all sources have in common.
  public struct Settings: Codable, Hashable, Sendable {
    /// 1 draws every drawing equally often, 0 every label, and what lies between the power of the
    /// label's number of drawings in between; in 0...1.
    public var balance: Double
    /// How each drawing is changed.
    public var augmentation: Augmentation
    /// How drawings are mixed, nil for none.
    public var mixer: DrawingMixer?
    /// The share of examples that are mixed, in 0..<1.
    public var mixedShare: Double

    /// Settings.
    public init(
      balance: Double = 1, augmentation: Augmentation = .standard, mixer: DrawingMixer? = nil,
      mixedShare: Double = 0
    ) {
      self.balance = balance
      self.augmentation = augmentation
      self.mixer = mixer
      self.mixedShare = mixedShare
    }
  }

  /// One example.
  public struct Example: Sendable {
    /// The changed drawing.
    public var drawing: Drawing
    /// Its class as an index into `classes`, nil for a mixed drawing.
    public var label: Int?
    /// What the pen's width is to be multiplied with.
    public var strokeWidthFactor: Double
  }

  /// The classes in ascending order: labels, and for sources that turn also "label@90", "label@180"
  /// and "label@270".
  public let classes: [String]
  /// Names the drawings and settings.
  public let fingerprint: String
  private let settings: Settings
  private let drawings: [Drawing]
  /// For each drawing, the class when it stands upright and the three when it is turned.
  private let classesOfTurns: [SIMD4<Int32>]
  private let turnings: [Double]
  /// Running sums of the drawings' weights.
  private let cumulative: [Double]
  /// All that is mixed.
  private let pool: [Drawing]

  /// A sampler.
  ///
  /// - Parameters:
  ///   - sources: Labeled drawings and how they take part; a label that occurs in several is one
  ///     class.
  ///   - unlabelled: Drawings that are only mixed, besides the others.
  ///   - settings: What all sources have in common.
  public init(
    _ sources: [(samples: SampleSet, share: Share)], unlabelled: [Drawing] = [], settings: Settings
  ) {
    self.settings = settings
    var names: Set<String> = []
    var counts: [String: Int] = [:]
    for (samples, share) in sources {
      for (label, count) in zip(samples.classes, samples.counts) {
        counts[label, default: 0] += count
        names.insert(label)
        if share.turning > 0 { names.formUnion((1...3).map { Self.name(label, $0) }) }
      }
    }
    let classes = names.sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(classes, classes.indices))
    func number(_ label: String, _ turns: Int) -> Int32 {
      Int32(truncatingIfNeeded: numbers[Self.name(label, turns)] ?? -1)
    }
    var (drawings, places, turnings, cumulative) = (
      [Drawing](), [SIMD4<Int32>](), [Double](), [Double]()
    )
    var sum = 0.0
    for (samples, share) in sources {
      let numbers = samples.classes.map { label in
        SIMD4(number(label, 0), number(label, 1), number(label, 2), number(label, 3))
      }
      let weights = samples.classes.map { label in
        share.weight * pow(Double(counts[label] ?? 1), settings.balance - 1)
      }
      for (drawing, label) in zip(samples.drawings, samples.classIndices) {
        drawings.append(drawing)
        places.append(numbers[label])
        turnings.append(share.turning)
        sum += weights[label]
        cumulative.append(sum)
      }
    }
    self.classes = classes
    self.drawings = drawings
    self.turnings = turnings
    self.cumulative = cumulative
    classesOfTurns = places
    pool = drawings + unlabelled
    var fingerprint = Fingerprint()
    for (samples, share) in sources {
      fingerprint.update("\(share.weight) \(share.turning)")
      fingerprint.update(samples.fingerprint)
    }
    for drawing in unlabelled { fingerprint.update(drawing.digest) }
    fingerprint.update("\(settings)")
    self.fingerprint = fingerprint.hexadecimal()
  }

  /// How many labeled drawings there are.
  public var count: Int { drawings.count }

  /// How many drawings there are to mix.
  public var poolCount: Int { pool.count }

  /// An example at random. There must be drawings.
  public func example(using generator: inout SeededGenerator) -> Example {
    precondition(!drawings.isEmpty, "there are no drawings to choose from")
    if let mixer = settings.mixer, generator.chance(settings.mixedShare) {
      let (first, second) = (generator.pick(pool), generator.pick(pool))
      let mixed = mixer(first, second, changedBy: settings.augmentation, using: &generator)
      return Example(
        drawing: mixed, label: nil,
        strokeWidthFactor: settings.augmentation.strokeWidthFactor(using: &generator))
    }
    let index = chosen(generator.unit())
    let turns = generator.chance(turnings[index]) ? 1 + generator.integer(below: 3) : 0
    let drawing = settings.augmentation(drawings[index].turned(quarters: turns), using: &generator)
    return Example(
      drawing: drawing, label: Int(classesOfTurns[index][turns]),
      strokeWidthFactor: settings.augmentation.strokeWidthFactor(using: &generator))
  }

  /// The drawing in whose part of all weights `unit` of them falls.
  private func chosen(_ unit: Double) -> Int {
    let wanted = unit * (cumulative.last ?? 0)
    return cumulative.dropLast().partitioningIndex { $0 > wanted }
  }

  private static func name(_ label: String, _ turns: Int) -> String {
    turns == 0 ? label : "\(label)@\(turns * 90)"
  }
}
