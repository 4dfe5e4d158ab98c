package import Datasets
package import Ink
internal import NeuralNetwork
internal import Numbers
internal import Synchronization
internal import Training

/// Reads and rasterizes drawings: the work of a training on all of Quick, Draw! for each drawing
/// before it reaches the network.
///
/// They are those of a sharded set, in random order, or made: then they are written as lines of
/// NDJSON in memory, and nothing is stored. Each thread works on one block of drawings at a time,
/// with reused buffers. Block number and seed determine its contents, so the sums do not depend on
/// the number of threads.
package struct StreamBenchmark: Sendable {
  /// The drawings to augment; none if they are read from a set.
  var pool: [Drawing]
  /// The drawings to read.
  var order: ShardOrder?
  /// How many drawings to make.
  var count: Int
  /// The number of drawings per line of the report.
  var interval: Int
  /// The seed of the drawings.
  var seed: UInt64
  /// The number of threads.
  var threads: Int
  /// Renders the drawings.
  var rasterizer = Rasterizer(channels: .ink)

  package init(pool: [Drawing], count: Int, interval: Int, seed: UInt64, threads: Int) {
    (self.pool, self.count, self.interval) = (pool, count, interval)
    (self.seed, self.threads) = (seed, threads)
    let mostPoints = pool.map(\.pointCount).max() ?? 0
    blockSize = max(1, min(500, 100_000 / max(1, mostPoints)))
  }

  /// A benchmark of the first `count` drawings of a set in random order.
  package init(
    _ set: ShardedDrawings, count: Int, interval: Int, seed: UInt64, threads: Int
  ) {
    self.init(
      pool: [], count: min(count, set.count), interval: interval, seed: seed, threads: threads)
    order = ShardOrder(of: set, seed: seed)
  }

  /// Drawings in a block: enough for the clocks' overhead to be negligible, few enough for the
  /// cache; fewer if drawings have very many points.
  let blockSize: Int

  /// How a drawing is changed before it is written.
  private static let augmentation: Augmentation = {
    var augmentation = Augmentation.standard
    // Quick, Draw! leaves out points on straight lines; pieces would put them back.
    augmentation.longestPiece = 0
    return augmentation
  }()

  /// The work on some blocks.
  private struct Work: Sendable {
    var drawings = 0
    var points = 0
    var bytes = 0
    var checkedInk = 0.0
    /// In all threads together.
    var reading = Times()
    var drawing = Times()
    var making = Times()

    mutating func add(_ other: Work) {
      drawings += other.drawings
      points += other.points
      bytes += other.bytes
      checkedInk += other.checkedInk
      reading.add(other.reading)
      drawing.add(other.drawing)
      making.add(other.making)
    }
  }

  /// Wall-clock and processor time.
  private struct Times: Sendable {
    var wall = Duration.zero
    var processor = Duration.zero

    mutating func add(_ other: Times) {
      wall += other.wall
      processor += other.processor
    }
  }

  /// The buffers of one thread.
  private struct Buffers: Sendable {
    var text: [UInt8] = []
    var drawings: [Drawing] = []
    var pixels: [Float]
    var scratch = Rasterizer.Scratch()

    init(_ rasterizer: Rasterizer, blockSize: Int) {
      pixels = [Float](repeating: 0, count: blockSize * rasterizer.shape.reduce(1, *))
    }
  }

  /// Runs to the end.
  ///
  /// - Parameter progress: Called at the end of each interval.
  /// - Returns: The report.
  /// - Throws: `JobProblem` if a drawing is not read as it was written, `CancellationError`,
  ///   and what `progress` throws.
  package func run(_ progress: (StreamReport.Interval, _ done: Int) throws -> Void) async throws
    -> StreamReport
  {
    let pool = Pool<Buffers>()
    var report = StreamReport(self)
    let start = ContinuousClock.now
    var (done, total) = (0, Work())
    Resources.resetPeakMemory()
    while done < count {
      try Task.checkCancellation()
      let end = min(count, done + interval)
      let begun = ContinuousClock.now
      let work = try await run(done..<end, pool)
      let wall = (ContinuousClock.now - begun) / .seconds(1)
      let row = StreamReport.Interval(
        drawings: end, readAndDrawn: rate(work, \.wall),
        readAndDrawnOfProcessorTime: rate(work, \.processor),
        allIncluded: Double(work.drawings) / wall, peakMemoryBytes: Resources.peakMemorySinceReset)
      Resources.resetPeakMemory()
      report.intervals.append(row)
      total.add(work)
      done = end
      try progress(row, done)
    }
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    report.points = total.points
    report.bytes = total.bytes
    report.inkOfChecked = total.checkedInk
    report.readAndDrawn = rate(total, \.wall)
    report.readAndDrawnOfProcessorTime = rate(total, \.processor)
    report.allIncluded = Double(total.drawings) / max(report.seconds, 1e-9)
    let each = Duration.microseconds(max(1, total.drawings))
    report.microsecondsOfProcessor = StreamReport.Parts(
      making: total.making.processor / each, reading: total.reading.processor / each,
      drawing: total.drawing.processor / each)
    return report
  }

  /// Drawings per second that all threads together would read and draw, excluding making the lines.
  private func rate(_ work: Work, _ clock: KeyPath<Times, Duration>) -> Double {
    let time = work.reading[keyPath: clock] + work.drawing[keyPath: clock]
    return Double(work.drawings * threads) / max(time / .seconds(1), 1e-9)
  }

  /// The state that the threads share.
  private final class Board: Sendable {
    let next: Atomic<Int>
    let blocks = Mutex<[Int: Work]>([:])

    init(start: Int) { next = Atomic(start) }
  }

  /// The drawings of `range`, block by block, each thread taking the next one.
  private func run(_ range: Range<Int>, _ pool: Pool<Buffers>) async throws -> Work {
    let board = Board(start: range.lowerBound)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<threads {
        group.addTask {
          var buffers = pool.take() ?? Buffers(rasterizer, blockSize: blockSize)
          while true {
            let start = board.next.add(blockSize, ordering: .relaxed).oldValue
            guard start < range.upperBound else { break }
            let work = try block(start..<min(start + blockSize, range.upperBound), &buffers)
            board.blocks.withLock { $0[start] = work }
          }
          pool.putBack(buffers)
        }
      }
      try await group.waitForAll()
    }
    // Add in block order, because rounding depends on it.
    return board.blocks.withLock { found in
      found.keys.sorted().reduce(into: Work()) { sum, start in
        if let work = found[start] { sum.add(work) }
      }
    }
  }

  private func block(_ range: Range<Int>, _ buffers: inout Buffers) throws -> Work {
    var work = Work()
    let made = order == nil ? timed(&work.making) { make(range, &buffers.text) } : nil
    try timed(&work.reading) {
      buffers.drawings.removeAll(keepingCapacity: true)
      if let order {
        for position in range { buffers.drawings.append(try order.drawing(position)) }
        return
      }
      var reader = DrawingReader(lines: buffers.text, named: "the stream")
      while let drawing = try reader.next() { buffers.drawings.append(drawing) }
    }
    try timed(&work.drawing) { try draw(buffers.drawings, &buffers.pixels, &buffers.scratch) }
    let points = buffers.drawings.reduce(0) { $0 + $1.pointCount }
    guard buffers.drawings.count == range.count, made == nil || points == made else {
      throw JobProblem("\(made ?? 0) points were written and \(points) read")
    }
    (work.drawings, work.points, work.bytes) = (range.count, points, buffers.text.count)
    work.checkedInk = buffers.pixels[..<rasterizer.shape.reduce(1, *)].reduce(0) { $0 + Double($1) }
    return work
  }

  /// Takes the buffers as separate parameters: a span of one member borrows the whole value.
  private func draw(
    _ drawings: [Drawing], _ pixels: inout [Float], _ scratch: inout Rasterizer.Scratch
  ) throws {
    let size = rasterizer.shape.reduce(1, *)
    var slots = pixels.mutableSpan
    for (index, drawing) in drawings.enumerated() {
      try rasterizer.draw(drawing, into: &slots, at: index * size, using: &scratch)
    }
  }

  private func timed<Result>(_ time: inout Times, _ body: () throws -> Result) rethrows -> Result {
    let (wall, processor) = (ContinuousClock.now, Resources.processorTimeOfThread)
    let result = try body()
    time.wall += ContinuousClock.now - wall
    time.processor += Resources.processorTimeOfThread - processor
    return result
  }

  // MARK: Making drawings

  /// Writes the lines of the drawings `range` and returns their number of points.
  private func make(_ range: Range<Int>, _ text: inout [UInt8]) -> Int {
    text.removeAll(keepingCapacity: true)
    var points = 0
    for number in range {
      var generator = SeededGenerator(seed: seed, stream: 6, number)
      let drawing = Self.augmentation(generator.pick(pool), using: &generator)
      points += QuickDrawLine.append(drawing, number: number, to: &text)
    }
    return points
  }
}

