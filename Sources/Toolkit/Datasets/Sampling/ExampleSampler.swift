internal import CLibrary
internal import Files
public import Ink
public import Numbers

/// Samples training examples: drawings balanced over rare and frequent labels, rotated ones as
/// separate classes, and mixed ones without a label.
public struct ExampleSampler: Sendable {
  /// The weight and rotation of one source's drawings.
  public struct Share: Codable, Hashable, Sendable {
    /// The weight of this source's drawings relative to other sources, > 0.
    public var weight: Double
    /// The probability of rotating a drawing by 90, 180 or 270 degrees, which makes it a separate
    /// class, in 0...1.
    public var turning: Double

    /// A share.
    public init(weight: Double = 1, turning: Double = 0) {
      self.weight = weight
      self.turning = turning
    }
  }

  /// The settings shared by all sources.
  public struct Settings: Codable, Hashable, Sendable {
    /// The exponent of class frequency, in 0...1: a label is drawn in proportion to its number of
    /// drawings to this power. 1 draws every drawing equally often, 0 every label.
    public var balance: Double
    /// The augmentation of each drawing.
    public var augmentation: Augmentation
    /// How drawings are mixed; nil for no mixing.
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
    /// The augmented drawing.
    public var drawing: Drawing
    /// Its class as an index into `classes`; nil for a mixed drawing.
    public var label: Int?
    /// The factor for the pen width.
    public var strokeWidthFactor: Double
  }

  /// The classes in ascending order: labels and, for sources with rotation, "label@90", "label@180"
  /// and "label@270", with a "'" where that is another label.
  public let classes: [String]
  /// A digest of the drawings and settings.
  public let fingerprint: String
  private let settings: Settings
  private let drawings: [Drawing]
  /// For each drawing, the class when upright and the three when rotated.
  private let classesOfTurns: [SIMD4<Int32>]
  private let turnings: [Double]
  /// The cumulative weights of the drawings.
  private let cumulative: [Double]
  /// The drawings that are mixed.
  private let pool: [Drawing]

  /// A sampler.
  ///
  /// - Parameters:
  ///   - sources: Labeled drawings and their shares; a label that occurs in several sources is one
  ///     class.
  ///   - unlabeled: Additional drawings that are used only for mixing.
  ///   - settings: The settings shared by all sources.
  public init(
    _ sources: [(samples: SampleSet, share: Share)], unlabeled: [Drawing] = [], settings: Settings
  ) {
    self.settings = settings
    var counts: [String: Int] = [:]
    var turned: Set<String> = []
    for (samples, share) in sources {
      for (label, count) in zip(samples.classes, samples.counts) {
        counts[label, default: 0] += count
        if share.turning > 0 { turned.insert(label) }
      }
    }
    var names = Set(counts.keys)
    var namesOfTurns: [String: [String]] = [:]
    for label in turned.sorted() {
      namesOfTurns[label] = (1...3).map { turns in
        var name = "\(label)@\(turns * 90)"
        // Somebody's label may be "a@90", too.
        while !names.insert(name).inserted { name += "'" }
        return name
      }
    }
    let classes = names.sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(classes, classes.indices))
    func number(_ label: String, _ turns: Int) -> Int32 {
      let name = turns == 0 ? label : namesOfTurns[label]?[turns - 1]
      return Int32(truncatingIfNeeded: name.flatMap { numbers[$0] } ?? -1)
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
    pool = drawings + unlabeled
    var fingerprint = Fingerprint()
    for (samples, share) in sources {
      fingerprint.update("\(share.weight) \(share.turning)")
      fingerprint.update(samples.fingerprint)
    }
    for drawing in unlabeled { fingerprint.update(drawing.digest) }
    fingerprint.update("\(settings)")
    self.fingerprint = fingerprint.hexadecimal()
  }

  /// The number of labeled drawings.
  public var count: Int { drawings.count }

  /// The number of drawings available for mixing.
  public var poolCount: Int { pool.count }

  /// A random example. There must be drawings.
  ///
  /// - Parameters:
  ///   - slice: The part of the drawings that it is chosen from, where they lie side by side in
  ///     0..<1, each as wide as its weight. Equal slices for the examples of an epoch (stratified
  ///     sampling) choose each drawing about as often as its weight says, and with equal weights
  ///     once.
  ///   - generator: The source of randomness.
  /// - Returns: The example.
  public func example(
    in slice: Range<Double> = 0..<1, using generator: inout SeededGenerator
  ) -> Example {
    precondition(!drawings.isEmpty, "there are no drawings to choose from")
    if let mixer = settings.mixer, generator.chance(settings.mixedShare) {
      let (first, second) = (generator.pick(pool), generator.pick(pool))
      let mixed = mixer(first, second, changedBy: settings.augmentation, using: &generator)
      return Example(
        drawing: mixed, label: nil,
        strokeWidthFactor: settings.augmentation.strokeWidthFactor(using: &generator))
    }
    let place = generator.unit()
    let index = chosen(slice.lowerBound + place * (slice.upperBound - slice.lowerBound))
    let turns = generator.chance(turnings[index]) ? 1 + generator.integer(below: 3) : 0
    let drawing = settings.augmentation(drawings[index].turned(quarters: turns), using: &generator)
    return Example(
      drawing: drawing, label: Int(classesOfTurns[index][turns]),
      strokeWidthFactor: settings.augmentation.strokeWidthFactor(using: &generator))
  }

  /// The index of the drawing at the fraction `unit` of the cumulative weights.
  private func chosen(_ unit: Double) -> Int {
    let wanted = unit * (cumulative.last ?? 0)
    return cumulative.dropLast().partitioningIndex { $0 > wanted }
  }
}
