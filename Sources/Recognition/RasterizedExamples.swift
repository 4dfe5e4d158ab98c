internal import Ink
internal import NeuralNetwork
internal import Support
internal import Synchronization

/// Training examples as the network sees them, with what a teacher says of each.
struct RasterizedExamples: TrainingData {
  let fingerprint: String
  let targetSize: Int
  private let examples: TrainingExamples
  private let rasterizer: Rasterizer
  private let teacher: Embedding?
  /// Whether the teacher can look at the student's own picture.
  private let sharesPicture: Bool
  private let desks = Desks()

  init(_ examples: TrainingExamples, _ rasterizer: Rasterizer, teacher: Embedding?) {
    self.examples = examples
    self.rasterizer = rasterizer
    self.teacher = teacher
    targetSize = teacher?.dimension ?? 0
    sharesPicture =
      teacher.map { $0.rasterizer.channels == .ink && $0.rasterizer == rasterizer.inkOnly } ?? false
    // All that makes pixels of the drawings: other pixels would be another training.
    var fingerprint = Fingerprint()
    for rasterizer in [rasterizer] + (teacher.map { [$0.rasterizer] } ?? []) {
      fingerprint.update("\(rasterizer.shape) \(rasterizer.strokeWidth) \(rasterizer.margin)")
    }
    if let teacher { fingerprint.update(teacher.fingerprint) }
    fingerprint.update(examples.fingerprint)
    self.fingerprint = fingerprint.hexadecimal()
  }

  var count: Int { examples.count }

  func fill(
    _ input: inout MutableSpan<Float>, target: inout MutableSpan<Float>, with index: Int,
    using generator: inout SeededGenerator
  ) throws -> Int? {
    let (example, label) = try examples.draw(index, &generator)
    var desk = desks.take(teacher)
    defer { desks.putBack(desk) }
    do throws(InkError) {
      try rasterizer.widened(by: example.strokeWidthFactor).draw(
        example.drawing, into: &input, using: &desk.scratch)
    } catch {
      throw ModelError.drawing(id: example.drawing.id, reason: "\(error)")
    }
    if teacher != nil, var worker = desk.worker {
      desk.worker = nil
      if sharesPicture {
        worker.read(input, channels: rasterizer.channels.count)
      } else {
        try worker.draw(example.drawing, strokeWidthFactor: example.strokeWidthFactor)
      }
      try worker.run(into: &target, id: example.drawing.id)
      desk.worker = worker
    }
    return label
  }

  /// The buffers of one thread.
  private struct Desk {
    var scratch = Rasterizer.Scratch()
    var worker: Embedding.Worker?
  }

  /// Buffers that wait for a thread that needs some, so that none are made anew for each example.
  private final class Desks: Sendable {
    private let free = Mutex<[Desk]>([])

    func take(_ teacher: Embedding?) -> Desk {
      free.withLock { $0.popLast() }
        ?? Desk(worker: teacher.map { Embedding.Worker(embedding: $0) })
    }

    func putBack(_ desk: Desk) {
      free.withLock { $0.append(desk) }
    }
  }
}

extension Rasterizer {
  /// The same with a pen of another width.
  func widened(by factor: Double) -> Rasterizer {
    guard factor != 1 else { return self }
    return Rasterizer(
      width: width, height: height, strokeWidth: strokeWidth * factor, margin: margin,
      channels: channels)
  }

  /// The same without further channels.
  fileprivate var inkOnly: Rasterizer {
    Rasterizer(width: width, height: height, strokeWidth: strokeWidth, margin: margin)
  }
}