/// Lines in the form of Quick, Draw!'s simplified drawings: whole numbers from 0 to 255.
enum QuickDrawLine {
  private static let front = Array(#"{"word":""#.utf8)
  private static let middle = Array(
    #"""
    ","countrycode":"XX","timestamp":"2026-01-01 00:00:00.00000 UTC","recognized":true,\#
    "key_id":"
    """#.utf8)
  private static let strokes = Array(#"","drawing":["#.utf8)

  /// Appends the line of a drawing that has points.
  ///
  /// - Parameters:
  ///   - drawing: The drawing. Its label is written unchanged if it is plain text, else omitted.
  ///   - number: Its `key_id`, of 16 digits.
  ///   - text: The lines so far.
  /// - Returns: The number of points written; points equal to the one before are omitted.
  static func append(_ drawing: Drawing, number: Int, to text: inout [UInt8]) -> Int {
    guard let box = drawing.boundingBox else { return 0 }
    let scale = 255 / max(box.width, box.height, 1e-9)
    text += front
    if let label = drawing.label, label.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5c })
    {
      text += label.utf8
    }
    text += middle
    append(4_500_000_000_000_000 + number, to: &text)
    text += strokes
    var count = 0
    for (index, stroke) in drawing.strokes.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text.append(UInt8(ascii: "["))
      var places: [SIMD2<Int>] = []
      places.reserveCapacity(stroke.points.count)
      for point in stroke.points {
        let place = SIMD2(
          Int(((point.x - box.x) * scale).rounded()), Int(((point.y - box.y) * scale).rounded())
        )
        if place != places.last { places.append(place) }
      }
      for axis in 0..<2 {
        if axis == 1 { text.append(UInt8(ascii: ",")) }
        text.append(UInt8(ascii: "["))
        for (index, place) in places.enumerated() {
          if index > 0 { text.append(UInt8(ascii: ",")) }
          append(place[axis], to: &text)
        }
        text.append(UInt8(ascii: "]"))
      }
      text.append(UInt8(ascii: "]"))
      count += places.count
    }
    text += [UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "\n")]
    return count
  }

  /// The digits of a number that is not negative.
  private static func append(_ number: Int, to text: inout [UInt8]) {
    var (power, rest) = (1, number)
    while number / power >= 10 { power *= 10 }
    while power > 0 {
      text.append(UInt8(ascii: "0") + UInt8(rest / power))
      rest %= power
      power /= 10
    }
  }
}
