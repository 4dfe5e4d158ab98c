internal import CLibrary

/// A small, fast generator whose whole state is one seed, so that a run can be repeated.
///
/// The algorithm is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014, doi:10.1145/2660193.2660195). Streams make parallel work repeatable:
/// sample 17 of epoch 3 draws the same numbers whichever thread handles it.
public struct SeededGenerator: RandomNumberGenerator, Sendable, Equatable {
  private var state: UInt64

  /// A generator that always gives the same numbers for the same `seed`.
  public init(seed: UInt64) {
    state = seed
  }

  /// An independent generator for one piece of a larger job.
  ///
  /// - Parameters:
  ///   - seed: The seed of the whole job.
  ///   - stream: Numbers that identify the piece, such as an epoch and a sample's index; order
  ///     matters.
  public init(seed: UInt64, stream: Int...) {
    state = Self.mix(seed)
    for part in stream {
      state = Self.mix(state ^ Self.mix(UInt64(bitPattern: Int64(part)) &+ 0x9e37_79b9_7f4a_7c15))
    }
  }

  /// The next 64 uniformly distributed bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Self.mix(state)
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

// The standard library may change how `Double.random(in:using:)` and `shuffle(using:)` use a
// generator's bits from one version to the next; these do not change, so reports stay repeatable.
extension RandomNumberGenerator {
  /// A uniform number in 0..<1 with 53 random bits.
  public mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A uniform number in `range`.
  public mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * unit()
  }

  /// A uniform whole number in 0..<`bound`; `bound` must be positive.
  public mutating func integer(below bound: Int) -> Int {
    precondition(bound > 0, "integer(below:) needs a positive bound, got \(bound)")
    // Lemire, "Fast random integer generation in an interval", doi:10.1145/3230636.
    let range = UInt64(bound)
    var product = next().multipliedFullWidth(by: range)
    if product.low < range {
      let threshold = (0 &- range) % range
      while product.low < threshold { product = next().multipliedFullWidth(by: range) }
    }
    return Int(product.high)
  }

  /// True with the given `probability` in 0...1.
  public mutating func chance(_ probability: Double) -> Bool {
    unit() < probability
  }

  /// A draw from the normal distribution (Box and Muller 1958, doi:10.1214/aoms/1177706645).
  public mutating func normal(mean: Double = 0, deviation: Double = 1) -> Double {
    let radius = (-2 * log(1 - unit())).squareRoot()
    return mean + deviation * radius * cos(2 * Double.pi * unit())
  }

  /// The whole numbers 0..<`count` in random order (Fisher and Yates).
  public mutating func permutation(_ count: Int) -> [Int] {
    var order = Array(0..<count)
    shuffle(&order)
    return order
  }

  /// Puts `elements` in random order (Fisher and Yates).
  public mutating func shuffle<Element>(_ elements: inout [Element]) {
    guard elements.count > 1 else { return }
    for last in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(last, integer(below: last + 1))
    }
  }

  /// One of `elements`, which must not be empty.
  public mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[integer(below: elements.count)]
  }
}
