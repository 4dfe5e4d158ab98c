internal import Files
internal import HDF5
internal import NeuralNetwork

/// A timed piece of work.
package struct SpeedStep {
  /// Its name on the command line and in reports, such as "embed-256".
  package var name: String
  /// What it does, in words.
  package var title: String
  /// The unit that is counted, such as "drawings".
  package var unit: String
  /// The number of threads.
  package var threads = 1
  /// The kernels of its networks and searches.
  var kernels = KernelChoice.auto
  /// Makes the inputs; not timed.
  var prepare: () async throws -> PreparedStep
}

/// A timed piece of work with its inputs ready.
package struct PreparedStep {
  /// The number of units per run.
  package var count: Int
  /// The bytes that a run reads, if they are worth reporting.
  package var bytes: Int?
  /// The floating-point operations of a run, if known.
  package var operations: Double?
  /// Does the work once and returns its duration.
  package var run: () async throws -> Duration
  /// Inputs and results, for another program to compare with.
  var record: () async throws -> SpeedRecord = { SpeedRecord() }
  /// Cleans up after `prepare`.
  var finish: () async -> Void = {}
}

/// Named arrays, to be stored in an HDF5 file.
struct SpeedRecord {
  private var writes: [@Sendable (borrowing HDF5Writer) throws -> Void] = []

  mutating func add(_ name: String, _ values: [Float], shape: [Int]) {
    writes.append { try $0.write(values, shape: shape, at: "/" + name) }
  }

  mutating func add(_ name: String, _ values: [Int], shape: [Int]) {
    writes.append { try $0.write(values, shape: shape, at: "/" + name) }
  }

  mutating func add(_ name: String, _ values: [String]) {
    writes.append { try $0.write(values, at: "/" + name) }
  }

  /// Writes the file, if there is anything to write.
  func write(to path: String) throws {
    guard !writes.isEmpty else { return }
    let image = try HDF5Writer()
    for write in writes { try write(image) }
    try AtomicFile.write(try image.bytes(), to: path, replacesLinks: true)
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
