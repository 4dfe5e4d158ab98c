internal import Support

/// A piece of work that is timed.
package struct SpeedStep {
  /// Names it on the command line and in reports, such as "embed-256".
  package var name: String
  /// What it does, in words.
  package var title: String
  /// What is counted, such as "drawings".
  package var unit: String
  /// How many threads work.
  package var threads = 1
  /// Makes the inputs, before any clock runs.
  var prepare: () async throws -> PreparedStep
}

/// A piece of work whose inputs are there.
package struct PreparedStep {
  /// How many units a run does.
  package var count: Int
  /// The bytes that a run reads, where that says something.
  package var bytes: Int?
  /// The floating-point operations of a run, where they are known.
  package var operations: Double?
  /// Does the work once, and says how long that took.
  package var run: () async throws -> Duration
  /// Inputs and results, for another program to compare with.
  var record: () async throws -> SpeedRecord = { SpeedRecord() }
  /// Ends what `prepare` began.
  var finish: () async -> Void = {}
}

/// Arrays by name, as an HDF5 file keeps them.
struct SpeedRecord {
  private var floats: [(name: String, values: [Float], shape: [Int])] = []
  private var integers: [(name: String, values: [Int], shape: [Int])] = []
  private var texts: [(name: String, values: [String])] = []

  mutating func add(_ name: String, _ values: [Float], shape: [Int]) {
    floats.append((name, values, shape))
  }

  mutating func add(_ name: String, _ values: [Int], shape: [Int]) {
    integers.append((name, values, shape))
  }

  mutating func add(_ name: String, _ values: [String]) {
    texts.append((name, values))
  }

  /// Writes the file, if there is anything to write.
  func write(to path: String) throws {
    guard !floats.isEmpty || !integers.isEmpty || !texts.isEmpty else { return }
    let image = try HDF5Writer()
    for entry in floats { try image.write(entry.values, shape: entry.shape, at: "/" + entry.name) }
    for entry in integers {
      try image.write(entry.values, shape: entry.shape, at: "/" + entry.name)
    }
    for entry in texts { try image.write(entry.values, at: "/" + entry.name) }
    try AtomicFile.write(try image.bytes(), to: path, isMadeUp: true)
  }
}

/// How long `work` takes.
func time(_ work: () throws -> Void) rethrows -> Duration {
  let start = ContinuousClock.now
  try work()
  return ContinuousClock.now - start
}

/// How long `work` takes.
func time(_ work: () async throws -> Void) async rethrows -> Duration {
  let start = ContinuousClock.now
  try await work()
  return ContinuousClock.now - start
}
